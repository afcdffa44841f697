// The gate: one pure function from facts to a verdict. No I/O and no clock, so that its whole decision table can be a
// test, and so that an operator's question "why did this run?" has one place to look.
import type { Operation, Risk } from '../model/risk.ts'
import { proofSuffices, type Proof, type ProofTable } from './proof.ts'

export interface Facts {
  readonly operation: Operation
  /** The risk of this very call, after the operator's overrides. */
  readonly risk: Risk
  readonly autonomous: boolean
  readonly dryRunRequired: boolean
  /** The contract asks for a second factor from whoever agrees: that is always the approver. */
  readonly stepUp: boolean
  /** An operator's rule wants several people, or another than who asks: no card and no host can show that. */
  readonly people: boolean
  /** What the caller asks for: to see (`preview`), nothing in particular (`default`), or to do (`apply`). */
  readonly intent: 'preview' | 'default' | 'apply'
  /** Whether a plan is named, and with how much proof. `none` is a bare `preview=False`. */
  readonly proof: Proof
  readonly required: ProofTable
  /** Whether the client shows cards: without them no ticket can ever come back. */
  readonly cards: 'yes' | 'no' | 'unknown'
  /** A person outside the chat has approved this very plan. */
  readonly approved: boolean
  /** The tenant lets high-risk calls run unasked. Never covers critical. */
  readonly autoApproveHigh: boolean
  /** The host asks its person before each call of a tool: that is the confirmation. Never covers critical. */
  readonly hostConfirms: boolean
  /** A grant covers this very call, and has uses left. Never covers critical, nor a step-up. */
  readonly granted: boolean
  /** An operator has stopped every apply. */
  readonly frozen: boolean
}

export type Verdict =
  | { readonly kind: 'allow'; readonly rule: string }
  | { readonly kind: 'preview'; readonly rule: string }
  /** A person outside the chat must decide. */
  | { readonly kind: 'approve'; readonly rule: string; readonly needed: Proof; readonly brought: Proof }
  /** `forbidden` is answered exactly like a tool that does not exist; `frozen` says why. */
  | { readonly kind: 'deny'; readonly rule: 'forbidden' | 'frozen' }

/** What the gate says of a call. */
export function decide(facts: Facts): Verdict {
  const { risk } = facts
  if (risk === 'forbidden') return { kind: 'deny', rule: 'forbidden' }
  if (facts.operation === 'read') return { kind: 'allow', rule: 'read' }
  if (facts.frozen) return { kind: 'deny', rule: 'frozen' }
  if (facts.intent === 'preview') return { kind: 'preview', rule: 'asked' }
  const needed = facts.required[risk]
  const approve = (rule: string): Verdict => ({ kind: 'approve', rule, needed, brought: facts.proof })
  if (facts.approved) return { kind: 'allow', rule: 'approved' }
  if (facts.stepUp) return facts.intent === 'default' && facts.cards !== 'no' ? preview('step-up') : approve('step-up')
  if (facts.people) {
    // Here an admin has agreed beforehand, and nothing else is an agreement: not a plan's id, not a click, not a host.
    if (facts.granted && risk !== 'critical') {
      const first = facts.intent === 'default' || (facts.dryRunRequired && facts.proof === 'none')
      return first ? preview('granted') : { kind: 'allow', rule: 'grant' }
    }
    return facts.intent === 'default' && facts.cards !== 'no' ? preview('people') : approve('people')
  }
  // A host shows the call, not what would come of it: a contract that insists on its preview still gets one.
  const unseen = facts.dryRunRequired && facts.proof === 'none'
  if (facts.hostConfirms && risk !== 'critical' && !unseen) return { kind: 'allow', rule: 'host-confirms' }
  const unasked = facts.autoApproveHigh && risk === 'high'
  // Only a card brings a ticket back; a client without cards gets the way that is open to it at once.
  const cardless = facts.cards === 'no' && !proofSuffices('plan', needed) && !unasked
  // What runs by itself uses nothing up.
  const alone = risk === 'low' || (risk === 'medium' && facts.autonomous) || unasked
  const granted = facts.granted && risk !== 'critical' && !alone
  if (facts.intent === 'default') {
    if (granted) return preview('granted')
    return cardless ? approve('no-card') : preview('default')
  }
  if (facts.proof === 'none') {
    if (facts.dryRunRequired && granted) return preview('granted')
    if (facts.dryRunRequired) return cardless ? approve('no-card') : preview('dry-run-required')
    if (risk === 'low') return { kind: 'allow', rule: 'low-risk' }
    if (risk === 'medium' && facts.autonomous) return { kind: 'allow', rule: 'autonomous' }
    if (unasked) return { kind: 'allow', rule: 'auto-approve-high' }
    if (granted) return { kind: 'allow', rule: 'grant' }
    return cardless ? approve('no-card') : preview('no-ticket')
  }
  // A plan's id says what was previewed, not that anybody agreed; so the record names the permission and not the id.
  if (granted && facts.proof === 'plan') return { kind: 'allow', rule: 'grant' }
  if (proofSuffices(facts.proof, needed)) return { kind: 'allow', rule: 'proof' }
  if (unasked) return { kind: 'allow', rule: 'auto-approve-high' }
  return granted ? { kind: 'allow', rule: 'grant' } : approve('proof-missing')
}

const preview = (rule: string): Verdict => ({ kind: 'preview', rule })
