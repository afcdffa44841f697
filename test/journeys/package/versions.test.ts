// The README's program in other people's projects: with the oldest and the newest Zod and TypeScript that are supported, and with
// schemas of other libraries.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { confirm, overStdio } from '../agent.ts'
import { compilers, installed, linked, root, zods } from './installed.ts'

const readme =
  /<!-- test: program -->\s*```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''

const inputOfZod = 'z.strictObject({ name: z.string(), text: z.string() })'

/** The README's program with another input. */
const withInput = (imported: string, input: string): string => `${imported}\n${readme.replace(inputOfZod, input)}`

const programs = {
  Zod: readme,
  'Zod Mini': withInput(
    "import * as mini from 'zod/mini'",
    'mini.strictObject({ name: mini.string(), text: mini.string() })',
  ),
  arktype: withInput("import { type as ark } from 'arktype'", "ark({ name: 'string', text: 'string' })"),
  Valibot: withInput(
    "import * as v from 'valibot'\nimport { toStandardJsonSchema } from '@valibot/to-json-schema'",
    'toStandardJsonSchema(v.strictObject({ name: v.string(), text: v.string() }))',
  ),
  'JSON Schema': withInput(
    'type Note = { name: string; text: string }',
    "{ type: 'object', properties: { name: { type: 'string' }, text: { type: 'string' } }, required: ['name', 'text'] }",
  ).replace('plan: (note, ctx)', 'plan: (note: Note, ctx)'),
} as const

/** What the bare SDK needs for the same tool. */
const bare = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const notes = new Map<string, string>()
const server = new McpServer({ name: 'Notes', version: '1.0.0' })
const shapes = { inputSchema: { name: z.string(), text: z.string() }, outputSchema: { name: z.string() } }
server.registerTool('notes_write', { description: 'Writes a note.', ...shapes }, ({ name, text }) => {
  notes.set(name, text)
  return { content: [], structuredContent: { name } }
})
await server.connect(new StdioServerTransport())
`

/** What the compiler says of a program, and how many types it had to make for it. */
function compiled(project: string, text: string, compiler: keyof typeof compilers) {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    preserveSymlinks: true,
    skipLibCheck: true,
    types: ['node'],
  }
  writeFileSync(join(project, 'package.json'), '{"type":"module"}')
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(join(project, 'program.ts'), text)
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [compilers[compiler], '-p', project, '--pretty', 'false', '--extendedDiagnostics'],
    { encoding: 'utf8', cwd: project },
  )
  const said = `${stdout}${stderr}`
  return {
    errors: said.split('\n').filter((line) => /error|FATAL/.test(line)),
    instantiations: Number(/^Instantiations:\s+(\d+)/m.exec(said)?.[1] ?? Number.NaN),
  }
}

/** What only the types around them name: two of contracts, one of toolsets, and the sentences for errors of other servers. */
const parts: readonly string[] = ['Code', 'Common', 'Permissions', 'Template']

const choices = (['oldest', 'newest'] as const).flatMap((zod) =>
  (['oldest', 'newest'] as const).map((compiler) => [zod, compiler] as const),
)
const someChoices = ['oldest newest']
const someInputs = ['JSON Schema']

describe('the README’s program', () => {
  test.each(casesOf(choices, (each) => each.join(' '), someChoices))(
    'compiles with the %s Zod and the %s TypeScript, with less than the bare SDK',
    (zod, compiler) => {
      const project = installed(zod)
      const ours = compiled(project, readme, compiler)
      const theirs = compiled(project, bare, compiler)
      expect([ours.errors, theirs.errors]).toStrictEqual([[], []])
      expect(ours.instantiations).toBeLessThan(theirs.instantiations)
    },
  )

  test.each(casesOf(choices, (each) => each.join(' '), ['newest oldest']))(
    'and the tracker of the examples compile with the %s Zod and the %s TypeScript',
    (zod, compiler) => {
      const tracker = readFileSync(join(root, 'docs', 'examples', 'tracker.ts'), 'utf8')
      expect(compiled(installed(zod), tracker, compiler).errors).toStrictEqual([])
    },
  )

  test.each(casesOf(Object.entries(programs), ([name]) => name, ['Valibot']))(
    'compiles with an input of %s',
    (_, text) => {
      expect(text).not.toBe('')
      expect(compiled(installed('newest'), text, 'newest').errors).toStrictEqual([])
    },
  )

  test.each(casesOf(['Zod', 'arktype', 'Valibot'] as const, (name) => name, ['Valibot']))(
    'does not compile where it misreads an input of %s',
    (name) => {
      const misread = programs[name].replaceAll('note.text', 'note.txt')
      expect(compiled(installed('newest'), misread, 'newest').errors.join()).toContain("Property 'txt' does not exist")
    },
  )
})

describe.each(Object.keys(zods) as (keyof typeof zods)[])('with the %s Zod', (zod) => {
  test.each(casesOf(Object.entries(programs), ([name]) => name, someInputs))(
    'a tool with an input of %s is previewed and applied, and refuses by field',
    async (_, text) => {
      const project = installed(zod)
      const file = join(project, 'program.ts')
      writeFileSync(join(project, 'package.json'), '{"type":"module"}')
      writeFileSync(file, text.replace("name: 'Notes'", "name: 'Notes', store: ':memory:'"))
      const agent = await overStdio([...linked, file])
      const note = { name: 'plan', text: 'Launch on 5 December' }
      const { inputSchema } = (await agent.client.listTools()).tools.find(({ name }) => name === 'notes_write') ?? {}
      expect(inputSchema).toMatchObject({
        properties: { name: { type: 'string' }, text: { type: 'string' } },
        required: expect.arrayContaining(['name', 'text', 'rationale']),
        additionalProperties: false,
      })
      const applied = await confirm(agent, await agent.call('notes_write', note))
      expect(applied.data).toMatchObject({ status: 'applied', result: { after: note } })
      const wrong = await agent.call('notes_write', { name: 'plan', text: 7, more: 1 })
      expect(wrong.guidance?.error_type).toBe('validation_error')
      const { field_errors: fields } = (await agent.call('notes_write', { name: 'plan', text: 7 })).guidance ?? {}
      expect(fields).toMatchObject([{ pointer: '/text', received: 7 }])
      const { field_errors: strange } = (await agent.call('notes_write', { ...note, more: 1 })).guidance ?? {}
      expect(strange).toMatchObject([{ pointer: '/more' }])
    },
  )
})

test('every type that the package leads to can be imported by its name', () => {
  const folder = join(root, 'dist', 'types')
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const types = ['index.d.ts', 'testing.d.ts'].map(read).join('\n')
  const lists = [...types.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) => names.split(','))
  const exported = new Set([
    ...lists.map((name) =>
      name
        .replace(/^\s*type /, '')
        .trim()
        .split(' as ')
        .at(-1),
    ),
    ...[...types.matchAll(/^export (?:declare )?(?:interface|type|class|function) (\w+)/gm)].map(([, name]) => name),
  ])
  // What both doors lead to stands in a file of its own.
  const named = [
    ...readdirSync(folder)
      .filter((file) => file !== 'testing.d.ts')
      .map(read)
      .join('\n')
      .matchAll(/^(?:interface|type|declare class) (\w+)/gm),
  ].map(([, name = '']) => name)
  expect(exported.size).toBeGreaterThan(80)
  expect(named.filter((name) => !exported.has(name)).toSorted()).toStrictEqual(parts)
})
