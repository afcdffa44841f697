// The one exhaustive table from failure to message, next step and retry. MCP, HTTP and CLI only format what it says.
import type { Failure, RefusalReason } from './failure.ts'
import type { ErrorGuidance, Fix } from './guidance.ts'
import { editsFor, invalidArguments, mismatch } from './field-rows.ts'
import { fieldError } from './wrong-argument.ts'
import { serverUnavailable, unknownTool } from './missing-tool-rows.ts'
import { loginNeeded } from './login-row.ts'
import { relatedDocs } from './related-docs.ts'
import { askPerson, at, tellOperators, waitFor, type Row } from './row.ts'

/** Turns a failure into the guidance that every door carries. `docs`: addresses of what its tool says to read. */
export function guidanceFor(failure: Failure, docs: readonly string[] = []): ErrorGuidance {
  const row = rows[failure.kind] as (of: Failure) => Row
  const { rule, confidence = 'certain', fix = [], field_errors = [], ...said } = row(failure)
  const { retryable, retry_after_seconds, ...words } = said
  return {
    ...words,
    fix,
    retryable,
    ...(retry_after_seconds === undefined ? {} : { retry_after_seconds }),
    field_errors,
    related_docs: [...docs, ...relatedDocs(failure, words)],
    code_examples: [],
    evidence: { source: 'countersign', rule, confidence },
  }
}

const previewAgain = (tool: string): string => `Call ${tool} again without ticket and preview to get a fresh preview.`

