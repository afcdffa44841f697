// One exhaustive table from failure to message, next step and retry. MCP, HTTP and CLI only format what it says.
import type { Failure, RefusalReason } from './failure.ts'
import type { ErrorGuidance, Fix } from './guidance.ts'
import { notPermitted, tooManyCalls } from './access-rows.ts'
import { serverAway, storeUnavailable } from './away-rows.ts'
import { invalidArguments, mismatch } from './field-rows.ts'
import { at, show, tellOperators, type Row } from './row.ts'

/** Turns a failure into the guidance that every door carries. `docs`: addresses of what its tool says to read. */
export function guidanceFor(failure: Failure, docs: readonly string[] = []): ErrorGuidance {
  const row = rowFor(failure)
  return {
    error_type: row.type,
    category: row.category,
    message: row.message,
    cause: row.cause,
    actionable_guidance: row.next,
    fix: row.fix ?? [],
    retryable: row.retryable,
    ...(row.retryAfterSeconds === undefined ? {} : { retry_after_seconds: row.retryAfterSeconds }),
    field_errors: row.fields ?? [],
    related_docs: docs,
    code_examples: [],
    evidence: { source: 'countersign', rule: row.rule, confidence: row.confidence ?? 'certain' },
  }
}

const previewAgain = (tool: string): string => `Call ${tool} again without ticket and preview to get a fresh preview.`

