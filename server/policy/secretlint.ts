// secretlint's rules for the tokens of some thirty services. The rules are called directly: the package that runs them over
// files is asynchronous and obeys comments that switch a rule off, which an agent could write.
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { isValue } from './secret-shapes.ts'
import type { SearchedText, Span } from './secret-values.ts'

/** A rule, as far as we use it. Its own types are in a package that is not needed to run it. */
interface Rule {
  readonly meta: { readonly type: string; readonly supportedContentTypes: readonly string[] }
  create(context: object, options: object): { file?(source: object): void | Promise<void> }
}

interface Report {
  readonly range: readonly [start: number, end: number]
}

let found: Span[] = []

const context = {
  sharedOptions: {},
  createTranslator: () => (messageId: string, data: unknown) => ({ message: '', messageId, data }),
  report: ({ range: [start, end] }: Report) => void found.push({ start, end }),
  ignore: () => undefined,
}

const scanners = (rules as unknown as readonly Rule[])
  .filter(({ meta }) => meta.type === 'scanner' && meta.supportedContentTypes.includes('text'))
  .map((rule) => rule.create(context, {}))

/** A fast path: all of the tokens are at least so long and without a blank. */
const long = /[A-Za-z0-9_\-+/=.:@%]{20}/

/** All that the rules report. */
export function reported(content: string): readonly Span[] {
  found = []
  const source = { content, filePath: '', physicalFilePath: undefined, ext: '', contentType: 'text' }
  for (const scanner of scanners) void scanner.file?.(source)
  return found
}

/** What the rules report, without placeholders. */
export const secretlintFindings = ({ shown }: SearchedText): readonly Span[] =>
  long.test(shown) ? reported(shown).filter(({ start, end }) => isKept(shown.slice(start, end))) : []

/** Of a URL only the password counts. */
function isKept(value: string): boolean {
  const password = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:([^\s/]{1,500})@/i.exec(value)?.[1]
  return password === undefined
    ? isValue(value) || value.includes('\n')
    : isValue(password) && !/^(?:pass(?:word|wd)?|pwd)$/.test(password)
}
