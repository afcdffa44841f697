// An answer quotes what it was sent, and must not grow with it.

/** A value as an answer may quote it: short, and never a whole document. What is not there stays so. */
export function glimpse(value: unknown): unknown {
  if (typeof value === 'string') return value.length > 200 ? `${value.slice(0, 197)}…` : value
  if (typeof value !== 'object' || value === null) return value
  try {
    const text = JSON.stringify(value)
    return text.length > 200 ? `${text.slice(0, 197)}…` : value
  } catch {
    // JSON.stringify recurses and JSON.parse does not: not all that was read can be written.
    return 'a value that is nested too deeply to be shown'
  }
}
