// The tone of the Confirm button by risk, for every place that has one: the card, the gallery, the operators' pages.
import type { Risk } from '../model/risk.ts'

/** The colour of danger where a mistake is costly, of an ordinary step elsewhere. */
export const confirmTone = (risk: Risk): 'go' | 'stop' => (risk === 'low' || risk === 'medium' ? 'go' : 'stop')
