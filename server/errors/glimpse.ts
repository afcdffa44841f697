/** A value as an answer may quote it: at most 200 characters, so that an answer does not grow with what was sent. */
export function glimpse(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 197)}…` : value
  if (typeof value !== 'object' || value === null) return value
  try {
    const text = JSON.stringify(value)
    return text.length > 200 ? `${text.slice(0, 197)}…` : value
  } catch {
    // JSON.stringify recurses and JSON.parse does not: a deep value can be parsed and not written.
    return 'a value that is nested too deeply to be shown'
  }
}
