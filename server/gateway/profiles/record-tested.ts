// The definitions that a profile was written for stand at its end, as digests: a program writes them, the comments of whoever
// wrote the rest stay.
import { parseDocument } from 'yaml'
import { shapeDigest } from './definition-shape.ts'

type Definition = Parameters<typeof shapeDigest>[0]

/** The text of a profile with the tools of this version among what it was tested with. */
export function recordTested(source: string, version: string, definitions: readonly Definition[]): string {
  const document = parseDocument(source)
  const profiled = Object.keys((document.toJS() as { tools?: object }).tools ?? {})
  const digests = Object.fromEntries(
    definitions
      .filter(({ name }) => profiled.includes(name))
      .map((definition) => [definition.name, shapeDigest(definition)])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
  const before = ((document.toJS() as { tested?: unknown }).tested ?? []) as readonly { readonly version: string }[]
  const others = before.filter((each) => each.version !== version)
  document.set('tested', document.createNode([...others, { version, definitions: digests }]))
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true })
}
