// The library as somebody uses it who has never seen this repository: a program of their own, in a directory of their own,
// that imports the package by its name.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../../server/package-root.ts'
import { confirm, overHttp, overStdio } from '../agent.ts'
import { place } from '../at-end.ts'
import { bundled } from '../bundles.ts'
import { start, startWeb } from '../processes.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** A project with the package, and what it depends on, in its node_modules. */
function project(): string {
  const directory = place()
  const modules = join(directory, 'node_modules')
  mkdirSync(join(modules, 'countersign'), { recursive: true })
  writeFileSync(
    join(modules, 'countersign', 'package.json'),
    JSON.stringify({ name: 'countersign', version: '0.0.0', type: 'module', exports: './index.js' }),
  )
  symlinkSync(bundled('index'), join(modules, 'countersign', 'index.js'))
  for (const name of ['zod', '@modelcontextprotocol'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  return directory
}

const contract = `
import { createCountersign, defineTool } from 'countersign'
import { z } from 'zod'

const members = new Map([['ada', 'member']])

const promote = defineTool({
  name: 'members.promote',
  title: 'Promote a member',
  noun: 'the promotion',
  description: 'Makes a member an admin.',
  operation: 'destructive',
  risk: 'high',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ role: z.string() }),
  failures: { no_such_member: { effect: 'none', guidance: 'Use the name of a member: ada.' } },
  sideEffects: [{ what: 'The role changes', onRepeat: 'Nothing more happens' }],
  idempotency: 'natural',
  basis: ({ name }) => members.get(name) ?? 'absent',
  preview: ({ name }, ctx) =>
    members.has(name)
      ? {
          title: \`Make \${name} an admin\`,
          summary: \`\${name} becomes an admin.\`,
          changes: [{
            pointer: '/role',
            label: 'Role',
            before: { kind: 'text', text: members.get(name) },
            after: { kind: 'text', text: 'admin' },
          }],
          confirmLabel: 'Promote',
        }
      : ctx.fail('no_such_member', \`There is no member named \${name}.\`),
  run: ({ name }) => {
    members.set(name, 'admin')
    return { role: 'admin' }
  },
})

const server = createCountersign({ tools: [promote], store: process.argv[2], name: 'Members' })
`

let directory: string

/** Writes a program and answers its command line. */
const program = (name: string, text: string): readonly string[] => {
  const file = join(directory, name)
  writeFileSync(file, text)
  return ['--no-warnings', file, join(directory, `${name}.db`)]
}

beforeAll(() => {
  directory = project()
})

/** Which packages this program has loaded at its end, as it is built: what these tests install elsewhere has them in it. */
async function packagesOf(text: string, input = ''): Promise<readonly string[]> {
  const listing = `
import { registerHooks } from 'node:module'
const loaded = new Set()
registerHooks({
  load(url, context, next) {
    loaded.add(/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1] ?? '')
    return next(url, context)
  },
})
const countersign = await import('countersign')
${text}
process.stdout.write(JSON.stringify([...loaded].filter((name) => name !== '').sort()))
`
  const { child, ended } = start(['--input-type=module', '--eval', listing], { cwd: packageRoot() })
  child.stdin?.end(input)
  return JSON.parse((await ended).stdout.trim().split('\n').at(-1) ?? '') as readonly string[]
}

const ofWebDoors = ['@hono/node-server', 'hono', 'prom-client']

test('what a program imports has loaded neither a database nor a web server before a door is opened', async () => {
  const loaded = await packagesOf('')
  expect(loaded).toContain('zod')
  const ofDoors = [...ofWebDoors, 'commander', 'kysely', 'marked', 'pg', 'pino', 'yaml']
  const ofEvaluations = ['@anthropic-ai/sdk', 'openai']
  // Of the SDK only what reads templates of addresses, which needs nothing else.
  expect(loaded.filter((name) => [...ofDoors, ...ofEvaluations, 'ajv', 'ajv-formats'].includes(name))).toStrictEqual([])
})

test('a program whose schemas are of Zod does without a validator of JSON Schema; one of JSON Schema is checked at once', async () => {
  const declares = (input: string) =>
    packagesOf(
      `const { z } = await import('zod')\ncountersign.defineRead({ name: 'notes.find', description: 'Finds notes.', input: ${input}, output: z.strictObject({}), run: () => ({}) })`,
    )
  expect(await declares('z.strictObject({ id: z.string() })')).not.toContain('ajv')
  expect(await declares(`{ type: 'object', properties: { id: { type: 'string' } } }`)).toContain('ajv')
})

test('a server on stdio loads nothing of a web server, of traces, or of servers behind it', async () => {
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } }
  const initialize = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: client })}\n`
  const serves = (door: string) =>
    packagesOf(
      `const server = countersign.createCountersign({ tools: [], store: ':memory:' })\n${door}\nawait server.close()`,
      initialize,
    )
  const others = [...ofWebDoors, '@opentelemetry/api', 'cross-spawn', 're2js']
  const loaded = await serves('await server.stdio()')
  expect(loaded).toContain('kysely')
  expect(loaded.filter((name) => others.includes(name))).toStrictEqual([])
  // Who opens a web door has its packages.
  expect(await serves('await (await server.http({ port: 0 })).close()')).toEqual(expect.arrayContaining(ofWebDoors))
})

describe('a program that imports the package', () => {
  test('serves its tool over stdio, with a person in front of it', async () => {
    const agent = await overStdio(program('stdio.mjs', `${contract}\nawait server.stdio()\nawait server.close()\n`))
    expect(agent.client.getServerVersion()?.name).toBe('Members')
    const preview = await agent.call('members_promote', { name: 'ada' })
    expect(preview.text).toContain('Make ada an admin')
    expect((await agent.call('members_promote', { name: 'ada', preview: false })).status).toBe('previewed')
    expect((await confirm(agent, await agent.call('members_promote', { name: 'ada' }))).data).toMatchObject({
      status: 'applied',
      result: { role: 'admin' },
    })
    const failed = await agent.call('members_promote', { name: 'bob' })
    expect(failed).toMatchObject({ status: 'failed', isError: true, guidance: { error_type: 'no_such_member' } })
  })

  test('serves its tool over HTTP, and closes when it is told to', async () => {
    const text = `${contract}
