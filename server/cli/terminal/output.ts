// What the commands write, in the one form that a terminal, a script and a log can take. stdout may belong to a protocol,
// so it gets only what a command was asked to print; everything else goes to stderr. A terminal obeys control sequences,
// and what agents and servers wrote stands in most lines, so characters that cannot be seen are shown.
import { packageOnFirstUse } from '../../errors/optional-package.ts'
import { fail, type Result } from '../../errors/result.ts'
import { escapeInvisible, showInvisible, showInvisibleInLines } from '../../cards/invisible-characters.ts'
import { surroundings } from '../../model/surroundings.ts'

/** Exit codes: done; the tool, the server or the command failed; refused, or a command line that cannot be understood. */
export const exit = { ok: 0, failed: 1, refused: 2 } as const

/** What went wrong, and what to do next. */
export interface Trouble {
  readonly message: string
  readonly next: string
}

/** A step that could not be taken. */
export const failed = (message: string, next: string): Result<never, Trouble> => fail({ message, next })

/** What is said of an id that nothing has. */
export const thereIsNo = (thing: string, id: string, list: string): Trouble => ({
  message: `There is no ${thing} ${JSON.stringify(id.slice(0, 40))}.`,
  next: `\`countersign ${list}\` shows those that there are.`,
})

/** Messages to the person at the terminal, on stderr. */
export const say = {
  line: (text = ''): void => void surroundings().stderr.write(`${showInvisibleInLines(text)}\n`),
  /** One line: what happened, and what to do next. */
  error: (message: string, next = ''): void =>
    // What a database or a system call says of itself may have several lines; a host's log shows one.
    void surroundings().stderr.write(`countersign: ${showInvisible(oneLine(`${message} ${next}`))}\n`),
}

const oneLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')

/** Says in one line what went wrong. Answers the exit code. */
export function trouble({ message, next }: Trouble, code: number = exit.failed): number {
  say.error(message, next)
  return code
}

/** Prints lines that a command was asked for, on stdout. */
export const print = (text: string): void => void surroundings().stdout.write(`${showInvisibleInLines(text)}\n`)

/** Prints a value as JSON, on several lines. */
export const printJson = (value: unknown): void =>
  void surroundings().stdout.write(`${escapeInvisible(JSON.stringify(value, null, 2))}\n`)

/** The reader of stdout is gone (`| head`): the command ends well, and without a word. */
export class ReaderGone extends Error {}

/** Writes a piece of a document to stdout as it is, and waits where its reader is slow. @throws {ReaderGone} */
export async function write(piece: string): Promise<void> {
  const { stdout } = surroundings()
  await new Promise<void>((resolve, reject) => {
    stdout.write(piece, (error) => {
      if (error === undefined || error === null) resolve()
      else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new ReaderGone('stdout was closed') : error)
    })
  })
}

/** Rows as columns that are as wide as they must be; their number is that of the first row. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) => inWidths(row, widths)).join('\n')
}

/** How a command prints what it was asked for (`-o`). */
export type Form = 'table' | 'json' | 'yaml'

const yamlWriter = packageOnFirstUse('yaml', () => import('./yaml.ts'))

/**
 * To be called before a command acts: what it has done cannot be told any more by an answer that cannot be written.
 * @throws {PackageMissing} where what writes the form is not installed.
 */
export async function readyToPrint(form: Form): Promise<void> {
  if (form === 'yaml') await yamlWriter()
}

/** @throws {PackageMissing} where what writes it is not installed. */
export async function yamlOf(value: unknown): Promise<string> {
  const { toYaml } = await yamlWriter()
  return toYaml(value)
}

/** Prints a value as JSON or YAML. Answers whether it was asked to: a table is the command's own. */
export async function printedAs(form: Form, value: unknown): Promise<boolean> {
  if (form === 'json') printJson(value)
  else if (form === 'yaml') await write(await yamlOf(value))
  return form !== 'table'
}

interface List {
  /** What is printed in place of a table. */
  readonly value: unknown
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** What is said where there are no rows. */
  readonly none: string
}

/** Prints a list in the form that was asked for. Answers the exit code. */
export async function printList(form: Form, { value, head, rows, none }: List): Promise<number> {
  if (await printedAs(form, value)) return exit.ok
  if (rows.length === 0) say.line(none)
  else print(columns([head, ...rows]))
  return exit.ok
}

/** One row of a table whose rows are not all known yet. */
export const inWidths = (row: readonly string[], widths: readonly number[]): string =>
  row
    .map((cell, at) => cell.padEnd(widths[at] ?? 0))
    .join('  ')
    .trimEnd()

/** One cell: data on one line, cut to a width in characters. */
export const cell = (text: string, width = 100): string => {
  const line = showInvisible(text.replaceAll('\n', ' '))
  return line.length > width ? `${line.slice(0, width - 1)}…` : line
}

/** A time in UTC to the minute. @param at epoch milliseconds, or ISO 8601 */
export const minute = (at: number | string): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
