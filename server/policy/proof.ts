// Proofs: what an apply must bring before it runs (docs/DESIGN.md, section 2, "Proof"). They are ordered: a stronger proof is
// accepted wherever a weaker one is needed.
import type { Risk } from '../model/risk.ts'

/** What a call brings as a proof, the weakest first. */
export type Proof = 'none' | 'plan' | 'ticket' | 'recorded'

const ladder: readonly Proof[] = ['none', 'plan', 'ticket', 'recorded']

/** Whether a proof is strong enough. An unknown one is never enough, and an unknown need is never met. */
export function proofSuffices(brought: Proof, needed: Proof): boolean {
  const rank = ladder.indexOf(needed)
  return rank >= 0 && ladder.indexOf(brought) >= rank
}

/** Which proof each risk needs. `forbidden` never runs. */
export type ProofTable = Readonly<Record<Exclude<Risk, 'forbidden'>, Proof>>

export const defaultProof: ProofTable = { low: 'none', medium: 'plan', high: 'ticket', critical: 'recorded' }

/** Which proof a call brings: by the kind of its credential, and the click that its plan has on record. */
export function proofBrought(
  credential: 'none' | 'plan' | 'ticket',
  click: { readonly trusted: boolean } | undefined,
): Proof {
  if (credential !== 'ticket') return credential
  return click?.trusted === true ? 'recorded' : 'ticket'
}

/** The same needs where a plan's id is nobody's word: at least the ticket for all that is not low. */
export const withTicket = (table: ProofTable): ProofTable => {
  const atLeastTicket = (needed: Proof): Proof => (proofSuffices(needed, 'ticket') ? needed : 'ticket')
  return {
    low: table.low,
    medium: atLeastTicket(table.medium),
    high: atLeastTicket(table.high),
    critical: atLeastTicket(table.critical),
  }
}
