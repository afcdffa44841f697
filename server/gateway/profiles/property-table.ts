// The names of a provider's properties, by object, as its cheatsheet knows them: cheatsheets/<name>.fields.yaml. An account
// may have properties of its own, so a name that is not here is worth a question and never a refusal.
import { z } from 'zod'
import { parseYamlText } from '../../config/yaml-text.ts'
import { fail, ok, type Result } from '../../errors/result.ts'

/** Names with white space between them; `*` in one stands for any text. */
const names = z.string().transform((text) => text.split(/\s+/).filter(Boolean))

const tableSchema = z.strictObject({
  provider: z.string().min(1).describe('As people know it.'),
  own: z.string().min(1).describe('A sentence on names that it cannot know.'),
  ignores_case: z.boolean().default(false),
  never: names.default([]).describe('Names of accounts’ own properties, which are never asked about.'),
  every: names.default([]).describe('Properties of every object.'),
  objects: z.record(
    z.string(),
    z.strictObject({ also: names.default([]).describe('Other names of the object.'), properties: names }),
  ),
})

/** The known properties of one object. */
export interface KnownObject {
  /** Its first name in the table. */
  readonly name: string
  /** Whether the table knows the name, or knows that it is an account's own. */
  has(property: string): boolean
  /** All plain names, for suggestions. */
  readonly properties: readonly string[]
}

export interface PropertyTable {
  readonly provider: string
  readonly own: string
  /** Nothing for an object that the table does not have. */
  object(name: string): KnownObject | undefined
}

/** Reads one table; the failure is a sentence. */
export function readPropertyTable(source: string, file: string): Result<PropertyTable, string> {
  const text = parseYamlText(source, file)
  if (!text.ok) return fail(`${file}:${text.failure.line}: ${text.failure.message}.`)
  const parsed = tableSchema.safeParse(text.value.value)
  if (!parsed.success) return fail(`${file}: ${z.prettifyError(parsed.error)}`)
  const { provider, own, ignores_case: ignoresCase, never, every, objects } = parsed.data
  const same = (name: string): string => (ignoresCase ? name.toLowerCase() : name)
  const known = new Map<string, KnownObject>()
  for (const [name, { also, properties }] of Object.entries(objects)) {
    const all = [...properties, ...every]
    const plain = all.filter((each) => !each.includes('*'))
    const exact = new Set(plain.map(same))
    const patterns = [...all, ...never].filter((each) => each.includes('*')).map((each) => fits(same(each)))
    const object: KnownObject = {
      name,
      properties: plain,
      has: (property) => exact.has(same(property)) || patterns.some((fit) => fit(same(property))),
    }
    for (const each of [name, ...also]) known.set(each.toLowerCase(), object)
  }
  return ok({ provider, own, object: (name) => known.get(name.toLowerCase()) })
}

/** A pattern has one `*`: what stands before it begins a name, and what stands behind it ends it. */
function fits(pattern: string): (name: string) => boolean {
  const [start = '', end = ''] = pattern.split('*')
  return (name) => name.length > start.length + end.length && name.startsWith(start) && name.endsWith(end)
}
