// A page of documentation with a block of code that nobody has run is believed until somebody tries it. So every block is run,
// compiled or read here or in a test that is named, and one that is none of it fails.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parse as parseJson, type ParseError } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import type { Command } from 'commander'
import { everyCommand } from '../../../server/cli/main.ts'
import { configJsonSchema } from '../../../server/compose/settings/config-schema-json.ts'
import { readConfigText } from '../../../server/config/file.ts'
import { readProfile } from '../../../server/gateway/profiles/read-profile.ts'
import { parseMessage } from '../../../server/confirm/message.ts'
import { environment } from '../processes.ts'
import { codeBlocks, type CodeBlock } from './code-blocks.ts'
import { compilers, installed, root } from './installed.ts'

const blocks = await codeBlocks()
const run = promisify(execFile)
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Blocks that another test follows, by their page. */
const followed: Readonly<Record<string, string>> = {
  'README.md': 'test/journeys/package/readme.test.ts',
  'docs/guides/tutorial.md': 'test/journeys/package/tutorial-steps.ts',
  'docs/guides/testing.md': 'test/journeys/package/guide-testing.test.ts',
  'docs/guides/scaling.md': 'test/journeys/package/guide-scaling.test.ts',
  'docs/recipes/frameworks.md': 'test/journeys/clients/recipe.test.ts',
}

/** Parts of a program, by how they begin, with what must stand around them to be one. */
const parts: readonly (readonly [page: string, begins: string, before: string, after: string])[] = [
  [
    'docs/guides/contracts.md',
    'const close = defineWrite({',
    `import { defineWrite } from 'countersign'\nimport { z } from 'zod'
const issues = new Map<string, { id: string; state: string }>()\n`,
    '\nexport { close }',
  ],
  [
    'docs/guides/contracts.md',
    'failures: {',
    "import type { WriteContract } from 'countersign'\nexport const part: Pick<WriteContract, 'failures'> = {\n",
    '\n}',
  ],
  [
    'docs/guides/contracts.md',
    "blocks: [{\n  kind: 'pages'",
    `import type { CardPageRow, Preview } from 'countersign'
declare const first: readonly { id: string }[]\ndeclare const row: (one: { id: string }) => CardPageRow
export const part: Pick<Preview, 'blocks'> = {\n`,
    '\n}',
  ],
  [
    'docs/guides/contracts.md',
    'revise: [',
    "import type { WriteContract } from 'countersign'\nexport const part: Pick<WriteContract, 'revise'> = {\n",
    '\n}',
  ],
  [
    'docs/guides/contracts.md',
    'summary: `Refunds',
    "import { figureText, type Preview } from 'countersign'\nexport const part: Pick<Preview, 'summary'> = {\n",
    '\n}',
  ],
  ['docs/guides/hosts.md', 'import { checkServer', '', ''],
]

/** Blocks that nothing runs, and why. */
const left: readonly (readonly [page: string, begins: string, why: string])[] = [
  [
    'docs/guides/contracts.md',
    'input: type(',
    'three inputs to choose from; versions.test.ts compiles one of each library',
  ],
  [
    'docs/guides/contracts.md',
    'run: async ({ id, text }',
    'what the tool does is the reader’s; apply-in-transaction.test.ts has such tools',
  ],
  ['docs/guides/contracts.md', 'const words = {', 'cut short; every tool of the demo is written so'],
  [
    'docs/guides/contracts.md',
    "blocks: [{\n  kind: 'picture'",
    'the bytes of the picture are left out; card.test.ts has one',
  ],
  ['docs/guides/evaluating-models.md', '- run: npx -p countersign', 'a step of a pipeline; its command is tried here'],
  ['docs/guides/gateway.md', 'countersign.gateway.json:8:9', 'what a command prints'],
  ['docs/guides/mail.md', 'Dear {{ first_name }}', 'a template of Liquid; the tests of templates have such'],
  [
    'docs/guides/scaling.md',
    'upstream countersign {',
    'settings of nginx, which is not here; a proxy of our own stands for it',
  ],
  ['docs/guides/scaling.md', 'countersign.example {', 'settings of Caddy, likewise'],
]

