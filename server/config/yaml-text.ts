// Files that people write by hand with words in them (profiles) are YAML. The same promises as for JSON: a mistake is named
// by its line, a key that stands there twice is one, and aliases, which can make a small file huge, are limited.
import { isNode, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { fail, ok, type Result } from '../errors/result.ts'
import type { ConfigText, TextProblem } from './text.ts'

/** Reads one YAML document whose root is a mapping. The first problem is named. */
export function parseYamlText(source: string, file: string): Result<ConfigText, TextProblem> {
  const lines = new LineCounter()
  const document = parseDocument(source, { lineCounter: lines, uniqueKeys: true, prettyErrors: false })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const [first] = [...document.errors, ...document.warnings]
  if (first !== undefined)
    return fail({ ...at(first.pos[0]), message: `is not YAML: ${first.message}`, next: 'Correct it at that place.' })
  const proto = prototypeKey(document)
  if (proto !== undefined) return fail({ ...at(proto), message: 'has a key "__proto__"', next: 'Take it out.' })
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail({ ...at(0), message: 'is no mapping of keys to values', next: 'Begin with "profile: 1".' })
  const placeOf = (path: readonly PropertyKey[]) => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true)
      if (isNode(node) && node.range) return at(node.range[0])
    }
    return at(0)
  }
  return ok({ file, value: value as Readonly<Record<string, unknown>>, placeOf, keyPlaceOf: placeOf })
}

function prototypeKey(document: ReturnType<typeof parseDocument>): number | undefined {
  let found: number | undefined
  visit(document, (_, node) => {
    if (isPair(node) && isScalar(node.key) && node.key.value === '__proto__') found = node.key.range?.[0] ?? 0
    return found === undefined ? undefined : visit.BREAK
  })
  return found
}