const rows: { readonly [Kind in Failure['kind']]: (failure: Extract<Failure, { readonly kind: Kind }>) => Row } = {
  'unknown-tool': unknownTool,
  'invalid-arguments': invalidArguments,
  'unstable-contract': ({ tool, pointer, problem }) => ({
    error_type: 'unstable_contract',
    category: 'server',
    message: `${tool} cannot be confirmed: ${problem} at ${at(pointer)}.`,
    cause:
      'Parsing arguments that were parsed before must change nothing, otherwise what runs could differ from what was confirmed. This is a mistake in the tool, not in the call.',
    actionable_guidance: [
      "Tell the server's operator with submit_feedback; no other arguments will help.",
      'Nothing was changed.',
    ],
    fix: askPerson(`Please report that ${tool} has an input schema that is not stable.`),
    retryable: 'no',
    rule: 'contract.stable_parsing',
  }),
  'not-permitted': ({ tool, missing }) => ({
    error_type: 'permission_denied',
    category: 'permission',
    message: `You may not call ${tool}.`,
    cause: `Missing: ${missing.join(', ')}.`,
    actionable_guidance: [
      'Ask an operator for the permission, or use another tool. Nothing was changed.',
      tellOperators,
    ],
    fix: askPerson(`May this agent have ${missing.join(', ')}?`),
    retryable: 'no',
    rule: 'contract.permissions',
  }),
  'too-many-calls': ({ tool, counted, perMinute, retryAfterSeconds }) => ({
    error_type: 'too_many_calls',
    category: 'permission',
    message: `${tool} was not called: you have made more than ${perMinute} ${counted === 'writes' ? 'calls of tools that change something' : counted === 'calls' ? 'calls' : 'requests from cards'} in a minute.`,
    cause: 'The operators limit how often one caller may call. Nothing was changed.',
    actionable_guidance: [
      `Wait ${retryAfterSeconds} seconds, then repeat this call unchanged.`,
      'Make no other calls until then: they would be refused as well.',
    ],
    ...waitFor(retryAfterSeconds, 'The limit counts by the minute.'),
    rule: `limits.${counted}_per_minute`,
  }),
  'plan-refused': ({ tool, reason, detail }) => refusal(tool, reason, detail),
  intent: ({ tool, code, message, guidance }) => ({
    error_type: code,
    category: 'arguments',
    message,
    cause: `Nothing was sent to the server of ${tool}.`,
    actionable_guidance: [guidance],
    retryable: 'after_change',
    rule: `intent.${code}`,
  }),
  frozen: ({ tool, reason }) => ({
    error_type: 'frozen',
    category: 'permission',
    message: `${tool} was not run: an operator has stopped all changes by agents.`,
    cause: reason,
    actionable_guidance: [
      'Tell the person, with the reason, and stop trying to change anything. Reading still works. Nothing was changed.',
    ],
    fix: askPerson('Changes by agents are stopped. Do you know when they will be allowed again?'),
    retryable: 'no',
    rule: 'switch.freeze',
  }),
  mismatch,
  stale: () => ({
    error_type: 'plan_stale',
    category: 'confirmation',
    message: 'Nothing was run: the state has changed since the preview was made.',
    cause: 'The state that the preview was made from changed between the preview and the apply.',
    actionable_guidance: ['Let the person look at the fresh preview that comes with this answer and confirm it.'],
    retryable: 'after_change',
    rule: 'plan.basis',
  }),
  'proof-missing': ({ tool, needed, brought }) => ({
    error_type: 'proof_missing',
    category: 'confirmation',
    message: `${tool} was not run: this call needs ${proofWords[needed] ?? needed}, and came with ${proofWords[brought] ?? brought}.`,
    cause: 'The risk of this call asks for a stronger proof that a person has agreed.',
    actionable_guidance: [
      'Use a host that renders the card and let the person press its button.',
      'Where the host cannot render cards, this server cannot run this call: say so to the person. Nothing was changed.',
      tellOperators,
    ],
    fix: askPerson('Please confirm this call in the card of its preview.'),
    retryable: 'after_change',
    rule: 'proof.ladder',
  }),
  'outcome-unknown': ({ tool, why, reported, crashed }) => ({
    error_type: 'outcome_unknown',
    category: 'tool',
    message: reported ?? `It is not known whether ${tool} took effect. It will not be run again automatically.`,
    cause:
      reported === undefined
        ? why
        : `${tool} reports that it failed, but not what it had changed by then. It will not be run again automatically.`,
    actionable_guidance: [
      'Look with a read tool whether the change is there, and tell the person what you found.',
      'Only if it is not there: make a new preview and let the person confirm it.',
    ],
    fix: askPerson('The outcome of this call is not known. Please check before it is repeated.'),
    retryable: 'no',
    rule: crashed === true ? 'tool.run' : 'plan.lease',
  }),
  'tool-failed': ({ tool, code, message, guidance, suggest, fields, retryable, retryAfterSeconds }) => ({
    error_type: code,
    category: 'tool',
    message,
    cause: `${tool} declares this as "${code}". Nothing was changed.`,
    actionable_guidance: [guidance],
    fix: [...(suggest === undefined ? [] : [suggestedCall(tool, code, suggest)]), ...editsFor(fields)],
    retryable,
    ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    field_errors: fields.map(fieldError),
    rule: `failures.${code}`,
  }),
  'tool-crashed': ({ tool, during, incident }) => ({
    error_type: 'tool_error',
    category: 'server',
    message: `${tool} failed in a way that it does not declare. Nothing was changed.`,
    cause: `An unexpected error inside the tool; the server's log has it as incident ${incident}.`,
    actionable_guidance: [
      during === 'before'
        ? `This plan is used up. ${previewAgain(tool)} The person confirms that one.`
        : 'Try once more; if it fails again, tell the person and name the incident.',
      tellOperators,
    ],
    retryable: 'after_wait',
    retry_after_seconds: 5,
    rule: `tool.${during}`,
    confidence: 'likely',
  }),
  'bad-output': ({ tool, pointer, problem }) => ({
    error_type: 'bad_output',
    category: 'server',
    message: `${tool} answered something that its contract does not allow (${at(pointer)}: ${problem}).`,
    cause: 'This is a mistake in the tool, not in the call.',
    actionable_guidance: ["Tell the server's operator with submit_feedback; no other arguments will help."],
    retryable: 'no',
    rule: 'contract.output',
  }),
  'store-unavailable': ({ tool, uncertain, incident }) => ({
    error_type: 'store_unavailable',
    category: 'server',
    message:
      uncertain === true
        ? `Whether ${tool} took effect is not certain: the server lost its database before it had the answer.`
        : `${tool} was not run: the server cannot reach its own database.`,
    cause: `Without the database no confirmation can be checked or recorded; the server's log has it as incident ${incident}.`,
    actionable_guidance: [
      uncertain === true
        ? 'Wait a moment and repeat this call: what was done already is not done again, and the answer says whether it was.'
        : 'Wait a moment and repeat this call. Nothing was changed by this call.',
    ],
    ...waitFor(5, 'the database may come back'),
    rule: 'store.available',
    confidence: 'likely',
  }),
  'server-unavailable': serverUnavailable,
  'login-needed': loginNeeded,
  'not-your-card': ({ tool }) => ({
    error_type: 'confirmation_refused',
    category: 'confirmation',
    message: 'No preview of yours has this ticket.',
    cause: `${tool} takes the complete ticket of a card that this caller was given.`,
    actionable_guidance: [
      'These tools are for the card only. An agent has no use for them: it repeats the call of the Apply message.',
    ],
    retryable: 'no',
    rule: 'plan.unknown',
  }),
  internal: ({ tool, incident }) => ({
    error_type: 'internal_error',
    category: 'server',
    message: `The server failed while it handled the call of ${tool}.`,
    cause: `The server's log has it as incident ${incident}.`,
    actionable_guidance: [
      'Look with a read tool whether anything has changed before you try again, and name the incident to the person.',
      tellOperators,
    ],
    retryable: 'after_change',
    rule: 'server.internal',
    confidence: 'likely',
  }),
}

