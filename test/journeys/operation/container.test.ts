// What the container would hold, where nothing can build it: that what it leaves out is not needed, and that the command lines
// of its file are ones that work. That file itself: `container-file.test.ts`; the image: `container-build.test.ts`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { docFiles } from '../../../server/compose/docs.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { connect } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { environment, fixture, start, startWeb } from '../processes.ts'
import { runCommand } from '../terminal.ts'
import { after, read, root, taken } from './dockerfile.ts'

/** The JSON form of a command. */
const command = (text: string): readonly string[] => JSON.parse(text) as readonly string[]

type Needs = Readonly<Partial<Record<'dependencies' | 'optionalDependencies', Readonly<Record<string, string>>>>>

interface Lock {
  readonly packages: Readonly<Record<string, Needs>>
}

/** What the package needs at run time, and what that needs, as they lie beside each other. */
function neededHere(): readonly string[] {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const needed = new Set<string>()
  const add = ({ dependencies, optionalDependencies }: Needs): void => {
    for (const path of Object.keys({ ...dependencies, ...optionalDependencies }).map(
      (name) => `node_modules/${name}`,
    )) {
      const found = packages[path]
      if (found === undefined || needed.has(path)) continue
      needed.add(path)
      add(found)
      // What lies inside another package comes with it.
      for (const [inner, more] of Object.entries(packages)) if (inner.startsWith(`${path}/node_modules/`)) add(more)
    }
  }
  add(packages[''] ?? {})
  return [...needed]
}

/** The package as `npm pack` would publish it, with nothing beside it but what it depends on at run time. */
function installed(): string {
  const app = place()
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', app], {
    cwd: root,
    encoding: 'utf8',
    env: { ...environment(), npm_config_cache: join(app, 'cache') },
  }).trim()
  mkdirSync(join(app, 'app'))
  execFileSync('tar', ['-xzf', join(app, packed), '-C', join(app, 'app'), '--strip-components', '1'])
  for (const path of neededHere()) {
    if (!existsSync(join(root, path))) continue
    mkdirSync(dirname(join(app, 'app', path)), { recursive: true })
    symlinkSync(join(root, path), join(app, 'app', path))
  }
  return join(app, 'app')
}

let app: string
beforeAll(() => {
  app = installed()
})

describe('the container file', () => {
  test('takes from the build what the package has', () => {
    for (const name of taken) expect([name, existsSync(join(app, name))]).toStrictEqual([name, true])
  })

  test('has the documentation that errors name, and so has the package', () => {
    for (const file of Object.values(docFiles)) {
      expect([file, existsSync(join(app, file))]).toStrictEqual([file, true])
      const copied = after('COPY').some((copy) => file.startsWith(/^--from=build \/src\/(\S+) /.exec(copy)?.[1] ?? '?'))
      expect([file, copied]).toStrictEqual([file, true])
    }
  })

  test('starts a server with its command line, which its own check finds alive, and which ends when it is told to', async () => {
    const [entrypoint = '[]'] = after('ENTRYPOINT')
    const [cmd = '[]'] = after('CMD')
    const settings = join(place(), 'countersign.json')
    const upstream = [...fixture('held-upstream'), join(place(), 'marks'), 'nothing']
    writeFileSync(settings, JSON.stringify({ mcpServers: { up: { command: process.execPath, args: upstream } } }))
    const [, file = '', ...more] = command(entrypoint)
    const args = command(cmd).map((arg) => (arg.endsWith('countersign.json') ? settings : arg === '3323' ? '0' : arg))
    const web = await startWeb([join(app, file), ...more, ...args], { env: { COUNTERSIGN_DB: freshDatabase() } })
    const check = command(/CMD (\[.*\])$/.exec(after('HEALTHCHECK')[0] ?? '')?.[1] ?? '[]')
    const asked = (port: string) =>
      spawnSync(
        process.execPath,
        check.slice(1).map((arg) => arg.replace(':3323/', `:${port}/`)),
      ).status
    expect(asked(web.mcp.port)).toBe(0)
    web.child.kill('SIGTERM')
    expect((await web.ended).code).toBe(0)
    expect(asked(web.mcp.port)).toBe(1)
  })
})

