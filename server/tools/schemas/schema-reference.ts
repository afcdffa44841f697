// A schema may keep a part of itself elsewhere in itself. Only such references are followed: nothing is fetched.
import { fromPointer, valueAt } from '../../errors/pointer.ts'
import { isSchema, type Schema } from './json-schema.ts'

/** What a fragment points to: a JSON Pointer (RFC 6901, section 6), in which percent signs are those of an address. */
export function pointed(root: Schema, fragment: string): unknown {
  try {
    return valueAt(root, fromPointer(decodeURIComponent(fragment)))
  } catch {
    // A percent sign that stands for itself.
    return valueAt(root, fromPointer(fragment))
  }
}

/** What a local reference points to. Nothing where it points elsewhere. */
export function targetOf(root: Schema, reference: unknown): Schema | undefined {
  if (reference === '#') return root
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  const found = pointed(root, reference.slice(1))
  return isSchema(found) ? found : undefined
}

/** A reference may lead to itself; so many are followed. */
const mostReferences = 64

/** The default of a part of a schema: its own, else that of what it refers to. */
export function defaultOf(root: Schema, schema: unknown): unknown {
  let part = schema
  for (let followed = 0; followed < mostReferences && isSchema(part); followed++) {
    if (Object.hasOwn(part, 'default')) return part['default']
    part = targetOf(root, part['$ref'])
  }
  return undefined
}