/** A suggested call with the rationale that every tool asks for, so that it can be made as it stands. */
const suggestedCall = (
  tool: string,
  code: string,
  suggest: NonNullable<Extract<Failure, { kind: 'tool-failed' }>['suggest']>,
): Fix => ({
  kind: 'call_tool',
  tool: suggest.tool,
  arguments: {
    ...suggest.arguments,
    rationale: `Follows up on ${code} from ${tool}: ${suggest.why}`.slice(0, 500).toWellFormed(),
  },
  why: suggest.why,
})

const proofWords: Readonly<Record<string, string>> = {
  none: 'no confirmation',
  plan: 'the id of a preview',
  ticket: 'the ticket that only the card has',
  recorded: 'a click in the card, recorded over a trusted connection',
}

/** Why a confirmation cannot be used. */
export const refusalCauses: Readonly<Record<RefusalReason, string>> = {
  unknown: 'No preview of yours that is waiting for confirmation has this ticket.',
  reference: 'apply_plan takes the ticket that only the card has; the id of the plan is not enough.',
  malformed: 'This is not a ticket: one looks like "cs1_…" or "pl_…" and must be copied whole.',
  cancelled: 'The person has cancelled this preview.',
  rejected: 'A person has rejected this call.',
  revoked: 'An operator stopped all changes by agents, which cancelled every open preview.',
  expired: 'The preview has expired before it was applied.',
  superseded: 'A newer preview of the same call has replaced this one.',
  failed: 'This preview was applied once and failed without effect; a ticket works once.',
  stale: 'This preview was made from a state that has changed since.',
}

function refusal(tool: string, reason: RefusalReason, detail: string | undefined): Row {
  const final = reason === 'cancelled' || reason === 'rejected'
  return {
    error_type: 'confirmation_refused',
    category: 'confirmation',
    message: 'Nothing was run: this confirmation cannot be used.',
    cause: detail === undefined ? refusalCauses[reason] : `${refusalCauses[reason]} They say: ${detail}`,
    actionable_guidance: [
      final
        ? 'Acknowledge it and do not try again unless the person asks.'
        : reason === 'reference'
          ? `Let the person press the card's button and repeat the Apply message that it sends. Where there is no card, call ${tool} itself with all its arguments and this id.`
          : `${previewAgain(tool)} The person confirms that one.`,
      ...(final ? [] : [tellOperators]),
    ],
    retryable: final ? 'no' : 'after_change',
    rule: `plan.${reason}`,
  }
}
