// A profile speaks of arguments and of what a server says that its tool does. Where one of these is another than the one it
// was written for, it does not speak of this tool. Prose, titles and limits may change without that.
import { createHash } from 'node:crypto'
import { canonicalText } from '../upstream/definitions/canonical.ts'

/** Keywords that decide which arguments there are and what they may be. */
const structural = new Set('type enum const items required $ref'.split(' '))
const nested = new Set('properties $defs definitions'.split(' '))
const several = new Set('anyOf oneOf allOf'.split(' '))

type Shape = string | number | boolean | null | readonly Shape[] | { readonly [key: string]: Shape }

function shapeOf(schema: unknown): Shape {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return typeof schema === 'boolean' ? schema : null
  const kept = Object.entries(schema).flatMap(([key, value]): readonly (readonly [string, Shape])[] => {
    if (nested.has(key) && typeof value === 'object' && value !== null)
      return [[key, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))]]
    if (several.has(key) && Array.isArray(value)) return [[key, value.map(shapeOf)]]
    if (key === 'items') return [[key, shapeOf(value)]]
    if (!structural.has(key)) return []
    return [[key, Array.isArray(value) ? [...(value as Shape[])].toSorted(byText) : (value as Shape)]]
  })
  return Object.fromEntries(kept)
}

const byText = (a: Shape, b: Shape): number => (canonicalText(a) < canonicalText(b) ? -1 : 1)

/** What of a definition a profile relies on, in 16 hexadecimal digits. */
export function shapeDigest(definition: {
  readonly name: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined }
    | null
    | undefined
}): string {
  const { readOnlyHint = null, destructiveHint = null } = definition.annotations ?? {}
  const shape = canonicalText([definition.name, shapeOf(definition.inputSchema), readOnlyHint, destructiveHint])
  return createHash('sha256').update(shape).digest('hex').slice(0, 16)
}
