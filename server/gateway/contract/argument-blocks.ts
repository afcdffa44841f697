// Where no dry run exists, the honest preview is the call itself: every argument, in full, beside what the server's
// schema says that it means. Nothing is shortened to fit; what is long gets a block of its own.
import type { CardBlock, CardValue, LabelledValue, LineItem } from '../../model/card.ts'
import { pathLabel, type Place } from '../../cards/path-label.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { targetOf } from '../../tools/schemas/schema-reference.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'

/** Above this many fields the table gives way to the JSON itself. */
const tableLimit = 100
const cellLimit = 160

interface Leaf {
  readonly name: string
  readonly value: unknown
  readonly description: string
}

/** The blocks that show what will be sent. `languages`: by its name, in which language an argument is a program. */
export function sentBlocks(
  args: Readonly<Record<string, unknown>>,
  schema: Schema,
  languages: ReadonlyMap<string, string> = new Map(),
): readonly CardBlock[] {
  const leaves = [...leavesOf(args, schema, schema, [])]
  if (leaves.length === 0) return [{ kind: 'text', text: 'It is called without arguments.' }]
  if (leaves.length > tableLimit)
    return [{ kind: 'code', label: 'Arguments', language: 'json', text: JSON.stringify(args, null, 2) }]
  const hasBlock = ({ name, value }: Leaf): boolean =>
    isLong(value) || (typeof value === 'string' && languages.has(name))
  const short = leaves.filter((leaf) => !hasBlock(leaf))
  const long = leaves.filter(hasBlock)
  return [
    ...(short.length === 0 ? [] : [table(short)]),
    ...long.map((leaf): CardBlock => {
      const language = languages.get(leaf.name)
      return {
        kind: 'code',
        label: leaf.description === '' ? leaf.name : `${leaf.name} (the server says: ${leaf.description})`,
        text: String(leaf.value),
        ...(language === undefined ? {} : { language }),
      }
    }),
  ]
}

/** The same as fields, for where no block has room. */
export function sentFields(args: Readonly<Record<string, unknown>>, schema: Schema): readonly LabelledValue[] {
  const leaves = [...leavesOf(args, schema, schema, [])]
  return leaves.length > tableLimit
    ? [{ label: 'Arguments', value: { kind: 'code', text: JSON.stringify(args, null, 2) } }]
    : leaves.map(({ name, value }) => ({ label: name, value: valueOf(value) }))
}

function table(leaves: readonly Leaf[]): CardBlock {
  const described = leaves.some((leaf) => leaf.description !== '')
  return {
    kind: 'lines',
    itemLabel: 'Argument',
    columns: [{ label: 'Value' }, ...(described ? [{ label: 'The server says of it' }] : [])],
    items: leaves.map((leaf): LineItem => ({
      label: leaf.name,
      cells: [
        valueOf(leaf.value),
        // An empty cell: of "not set" a person would ask what.
        ...(leaf.description === '' ? [] : [{ kind: 'text', text: leaf.description } as const]),
      ],
    })),
  }
}

const isLong = (value: unknown): boolean =>
  typeof value === 'string' && (value.length > cellLimit || value.includes('\n'))

function valueOf(value: unknown): CardValue {
  switch (typeof value) {
    case 'string':
      return value === '' ? { kind: 'code', text: '""' } : { kind: 'text', text: value }
    case 'boolean':
      return { kind: 'boolean', value }
    case 'number':
      return { kind: 'code', text: JSON.stringify(value) }
    default:
      return { kind: 'code', text: JSON.stringify(value) ?? 'null' }
  }
}

/** Objects are followed, lists of plain values stay together. Whatever has no member of its own is a leaf. */
function* leavesOf(value: unknown, schema: Schema | undefined, root: Schema, place: Place): Generator<Leaf> {
  // One local reference is followed, which is what generators of schemas write.
  const own = schema && { ...targetOf(root, schema['$ref']), ...schema }
  if (typeof value === 'object' && value !== null) {
    const nested = Array.isArray(value) ? value.some((item) => typeof item === 'object' && item !== null) : true
    const entries = Object.entries(value)
    if (nested && entries.length > 0) {
      for (const [key, member] of entries) {
        const inner = Array.isArray(value) ? own?.['items'] : (own?.['properties'] as Schema | undefined)?.[key]
        yield* leavesOf(member, inner as Schema | undefined, root, [...place, Array.isArray(value) ? Number(key) : key])
      }
      return
    }
    if (place.length === 0) return
  }
  const description =
    typeof own?.['description'] === 'string' ? showInvisible(own['description'].trim().replace(/\s+/g, ' ')) : ''
  yield { name: pathLabel(place), value, description: description.slice(0, 300) }
}

/** Arguments that the schema does not name at all: most servers drop such without a word. */
export function undeclared(args: Readonly<Record<string, unknown>>, schema: Schema): readonly string[] {
  const properties = schema['properties']
  if (typeof properties !== 'object' || properties === null) return []
  if (['patternProperties', 'allOf', 'anyOf', 'oneOf', '$ref'].some((key) => key in schema)) return []
  const open = schema['additionalProperties']
  if (open !== undefined && open !== false) return []
  return Object.keys(args).filter((name) => !Object.hasOwn(properties, name))
}