const begins = (block: CodeBlock, [page, text]: readonly [string, string, ...unknown[]]): boolean =>
  block.page === page && block.text.startsWith(text)
const isLeft = (block: CodeBlock): boolean => left.some((each) => begins(block, each))
const isFollowed = ({ page, mark }: CodeBlock): boolean => mark !== undefined && Object.hasOwn(followed, page)

const programs = blocks.filter(({ language }) => language === 'ts' || language === 'js')
const texts = blocks.filter(({ language }) => language === 'json' || language === 'jsonc')
const lines = blocks.filter(({ language }) => language === 'sh' || language === '')

test('every block is followed, run, compiled, read, or left out with a reason', () => {
  const known = new Set(['ts', 'js', 'json', 'jsonc', 'sh', 'yaml', ''])
  const others = blocks.filter((block) => !known.has(block.language) && !isLeft(block))
  expect(others.map(({ page, language }) => `${page}: ${language}`)).toStrictEqual([])
  const unmarked = programs.filter(
    (block) => block.mark === undefined && !isLeft(block) && !parts.some((part) => begins(block, part)),
  )
  expect(unmarked.map(({ page, text }) => `${page}: ${text.slice(0, 60)}`)).toStrictEqual([])
  expect(blocks.length).toBeGreaterThan(70)
})

test('whatever is left out, or stands in the table of parts, is still there', () => {
  const gone = [...left, ...parts].filter((each) => !blocks.some((block) => begins(block, each)))
  expect(gone.map(([page, text]) => `${page}: ${text}`)).toStrictEqual([])
  for (const [page, file] of Object.entries(followed)) expect(read(file)).toContain(page.split('/').at(-1))
})

/** A project with the programs of the pages as a reader writes them, which no other test follows. */
function project(): { readonly folder: string; readonly files: readonly string[] } {
  const folder = installed('newest')
  const files = programs.flatMap((block, at) => {
    if (isLeft(block) || isFollowed(block)) return []
    const [, , before = '', after = ''] = parts.find((part) => begins(block, part)) ?? []
    const name = block.mark?.[1] ?? `part-${at}.ts`
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), `${before}${block.text}${after}\n`)
    return [name]
  })
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    noEmit: true,
    preserveSymlinks: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: files.filter((each) => each.endsWith('.ts')) }),
  )
  return { folder, files }
}

test('every program compiles against the types of the package, and those that can be tried end well', async () => {
  const { folder, files } = project()
  expect(new Set(files).size).toBe(files.length)
  const compiled = await run(process.execPath, [compilers.newest, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
  }).catch((error: unknown) => error as { readonly stdout: string })
  expect(compiled.stdout).toBe('')
  const tried = files.filter((name) => name.endsWith('/try.ts'))
  expect(tried.length).toBeGreaterThan(6)
  writeFileSync(
    join(folder, 'all.mjs'),
    tried.map((name) => `await import('./${name}')\nconsole.log('${name}')`).join('\n'),
  )
  const { stdout } = await run(
    process.execPath,
    ['--no-warnings', '--preserve-symlinks', '--preserve-symlinks-main', join(folder, 'all.mjs')],
    { cwd: folder, env: environment() },
  )
  expect(stdout.trim().split('\n')).toStrictEqual(tried)
})

