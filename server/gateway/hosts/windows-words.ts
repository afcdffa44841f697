// On Windows two read a command line, one after the other. cmd.exe sees a quotation mark as the end of another, whatever
// stands before it, and acts on what lies outside of them; variables it puts in everywhere. The program then cuts the line
// into words itself, by the C runtime or by `CommandLineToArgvW`, which read two marks in a row differently. What comes
// out is what both have, or nothing.
import { isDeepStrictEqual } from 'node:util'
import { fail, ok, type Result } from '../../errors/result.ts'

/** Why a line has no words; `shell` with the text for which cmd.exe would do more than to hand it on. */
export type NoWords =
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'open-quote' }
  | { readonly kind: 'unclear' }

/** The words of a line as every program of Windows gets them. */
export function wordsOfWindows(given: string): Result<readonly string[], NoWords> {
  const line = given.trim()
  const text = forCmd(line)
  if (text !== undefined) return fail({ kind: 'shell', text })
  // In the name of the program a backslash is always one of its path.
  const [program = ''] = /^(?:[^" \t]|"[^"]*")*/.exec(line) ?? []
  const [runtime, system] = [cut(line.slice(program.length), 'runtime'), cut(line.slice(program.length), 'system')]
  if (runtime.isOpen) return fail({ kind: 'open-quote' })
  return isDeepStrictEqual(runtime.words, system.words)
    ? ok([program.replaceAll('"', ''), ...runtime.words])
    : fail({ kind: 'unclear' })
}

/** What cmd.exe acts on. A variable's name may have blanks in it; one that is not set stays as it is written, and who knows. */
function forCmd(line: string): string | undefined {
  const outside = line.replaceAll(/"[^"\n\r]*(?:"|$)/g, '')
  return /%[^%]+%/.exec(line)?.[0] ?? /[&|<>^\n\r]|^[(@]/.exec(outside)?.[0]
}

/** Cuts arguments as the C runtime does since 2008, or as the system's own function. */
function cut(line: string, by: 'runtime' | 'system'): { readonly words: readonly string[]; readonly isOpen: boolean } {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  for (const [part, slashes = ''] of line.matchAll(/(\\+)"*|"+|[ \t]+|[^" \t\\]+/g)) {
    const marks = part.slice(slashes.length)
    if (marks.startsWith('"')) {
      const isEscaped = slashes.length % 2 === 1
      const read = by === 'runtime' ? marksOfRuntime : marksOfSystem
      const { text, isOpen } = read(isQuoted, isEscaped ? marks.length - 1 : marks.length, isEscaped)
      word = `${word ?? ''}${'\\'.repeat(slashes.length >> 1)}${isEscaped ? '"' : ''}${text}`
      isQuoted = isOpen
    } else if (isQuoted || !/^[ \t]/.test(part)) word = `${word ?? ''}${part}`
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  return { words: word === undefined ? words : [...words, word], isOpen: isQuoted }
}

interface Marks {
  readonly text: string
  readonly isOpen: boolean
}

/** Two marks within quotes are one mark, and the quotes stay open. */
function marksOfRuntime(isQuoted: boolean, count: number): Marks {
  let [text, isOpen] = ['', isQuoted]
  for (let left = count; left > 0; left--)
    if (isOpen && left > 1) {
      text += '"'
      left--
    } else isOpen = !isOpen
  return { text, isOpen }
}

/** The third mark in a row, counted from the one that opened the quotes, is a mark, and the quotes are closed. */
function marksOfSystem(isQuoted: boolean, count: number, isAfterEscaped: boolean): Marks {
  let [text, open] = ['', isQuoted ? 1 : 0]
  for (let at = 0; at < count; at++) {
    open++
    if (open === 3 && (at > 0 || isAfterEscaped)) {
      text += '"'
      open = 0
    }
  }
  return { text, isOpen: open === 1 }
}
