// Words and numbers by which services name an error, and what each is called here. Only what their own documentation lists.
import type { UpstreamErrorType } from './classes.ts'

type Kind = UpstreamErrorType extends `upstream_${infer Name}` ? Name : never

/** Statuses of HTTP: RFC 9110, section 15; RFC 6585 for 428, 429 and 431. */
const statuses: Readonly<Record<number, Kind>> = {
  400: 'invalid_arguments',
  401: 'not_signed_in',
  402: 'payment_declined',
  403: 'not_permitted',
  404: 'not_found',
  405: 'unsupported',
  406: 'invalid_arguments',
  408: 'timed_out',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'too_large',
  414: 'too_large',
  415: 'invalid_arguments',
  416: 'invalid_arguments',
  422: 'invalid_arguments',
  423: 'conflict',
  428: 'conflict',
  429: 'rate_limited',
  431: 'too_large',
  451: 'not_permitted',
  500: 'fault',
  501: 'unsupported',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timed_out',
  507: 'quota_used_up',
}

/** What an HTTP status is called here; of others its hundred decides. */
export function typeOfStatus(status: number): UpstreamErrorType | undefined {
  const kind = statuses[status] ?? (status > 499 && status < 600 ? 'fault' : undefined)
  return kind === undefined ? undefined : `upstream_${kind}`
}

/** Each list says where it is from; a word that two services use in two senses is left out. */
const lists: readonly Readonly<Partial<Record<Kind, string>>>[] = [
  // https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto
  {
    invalid_arguments: 'invalid_argument out_of_range',
    wrong_state: 'failed_precondition',
    not_signed_in: 'unauthenticated',
    not_permitted: 'permission_denied',
    not_found: 'not_found',
    already_exists: 'already_exists',
    conflict: 'aborted',
    quota_used_up: 'resource_exhausted',
    unsupported: 'unimplemented',
    unavailable: 'unavailable',
    timed_out: 'deadline_exceeded',
    fault: 'internal data_loss unknown',
  },
  // https://github.com/googleapis/googleapis/blob/master/google/api/error_reason.proto
  {
    not_permitted:
      'service_disabled api_key_service_blocked api_key_http_referrer_blocked api_key_ip_address_blocked consumer_suspended access_token_scope_insufficient user_project_denied security_policy_violated iam_permission_denied',
    payment_declined: 'billing_disabled',
    not_signed_in:
      'api_key_invalid credentials_missing access_token_expired access_token_type_unsupported account_state_invalid login_cookie_invalid',
    rate_limited: 'rate_limit_exceeded',
    quota_used_up: 'resource_quota_exceeded quota_exceeded daily_limit_exceeded',
  },
  // RFC 6749, sections 4.1.2.1 and 5.2; RFC 6750, section 3.1; RFC 8628, section 3.5.
  {
    not_signed_in: 'invalid_grant invalid_token invalid_client expired_token',
    not_permitted: 'insufficient_scope access_denied unauthorized_client invalid_scope',
    invalid_arguments: 'invalid_request unsupported_grant_type unsupported_response_type',
    unavailable: 'temporarily_unavailable',
    fault: 'server_error',
    rate_limited: 'slow_down',
  },
  // https://docs.stripe.com/api/errors and https://docs.stripe.com/error-codes
  {
    payment_declined: 'card_error card_declined insufficient_funds expired_card incorrect_cvc processing_error',
    invalid_arguments:
      'invalid_request_error parameter_missing parameter_unknown parameter_invalid_empty parameter_invalid_integer parameter_invalid_string_empty email_invalid amount_too_small',
    too_large: 'amount_too_large',
    not_found: 'resource_missing',
    already_exists: 'resource_already_exists',
    conflict: 'idempotency_error lock_timeout',
    wrong_state: 'charge_already_refunded charge_already_captured payment_intent_unexpected_state',
    not_signed_in: 'api_key_expired authentication_error',
    not_permitted: 'secret_key_required permission_error',
    rate_limited: 'rate_limit',
    fault: 'api_error',
  },
  // https://developers.notion.com/reference/status-codes
  {
    invalid_arguments: 'invalid_json invalid_request_url validation_error missing_version',
    not_signed_in: 'unauthorized',
    not_permitted: 'restricted_resource',
    not_found: 'object_not_found',
    conflict: 'conflict_error',
    rate_limited: 'rate_limited',
    fault: 'internal_server_error',
    unavailable: 'service_unavailable database_connection_unavailable bad_gateway',
    timed_out: 'gateway_timeout',
  },
  // https://docs.slack.dev/reference/methods (the errors of chat.postMessage, conversations.history and reactions.add)
  {
    not_signed_in: 'not_authed invalid_auth account_inactive token_revoked token_expired',
    not_permitted:
      'missing_scope not_in_channel no_permission not_allowed_token_type ekm_access_denied restricted_action cant_update_message cant_delete_message',
    not_found: 'channel_not_found user_not_found message_not_found thread_not_found users_not_found no_reaction',
    already_exists: 'already_reacted name_taken already_in_channel',
    wrong_state: 'is_archived already_archived not_archived',
    too_large: 'msg_too_long too_many_attachments',
    rate_limited: 'ratelimited',
    invalid_arguments: 'invalid_arguments invalid_arg_name invalid_blocks no_text invalid_name',
    fault: 'fatal_error internal_error',
  },
  // https://www.apollographql.com/docs/apollo-server/data/errors
  {
    not_signed_in: 'unauthenticated',
    not_permitted: 'forbidden',
    invalid_arguments: 'bad_user_input graphql_validation_failed graphql_parse_failed bad_request',
    fault: 'internal_server_error',
  },
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html,
  // https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html, https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html
  {
    not_permitted: 'access_denied unauthorized_operation opt_in_required',
    not_signed_in:
      'unrecognized_client invalid_client_token_id expired_token signature_does_not_match missing_authentication_token incomplete_signature invalid_access_key_id request_expired',
    not_found: 'resource_not_found no_such_bucket no_such_key no_such_entity',
    already_exists: 'resource_in_use bucket_already_exists bucket_already_owned_by_you entity_already_exists',
    conflict: 'conditional_check_failed transaction_conflict operation_aborted',
    still_in_use: 'delete_conflict bucket_not_empty',
    invalid_arguments: 'validation malformed_query_string missing_parameter invalid_parameter_value',
    rate_limited: 'throttling throttled request_limit_exceeded provisioned_throughput_exceeded too_many_requests',
    quota_used_up: 'limit_exceeded service_quota_exceeded item_collection_size_limit_exceeded',
    too_large: 'entity_too_large request_entity_too_large',
    unavailable: 'service_unavailable',
    fault: 'internal_failure internal_server',
  },
  // https://kubernetes.io/docs/reference/using-api/api-concepts and apimachinery/pkg/apis/meta/v1/types.go (StatusReason)
  {
    invalid_arguments: 'invalid bad_request not_acceptable unsupported_media_type',
    conflict: 'conflict',
    timed_out: 'timeout server_timeout',
    unsupported: 'method_not_allowed',
    too_large: 'request_entity_too_large',
    not_found: 'gone',
  },
  // https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api (codes of validation errors)
  { not_found: 'missing', invalid_arguments: 'missing_field unprocessable' },
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  {
    sql_no_table: '42p01 3f000',
    sql_no_column: '42703',
    sql_no_function: '42883',
    sql_syntax: '42601 42803',
    sql_type: '42804 22p02 22003 22007 22008 22012',
    sql_duplicate: '23505',
    sql_missing_value: '23502',
    sql_constraint: '23503 23514 23p01 23000 23001',
    sql_read_only: '25006',
    sql_busy: '40001 40p01 55p03',
    already_exists: '42p07 42710 42p06 42p04 42701',
    not_permitted: '42501',
    not_signed_in: '28p01 28000',
    timed_out: '57014',
    unavailable: '53300 57p03 57p01',
    still_in_use: '2bp01',
  },
]