function rowFor(failure: Failure): Row {
  switch (failure.kind) {
    case 'unknown-tool':
      return {
        type: 'unknown_tool',
        category: 'arguments',
        message: `There is no tool named ${show(failure.tool)} here.`,
        cause: "The name is not in this server's list of tools.",
        next: [
          failure.near.length > 0
            ? `Did you mean ${failure.near.join(' or ')}?`
            : 'List the tools and use a name from there.',
          tellOperators,
        ],
        retryable: 'after_change',
        rule: 'catalog.find',
      }
    case 'invalid-arguments':
      return invalidArguments(failure)
    case 'unstable-contract':
      return {
        type: 'unstable_contract',
        category: 'server',
        message: `${failure.tool} cannot be confirmed: ${failure.problem} at ${at(failure.pointer)}.`,
        cause:
          'Parsing what was parsed must change nothing, otherwise what runs could differ from what was confirmed. This is a mistake in the tool, not in the call.',
        next: [
          "Tell the server's operator with submit_feedback; no other arguments will help.",
          'Nothing was changed.',
        ],
        fix: [
          {
            kind: 'ask_person',
            question: `Please report that ${failure.tool} has an input schema that is not stable.`,
          },
        ],
        retryable: 'no',
        rule: 'contract.stable_parsing',
      }
    case 'not-permitted':
      return notPermitted(failure)
    case 'too-many-calls':
      return tooManyCalls(failure)
    case 'plan-refused':
      return refusal(failure.tool, failure.reason, failure.detail)
    case 'intent':
      return {
        type: failure.code,
        category: 'arguments',
        message: failure.message,
        cause: `Nothing was sent to the server of ${failure.tool}.`,
        next: [failure.guidance],
        retryable: 'after_change',
        rule: `intent.${failure.code}`,
      }
    case 'frozen':
      return {
        type: 'frozen',
        category: 'permission',
        message: `${failure.tool} was not run: an operator has stopped all changes by agents.`,
        cause: failure.reason,
        next: [
          'Tell the person, with the reason, and stop trying to change anything. Reading still works. Nothing was changed.',
        ],
        fix: [
          {
            kind: 'ask_person',
            question: 'Changes by agents are stopped. Do you know when they will be allowed again?',
          },
        ],
        retryable: 'no',
        rule: 'switch.freeze',
      }
    case 'mismatch':
      return mismatch(failure)
    case 'stale':
      return {
        type: 'plan_stale',
        category: 'confirmation',
        message: 'Nothing was run: the state has changed since the preview was made.',
        cause: 'The state that the preview was made from changed between the preview and the apply.',
        next: ['Let the person look at the fresh preview that comes with this answer and confirm it.'],
        retryable: 'after_change',
        rule: 'plan.basis',
      }
    case 'proof-missing':
      return {
        type: 'proof_missing',
        category: 'confirmation',
        message: `${failure.tool} was not run: this call needs ${proofWords[failure.needed] ?? failure.needed}, and came with ${proofWords[failure.brought] ?? failure.brought}.`,
        cause: 'The risk of this call asks for a stronger proof that a person has agreed.',
        next: [
          'Use a host that renders the card and let the person press its button.',
          'Where the host cannot render cards, this server cannot run this call: say so to the person. Nothing was changed.',
          tellOperators,
        ],
        fix: [{ kind: 'ask_person', question: 'Please confirm this call in the card of its preview.' }],
        retryable: 'after_change',
        rule: 'proof.ladder',
      }
    case 'outcome-unknown':
      return {
        type: 'outcome_unknown',
        category: 'tool',
        message:
          failure.reported ??
          `It is not known whether ${failure.tool} took effect. It will not be run again automatically.`,
        cause:
          failure.reported === undefined
            ? failure.why
            : `${failure.tool} reports that it failed, but not what it had changed by then. It will not be run again automatically.`,
        next: [
          'Look with a read tool whether the change is there, and tell the person what you found.',
          'Only if it is not there: make a new preview and let the person confirm it.',
        ],
        fix: [
          {
            kind: 'ask_person',
            question: 'The outcome of this call is not known. Please check before it is repeated.',
          },
        ],
        retryable: 'no',
        rule: 'plan.lease',
      }
    case 'tool-failed':
      return {
        type: failure.code,
        category: 'tool',
        message: failure.message,
        cause: `${failure.tool} declares this as "${failure.code}". Nothing was changed.`,
        next: [failure.guidance],
        fix: [
          ...(failure.suggest === undefined ? [] : [suggestedCall(failure.tool, failure.code, failure.suggest)]),
          ...failure.fields.map((field): Fix => ({
            kind: 'edit_arguments',
            pointer: field.pointer,
            why: `allowed is ${field.allowed}`,
          })),
        ],
        retryable: failure.retryable,
        ...(failure.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: failure.retryAfterSeconds }),
        fields: failure.fields,
        rule: `failures.${failure.code}`,
      }
    case 'tool-crashed':
      return {
        type: 'tool_error',
        category: 'server',
        message: `${failure.tool} failed in a way that it does not declare. Nothing was changed.`,
        cause: `An unexpected error inside the tool; the server's log has it as incident ${failure.incident}.`,
        next: [
          failure.during === 'before'
            ? `This plan is used up. ${previewAgain(failure.tool)} The person confirms that one.`
            : 'Try once more; if it fails again, tell the person and name the incident.',
          tellOperators,
        ],
        retryable: 'after_wait',
        retryAfterSeconds: 5,
        rule: `tool.${failure.during}`,
        confidence: 'likely',
      }
    case 'bad-output':
      return {
        type: 'bad_output',
        category: 'server',
        message: `${failure.tool} answered something that its contract does not allow (${at(failure.pointer)}: ${failure.problem}).`,
        cause: 'This is a mistake in the tool, not in the call.',
        next: ["Tell the server's operator with submit_feedback; no other arguments will help."],
        retryable: 'no',
        rule: 'contract.output',
      }
    case 'not-your-card':
      return {
        type: 'confirmation_refused',
        category: 'confirmation',
        message: 'No preview of yours has this ticket.',
        cause: `${failure.tool} takes the ticket of a card that this caller was given, copied whole.`,
        next: [
          'These tools are for the card only. An agent has no use for them: it repeats the call of the Apply message.',
        ],
        retryable: 'no',
        rule: 'plan.unknown',
      }
    case 'internal':
      return {
        type: 'internal_error',
        category: 'server',
        message: `The server failed while it handled the call of ${failure.tool}.`,
        cause: `The server's log has it as incident ${failure.incident}.`,
        next: [
          'Look with a read tool whether anything has changed before you try again, and name the incident to the person.',
          tellOperators,
        ],
        retryable: 'after_change',
        rule: 'server.internal',
        confidence: 'likely',
      }
    case 'store-unavailable':
      return storeUnavailable(failure)
    case 'server-away':
      return serverAway(failure)
    default:
      return failure satisfies never
  }
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

const refusalCauses: Readonly<Record<RefusalReason, string>> = {
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
    type: 'confirmation_refused',
    category: 'confirmation',
    message: 'Nothing was run: this confirmation cannot be used.',
    cause: detail === undefined ? refusalCauses[reason] : `${refusalCauses[reason]} They say: ${detail}`,
    next: [
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
