// References of a JSON Schema may lead anywhere in it, to its root, to an anchor, or to an address. Whoever closes, lists or
// checks a schema would have to follow them all alike, and the root becomes another one where `rationale`, `preview` and
// `ticket` are listed in it. So everything that is referred to is moved to `$defs` first, and every reference leads there.
import { isSchema, type Schema } from './json-schema.ts'
import { pointed, targetOf } from './schema-reference.ts'
import { mapSubSchemas, subSchemas } from './sub-schemas.ts'
import { UnusableSchema } from './unusable-schema.ts'

/** References whose target depends on who asks. */
const dynamic = ['$dynamicRef', '$recursiveRef']

/** Keywords that only references need. */
const onlyForReferences: ReadonlySet<string> = new Set([
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$schema',
  '$defs',
  'definitions',
])

/**
 * The schema with everything that it refers to in its `$defs`, and no other reference than to there.
 * @throws {UnusableSchema} where a reference leads out of it.
 */
export function selfContained(root: Schema): Schema {
  const { documents, documentOf, addressOf, anchors } = placesIn(root)
  const names = new Map<unknown, string>()
  const definitions: Record<string, unknown> = {}

  function targetIn(reference: string, document: Schema): unknown {
    const [address = '', fragment = ''] = reference.split('#', 2)
    const within = address === '' ? document : documents.get(absolute(address, addressOf.get(document)))
    if (within === undefined) return undefined
    return fragment === '' || fragment.startsWith('/') ? pointed(within, fragment) : anchors.get(within)?.get(fragment)
  }

  function moved(reference: unknown, document: Schema): string {
    const target = typeof reference === 'string' ? targetIn(reference, document) : undefined
    if (typeof target !== 'boolean' && !isSchema(target))
      throw new UnusableSchema(
        `it refers to ${JSON.stringify(reference)}, which is not in it`,
        'Put what it refers to into its $defs and write "#/$defs/…".',
      )
    const known = names.get(target)
    if (known !== undefined) return known
    const name = unusedName(target === root ? 'root' : String(reference), definitions)
    // The name is taken before the copy is made, which may refer to it.
    names.set(target, `#/$defs/${name}`)
    definitions[name] = true
    definitions[name] = copied(target, document)
    return `#/$defs/${name}`
  }

  function copied(schema: unknown, outer: Schema): unknown {
    if (!isSchema(schema)) return schema
    const document = documentOf.get(schema) ?? outer
    const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !onlyForReferences.has(keyword)))
    const copy = mapSubSchemas(kept, (inside) => copied(inside, document))
    const found = dynamic.find((keyword) => keyword in schema)
    if (found !== undefined) throw new UnusableSchema(`it has "${found}"`, 'Write "$ref" instead.')
    return '$ref' in schema ? { ...copy, $ref: moved(schema['$ref'], document) } : copy
  }

  const copy = withoutReference(copied(root, root) as Schema, definitions)
  return Object.keys(definitions).length === 0 ? copy : { ...copy, $defs: definitions }
}

/** Keywords that may stand beside a reference to what they are about. */
const besideReference: ReadonlySet<string> = new Set(['$ref', '$comment', 'type', 'title', 'description', 'examples'])

/** A root that only refers to one of its definitions, as arktype writes what holds itself, says what that says. */
function withoutReference(root: Schema, definitions: Schema): Schema {
  const followed = new Set<unknown>()
  let found = root
  while (
    '$ref' in found &&
    !followed.has(found['$ref']) &&
    Object.keys(found).every((each) => besideReference.has(each))
  ) {
    const { $ref: reference, ...own } = found
    followed.add(reference)
    const target = targetOf({ $defs: definitions }, reference)
    if (target === undefined) break
    found = { ...target, ...own }
  }
  return found
}

/** What can be referred to: schemas with an address, each a document of its own, and the anchors in each. */
function placesIn(root: Schema) {
  const documents = new Map<string, Schema>()
  const documentOf = new Map<Schema, Schema>()
  const addressOf = new Map<Schema, string>()
  const anchors = new Map<Schema, Map<string, Schema>>()
  function visit(schema: Schema, outer: Schema): void {
    if (documentOf.has(schema)) return
    const { $id: id } = schema
    const document = typeof id === 'string' ? schema : outer
    if (typeof id === 'string') {
      const address = absolute(id.replace(/#$/, ''), addressOf.get(outer))
      documents.set(address, schema)
      addressOf.set(schema, address)
    }
    documentOf.set(schema, document)
    for (const anchor of [schema['$anchor'], schema['$dynamicAnchor']])
      if (typeof anchor === 'string') {
        const known = anchors.get(document) ?? new Map<string, Schema>()
        anchors.set(document, known.set(anchor, schema))
      }
    for (const [inside] of subSchemas(schema)) visit(inside, document)
  }
  visit(root, root)
  return { documents, documentOf, addressOf, anchors }
}

/** An address inside of a document, which counts from that document's own (JSON Schema 2020-12, core, section 8.2.1). */
function absolute(address: string, base = 'schema:/'): string {
  return URL.parse(address, base)?.href ?? address
}

/** The last word of a reference, as a name that needs no escaping. */
function unusedName(reference: string, taken: Readonly<Record<string, unknown>>): string {
  const word = reference.split(/[/#]/).findLast((part) => part !== '') ?? ''
  const name = word.replaceAll(/[^\w.-]+/g, '_') || 'part'
  let found = name
  for (let count = 2; Object.hasOwn(taken, found) || found === '__proto__'; count++) found = `${name}_${count}`
  return found
}
