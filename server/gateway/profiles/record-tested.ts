// The definitions that a profile was written for stand at its end, as digests: a program writes them, the comments of whoever
// wrote the rest stay.
import { parseDocument } from 'yaml'
import { shapeDigest } from './definition-shape.ts'

type Definition = Parameters<typeof shapeDigest>[0]

/**
 * The text of a profile with the tools of this version among what it was tested with. Of a name that a server lists twice
 * each definition is kept: the second stands in an entry of its own, "1.0.0 (2)".
 */
export function recordTested(source: string, version: string, definitions: readonly Definition[]): string {
  const document = parseDocument(source)
  const profiled = Object.keys((document.toJS() as { tools?: object }).tools ?? {})
  const known = definitions.filter(({ name }) => profiled.includes(name))
  const byTurn = Map.groupBy(known, (each) => known.filter(({ name }) => name === each.name).indexOf(each))
  const made = [...byTurn].map(([turn, tools]) => ({
    version: turn === 0 ? version : `${version} (${turn + 1})`,
    definitions: Object.fromEntries(
      tools.map((tool) => [tool.name, shapeDigest(tool)]).toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    ),
  }))
  const before = ((document.toJS() as { tested?: unknown }).tested ?? []) as readonly { readonly version: string }[]
  const others = before.filter((each) => each.version !== version && !each.version.startsWith(`${version} (`))
  document.set('tested', document.createNode([...others, ...made]))
  return document.toString({ lineWidth: 0, singleQuote: true, flowCollectionPadding: true })
}
