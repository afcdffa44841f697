// Checking somebody's server must not begin with writing JSON by hand. Most schemas say what a plausible call is:
// in examples, defaults and enums, or in the words of a description ("like \"SO-1005\""). What cannot be found there is
// asked for.

type Schema = Readonly<Record<string, unknown>>
/** Arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const reserved = /^(?:countersign_)?(?:preview|ticket|rationale)$/
const aCheckAsks = 'A check of this server asks what this call would change.'

/** The name that a tool has for one of the three reserved parameters. `undefined` where it has none. */
export function reservedName(schema: unknown, name: 'preview' | 'ticket' | 'rationale'): string | undefined {
  const properties = isSchema(schema) && isSchema(schema['properties']) ? schema['properties'] : {}
  return [`countersign_${name}`, name].find((one) => one in properties)
}

/** Whether a call without arguments of ours only previews: the tool says so in its schema. */
export function previewsByDefault(schema: unknown): boolean {
  const name = reservedName(schema, 'preview')
  if (name === undefined || !isSchema(schema) || !isSchema(schema['properties'])) return false
  const preview = schema['properties'][name]
  return isSchema(preview) && preview['default'] === true
}

/** Adds the rationale where the tool wants one and the caller gave none. */
export function withRationale(schema: unknown, args: Arguments, rationale = aCheckAsks): Arguments {
  const name = reservedName(schema, 'rationale')
  return name === undefined || name in args ? args : { ...args, [name]: rationale }
}

/**
 * Plausible arguments, best guess first: what is required, then that with each optional text. Empty where a required
 * value cannot be guessed.
 */
export function plausibleArguments(schema: unknown): readonly Arguments[] {
  if (!isSchema(schema)) return []
  const examples = Array.isArray(schema['examples']) ? schema['examples'].filter(isSchema) : []
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const own = Object.entries(properties).filter(([name]) => !reserved.test(name))
  const needed = own.filter(([name]) => required.includes(name)).map(([name, one]) => [name, guess(one)] as const)
  if (needed.some(([, value]) => value === undefined)) return examples
  const base = Object.fromEntries(needed)
  const texts = own.filter(([name, one]) => !(name in base) && isFreeText(name, one))
  return [...examples, base, ...texts.map(([name]) => ({ ...base, [name]: madeUp }))]
}

/** The same call with another text in it, to move what the first one saw. `undefined` where there is no such text. */
export function variationOf(schema: unknown, args: Arguments): Arguments | undefined {
  const name = freeTexts(schema, args).at(-1)
  return name === undefined ? undefined : { ...args, [name]: `${String(args[name])}, and again` }
}

/** The same call with a number in a text that was made up here, so that no two ask for the same. `undefined` where there is none. */
export function numbered(schema: unknown, args: Arguments, n: number): Arguments | undefined {
  const name = freeTexts(schema, args).findLast((one) => args[one] === madeUp)
  return name === undefined ? undefined : { ...args, [name]: `${madeUp} (${n})` }
}

const madeUp = 'Checked by a test host'

/** The arguments that may be any text, by their names. */
function freeTexts(schema: unknown, args: Arguments): readonly string[] {
  const properties = isSchema(schema) && isSchema(schema['properties']) ? schema['properties'] : {}
  return Object.keys(args).filter((one) => !reserved.test(one) && isFreeText(one, properties[one]))
}

function guess(schema: unknown, depth = 0): unknown {
  if (!isSchema(schema) || depth > 6) return undefined
  const examples = schema['examples']
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (schema['default'] !== undefined) return schema['default']
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) return union.map((one) => guess(one, depth + 1)).find((one) => one !== undefined)
  switch (schema['type']) {
    case 'string':
      return guessText(schema)
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1))
    case 'boolean':
      return false
    case 'array': {
      const item = guess(schema['items'], depth + 1)
      return item === undefined ? undefined : [item]
    }
    case 'object':
      return guessObject(schema, depth)
    default:
      return undefined
  }
}

function guessObject(schema: Schema, depth: number): unknown {
  const properties = isSchema(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const entries = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .map(([name, one]) => [name, guess(one, depth + 1)] as const)
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

function guessText(schema: Schema): string | undefined {
  const said = typeof schema['description'] === 'string' ? schema['description'] : ''
  const quoted = /(?:like|e\.g\.|such as|example:?|Why[^"]*)\s*["“`]([^"”`]+)["”`]/.exec(said)
  if (quoted?.[1] !== undefined) return quoted[1]
  if (schema['format'] === 'date') return '2030-01-15'
  if (schema['format'] === 'date-time') return '2030-01-15T12:00:00Z'
  if (schema['format'] === 'email') return 'somebody@example.com'
  if (schema['format'] === 'uri') return 'https://example.com/'
  if (schema['pattern'] !== undefined || schema['format'] !== undefined) return undefined
  return Number(schema['maxLength'] ?? Infinity) >= 100 ? madeUp : undefined
}

const isFreeText = (name: string, schema: unknown): boolean => {
  if (!isSchema(schema) || /(?:^|_)(?:id|sku|key|path|url)$/i.test(name)) return false
  const union = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(union)) return union.some((one) => isFreeText(name, one))
  const plain = schema['enum'] === undefined && schema['format'] === undefined && schema['pattern'] === undefined
  return schema['type'] === 'string' && plain && Number(schema['maxLength'] ?? Infinity) >= 100
}
