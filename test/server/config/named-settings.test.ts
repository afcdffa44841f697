// An operator who is told to set a key that no file may have is stopped by the next start. So every text is read for the
// keys that it names: those of the program (literals, and the text of the pages) and those of the guides.
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { configJsonSchema } from '../../../server/compose/settings/config-schema-json.ts'

type Json = { readonly [key: string]: unknown }

const schema = configJsonSchema()
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** All that may stand at one place of the file: a schema with choices is each of them. */
const choices = (at: Json): readonly Json[] => [
  at,
  ...((at['anyOf'] ?? []) as readonly Json[]).flatMap((choice) => choices(choice)),
]

/** Where a key leads. `<name>` and `*` stand for any name, `[0]` for an item. */
const below = (places: readonly Json[], key: string): readonly Json[] =>
  places
    .flatMap((place) => {
      const named = (place['properties'] as Json | undefined)?.[key]
      return [named ?? (key === '[]' ? place['items'] : place['additionalProperties'])].filter(isObject)
    })
    .flatMap(choices)

const exists = (path: string): boolean =>
  path
    .replaceAll(/\[\d*\]/g, '.[]')
    .split('.')
    .reduce<readonly Json[]>(below, [schema]).length > 0

const top = Object.keys(schema['properties'] as Json)

/** `policy.apply`, `tenants.<tenant>.risk`, `policy.approvals[0].tools`: a path that begins with a key of the file. */
const dotted = new RegExp(
  String.raw`(?<![\w./$-])(?:${top.join('|')})(?:\[\d*\]|\.(?:[a-z][a-z_]*|<[a-z_ ]+>|\*))+(?![\w(/-])`,
  'g',
)

/** What looks like a path into the file, and is none. */
const otherwise: Readonly<Record<string, string>> = {
  'access.credential': 'a field of what /api/v1/settings answers',
  'activity.retain': 'an event of the activity log',
  'rationale.missing': 'a notice of webhooks',
  'name[0]': 'a line of an example program',
  'sandbox.html': 'a page of the playground',
}

/** A toolset may be called as the settings that switch it on: `files.list`. */
const tools = new Set(
  globSync('server/toolsets/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^ +name: '([a-z]+\.[a-z_]+)'/gm)].map(([, name]) => name ?? ''),
  ),
)

const pathsIn = (text: string): readonly string[] =>
  [...text.matchAll(dotted)].map(([path]) => path).filter((path) => !Object.hasOwn(otherwise, path) && !tools.has(path))

interface Node {
  readonly type: string
  readonly value?: unknown
}

/** The texts of a program: its string literals, the fixed parts of its templates, the text of its elements. */
function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf)
  if (!isObject(value)) return []
  const node = value as unknown as Node
  if (node.type === 'ImportDeclaration' || node.type === 'TSLiteralType') return []
  if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string') return [node.value]
  if (node.type === 'TemplateElement' && isObject(node.value)) return [String(node.value['cooked'])]
  return Object.values(value).flatMap(textsOf)
}

const readTexts = (file: string): readonly string[] =>
  file.endsWith('.md')
    ? [...readFileSync(file, 'utf8').matchAll(/`([^`\n]+)`/g)].map(([, code]) => code ?? '')
    : textsOf(parseSync(file, readFileSync(file, 'utf8')).program)

const files = [
  // Rules of errors have names of the same form: `http.not_found`.
  ...globSync('{server,ui}/**/*.{ts,tsx}').filter((file) => !file.startsWith('server/errors/explain/')),
  // The other cheatsheets name fields of providers.
  ...globSync('{README.md,docs/*.md,docs/guides/*.md,cheatsheets/{orders,mail,files}.md}'),
]

test('every key of the settings file that a message, a page or a guide names exists', () => {
  const named = files.flatMap((file) => readTexts(file).flatMap((text) => pathsIn(text).map((path) => [file, path])))
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(([, path]) => !exists(path ?? ''))).toStrictEqual([])
})

describe('what operators are advised to do', () => {
  const named = globSync('server/operations/{insights,notify}/*.ts').flatMap((file) =>
    readTexts(file).flatMap((text) => [...text.matchAll(/`([^`\s][^`]*)`/g)].map(([, code = '']) => code)),
  )
  const isSetting = (code: string): boolean => exists(code.replace(/: ?"?\w+"?$/, ''))
  const commands = named.filter((code) => code.startsWith('countersign '))

  test('names nothing but keys of the settings file, commands, and the tool for feedback', () => {
    expect(named.filter(isSetting).length).toBeGreaterThan(4)
    const others = named.filter((code) => !isSetting(code) && !commands.includes(code))
    expect(others.filter((code) => code !== 'submit_feedback')).toStrictEqual([])
  })

  test('names commands that there are', () => {
    const known = new Set(
      globSync('server/cli/**/*.ts')
        .flatMap(readTexts)
        .map((text) => text.split(' ')[0]),
    )
    const words = commands.flatMap((command) =>
      command
        .split(' ')
        .slice(1)
        .filter((word) => /^[a-z]+$/.test(word)),
    )
    expect(words.length).toBeGreaterThan(0)
    expect(words.filter((word) => !known.has(word))).toStrictEqual([])
  })
})

test.each([
  ['apply', false],
  ['policy.apply', true],
  ['policy.aply', false],
  ['tenants.<tenant>.risk', true],
  ['tenants.<tenant>.rsik', false],
  ['policy.approvals[0].tools', true],
  ['mcpServers.<server>.tools.<tool>.risk', true],
  ['mcpServers.<server>.tool', false],
])('the key %s is found or missed: %s', (path, found) => expect(exists(path)).toBe(found))