describe('the package', () => {
  test('holds what it needs to run and nothing of those who made it', () => {
    const files = globSync('**/*', { cwd: app, exclude: (name) => name === 'node_modules' })
    for (const needed of [
      'dist/program/countersign.js',
      'dist/program/THIRD-PARTY-LICENSES.md',
      'dist/library/countersign.js',
      'dist/types/index.d.ts',
      'dist/ui/card/index.html',
      'dist/ui/admin/index.html',
      'dist/ui/playground/index.html',
      'dist/profiles/filesystem.json',
      'cheatsheets/orders.md',
    ])
      expect(files).toContain(needed)
    expect(files.filter((file) => /\.(?:db|key|env|tgz)$|\.test\.|tsconfig|node_modules/.test(file))).toStrictEqual([])
  })

  test('knows servers by what the build made of their profiles, all of them', async () => {
    // What people write is there to be read by people.
    for (const file of globSync('profiles/*.yaml', { cwd: app })) rmSync(join(app, file))
    const line = [join(app, 'dist/program/countersign.js'), 'profile', 'list', '--output', 'json']
    const { code, stdout } = await start(line).ended
    const index = JSON.parse(readFileSync(join(app, 'profiles/index.json'), 'utf8')) as readonly { name: string }[]
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as typeof index).map(({ name }) => name)).toStrictEqual(index.map(({ name }) => name))
  })

  test('checks its record from aside when it is built, too', async () => {
    const program = join(app, 'verify.mjs')
    const file = freshDatabase()
    writeFileSync(
      program,
      `import { verifyApart } from './dist/program/verify-apart.js'
process.stdout.write(JSON.stringify(await verifyApart({ file: ${JSON.stringify(file)} }, new AbortController().signal)))`,
    )
    const { code, stdout, stderr } = await start([program]).ended
    expect([code, stdout, stderr]).toStrictEqual([0, '[]', ''])
  })

  test('keeps its record on PostgreSQL and reads SQL by the parser of PostgreSQL when it is built, too', async () => {
    const database = await testDatabase()
    atEnd(() => database.drop())
    const behind = [process.execPath, ...fixture('sql-server'), ':memory:', 'PostgreSQL']
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(app, 'dist/program/countersign.js'), 'wrap', '--db', database.url, '--', ...behind],
      env: environment({ COUNTERSIGN_SECRET: testSecret }),
      stderr: 'ignore',
    })
    const agent = await connect(transport)
    // Without its parser every text of PostgreSQL asks.
    const { raw } = await agent.call('read_query', { query: 'SELECT 6 * 7 AS n' })
    expect(raw.content).toStrictEqual([{ type: 'text', text: '[{"n":42}]' }])
    const list = ['activity', 'list', '--db', database.url, '-o', 'json']
    // How a read ended is written a moment after its answer.
    const listed = async (): Promise<unknown> =>
      JSON.parse((await runCommand(list, { env: { COUNTERSIGN_SECRET: testSecret } })).stdout)
    await expect.poll(listed).toMatchObject([{ tool: 'read_query', status: 'ok' }])
  })

  test('runs programs of agents when it is built, too', async () => {
    const args = [join(app, 'dist/program/countersign.js'), 'demo', '--stdio', '--db', freshDatabase()]
    const transport = new StdioClientTransport({
      command: process.execPath,
      args,
      env: environment(),
      stderr: 'ignore',
    })
    const agent = await connect(transport)
    const { text } = await agent.call('execute_code', { language: 'javascript', code: 'console.log(6 * 7)' })
    expect(text).toContain('42')
  })
})
