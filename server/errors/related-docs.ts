// Which section of the documentation belongs to an error: the one table from error to address. A failure, a reason or a type
// of error, in a program or of a server behind, that has no row here does not compile. A test reads every address.
import { docsUri } from '../model/docs.ts'
import type { UpstreamErrorType } from './explain/classes.ts'
import type { Failure, RefusalReason } from './failure.ts'
import type { ErrorGuidance } from './guidance.ts'

type Kinds = Failure['kind']
type Of<Kind extends Kinds> = Extract<Failure, { readonly kind: Kind }>

const refusals: Readonly<Record<RefusalReason, string>> = {
  reference: 'unknown-ticket',
  unknown: 'unknown-ticket',
  malformed: 'unknown-ticket',
  cancelled: 'cancelled-or-rejected',
  rejected: 'cancelled-or-rejected',
  revoked: 'frozen',
  expired: 'expired-replaced-or-used',
  superseded: 'expired-replaced-or-used',
  failed: 'expired-replaced-or-used',
  stale: 'expired-replaced-or-used',
}

/** Failures that the contracts of tools of servers behind declare. */
const declared: ReadonlyMap<string, string> = new Map([
  ['upstream_unavailable', 'server-not-there'],
  ['upstream_login_required', 'login'],
  ['upstream_held', 'changed-definition'],
  ['upstream_refused', 'refused-by-the-server'],
  ['dry_run_failed', 'refused-by-the-server'],
  ['upstream_lost', 'outcome-unknown'],
  ['upstream_error', 'the-server-says-that-it-failed'],
  ['wrong_door', 'intent-and-doors'],
  ['forbidden_call', 'forbidden-by-the-operator'],
])

const sections: { readonly [Kind in Kinds]: string | ((failure: Of<Kind>) => string) } = {
  'unknown-tool': 'unknown-tool',
  'invalid-arguments': ({ fields }) =>
    fields.length > 0 && fields.every(({ pointer }) => /^\/(?:countersign_)?rationale$/.test(pointer))
      ? 'rationale'
      : 'wrong-arguments',
  'unstable-contract': 'a-mistake-in-the-tool',
  'not-permitted': 'permission',
  'too-many-calls': 'too-many-calls',
  'plan-refused': ({ reason }) => refusals[reason],
  intent: 'intent-and-doors',
  frozen: 'frozen',
  mismatch: 'other-arguments-than-confirmed',
  stale: 'the-state-has-changed',
  'proof-missing': 'stronger-proof',
  'outcome-unknown': 'outcome-unknown',
  'tool-failed': ({ code }) => declared.get(code) ?? 'the-tool-says-no',
  'tool-crashed': 'a-mistake-in-the-tool',
  'bad-output': 'a-mistake-in-the-tool',
  'store-unavailable': 'the-server-itself',
  'server-unavailable': 'server-not-there',
  'login-needed': 'login',
  'not-your-card': 'unknown-ticket',
  internal: 'the-server-itself',
}

/** Failures of which a class of error at a server behind says more. */
const mayBeUpstreams: ReadonlySet<Kinds> = new Set(['tool-failed', 'tool-crashed', 'outcome-unknown'])

const errorsPage = (section: string): string => `${docsUri}errors#${section}`

/** What to read about a failure: its own section, and that of the class of error where a server behind has said more. */
export function relatedDocs(
  failure: Failure,
  { category, error_type: type }: Pick<ErrorGuidance, 'category' | 'error_type'>,
): readonly string[] {
  const section = sections[failure.kind] as string | ((failure: Failure) => string)
  const own = typeof section === 'string' ? section : section(failure)
  if (category !== 'upstream' || !mayBeUpstreams.has(failure.kind)) return [errorsPage(own)]
  const nearer = upstreamDocs(type)
  return failure.kind === 'outcome-unknown' ? [errorsPage(own), ...nearer] : nearer
}

/** What the errors of servers behind are called, and the section that speaks of each. */
const upstreamSections: Readonly<Record<UpstreamErrorType, string>> = {
  upstream_not_signed_in: 'not-logged-in-there',
  upstream_not_permitted: 'not-allowed-there',
  upstream_path_not_allowed: 'not-allowed-there',
  upstream_path_denied: 'not-allowed-there',
  upstream_sql_read_only: 'not-allowed-there',
  upstream_not_configured: 'not-set-up-there',
  upstream_program_missing: 'not-set-up-there',
  upstream_daemon_away: 'not-set-up-there',
  upstream_rate_limited: 'rate-limit',
  upstream_quota_used_up: 'quota',
  upstream_payment_declined: 'quota',
  upstream_no_space: 'quota',
  upstream_not_found: 'not-found-there',
  upstream_unknown_tool: 'not-found-there',
  upstream_path_not_found: 'not-found-there',
  upstream_sql_no_table: 'not-found-there',
  upstream_sql_no_column: 'not-found-there',
  upstream_sql_no_function: 'not-found-there',
  upstream_no_repository: 'not-found-there',
  upstream_unknown_revision: 'not-found-there',
  upstream_no_element: 'not-found-there',
  upstream_wrong_state: 'conflict',
  upstream_already_exists: 'conflict',
  upstream_conflict: 'conflict',
  upstream_still_in_use: 'conflict',
  upstream_folder_not_empty: 'conflict',
  upstream_merge_conflict: 'conflict',
  upstream_push_rejected: 'conflict',
  upstream_nothing_to_commit: 'conflict',
  upstream_page_waited: 'conflict',
  upstream_sql_duplicate: 'conflict',
  upstream_sql_busy: 'conflict',
  upstream_invalid_arguments: 'invalid-for-the-server',
  upstream_unsupported: 'invalid-for-the-server',
  upstream_too_large: 'invalid-for-the-server',
  upstream_use_other_tool: 'invalid-for-the-server',
  upstream_path_wrong_kind: 'invalid-for-the-server',
  upstream_text_not_found: 'invalid-for-the-server',
  upstream_text_not_unique: 'invalid-for-the-server',
  upstream_sql_syntax: 'invalid-for-the-server',
  upstream_sql_type: 'invalid-for-the-server',
  upstream_sql_missing_value: 'invalid-for-the-server',
  upstream_sql_constraint: 'invalid-for-the-server',
  upstream_many_elements: 'invalid-for-the-server',
  upstream_script_failed: 'invalid-for-the-server',
  upstream_program_failed: 'invalid-for-the-server',
  upstream_unreachable: 'network',
  upstream_name_unknown: 'network',
  upstream_certificate: 'network',
  upstream_timed_out: 'network',
  upstream_page_not_loaded: 'network',
  upstream_unavailable: 'fault-of-the-service',
  upstream_fault: 'fault-of-the-service',
}

