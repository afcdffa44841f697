// Files that their hosts' users wrote by hand, with comments, in three formats. They are read as a whole and changed in
// place; and because what changes a text by the place of its keys can be wrong, the result is read again and must hold
// exactly what was meant, or nothing is changed.
import { isDeepStrictEqual } from 'node:util'
import { getStaticTOMLValue } from 'toml-eslint-parser'
import { parseDocument } from 'yaml'
import { fail, ok, type Result } from '../../errors/result.ts'
import { parseHostJson } from '../upstream/settings/json-text.ts'
import { editJson } from './json-edit.ts'
import { editToml, parseHostToml } from './toml-edit.ts'
import type { Format, KeyPath } from './host-kind.ts'

type Held = Record<string, unknown>

/** What is to become of a file. */
export interface HostEdit {
  readonly remove: readonly KeyPath[]
  readonly set?: { readonly at: KeyPath; readonly value: Readonly<Record<string, unknown>> }
}

/** The value of a text, or what is wrong with it. An empty file holds nothing. */
export function readHostText(format: Format, text: string): Result<Held, string> {
  const parsed = text.trim() === '' ? ok({}) : parse(format, text)
  if (!parsed.ok) return parsed
  const { value } = parsed
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok(value as Held)
    : fail(`is not ${names[format]} of keys and values`)
}

const names = { json: 'JSON', toml: 'TOML', yaml: 'YAML' } as const

/** Fails with the parser's words; what it throws is what is wrong with the text. */
function parse(format: Format, text: string): Result<unknown, string> {
  try {
    const read = parsers[format](text)
    return read.ok ? read : broken(format, read.failure)
  } catch (error) {
    return broken(format, (error as Error).message)
  }
}

const broken = (format: Format, why: string): Result<never, string> =>
  fail(`is not ${names[format]} (${why.split('\n')[0] ?? ''})`)

const parsers: Readonly<Record<Format, (text: string) => Result<unknown, string>>> = {
  json: parseHostJson,
  toml: (text) => ok(getStaticTOMLValue(parseHostToml(text))),
  yaml: (text) => {
    const document = parseDocument(text)
    const [first] = document.errors
    return first === undefined ? ok(document.toJS({ maxAliasCount: 100 }) ?? {}) : fail(first.message)
  },
}

/** What stands there; `undefined` where nothing does. */
export function valueAt(held: unknown, at: KeyPath): unknown {
  return at.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Held)[key] : undefined,
    held,
  )
}

/** The text with the edit, all else as it was. Fails, with what to say, where that cannot be had. */
export function editHostText(format: Format, text: string, edit: HostEdit): Result<string, string> {
  const before = readHostText(format, text)
  const meant = readHostText(format, text)
  if (!before.ok || !meant.ok) return fail(before.ok ? 'cannot be read' : before.failure)
  change(meant.value, edit)
  const edited = editedText(format, text, edit)
  const after = edited === undefined ? undefined : readHostText(format, edited)
  // Copies: parsers have objects of their own kinds.
  return edited !== undefined &&
    after?.ok === true &&
    isDeepStrictEqual(structuredClone(after.value), structuredClone(meant.value))
    ? ok(edited)
    : fail('cannot be changed in place without changing something else')
}

function editedText(format: Format, text: string, edit: HostEdit): string | undefined {
  if (edit.remove.length === 0 && edit.set === undefined) return text
  try {
    return editors[format](text, edit)
  } catch {
    return undefined
  }
}

function change(held: Held, { remove, set }: HostEdit): void {
  for (const path of remove) {
    const around = valueAt(held, path.slice(0, -1))
    if (typeof around === 'object' && around !== null) delete (around as Held)[path.at(-1) ?? '']
  }
  if (set === undefined) return
  const last = set.at.slice(0, -1).reduce<Held>((around, key) => {
    around[key] ??= {}
    return around[key] as Held
  }, held)
  last[set.at.at(-1) ?? ''] = set.value
}

const editors: Readonly<Record<Format, (text: string, edit: HostEdit) => string>> = {
  json: editJson,
  toml: editToml,
  yaml: (text, { remove, set }) => {
    const document = parseDocument(text)
    for (const at of remove) document.deleteIn(at)
    if (set !== undefined) document.setIn(set.at, document.createNode(set.value))
    return document.toString({ lineWidth: 0 })
  },
}
