// A schema may keep a part of itself elsewhere in itself. Only such references are followed: nothing is fetched.
import { fromPointer, valueAt } from '../../errors/pointer.ts'
import { isSchema, type Schema } from '../../tools/json-schema.ts'

/** What a local reference points to: a JSON Pointer (RFC 6901) in a fragment. Nothing where it points elsewhere. */
export function targetOf(root: Schema, reference: unknown): Schema | undefined {
  if (reference === '#') return root
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  const found = valueAt(root, fromPointer(reference.slice(1)))
  return isSchema(found) ? found : undefined
}
