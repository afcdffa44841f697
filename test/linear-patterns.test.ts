// `\s*\n\s*` on half a million blanks took minutes, and nobody saw it in the pattern. So every regular expression of the
// server is read by a checker (scslre, which eslint-plugin-regexp rests on): none may take more than linear time, but for
// those that are named below with the reason. What the checker cannot see is a quantifier behind a fixed beginning
// (`\$\{[^}]*\}` on `${${${…`): such a one is bounded by its text, or by `{0,200}`.
import { globSync, readFileSync } from 'node:fs'
import { analyse } from 'scslre'
import { parseSync, Visitor, type ESTree } from 'vite'
import { expect, test, vi } from 'vitest'

/** Patterns that may take longer, and why no long text from outside comes to them. */
const bounded: Readonly<Record<string, readonly (readonly [begins: string, why: string])[]>> = {
  'server/testing/arguments.ts': [['(?:like|e\\.g\\.', 'descriptions of the tools of whoever runs the tests']],
  'server/policy/secret-names.ts': [['^(?:(?:\\w+_)?(?:max|min|total', 'a name is cut to 200 characters']],
  'server/policy/secret-shapes.ts': [['^(?:env|file|fd|op', 'a value is cut to 400 characters']],
  'server/search/task.ts': [['(?<=[.!?;:])\\s+|', 'a query is cut to 6,000 characters']],
}

/** Where an expression is made from a text while the program runs, and why that is no pattern of ours. */
const made: Readonly<Record<string, string>> = {
  'server/cards/invisible-characters.ts': 'when a text needs it; one class, one sequence of a list, no quantifiers',
  'server/gateway/upstream/settings/upstream-config.schema.ts':
    'whether the operator wrote a pattern; it runs on the empty text only',
  'server/gateway/rules/linear-pattern.ts': 'the same of a pattern that RE2 runs then',
  'server/gateway/upstream/definitions/prompt-injection.ts': 'called while the file is loaded, and so read here',
  'server/policy/command-secrets.ts': 'the same',
  'server/tools/schemas/schema-check.ts':
    "names in a contract's own schema, which Ajv runs as their author wrote them, too",
  'server/policy/name-in-text.ts': 'one of three patterns without a choice, on 64 characters',
}

const files = globSync('server/**/*.ts').toSorted()

const written: { readonly file: string; readonly pattern: RegExp }[] = []
/** Files in which a function puts one together. */
const inFunctions = new Set<string>()
for (const file of files) {
  let within = 0
  const enter = (): void => void (within += 1)
  const leave = (): void => void (within -= 1)
  const called = ({ callee }: { readonly callee: ESTree.Expression }): void => {
    if (within > 0 && callee.type === 'Identifier' && callee.name === 'RegExp') inFunctions.add(file)
  }
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) written.push({ file, pattern: new RegExp(node.regex.pattern, node.regex.flags) })
    },
    NewExpression: called,
    CallExpression: called,
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    'FunctionDeclaration:exit': leave,
    'FunctionExpression:exit': leave,
    'ArrowFunctionExpression:exit': leave,
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program)
}

/** What the checker says of a pattern; nothing where it takes linear time. */
const complaints = (pattern: RegExp): readonly string[] =>
  analyse(pattern, { reportTypes: { Move: true, Self: true, Trade: true } }).reports.map(({ type }) => type)

const isBounded = (file: string, { source }: RegExp): boolean =>
  bounded[file]?.some(([begins]) => source.startsWith(begins)) === true

test('every regular expression that is written down takes linear time', () => {
  expect(written.length).toBeGreaterThan(300)
  const slow = written.filter(({ pattern }) => complaints(pattern).length > 0)
  const unexplained = slow.filter(({ file, pattern }) => !isBounded(file, pattern))
  expect(unexplained.map(({ file, pattern }) => `${file}: ${pattern.source}`)).toStrictEqual([])
  // An explanation that explains nothing is one too many.
  expect(slow.length).toBe(Object.values(bounded).flat().length)
})

test('every regular expression that a file puts together while it is loaded takes linear time', async () => {
  const built: { readonly file: string; readonly pattern: RegExp }[] = []
  const native = RegExp
  vi.stubGlobal(
    'RegExp',
    new Proxy(native, {
      construct(target, given: [string, string]) {
        const pattern = new target(...given)
        const [, , caller = ''] = new Error('who builds it').stack?.split('\n') ?? []
        const file = files.find((each) => caller.includes(`/${each}`))
        if (file !== undefined) built.push({ file, pattern })
        return pattern
      },
    }),
  )
  const builders = files.filter((file) => readFileSync(file, 'utf8').includes('new RegExp('))
  // By another name, because other tests of this process have loaded them before.
  for (const file of ['server/policy/secret-looks.ts', ...builders])
    await import(/* @vite-ignore */ new URL(`../${file}?anew`, import.meta.url).href)
  vi.unstubAllGlobals()
  const seen = new Set(built.map(({ file }) => file))
  expect([...seen]).toContain('server/policy/known-tokens.ts')
  expect(builders.filter((file) => !seen.has(file) && !(file in made))).toStrictEqual([])
  const slow = built.filter(({ pattern }) => complaints(pattern).length > 0)
  expect(slow.map(({ file, pattern }) => `${file}: ${pattern.source}`)).toStrictEqual([])
})

test('no function puts a regular expression together, but for those whose reason is named', () => {
  expect([...inFunctions]).toStrictEqual(Object.keys(made).toSorted())
})

test('the checker knows a quadratic one', () => {
  for (const pattern of [/\s*\n\s*/, /_+$/, /^(?:a+)+$/, /^.*x.*y$/]) expect(complaints(pattern)).not.toStrictEqual([])
})
