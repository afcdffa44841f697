// What the decision's button looks like follows from the risk, in every place that has such a button: the card, the
// gallery, the operators' pages. This is that rule, and the only place that says it.
import type { Risk } from '../model/risk.ts'

/** The colour of danger where a mistake is costly, of an ordinary step elsewhere. */
export const confirmTone = (risk: Risk): 'go' | 'stop' => (risk === 'low' || risk === 'medium' ? 'go' : 'stop')
