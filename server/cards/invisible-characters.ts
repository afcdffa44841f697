// What cannot be seen can be signed by accident: a right-to-left override turns a name around, a filler makes two names
// look alike, an escape sequence forges a line. A chat, a terminal and a log hide such characters as well as a frame
// does, so every text that leaves the server for a person shows them by their code points: this is the one home of which
// characters those are, and of how they are shown. The view has the same two sets (`ui/parts/marked.tsx`); a test holds
// them equal.

/** Controls, formats, lone surrogates, private use, line separators, and letters that draw nothing (UAX 44, DI). */
export const invisible = /[\p{DI}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]/u

/** What joins or colours an emoji is part of its picture and stays. */
export const pictures = new RegExp('\\p{RGI_Emoji}', 'v')

const inLine = new RegExp(`(${pictures.source})|${invisible.source}`, 'gv')
const overLines = new RegExp(`(\\r\\n|[\\n\\t]|${pictures.source})|${invisible.source}`, 'gv')

const code = (piece: string, stays: string | undefined): string =>
  stays ?? `[U+${(piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Most texts are this, and the rest of the alphabet is costly to look through. */
const ascii = /^[ -~]*$/
const asciiLines = /^[ -~\n\t]*$/

/** Shows whatever cannot be seen as `[U+202E]`, line breaks and tabs too. */
export const showInvisible = (text: string): string => (ascii.test(text) ? text : text.replace(inLine, code))

/** The same for text whose line breaks and tabs are layout that its author meant. */
export const showInvisibleInLines = (text: string): string =>
  asciiLines.test(text) ? text : text.replace(overLines, code)

/** What `showUnseenInLines` would show of a text, as code points (`U+202E`), each once, and how often all of them stand. */
export function invisibleIn(text: string): { readonly count: number; readonly points: readonly string[] } {
  if (asciiLines.test(text)) return { count: 0, points: [] }
  const found = [...text.matchAll(overLines)]
    .filter(([, stays]) => stays === undefined)
    .map(([piece]) => code(piece, undefined))
  return { count: found.length, points: [...new Set(found)].map((shown) => shown.slice(1, -1)) }
}

const inJson = new RegExp(invisible.source, 'gv')

/** JSON text with the same characters escaped: it says the same to a program and hides nothing at a terminal. */
export const escapeInvisible = (json: string): string =>
  json.replace(inJson, (found) =>
    found === '\n'
      ? found
      : Array.from({ length: found.length }, (_, at) => found.charCodeAt(at).toString(16).padStart(4, '0'))
          .map((unit) => `\\u${unit}`)
          .join(''),
  )
