// What a tool says of itself lies in places of very different worth: its name is chosen with care, the first sentence of
// its description nearly so, the rest explains arguments and pitfalls in words that fit any tool.
import { splitWords } from './words.ts'

/** What a server may say of a tool, and a search may ask for. */
export type Hint = 'readOnlyHint' | 'destructiveHint'

/** A tool as the index takes it. `name` is `server:tool`; annotations are the server's own, where it gave any. */
export interface IndexedTool {
  readonly name: string
  readonly server: string
  readonly description: string
  readonly inputSchema: unknown
  readonly annotations?: { readonly [hint in Hint]?: unknown } | null | undefined
}

export const FIELDS = ['name', 'summary', 'detail', 'parameter', 'parameterText', 'server'] as const
export type Field = (typeof FIELDS)[number]

/** What a call of a tool must be given. */
export interface ToolNeeds {
  /** Words of the parameters that every call must bring. */
  readonly required: readonly string[]
  /** Compound names in the prose: perhaps other tools. */
  readonly mentions: ReadonlySet<string>
}

const LONGEST_SUMMARY = 240
const LONGEST_TEXT = 6_000
const DEEPEST_SCHEMA = 6
const MOST_ENUM_VALUES = 30

/** The tool's name without its server. */
export function bareName(tool: IndexedTool): string {
  return tool.name.startsWith(`${tool.server}:`) ? tool.name.slice(tool.server.length + 1) : tool.name
}

/** Cuts a tool's definition into its fields. Anything that is no text where text belongs is passed over. */
export function readTool(tool: IndexedTool): Readonly<Record<Field, string>> {
  const description = descriptionOf(tool)
  const cut = summaryEnd(description)
  const { names, texts } = schemaTexts(tool)
  return {
    name: bareName(tool),
    summary: description.slice(0, cut),
    detail: description.slice(cut),
    parameter: names,
    parameterText: texts,
    server: tool.server,
  }
}

/** Reads what a tool needs: of few tools, each time, so that nothing of it is kept of all. */
export const readNeeds = (tool: IndexedTool): ToolNeeds => ({
  required: splitWords(stringsOf(field(tool.inputSchema, 'required')).join(' ').slice(0, LONGEST_TEXT)),
  mentions: mentionsIn(`${descriptionOf(tool)} ${schemaTexts(tool).texts}`),
})

const descriptionOf = ({ description }: IndexedTool): string =>
  (typeof description === 'string' ? description : '').trim().slice(0, LONGEST_TEXT)

function schemaTexts({ inputSchema }: IndexedTool): { readonly names: string; readonly texts: string } {
  const names: string[] = []
  const texts: string[] = []
  readSchema(inputSchema, names, texts, 0)
  return { names: names.join(' ').slice(0, LONGEST_TEXT), texts: texts.join(' ').slice(0, LONGEST_TEXT) }
}

/** Where the first sentence of a description ends, which says what the tool is for; never past the longest that counts. */
export function summaryEnd(description: string): number {
  const end = /[.!?](?=\s|$)|[。！？]|\n\s*\n/.exec(description)
  return Math.min(end === null ? description.length : end.index + 1, LONGEST_SUMMARY)
}

function readSchema(schema: unknown, names: string[], texts: string[], depth: number): void {
  if (!isRecord(schema) || depth > DEEPEST_SCHEMA) return
  if (depth > 0 && typeof schema['description'] === 'string') texts.push(schema['description'])
  texts.push(...stringsOf(schema['enum']).slice(0, MOST_ENUM_VALUES))
  if (isRecord(schema['properties']))
    for (const [name, property] of Object.entries(schema['properties'])) {
      names.push(name)
      readSchema(property, names, texts, depth + 1)
    }
  readSchema(schema['items'], names, texts, depth + 1)
  for (const key of ['anyOf', 'oneOf', 'allOf'])
    if (Array.isArray(schema[key])) for (const branch of schema[key]) readSchema(branch, names, texts, depth + 1)
  if (isRecord(schema['$defs']))
    for (const definition of Object.values(schema['$defs'])) readSchema(definition, names, texts, depth + 1)
}

function mentionsIn(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const name of text.match(/[A-Za-z][A-Za-z0-9_-]+/g) ?? [])
    if (/[_-][A-Za-z0-9]|[a-z][A-Z]/.test(name)) found.add(name.replace(/(?<![_-])[_-]+$/, ''))
  return found
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const field = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined)
const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
