// Whether the schema of a record demands a member that is kept out of the answer. Such an answer would be refused by its own
// schema once the change is made, so it is found where the tool is declared.
import { z } from 'zod'
import { fromPointer, valueAt } from '../../errors/pointer.ts'
import { isMembers } from './members.ts'

/** `untold`: a function decides what is taken there, and a schema does not say what that demands. */
type Demand = 'demanded' | 'untold'

/** Stands in the JSON Schema of what a function decides. */
const decided = 'x-decided-by-function'

/** Of members of what this schema takes: whether it demands the one at a place in which `*` is any key or index. */
export function demandedBy(schema: z.ZodType): (pointer: string) => Demand | undefined {
  const root = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (['transform', 'custom'].includes(zodSchema._zod.def.type)) Object.assign(jsonSchema, { [decided]: true })
    },
  })
  return (pointer) => {
    const found = new Set(demandsIn(root, fromPointer(pointer), { root, within: [] }))
    return found.has('demanded') ? 'demanded' : [...found][0]
  }
}

interface Around {
  readonly root: unknown
  /** The references that were followed to come here, since the last member. */
  readonly within: readonly string[]
}

const combining = ['anyOf', 'oneOf', 'allOf'] as const

function demandsIn(schema: unknown, path: readonly string[], around: Around): readonly Demand[] {
  const [key, ...rest] = path
  if (!isMembers(schema) || key === undefined) return []
  const { $ref: reference } = schema
  // A record may be any one of several: what one of them demands, some answer lacks.
  const same = combining.flatMap((keyword) => listOf(schema[keyword]))
  return [
    ...(schema[decided] === true ? (['untold'] as const) : []),
    ...(rest.length === 0 && isDemanded(schema, key) ? (['demanded'] as const) : []),
    ...(typeof reference === 'string' ? referred(reference, path, around) : []),
    ...same.flatMap((each) => demandsIn(each, path, around)),
    ...insideAt(schema, key).flatMap((each) => demandsIn(each, rest, { ...around, within: [] })),
  ]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** With `*` nothing is left of a list, or of an object that has any keys. */
function isDemanded(
  { required, minItems, minProperties, prefixItems }: Readonly<Record<string, unknown>>,
  key: string,
) {
  if (key !== '*') return listOf(required).includes(key)
  const isLeast = [minItems, minProperties].some((least) => typeof least === 'number' && least > 0)
  return isLeast || listOf(required).length + listOf(prefixItems).length > 0
}

/** The schemas of what may stand at this key of what a schema takes. */
function insideAt(schema: Readonly<Record<string, unknown>>, key: string): readonly unknown[] {
  const { properties, additionalProperties, patternProperties, items, prefixItems } = schema
  const named = isMembers(properties) ? properties : {}
  const entries = [...listOf(prefixItems), items]
  const others = [additionalProperties, ...(isMembers(patternProperties) ? Object.values(patternProperties) : [])]
  if (key === '*') return [...Object.values(named), ...entries, ...others]
  if (Object.hasOwn(named, key)) return [named[key]]
  return /^\d+$/.test(key) ? [...entries, ...others] : others
}

/** A schema may lead back to itself, which demands nothing more. */
function referred(reference: string, path: readonly string[], { root, within }: Around): readonly Demand[] {
  if (within.includes(reference)) return []
  const target = reference.startsWith('#') ? valueAt(root, fromPointer(reference.slice(1))) : undefined
  return target === undefined ? ['untold'] : demandsIn(target, path, { root, within: [...within, reference] })
}