const words: ReadonlyMap<string, UpstreamErrorType> = new Map(
  lists.flatMap((list) =>
    Object.entries(list).flatMap(([kind, names]) =>
      names.split(' ').map((name) => [name, `upstream_${kind as Kind}`] as const),
    ),
  ),
)

/** In characters; longer codes are sentences. */
const longestCode = 100

/**
 * What a service's own word for an error is called here. Spellings are one: `NotFound`, `NOT_FOUND`, `not-found`, and of AWS
 * `com.amazonaws.x#NotFoundException`.
 */
export function typeOfCode(code: string): UpstreamErrorType | undefined {
  if (code.length > longestCode) return undefined
  const name = code
    .slice(code.lastIndexOf('#') + 1)
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[ .-]/g, '_')
  const known = words.get(name) ?? words.get(name.replace(/_(?:exception|error|fault)$/, ''))
  if (known !== undefined) return known
  const ending = endings.find(([end]) => name.endsWith(end))
  return ending?.[1]
}

/** Services name their own things in front of words that all share: `PAGE_NOT_FOUND`, `bucket_already_exists`. */
const endings: readonly (readonly [end: string, type: UpstreamErrorType])[] = [
  ['_not_found', 'upstream_not_found'],
  ['_already_exists', 'upstream_already_exists'],
  ['_rate_limited', 'upstream_rate_limited'],
  ['_timed_out', 'upstream_timed_out'],
]

/** Every word that is known, for tests. */
export const knownCodes: readonly string[] = [...words.keys()]