/** What to read about an error of a server behind; what nothing explains has a section, too. */
export const upstreamDocs = (type: string): readonly string[] => [
  errorsPage(
    Object.hasOwn(upstreamSections, type)
      ? upstreamSections[type as UpstreamErrorType]
      : 'the-server-says-that-it-failed',
  ),
]

/** Types of errors in programs, by the section that speaks of them. */
const programTypes = {
  names: [
    'undefined_name',
    'unbound_local',
    'used_before_declaration',
    'redeclared',
    'read_only',
    'name_error',
    'reference_error',
    'missing_attribute',
    'attribute_error',
  ],
  types: [
    'type_error',
    'null_access',
    'not_callable',
    'argument_count',
    'unexpected_keyword',
    'not_iterable',
    'not_subscriptable',
    'index_type',
    'text_plus_number',
    'unsupported_operands',
    'unhashable',
    'no_length',
    'abstract_class',
  ],
  values: [
    'value_error',
    'missing_key',
    'lookup_error',
    'empty_sequence',
    'index_out_of_range',
    'unpack_count',
    'destructuring',
    'iteration_ended',
    'changed_while_read',
    'number_parse',
    'division_by_zero',
    'number_overflow',
    'math_domain',
    'date_parse',
    'not_found_in',
    'value_out_of_range',
    'range_error',
    'bad_pattern',
  ],
  'imports-and-packages': ['missing_module', 'missing_export', 'circular_import', 'import_error'],
  files: [
    'file_not_found',
    'path_outside_workspace',
    'workspace_full',
    'name_too_long',
    'is_a_directory',
    'not_a_directory',
    'file_exists',
    'permission_denied_in_workspace',
    'closed_file',
    'os_error',
  ],
  'json-and-encoding': ['json_decode', 'json_encode', 'text_decoding', 'text_encoding', 'bytes_or_text', 'file_format'],
  syntax: [
    'indentation',
    'print_statement',
    'missing_colon',
    'missing_bracket',
    'unclosed_bracket',
    'unmatched_bracket',
    'unterminated_string',
    'f_string',
    'equals_sign',
    'bad_assignment_target',
    'missing_comma',
    'missing_semicolon',
    'missing_value',
    'unexpected_token',
    'bad_character',
    'bad_number',
    'bad_escape',
    'line_continuation',
    'outside_of_block',
    'try_without_except',
    'except_list',
    'import_form',
    'comprehension_form',
    'argument_order',
    'scope_declaration',
    'dict_form',
    'definition_form',
    'operator_form',
    'missing_condition',
    'keyword_as_name',
    'console_text',
    'syntax_error',
  ],
  fuel: ['out_of_fuel'],
  memory: ['out_of_memory', 'recursion_limit', 'nested_too_deeply'],
  time: ['timeout', 'interrupted', 'never_settled'],
  output: ['output_limit'],
  'javascript-of-the-sandbox': ['host_api_unavailable', 'missing_new', 'missing_super', 'bigint_mixed'],
  'what-the-sandbox-does-not-have': ['system_unavailable', 'threads_unavailable', 'no_input', 'event_loop'],
  'raised-by-the-program': [
    'raised_by_program',
    'exit_status',
    'assertion_failed',
    'exception_group',
    'not_implemented',
    'runtime_error',
    'sql_error',
    'template_error',
  ],
  'the-runtime-broke': ['runtime_crashed', 'internal_error'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A type of error in a program; a new one belongs to a section first. */
export type ProgramErrorType = (typeof programTypes)[keyof typeof programTypes][number]

const programSections: ReadonlyMap<string, string> = new Map(
  Object.entries(programTypes).flatMap(([section, types]) => types.map((type) => [type, section] as const)),
)

/** What to read about an error in a program. */
export const programDocs = (type: ProgramErrorType): readonly string[] => [
  errorsPage(programSections.get(type) ?? 'programs'),
]
