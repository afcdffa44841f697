// Generators of schemas (Zod's among them) list an argument that has a default as required, because it is always there
// once its server has parsed the call. A caller may leave it out all the same. It is filled before anything is checked,
// so that the card shows, the person confirms, and the server gets one and the same value.

import { defaultOf, targetOf } from '../../tools/schemas/schema-reference.ts'
import { isSchema, type Schema } from '../../tools/schemas/json-schema.ts'

/** A schema may refer to itself, and a default to the schema: so many values are filled, then what is left is refused. */
const mostFilled = 1000
const mostSteps = 100_000
const deepest = 64

/** The arguments with every default that their schema requires and they leave out; the same value where there is none. */
export function fillRequired(root: Schema, args: unknown): unknown {
  let left = mostFilled
  let steps = 0

  function fill(schema: unknown, value: unknown, depth: number): unknown {
    if (!isSchema(schema) || depth > deepest || ++steps > mostSteps || typeof value !== 'object' || value === null)
      return value
    // What a choice would fill depends on which of it is meant, so only what holds in any case is filled.
    const always = [schema, targetOf(root, schema['$ref']), ...list(schema['allOf'])].filter(isSchema)
    return always.reduce<unknown>(
      (so, part) => (part === schema ? fillHere(part, so, depth) : fill(part, so, depth + 1)),
      value,
    )
  }

  function fillHere(schema: Schema, value: unknown, depth: number): unknown {
    if (Array.isArray(value)) {
      const filled = value.map((item: unknown) => fill(schema['items'], item, depth + 1))
      return filled.some((item, at) => item !== value[at]) ? filled : value
    }
    if (!isSchema(value) || !isSchema(schema['properties'])) return value
    const required = list(schema['required'])
    const more: Record<string, unknown> = {}
    for (const [name, inner] of Object.entries(schema['properties'])) {
      const given = Object.hasOwn(value, name)
      const missing = !given && required.includes(name) && name !== '__proto__'
      const start: unknown = given ? value[name] : missing ? defaultOf(root, inner) : undefined
      if (start === undefined || (missing && left-- <= 0)) continue
      const filled = fill(inner, start, depth + 1)
      if (missing || filled !== value[name]) more[name] = filled
    }
    return Object.keys(more).length === 0 ? value : { ...value, ...more }
  }

  return fill(root, args, 0)
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : [])
