// Which resource of a program is at an address. Written otherwise an address is still the same one, and what stands there keeps
// its permissions: a wider template must not get by an escape what a narrower one would have refused.
import type { Offer, OfferedResource, OfferedResourceTemplate, ResourceAddress } from './offer.ts'

interface Addressed {
  readonly resource: OfferedResource | OfferedResourceTemplate
  readonly variables: ResourceAddress['variables']
  /** Templates before its own from which the address was hidden by its escapes: who may not read those gets nothing here. */
  readonly hidden: readonly OfferedResourceTemplate[]
}

/** Longer addresses are of no template: each of them is compared with every template, and no sound one is as long. */
const longest = 2000

/** The resource at this address, else the first template that has it. */
export function addressed({ resources, templates }: Offer, uri: string): Addressed | undefined {
  const plain = unescaped(uri)
  const resource = resources.find((each) => each.uri === uri || unescaped(each.uri) === plain)
  if (resource !== undefined) return { resource, variables: {}, hidden: [] }
  if (uri.length > longest) return undefined
  const normal = normalAddress(uri)
  const hidden: OfferedResourceTemplate[] = []
  for (const template of templates) {
    const matched = template.pattern.match(normal)
    const variables = matched && decoded(matched)
    if (
      variables !== undefined &&
      Object.entries(variables).every(([name, value]) => isWhole(template.uriTemplate, name, value))
    )
      return { resource: template, variables, hidden }
    if (variables !== undefined || template.plainPattern.match(plain) !== undefined) hidden.push(template)
  }
  return undefined
}

/**
 * An address in the form in which equal ones are written alike (RFC 3986, section 6.2.2): what needs no escape has none, and
 * everything that is none of the characters of an address has one. A template is written so, too.
 */
export const normalAddress = (uri: string): string =>
  uri
    .toWellFormed()
    .replaceAll(/[^!-~]+/g, (text) => encodeURIComponent(text))
    .replaceAll(/%[\da-f]{2}/gi, (escape) => {
      const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
    })

/** As a client has put them in: with escapes for what is not unreserved (RFC 6570, section 3.2.2). */
const decoded = (variables: ResourceAddress['variables']): ResourceAddress['variables'] =>
  Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? unescaped(value) : value.map(unescaped),
    ]),
  )

/**
 * Whether a variable is one part of the address, unless its template says `{+name}` or `{#name}`, or puts it into the query: what
 * leads out of a part when it is read as a path was hidden from the template by its escapes.
 */
const isWhole = (uriTemplate: string, name: string, value: string | readonly string[]): boolean =>
  !isOfParts(uriTemplate, name) ||
  [value].flat().every((text) => !['/', '\\', '\0'].some((each) => text.includes(each)))

const isOfParts = (uriTemplate: string, name: string): boolean =>
  [...uriTemplate.matchAll(/\{[./;]?([^{}+#?&][^{}]*)\}/g)].some(([, names = '']) =>
    names.split(',').some((each) => each.split(/[*:]/)[0]?.trim() === name),
  )

/** A text without escapes; as it is, where they are none. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