const web = await server.http({ port: 0 })
process.stderr.write(web.mcpUrl + '\\n')
process.once('SIGTERM', async () => {
  await web.close()
  await server.close()
})
`
    const web = await startWeb(program('http.mjs', text))
    const agent = await overHttp(web.mcp)
    const preview = await agent.call('members_promote', { name: 'ada' })
    expect((await confirm(agent, preview)).status).toBe('applied')
    await agent.close()
    web.child.kill('SIGTERM')
    expect(await web.ended).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('a program that gets something wrong', () => {
  const endOf = (name: string, text: string) => start(program(name, text)).ended

  test('in its contract is told at once which tool, which field, and what to do', async () => {
    const { code, stderr } = await endOf('contract.mjs', contract.replace(/basis: .*\n/, ''))
    expect(code).toBe(1)
    expect(stderr).toContain(
      'The contract of "members.promote" is not complete: basis is required at risk high. Give a function that returns a fingerprint',
    )
  })

  test('with two tools of one name is told both', async () => {
    const { stderr } = await endOf('twice.mjs', contract.replace('tools: [promote]', 'tools: [promote, promote]'))
    expect(stderr).toContain('is "members_promote" on the wire, as is "members.promote". Rename one.')
  })

  test('with its database is told where it lies and what to do, and can catch it', async () => {
    const text = `${contract.replace('process.argv[2]', JSON.stringify(join(directory, 'no', 'such.db')))}
try {
  await server.stdio()
} catch (error) {
  process.stdout.write(JSON.stringify({ name: error.name, message: error.message, next: error.next }))
}
`
    const { stdout } = await endOf('database.mjs', text)
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'CountersignError',
      message: expect.stringContaining('no does not exist'),
      next: expect.stringContaining('mkdir -p'),
    })
  })
})
