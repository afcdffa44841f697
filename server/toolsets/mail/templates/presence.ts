// For a hundred thousand recipients it is too slow to render every mail before one is confirmed, and it need not be: of a
// value that is only written, or asked whether it is there, it does not matter what it is, and of one that is compared, cut or
// joined it does. Recipients who are alike in what matters get a mail or get none alike.
import { mostMarks } from '../send-external/body.ts'
import { liquidjs } from '../libraries.ts'
import { longest, type TemplateText } from './template.ts'
import { recipientVariables } from './values.ts'

/** Values of more characters are rendered one by one where it does not matter what they are. */
export const longestPlain = 40

const output =
  /^\{\{-?\s*\w+\s*(?<filters>(?:\|\s*(?:default\s*:\s*(?:"[^"]*"|'[^']*'|\w+)|url_encode|capitalize|downcase|upcase)\s*)*)-?\}\}$/
/** A value that is there is not blank, so comparing it with nothing asks whether it is there. */
const tag =
  /^\{%-?\s*(?:(?:if|unless|elsif)\s+\w+(?:\s*[!=]=\s*(?:blank|empty|nil|null|""|''))?(?:\s+(?:and|or)\s+\w+(?:\s*[!=]=\s*(?:blank|empty|nil|null|""|''))?)*|else|endif|endunless)\s*-?%\}$/

export type RecipientVariable = (typeof recipientVariables)[number]

/** What a template asks of its recipients. */
export interface Reading {
  /** Variables of which it matters what they are. */
  readonly byValue: ReadonlySet<RecipientVariable>
  /**
   * Of a mail that was rendered with values of one character for the others: whether every mail with the same values there,
   * and none of them longer than `longestPlain`, can be rendered, too.
   */
  readonly staysSendable: (mail: { readonly subject: string; readonly body: string }) => boolean
}

/** Reads a template for what matters of its recipients. */
export async function readingOf(text: TemplateText): Promise<Reading> {
  const byValue = new Set<RecipientVariable>()
  const [subject, body] = [await factorsIn(text.subject, 1.5, byValue), await factorsIn(text.body, 2, byValue)]
  /** What values of `longestPlain` characters may add at most to a mail of values of one character. */
  const grown = (factors: readonly number[], source: string): number =>
    factors.reduce((total, factor) => total + factor * longestPlain, blanksIn(source))
  const growth = {
    subject: grown(subject, text.subject),
    body: grown(body, text.body),
    marks: body.length * longestPlain,
  }
  return {
    byValue,
    staysSendable: (mail) =>
      mail.subject.length + growth.subject <= longest.subject &&
      mail.body.length + growth.body <= longest.body &&
      (mail.body.match(/[*_~]+/g) ?? []).length + growth.marks <= mostMarks,
  }
}

/** Blanks at the ends of a mail are cut off after it was measured. */
const blanksIn = (source: string): number => source.match(/\s/g)?.length ?? 0

/** For each value that is only written by how much its escaped text may be longer; the other ones are added to `byValue`. */
async function factorsIn(source: string, escaped: number, byValue: Set<RecipientVariable>): Promise<readonly number[]> {
  const { Tokenizer, TokenKind } = await liquidjs()
  const factors: number[] = []
  for (const token of new Tokenizer(source).readTopLevelTokens()) {
    if (token.kind === TokenKind.HTML) continue
    const written = token.getText()
    const filters = output.exec(written)?.groups?.['filters']
    // A letter may have three as its capital, and nine signs with three backslashes in an address.
    if (filters !== undefined)
      factors.push((/case|capitalize/.test(filters) ? 3 : 1) * (filters.includes('url_encode') ? 12 : escaped))
    else if (!tag.test(written)) {
      const words = new Set(written.match(/\w+/g))
      for (const name of recipientVariables) if (words.has(name)) byValue.add(name)
    }
  }
  return factors
}
