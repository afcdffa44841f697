// "Unexpected token" in a file of two hundred lines is not a message. Hosts' files have comments and trailing commas
// besides (VS Code writes both), and reading those must not shift the place that a message names.
import { fail, ok, type Result } from '../../../errors/result.ts'

/** Parses JSON; a failure names line and column. `parse` throws a SyntaxError as `JSON.parse` does. */
export function parseJsonText(
  text: string,
  parse: (text: string) => unknown = (whole) => JSON.parse(whole) as unknown,
): Result<unknown, string> {
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  try {
    return ok(parse(body))
  } catch (error) {
    return fail(describe(body, (error as Error).message))
  }
}

/** Parses JSON with comments and trailing commas, as hosts write it. */
export const parseHostJson = (text: string): Result<unknown, string> => parseJsonText(withoutComments(text))

function describe(text: string, message: string): string {
  const found = /position (\d+)/.exec(message)
  const offset = found === null ? text.trimEnd().length : Number(found[1])
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const end = text.indexOf('\n', start)
  const line = text.slice(start, end === -1 ? undefined : end).trim()
  const reason = message
    .replace(/ in JSON at position \d[^]*$/, '')
    .replace(/, (\.\.\.)?".*$/s, '')
    .replace(/ after JSON at position.*$/s, ' after the end')
  const near = line === '' ? '' : `, near \`${line.slice(0, 60)}\``
  return `line ${lineOf(text, start)}, column ${offset - start + 1}: ${reason}${near}`
}

/** The number of the line that begins there. */
function lineOf(text: string, start: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < start; at = text.indexOf('\n', at + 1)) line++
  return line
}

const strings = String.raw`"(?:[^"\\\n]|\\.)*"`
const stringOrComment = new RegExp(`${strings}|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, 'g')
const stringOrLastComma = new RegExp(`${strings}|,(?=\\s*[}\\]])`, 'g')

/** Blanks out comments and trailing commas, so that every remaining character keeps its place. */
function withoutComments(text: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ')
  const bare = text.replace(stringOrComment, (part) => (part.startsWith('"') ? part : blank(part)))
  return bare.replace(stringOrLastComma, (part) => (part === ',' ? ' ' : part))
}
