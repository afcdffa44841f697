// A copy of a text in which escapes (`\n`, `%3D`, `&quot;`) are resolved and every character keeps its place, so that secrets
// behind escapes are found and can be hidden in the original.

/** Escapes of JSON and programs, of URLs and of XML, nested or not. */
const escapes = /\\{1,16}(?:[nrtbf"'`/]|u[0-9a-f]{4})|%(?:25){0,4}[0-9a-f]{2}|&(?:quot|apos|lt|gt|amp|nbsp|#\d{1,5});/gi

const named: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&', nbsp: ' ' }

function meaning(escape: string): string {
  const last = escape.at(-1) ?? ''
  if (escape.startsWith('%')) return visible(Number.parseInt(escape.slice(-2), 16))
  if (escape.startsWith('&#')) return visible(Number(escape.slice(2, -1)))
  if (escape.startsWith('&')) return named[escape.slice(1, -1).toLowerCase()] ?? ' '
  if (/u[0-9a-f]{4}$/i.test(escape)) return visible(Number.parseInt(escape.slice(-4), 16))
  if (/["'`/]/.test(last)) return last
  return last === 'n' || last === 'r' ? '\n' : ' '
}

const visible = (code: number): string =>
  code > 0x20 && code < 0x7f ? String.fromCharCode(code) : code === 10 ? '\n' : ' '

/** The text with its escapes resolved, each padded with blanks before it to its old length. */
export const readable = (text: string): string =>
  /[\\%&]/.test(text) ? text.replace(escapes, (escape) => meaning(escape).padStart(escape.length)) : text
