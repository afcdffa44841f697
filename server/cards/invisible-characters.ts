// Invisible characters, shown by their code points in every text for a person: a right-to-left override reverses a name, a
// filler makes two names look alike, an escape sequence forges a line, and what cannot be seen can be confirmed by
// accident. The view has the same two sets (`ui/parts/marked.tsx`); a test holds them equal.

/** Controls, formats, lone surrogates, private use, line separators, and letters that draw nothing (UAX 44, DI). */
export const invisible = /[\p{DI}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]/u

/** Emoji, whose joiners and modifiers stay. */
export const pictures = '\\p{RGI_Emoji}'

/** The list of all emoji takes longer to read than a start has time for, and most texts have nothing that is invisible. */
const besidePictures = (stays: string): (() => RegExp) => {
  let pattern: RegExp | undefined
  return () => (pattern ??= new RegExp(`(${stays}${pictures})|${invisible.source}`, 'gv'))
}
const inLine = besidePictures('')
const overLines = besidePictures('\\r\\n|[\\n\\t]|')

/** In text whose line breaks and tabs are meant as layout. */
const invisibleInLines = new RegExp(`(?![\\n\\t])${invisible.source}`, 'u')

const code = (piece: string, stays: string | undefined): string =>
  stays ?? `[U+${(piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Shows invisible characters as `[U+202E]`, line breaks and tabs too. */
export const showInvisible = (text: string): string => (invisible.test(text) ? text.replace(inLine(), code) : text)

/** The same for text whose line breaks and tabs are meant as layout. */
export const showInvisibleInLines = (text: string): string =>
  invisibleInLines.test(text) ? text.replace(overLines(), code) : text

/** What `showInvisibleInLines` would show: each code point once (`U+202E`), and how many characters there are in all. */
export function invisibleIn(text: string): { readonly count: number; readonly points: readonly string[] } {
  if (!invisibleInLines.test(text)) return { count: 0, points: [] }
  const found = [...text.matchAll(overLines())]
    .filter(([, stays]) => stays === undefined)
    .map(([piece]) => code(piece, undefined))
  return { count: found.length, points: [...new Set(found)].map((shown) => shown.slice(1, -1)) }
}

const inJson = new RegExp(invisible.source, 'gv')

/** JSON text with invisible characters escaped: the same to a program, and visible at a terminal. */
export const escapeInvisible = (json: string): string =>
  json.replace(inJson, (found) =>
    found === '\n'
      ? found
      : Array.from({ length: found.length }, (_, at) => found.charCodeAt(at).toString(16).padStart(4, '0'))
          .map((unit) => `\\u${unit}`)
          .join(''),
  )
