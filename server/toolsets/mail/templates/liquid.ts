// Liquid without files, loops and clock: what is left ends by itself, and writes the same whenever it is rendered. Each
// value is escaped when it is written, and no filter is here that would write it as it is.
import type { Context, Liquid } from 'liquidjs'
import { onFirstUse } from '../../../on-first-use.ts'
import { liquidjs } from '../libraries.ts'
import { inHeader, inMarkdown, oneLine, type Values } from './values.ts'

const tags: readonly string[] = ['#', 'assign', 'case', 'comment', 'if', 'raw', 'unless']
const filters: readonly string[] = (
  'append capitalize default downcase first last prepend remove replace size split strip truncate truncatewords upcase ' +
  'url_encode'
).split(' ')

/** Characters of a template, characters that one rendering may make, and milliseconds that it may take. */
const limits = { parseLimit: 50_000, memoryLimit: 500_000, renderLimit: 5000 }

/** Where the values of what is being rendered stand, and which; it is rendered in one go. */
let written: { readonly mark: string; readonly values: string[] } = { mark: '', values: [] }

const engine = onFirstUse(async (): Promise<Liquid> => {
  const { Liquid: Engine } = await liquidjs()
  const made = new Engine({
    ...limits,
    templates: {},
    locale: 'en',
    strictFilters: true,
    strictVariables: true,
    // A condition may ask whether a value is there, and `default` stands in for it.
    lenientIf: true,
    ownPropertyOnly: true,
    outputEscape(this: { readonly context: Context }, value: unknown) {
      const text = asText(value)
      this.context.memoryLimit.use(text.length)
      written.values.push(oneLine(text))
      return written.mark
    },
  })
  for (const name of Object.keys(made.tags)) if (!tags.includes(name)) delete made.tags[name]
  for (const name of Object.keys(made.filters)) if (!filters.includes(name)) delete made.filters[name]
  return made
})

const asText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(asText).join('')
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** A subject or a body that was read. */
export interface LiquidText {
  /** What it needs from outside: `first_name`, `order.total`. */
  readonly variables: readonly string[]
  /** The text; or the name of a variable that is missing, or what went wrong. */
  render(values: Values): LiquidAnswer
}

/** What stands around the values, one text more than there are values, and what each value says, not escaped. */
export interface TextParts {
  readonly around: readonly string[]
  readonly values: readonly string[]
}

export type LiquidAnswer =
  | ({ readonly kind: 'text'; readonly text: string } & TextParts)
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'failed'; readonly problem: string }

const escapes = { subject: inHeader, body: inMarkdown } as const

/** Reads a template; a sentence where it is none. */
export async function readLiquid(part: keyof typeof escapes, source: string): Promise<LiquidText | string> {
  const liquid = await engine()
  try {
    const template = liquid.parse(source)
    const mark = unusedMark(source)
    return {
      variables: liquid.globalFullVariablesSync(template),
      render: (values) => rendered(() => liquid.renderSync(template, values) as string, mark, escapes[part]),
    }
  } catch (error) {
    return inWords(error)
  }
}

/** A character that this does not have, of those for private use where it can be. All that is written is its own or a value. */
function unusedMark(source: string): string {
  let code = 0xe000
  while (source.includes(String.fromCharCode(code))) code += 1
  return String.fromCharCode(code)
}

function rendered(render: () => string, mark: string, escape: (value: string) => string): LiquidAnswer {
  const values: string[] = []
  written = { mark, values }
  try {
    const around = render().split(mark)
    return { kind: 'text', text: joined(around, values.map(escape)), around, values }
  } catch (error) {
    const variable = (error as { originalError?: { variableName?: unknown } }).originalError?.variableName
    return typeof variable === 'string' ? { kind: 'missing', variable } : { kind: 'failed', problem: inWords(error) }
  }
}

/** A text of what stands around values and of the values. */
export const joined = (around: readonly string[], values: readonly string[]): string =>
  around.map((text, at) => text + (values[at] ?? '')).join('')

/** Messages of LiquidJS name the line and the column; what is not available here is said with what is. */
function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message.slice(0, 300) : String(error)
  const [, tag, filter] = /^(?:tag "([^"]*)" not found|undefined filter: (\w+))/.exec(message) ?? []
  if (tag !== undefined) return `${message}; there are ${tags.slice(1).join(', ')}.`
  return filter === undefined ? `${message}.` : `${message}; there are ${filters.join(', ')}.`
}
