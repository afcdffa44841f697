/** What somebody has given where something else was to be, in the words of messages: "missing", "a text", "a list". */
export function kindOf(given: unknown): string {
  if (given === undefined) return 'missing'
  if (given === null) return 'null'
  if (Array.isArray(given)) return 'a list'
  if (typeof given === 'object') return 'an object'
  return typeof given === 'string' ? 'a text' : `a ${typeof given}`
}
