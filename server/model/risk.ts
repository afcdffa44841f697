// What a tool does to the world, and what a call of it must bring before it runs (docs/DESIGN.md, section 3).

export const operations = ['read', 'write', 'destructive'] as const
export type Operation = (typeof operations)[number]

/** From the lowest to the highest. */
export const risks = ['low', 'medium', 'high', 'critical', 'forbidden'] as const
/** How much a call may do. What follows from it, the gate decides. */
export type Risk = (typeof risks)[number]

/** A tool's risk in words. `byInput`: its arguments decide, and this is the most that a call of it can be. */
export const riskWords = (risk: Risk, byInput: boolean): string => (byInput ? `up to ${risk}` : risk)
