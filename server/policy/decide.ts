// The gate's rule: a pure function from facts to a verdict, without I/O and clock, so that a test can be its whole decision
// table, and "why did this run?" has one place to look.
import type { Operation, Risk } from '../model/risk.ts'
import type { AllowRule, ApproveRule, DenyRule, PreviewRule } from '../model/verdict.ts'
import { proofSuffices, type Proof, type ProofTable } from './proof.ts'

export interface Facts {
  readonly operation: Operation
  /** The risk of this very call, after the operator's overrides. */
  readonly risk: Risk
  readonly autonomous: boolean
  readonly dryRunRequired: boolean
  /** The contract demands a second factor, which only an approver can give. */
  readonly stepUp: boolean
  /** A rule of approval demands several people or somebody else than the requester, which no card and no host can prove. */
  readonly people: boolean
  /** The argument `preview`: true (`preview`), false (`apply`) or absent (`default`; `apply` if the call may run alone). */
  readonly intent: 'preview' | 'default' | 'apply'
  /** The proof that the call brings; `none` where it names no plan. */
  readonly proof: Proof
  readonly required: ProofTable
  /** Whether the client shows cards: without them no ticket can come back. */
  readonly cards: 'yes' | 'no' | 'unknown'
  /** This plan has been approved. */
  readonly approved: boolean
  /** The tenant lets calls of high risk run without confirmation. Never covers critical. */
  readonly autoApproveHigh: boolean
  /** The host's own prompt before each call is the confirmation. Never covers critical. */
  readonly hostConfirms: boolean
  /** A grant covers this call and has uses left. Never covers critical, nor a step-up. */
  readonly granted: boolean
  /** An operator has stopped every apply. */
  readonly frozen: boolean
}

export type Verdict =
  | { readonly kind: 'allow'; readonly rule: AllowRule }
  | { readonly kind: 'preview'; readonly rule: PreviewRule }
  /** A person outside the chat must decide. */
  | { readonly kind: 'approve'; readonly rule: ApproveRule; readonly needed: Proof; readonly brought: Proof }
  /** `forbidden` is answered exactly like a tool that does not exist; `frozen` says why. */
  | { readonly kind: 'deny'; readonly rule: DenyRule }

/** What the gate says of a call. */
export function decide(facts: Facts): Verdict {
  const { risk } = facts
  if (risk === 'forbidden') return { kind: 'deny', rule: 'forbidden' }
  if (facts.operation === 'read') return { kind: 'allow', rule: 'read' }
  if (facts.frozen) return { kind: 'deny', rule: 'frozen' }
  if (facts.intent === 'preview') return { kind: 'preview', rule: 'asked' }
  const needed = facts.required[risk]
  const approve = (rule: ApproveRule): Verdict => ({ kind: 'approve', rule, needed, brought: facts.proof })
  if (facts.approved) return { kind: 'allow', rule: 'approved' }
  if (facts.stepUp) return facts.intent === 'default' && facts.cards !== 'no' ? preview('step-up') : approve('step-up')
  if (facts.people) {
    // Only a grant, given by an admin, counts here: no plan's id, no click and no host's prompt.
    if (facts.granted && risk !== 'critical') {
      const first = facts.intent === 'default' || (facts.dryRunRequired && facts.proof === 'none')
      return first ? preview('granted') : { kind: 'allow', rule: 'grant' }
    }
    return facts.intent === 'default' && facts.cards !== 'no' ? preview('people') : approve('people')
  }
  // A host's prompt shows the call and not its consequences, so `dryRunRequired` still demands a preview.
  const unseen = facts.dryRunRequired && facts.proof === 'none'
  if (facts.hostConfirms && risk !== 'critical' && !unseen) return { kind: 'allow', rule: 'host-confirms' }
  const unasked = facts.autoApproveHigh && risk === 'high'
  // Only a card can bring a ticket back; a client without cards is sent to an approval at once.
  const cardless = facts.cards === 'no' && !proofSuffices('plan', needed) && !unasked
  // A call that may run anyway uses no grant.
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
  // A plan's id proves the preview and no agreement, so the verdict names the grant.
  if (granted && facts.proof === 'plan') return { kind: 'allow', rule: 'grant' }
  if (proofSuffices(facts.proof, needed)) return { kind: 'allow', rule: 'proof' }
  if (unasked) return { kind: 'allow', rule: 'auto-approve-high' }
  return granted ? { kind: 'allow', rule: 'grant' } : approve('proof-missing')
}

const preview = (rule: PreviewRule): Verdict => ({ kind: 'preview', rule })
