// A server may take one argument under several names: `path` and `file_path`, `query` and `Query`. Which of them counts where
// a call has both, only the server knows.
import { valueAt } from '../../errors/pointer.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { wordsOf } from '../rating/words.ts'

/**
 * What stands beside an argument and may be it as well: in another spelling (`Query`, `--query`); where the tool's schema is
 * given, also what that calls an alias of it, and what that does not declare and is called like it (`filePath` of `path`).
 */
export function otherNameOf(args: unknown, path: readonly string[], schema?: Schema): string | undefined {
  for (const [at, name] of path.entries()) {
    const beside = Object.keys(Object(valueAt(args, path.slice(0, at)))).filter((key) => key !== name)
    const properties = at === 0 ? schema?.['properties'] : undefined
    const other = beside.find((key) => inOneSpelling(key) === inOneSpelling(name) || isAlias(key, name, properties))
    if (other !== undefined) return other
  }
  return undefined
}

const inOneSpelling = (key: string): string => key.toLowerCase().replaceAll(/[^a-z\d]/g, '')

function isAlias(key: string, name: string, properties: unknown): boolean {
  if (typeof properties !== 'object' || properties === null) return false
  return Object.hasOwn(properties, key)
    ? saysAlias(properties, key, name) || saysAlias(properties, name, key)
    : areLike(key, name)
}

function saysAlias(properties: object, key: string, name: string): boolean {
  const description = valueAt(properties, [key, 'description'])
  const [, of] =
    /\balias (?:of|for) [`'"]?([\w.-]{1,100})/i.exec(typeof description === 'string' ? description : '') ?? []
  return of === name
}

/** Whether one name says no more than the other; a path, a file and its name are one. */
function areLike(one: string, other: string): boolean {
  const [a, b] = [one, other].map(
    (name) => new Set(wordsOf(name).map((word) => (/^(?:path|filename|filepath)$/.test(word) ? 'file' : word))),
  ) as [Set<string>, Set<string>]
  return a.isSubsetOf(b) || b.isSubsetOf(a)
}
