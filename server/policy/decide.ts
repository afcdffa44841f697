// The gate: one pure function from facts to a verdict. No I/O and no clock, so that its whole decision table can be a
// test, and so that an operator's question "why did this run?" has one place to look.
import type { Operation, Risk } from '../tools/contract.ts'
import { proofSuffices, type Proof, type ProofTable } from './proof.ts'

export interface Facts {
  readonly operation: Operation
  /** The risk of this very call. */
  readonly risk: Risk
  readonly autonomous: boolean
  readonly dryRunRequired: boolean
  /** What the caller asks for: to see, or to do. Reads always do. */
  readonly intent: 'preview' | 'apply'
  /** Whether a plan is named, and with how much proof. `none` is a bare `preview=False`. */
  readonly proof: Proof
  readonly required: ProofTable
}

export type Verdict =
  | { readonly kind: 'allow'; readonly rule: string }
  | { readonly kind: 'preview'; readonly rule: string }
  /** A person outside the chat must decide. */
  | { readonly kind: 'approve'; readonly rule: string; readonly needed: Proof; readonly brought: Proof }
  /** Answered exactly like a tool that does not exist. */
  | { readonly kind: 'deny'; readonly rule: string }

/** What the gate says of a call. */
export function decide(facts: Facts): Verdict {
  if (facts.risk === 'forbidden') return { kind: 'deny', rule: 'forbidden' }
  if (facts.operation === 'read') return { kind: 'allow', rule: 'read' }
  if (facts.intent === 'preview') return { kind: 'preview', rule: 'asked' }
  if (facts.proof === 'none') {
    if (facts.dryRunRequired) return { kind: 'preview', rule: 'dry-run-required' }
    if (facts.risk === 'low') return { kind: 'allow', rule: 'low-risk' }
    if (facts.risk === 'medium' && facts.autonomous) return { kind: 'allow', rule: 'autonomous' }
    return { kind: 'preview', rule: 'no-ticket' }
  }
  const needed = facts.required[facts.risk]
  return proofSuffices(facts.proof, needed)
    ? { kind: 'allow', rule: 'proof' }
    : { kind: 'approve', rule: 'proof-missing', needed, brought: facts.proof }
}
