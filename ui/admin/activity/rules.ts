// Each rule of the gate in words, as a clause behind what the gate said: "Sent to a person: the client shows no cards". A rule
// without words does not compile here.
import type { ApprovalState } from '../../../server/model/approvals.ts'
import type { AllowRule, ApproveRule, DenyRule, PreviewRule } from '../../../server/model/verdict.ts'

interface RuleWords {
  readonly allow: Readonly<Record<AllowRule, string>>
  readonly preview: Readonly<Record<PreviewRule, string>>
  /** By a rule, or by how the approval stands that the call rests on. */
  readonly approve: Readonly<Record<ApproveRule | ApprovalState, string>>
  readonly deny: Readonly<Record<DenyRule, string>>
}

const rules: RuleWords = {
  allow: {
    read: 'it only reads',
    approved: 'a person had approved it',
    grant: 'a grant covers it',
    'host-confirms': 'the host asks its user before each call',
    'low-risk': 'calls of low risk may run alone',
    autonomous: 'the tool may run alone',
    'auto-approve-high': 'the settings let calls of high risk run without a person',
    proof: 'it brought the confirmation that its risk asks for',
    bundle: 'it is a step of a bundle that was confirmed',
  },
  preview: {
    asked: 'the agent asked for one',
    'step-up': 'it takes a second factor in the end',
    granted: 'a grant covers it once it was previewed',
    people: 'a rule leaves it to several people, or to somebody else',
    default: 'a write is previewed unless it says otherwise',
    'dry-run-required': 'the tool never runs without one',
    'no-ticket': 'it came without a confirmation',
  },
  approve: {
    'step-up': 'it takes a second factor',
    people: 'a rule asks for several people, or for somebody else than who asks',
    'no-card': 'the client shows no card in which it could be confirmed',
    'proof-missing': 'its risk asks for a stronger confirmation than it brought',
    pending: 'the approval is not decided yet',
    approved: 'the approval was given',
    rejected: 'the approval was refused',
    expired: 'the approval has expired',
  },
  deny: {
    forbidden: 'no agent may call this tool',
    frozen: 'an operator has stopped all changes by agents',
  },
}

/** Why the gate said what it said, in words: of `allow:proof` that a confirmation came. Nothing for what it never said. */
export const ruleWords = (verdict: string): string | undefined => {
  const [kind = '', rule = ''] = verdict.split(':')
  const words: Readonly<Record<string, string>> | undefined = Object.hasOwn(rules, kind)
    ? rules[kind as keyof RuleWords]
    : undefined
  return words !== undefined && Object.hasOwn(words, rule) ? words[rule] : undefined
}

/** What turns calls away before the gate is asked, by the code of the refusal. */
const refusers: Readonly<Record<string, string>> = {
  unknown_tool: 'the list of tools, in which this agent has none of that name',
  validation_error: 'the check of its arguments',
  permission_denied: 'the permissions of who called',
  too_many_calls: 'the limit on calls in a minute',
  frozen: 'the freeze: an operator has stopped all changes by agents',
  confirmation_refused: 'the check of its confirmation',
  proof_missing: 'the check of its confirmation',
  intent_required: 'the gateway, which asks for a declared intent',
  intent_invalid: 'the check of the declared intent',
  intent_mismatch: 'the check of the declared intent against the call tool',
  annotation_mismatch: 'the check of the call tool against what the server behind says of the tool',
  wrong_door: 'the call tool, which does not run such a call',
  forbidden_call: 'the operator’s rules for the arguments of this tool',
  upstream_held: 'the check of the tool’s definition, which its server has changed',
}

/** By what a call was refused. */
export const refuserWords = (call: { readonly verdict: string | null; readonly error_code: string | null }): string => {
  const rule = call.verdict?.startsWith('deny:') === true ? ruleWords(call.verdict) : undefined
  if (rule !== undefined) return `the gate: ${rule}`
  const code = call.error_code ?? ''
  return Object.hasOwn(refusers, code) ? (refusers[code] ?? '') : 'a rule of the tool'
}
