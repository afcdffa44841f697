// Liquid without files, loops and clock: what is left ends by itself, and writes the same whenever it is rendered. Each
// value is escaped when it is written, and no filter is here that would write it as it is.
import type { Context, Liquid, Template } from 'liquidjs'
import { onFirstUse } from '../../../on-first-use.ts'
import { liquidjs } from '../libraries.ts'
import { inHeader, inMarkdown, type Values } from './values.ts'

const tags: readonly string[] = ['#', 'assign', 'case', 'comment', 'if', 'raw', 'unless']
const filters: readonly string[] = (
  'append capitalize default downcase first last prepend remove replace size split strip truncate truncatewords upcase ' +
  'url_encode'
).split(' ')

/** Characters of a template, characters that one rendering may make, and milliseconds that it may take. */
const limits = { parseLimit: 50_000, memoryLimit: 500_000, renderLimit: 5000 }

type Part = 'subject' | 'body'

const engines = onFirstUse(async (): Promise<Readonly<Record<Part, Liquid>>> => {
  const { Liquid: Engine } = await liquidjs()
  const engine = (escape: (text: string) => string): Liquid => {
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
        return escape(text)
      },
    })
    for (const name of Object.keys(made.tags)) if (!tags.includes(name)) delete made.tags[name]
    for (const name of Object.keys(made.filters)) if (!filters.includes(name)) delete made.filters[name]
    return made
  }
  return { subject: engine(inHeader), body: engine(inMarkdown) }
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

export type LiquidAnswer =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing'; readonly variable: string }
  | { readonly kind: 'failed'; readonly problem: string }

/** Reads a template; a sentence where it is none. */
export async function readLiquid(part: Part, source: string): Promise<LiquidText | string> {
  const engine = (await engines())[part]
  try {
    const template = engine.parse(source)
    return {
      variables: engine.globalFullVariablesSync(template),
      render: (values) => rendered(engine, template, values),
    }
  } catch (error) {
    return inWords(error)
  }
}

function rendered(engine: Liquid, template: Template[], values: Values): LiquidAnswer {
  try {
    return { kind: 'text', text: engine.renderSync(template, values) as string }
  } catch (error) {
    const variable = (error as { originalError?: { variableName?: unknown } }).originalError?.variableName
    return typeof variable === 'string' ? { kind: 'missing', variable } : { kind: 'failed', problem: inWords(error) }
  }
}

/** Messages of LiquidJS name the line and the column; what is not available here is said with what is. */
function inWords(error: unknown): string {
  const message = error instanceof Error ? error.message.slice(0, 300) : String(error)
  const [, tag, filter] = /^(?:tag "([^"]*)" not found|undefined filter: (\w+))/.exec(message) ?? []
  if (tag !== undefined) return `${message}; there are ${tags.slice(1).join(', ')}.`
  return filter === undefined ? `${message}.` : `${message}; there are ${filters.join(', ')}.`
}