describe('settings', () => {
  const keys = new Set(Object.keys(configJsonSchema()['properties'] ?? {}))
  /** Values for the variables that a text names. */
  const envOf = (text: string): Record<string, string> =>
    Object.fromEntries(
      [...text.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => [
        name,
        name.includes('SMTP') ? 'smtp://h' : name.includes('URL') ? 'https://h.example' : 'a-secret-of-some-length',
      ]),
    )

  test('on every page are read by the server, and other JSON is JSON', () => {
    let settings = 0
    for (const { page, text } of texts) {
      const wrong: ParseError[] = []
      const value = parseJson(text, wrong, { allowTrailingComma: true }) as object
      expect([page, text.slice(0, 60), wrong]).toStrictEqual([page, text.slice(0, 60), []])
      if (Array.isArray(value) || !Object.keys(value).some((key) => keys.has(key) && key !== 'name')) continue
      settings += 1
      const said = readConfigText(text, page, envOf(text))
      expect([page, text.slice(0, 60), said.ok ? [] : said.failure]).toStrictEqual([page, text.slice(0, 60), []])
    }
    expect(settings).toBeGreaterThan(10)
  })

  test('of a profile are read as a profile', () => {
    const profiles = blocks.filter((block) => block.language === 'yaml' && block.mark === undefined && !isLeft(block))
    expect(profiles).toHaveLength(1)
    for (const { text } of profiles) expect(readProfile(text, 'notes.profile.yaml')).toMatchObject({ ok: true })
  })
})

describe('command lines', () => {
  /** Programs of others that a reader has, or is told to install. */
  const others = new Set(['cd', 'curl', 'docker', 'export', 'mkdir', 'node', 'npm', 'npx'])
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> }

  /** The commands of a block, each as its words: without comments, and a line that goes on joined with the next. */
  const commandsIn = (text: string): readonly (readonly string[])[] =>
    text
      .replaceAll('\\\n', ' ')
      .split('\n')
      .flatMap((line) => line.replace(/(?:^|\s)# .*$/, '').split(' && '))
      .map((line) => [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word))
      // Variables of one command stand before its name.
      .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
      .filter((words) => words.length > 0)

  /** What of our command is not as the program has it. */
  function problem(program: Command, words: readonly string[]): string | undefined {
    let command = program
    for (const word of words) {
      if (word === '--') return undefined
      const [flag = ''] = word.split('=')
      const inner = command.commands.find((each) => each.name() === word)
      if (inner !== undefined) command = inner
      else if (flag.startsWith('-')) {
        const known = command.options.some(({ long, short }) => [long, short, '--help'].includes(flag))
        if (!known) return `${command.name()} has no option ${flag}`
      } else if (command === program || (command.commands.length > 0 && command.registeredArguments.length === 0)) {
        const takesValue = words[words.indexOf(word) - 1]?.startsWith('-') === true
        if (!takesValue) return `${command.name()} has no command ${word}`
      }
    }
    return undefined
  }

  test('name commands and options that are there', async () => {
    const program = await everyCommand()
    let ours = 0
    const steps = blocks.flatMap((block) => {
      const step = /^- run: (.+)$/m.exec(block.text)?.[1]
      return block.language !== 'yaml' || step === undefined ? [] : [{ ...block, text: step.split(' > ')[0] ?? '' }]
    })
    for (const block of [...lines, ...steps]) {
      if (isLeft(block)) continue
      if (/^(?:Apply|Preview|Cancel): /.test(block.text)) {
        expect(parseMessage(block.text.replaceAll('…', 'x').trim()).ok).toBe(true)
        continue
      }
      for (const [name = '', ...words] of commandsIn(block.text)) {
        const at = name === 'npx' ? words.indexOf('countersign', Math.max(0, words.lastIndexOf('-p') + 2)) : -1
        const args = at < 0 ? words : words.slice(at + 1)
        const isOurs = name === 'countersign' || args !== words
        if (isOurs) {
          ours += 1
          expect([block.page, problem(program, args)]).toStrictEqual([block.page, undefined])
        } else expect([block.page, name, others.has(name)]).toStrictEqual([block.page, name, true])
        if (name === 'npm' && words[0] === 'run') expect(Object.keys(scripts)).toContain(words[1])
      }
    }
    expect(ours).toBeGreaterThan(20)
  })
})
