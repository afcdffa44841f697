// What an apply must bring so that it is worth running (docs/DESIGN.md, section 2, "Proof"). The ladder is ordered: a stronger
// proof always serves where a weaker one is asked for.
import type { Risk } from '../model/risk.ts'

export type Proof = 'none' | 'plan' | 'ticket' | 'recorded'

const ladder: readonly Proof[] = ['none', 'plan', 'ticket', 'recorded']

/** Whether a proof is strong enough. What is not on the ladder is never enough, and never little enough to ask for. */
export function proofSuffices(brought: Proof, needed: Proof): boolean {
  const rank = ladder.indexOf(needed)
  return rank >= 0 && ladder.indexOf(brought) >= rank
}

/** Which proof each risk asks for. `forbidden` never runs, so it has none. */
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
