// What cannot be seen can be signed by accident: a right-to-left override turns a name around, a filler makes two names
// look alike. A chat and a terminal hide such characters as well as a frame does, so every text that leaves the server
// for a person shows them by their code points. The view has the same two sets (`ui/parts/marked.tsx`); a test holds
// them equal.

/** Controls, formats, lone surrogates, private use, line separators, and letters that draw nothing (UAX 44, DI). */
export const unseen = /[\p{DI}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u2800]/u

/** What joins or colours an emoji is part of its picture and stays. */
export const pictures = new RegExp('\\p{RGI_Emoji}', 'v')

const inLine = new RegExp(`(${pictures.source})|${unseen.source}`, 'gv')
const overLines = new RegExp(`(\\r\\n|[\\n\\t]|${pictures.source})|${unseen.source}`, 'gv')

const code = (piece: string, stays: string | undefined): string =>
  stays ?? `[U+${(piece.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** Shows whatever cannot be seen as `[U+202E]`, line breaks and tabs too. */
export const showUnseen = (text: string): string => text.replace(inLine, code)

/** The same for text whose line breaks and tabs are layout that its author meant. */
export const showUnseenInLines = (text: string): string => text.replace(overLines, code)
