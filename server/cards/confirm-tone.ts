// What the decision's button looks like follows from the risk, in every place that has such a button: the card, the
// gallery, the operators' pages. This is that rule, and the only place that says it.

/** The colour of danger where a mistake is costly, of an ordinary step elsewhere. */
export const confirmTone = (risk: 'low' | 'medium' | 'high' | 'critical' | 'forbidden'): 'go' | 'stop' =>
  risk === 'low' || risk === 'medium' ? 'go' : 'stop'
