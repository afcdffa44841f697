// What a tool does to the world, and what a call of it must bring before it runs (docs/DESIGN.md, section 3).

export const operations = ['read', 'write', 'destructive'] as const
export type Operation = (typeof operations)[number]

/** From the lowest to the highest. */
export const risks = ['low', 'medium', 'high', 'critical', 'forbidden'] as const
export type Risk = (typeof risks)[number]
