// The tokens of some thirty services, as the maintainers of secretlint know them. Their rules are plain functions that
// report places of a text, so they are asked directly: the package that runs them over files is asynchronous and reads
// comments that would switch a rule off, and an agent could write such a comment.
import { rules } from '@secretlint/secretlint-rule-preset-recommend'
import { isValue } from './secret-shapes.ts'
import type { Looked, Span } from './secret-values.ts'

/** As far as we use it; its own types stand in a package that we do not need to run it. */
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

/** All of their tokens are longer than this, with letters and figures and without a blank. */
const long = /[A-Za-z0-9_\-+/=.:@%]{20}/

/** All that the kept rules report of a text, without a judgement of ours. */
export function reported(content: string): readonly Span[] {
  found = []
  const source = { content, filePath: '', physicalFilePath: undefined, ext: '', contentType: 'text' }
  for (const scanner of scanners) void scanner.file?.(source)
  return found
}

/** What the kept rules report that somebody could use. */
export const secretlintFindings = ({ shown }: Looked): readonly Span[] =>
  long.test(shown) ? reported(shown).filter(({ start, end }) => isKept(shown.slice(start, end))) : []

/** Of an address its password is what counts. */
function isKept(value: string): boolean {
  const password = /^[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]{0,200}:([^\s/]{1,500})@/i.exec(value)?.[1]
  return password === undefined
    ? isValue(value) || value.includes('\n')
    : isValue(password) && !/^(?:pass(?:word|wd)?|pwd)$/.test(password)
}
