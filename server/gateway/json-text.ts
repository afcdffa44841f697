// "Unexpected token" in a file of two hundred lines is not a message. Hosts' files have comments and trailing commas
// besides (VS Code writes both), and reading those must not shift the place that a message names.
import { fail, ok, type Result } from '../errors/result.ts'

/** Parses JSON; a failure names line and column. */
export function parseJsonText(text: string): Result<unknown, string> {
  const body = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  try {
    return ok(JSON.parse(body) as unknown)
  } catch (error) {
    return fail(describe(body, (error as Error).message))
  }
}

/** Parses JSON with comments and trailing commas, as hosts write it. */
export const parseHostJson = (text: string): Result<unknown, string> => parseJsonText(withoutComments(text))

function describe(text: string, message: string): string {
  const found = /position (\d+)/.exec(message)
  const offset = found === null ? text.trimEnd().length : Number(found[1])
  const before = text.slice(0, offset).split('\n')
  const line = text.split('\n')[before.length - 1]?.trim() ?? ''
  const reason = message
    .replace(/ in JSON at position \d+.*$/s, '')
    .replace(/, (\.\.\.)?".*$/s, '')
    .replace(/ after JSON at position.*$/s, ' after the end')
  const near = line === '' ? '' : `, near \`${line.slice(0, 60)}\``
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${reason}${near}`
}

/** Blanks out comments and trailing commas, so that every remaining character keeps its place. */
function withoutComments(text: string): string {
  const strings = String.raw`"(?:[^"\\\n]|\\.)*"`
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ')
  const bare = text.replace(new RegExp(`${strings}|//[^\\n]*|/\\*[\\s\\S]*?\\*/`, 'g'), (part) =>
    part.startsWith('"') ? part : blank(part),
  )
  return bare.replace(new RegExp(`${strings}|,(?=\\s*[}\\]])`, 'g'), (part) => (part === ',' ? ' ' : part))
}
