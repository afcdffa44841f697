// A schema may keep a part of itself elsewhere in itself. Only such references are followed: nothing is fetched.

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a local reference points to: a JSON Pointer (RFC 6901) in a fragment. Nothing where it points elsewhere. */
export function targetOf(root: Schema, reference: unknown): Schema | undefined {
  if (reference === '#') return root
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined
  const found = reference
    .slice(2)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((held, key) => (isSchema(held) && Object.hasOwn(held, key) ? held[key] : undefined), root)
  return isSchema(found) ? found : undefined
}
