// For a hundred thousand recipients it is too slow to render every mail before one is confirmed. Of most templates it need
// not be: they ask whether a value is there and write it, so whether a recipient gets a mail depends on which values are
// there and not on what they are. Of a template that compares, cuts or joins values that is not known without rendering.
import { mostMarks } from '../send-external/body.ts'
import { liquidjs } from '../libraries.ts'
import { longest, type TemplateText } from './template.ts'

/** Values of more characters are rendered one by one. */
export const longestPlain = 40

const output =
  /^\{\{-?\s*\w+\s*(?<filters>(?:\|\s*(?:default\s*:\s*(?:"[^"]*"|'[^']*'|\w+)|url_encode|capitalize|downcase|upcase)\s*)*)-?\}\}$/
const tag = /^\{%-?\s*(?:(?:if|unless|elsif)\s+\w+(?:\s+(?:and|or)\s+\w+)*|else|endif|endunless)\s*-?%\}$/

/** What values of `longestPlain` characters may add at most to a mail of values of one character. */
interface Growth {
  readonly subject: number
  readonly body: number
  /** Marks of emphasis in the body. */
  readonly marks: number
}

/**
 * Nothing where what becomes of a recipient may depend on what a value is. Otherwise a test of a mail that was rendered with
 * values of one character: whether every other with the same values there, and none of them longer than `longestPlain`, can
 * be rendered, too.
 */
export async function presenceOnly(
  text: TemplateText,
): Promise<((mail: { readonly subject: string; readonly body: string }) => boolean) | undefined> {
  const [subject, body] = [await factorsIn(text.subject, 1.5), await factorsIn(text.body, 2)]
  if (subject === undefined || body === undefined) return undefined
  const sum = (factors: readonly number[]): number =>
    factors.reduce((total, factor) => total + factor * longestPlain, 0)
  const growth: Growth = {
    subject: sum(subject) + blanksIn(text.subject),
    body: sum(body) + blanksIn(text.body),
    marks: body.length * longestPlain,
  }
  return (mail) =>
    mail.subject.length + growth.subject <= longest.subject &&
    mail.body.length + growth.body <= longest.body &&
    (mail.body.match(/[*_~]+/g) ?? []).length + growth.marks <= mostMarks
}

/** Blanks at the ends of a mail are cut off after it was measured. */
const blanksIn = (source: string): number => source.match(/\s/g)?.length ?? 0

/** For each value that is written by how much its escaped text may be longer; nothing where a value is more than written. */
async function factorsIn(source: string, escaped: number): Promise<readonly number[] | undefined> {
  const { Tokenizer, TokenKind } = await liquidjs()
  const factors: number[] = []
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    if (token.kind === TokenKind.HTML) continue
    const filters = output.exec(token.getText())?.groups?.['filters']
    if (filters === undefined && !tag.test(token.getText())) return undefined
    // A letter may have three as its capital, and nine signs with three backslashes in an address.
    if (filters !== undefined)
      factors.push((/case|capitalize/.test(filters) ? 3 : 1) * (filters.includes('url_encode') ? 12 : escaped))
  }
  return factors
}
