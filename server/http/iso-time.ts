/** A moment (epoch milliseconds) as every answer writes it: ISO 8601, in UTC. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** The same, or `null` for what has not happened. */
export const isoTimeOrNull = (at: number | undefined): string | null => (at === undefined ? null : isoTime(at))
