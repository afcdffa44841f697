// Definitions and answers are compared by fingerprint, and two servers (or two runs of one) may write the same object in
// another order.

/** JSON with sorted keys. For fingerprints only: it takes any JSON value and refuses none. */
export function canonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalText(member)}`)
  return `{${members.join(',')}}`
}
