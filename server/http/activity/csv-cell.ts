// A CSV is opened in a spreadsheet, where a text that an agent wrote must not become a formula. Pure: the operators' pages
// write theirs by it, too.

/** RFC 4180, with texts that a spreadsheet would run made inert by an apostrophe. */
export const csvCell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const inert = /^[\s\0]*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
