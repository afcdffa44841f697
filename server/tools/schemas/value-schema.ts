// What one value of an argument may be, by its JSON Schema: a reference followed, and what only says that it may be null set
// aside. Nothing where more than one kind of value may stand there, because no single field could take it.
import { isSchema, type Schema } from './json-schema.ts'
import { targetOf } from './schema-reference.ts'

export interface ValueSchema {
  readonly schema: Schema
  /** As JSON Schema names it: "string", "array". */
  readonly type: string
  readonly nullable: boolean
}

/** A schema may refer to itself. */
const deepest = 16

/** The kind of value that `given` describes, a part of `root`. */
export function valueSchema(root: Schema, given: unknown, depth = 0): ValueSchema | undefined {
  if (!isSchema(given) || depth > deepest) return undefined
  const target = targetOf(root, given['$ref'])
  if (target !== undefined) return valueSchema(root, target, depth + 1)
  const branches = given['anyOf'] ?? given['oneOf']
  if (Array.isArray(branches)) {
    const [only, ...others] = branches.filter((branch) => !isSchema(branch) || branch['type'] !== 'null')
    const found = others.length === 0 ? valueSchema(root, only, depth + 1) : undefined
    return found && { ...found, nullable: found.nullable || branches.length > 1 }
  }
  const types = [given['type'] ?? (Array.isArray(given['enum']) ? 'string' : [])].flat().map(String)
  const [type, ...more] = types.filter((each) => each !== 'null')
  return type === undefined || more.length > 0
    ? undefined
    : { schema: given, type, nullable: types.includes('null') || listedIn(given).includes(null) }
}

/** The values that a schema lists; none where it is free. */
const listedIn = ({ enum: listed }: Schema): readonly unknown[] => (Array.isArray(listed) ? (listed as unknown[]) : [])

/** The values to choose from, without the one that says that there is none. */
export const choicesOf = ({ schema }: ValueSchema): readonly unknown[] =>
  listedIn(schema).filter((each) => each !== null)

/** A member of an object, as its schema has it. */
export interface Member {
  readonly name: string
  readonly schema: unknown
  readonly isRequired: boolean
}

/** The members that an object's schema names, in its order. */
export function membersOf({ schema }: ValueSchema): readonly Member[] {
  const { properties, required } = schema
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isSchema(properties) ? properties : {}).map(([name, of]) => ({
    name,
    schema: of,
    isRequired: needed.includes(name),
  }))
}
