// What an edit is made from.
import type { CodeEdit } from '../../../errors/guidance.ts'
import type { Surroundings } from '../facts.ts'
import type { ProgramText } from '../program-text.ts'
import type { RaisedError } from '../raised-error.ts'

export interface Mistake {
  readonly program: ProgramText
  readonly error: RaisedError
  /** Words that the rule found in the message. */
  readonly groups: Readonly<Record<string, string | undefined>>
  readonly known: Surroundings
}

/** The edit that replaces a line, or none where the line stays as it is. */
export function lineEdit(program: ProgramText, line: number, after: string): readonly CodeEdit[] {
  const before = program.lines[line - 1]
  return before === undefined || before === after ? [] : [{ line, before, after }]
}

/** The edit that replaces a stretch of the program: as short as it can be and still be found first on its line. */
export function spanEdit(program: ProgramText, start: number, end: number, after: string): readonly CodeEdit[] {
  const line = program.starts.findLastIndex((begins) => begins <= start) + 1
  const begins = program.starts[line - 1] ?? 0
  const before = program.code.slice(start, end)
  if (before === after) return []
  if (before !== '' && program.code.indexOf(before, begins) === start) return [{ line, before, after }]
  const lineEnd = program.code.indexOf('\n', end)
  const until = lineEnd === -1 ? program.code.length : lineEnd
  return [
    {
      line,
      before: program.code.slice(begins, until),
      after: program.code.slice(begins, start) + after + program.code.slice(end, until),
    },
  ]
}

/** A program with its edits made; `undefined` where one of them does not fit. */
export function withEdits(code: string, edits: readonly CodeEdit[]): string | undefined {
  let made = code
  // From below, so that the numbers of the lines above stay true.
  for (const { line, before, after } of edits.toSorted((a, b) => b.line - a.line)) {
    const begins = made.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0)
    const at = made.indexOf(before, begins)
    const newline = made.indexOf('\n', begins)
    if (at === -1 || (newline !== -1 && at > newline)) return undefined
    made = made.slice(0, at) + after + made.slice(at + before.length)
  }
  return made
}
