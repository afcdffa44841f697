// From hosts as people have them to a gateway in front of every server, and back: the files are those of real hosts, the
// servers are real, and what a host is told to start is started as that host would.
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { ok } from '../../../server/errors/result.ts'
import { readHostText } from '../../../server/gateway/hosts/host-text.ts'
import { changeSecrets } from '../../../server/store/store.ts'
import { madeUpKey, userFiles, writeTree } from '../../server/gateway/hosts/every-host.ts'
import { overStdio } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { officialServer, realPlace } from './reach.ts'
import { agentHere } from '../in-process.ts'

import { atTerminal, runCommand } from '../terminal.ts'

/** A home with these files, and the environment of its user. */
function homeWith(files: Readonly<Record<string, string>>) {
  const home = realPlace()
  writeTree(home, files)
  const data = join(home, 'data')
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: data }
  const out = join(home, 'gateway.json')
  return {
    home,
    env,
    out,
    run: (...args: readonly string[]) => runCommand(['import', '--out', out, ...args], { env }),
    read: (path: string) => readFileSync(join(home, path), 'utf8'),
    secrets: () => readFileSync(join(data, 'countersign', 'secrets.json'), 'utf8'),
  }
}

const toml = (server: Readonly<Record<string, unknown>>): string =>
  Object.entries(server)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
    .join('\n')

describe('from Codex and Zed', () => {
  const folder = realPlace()
  writeFileSync(join(folder, 'plan.txt'), 'Launch on 28 November')
  const files = officialServer('filesystem', [folder])
  const memory = officialServer('memory', [], {
    env: { MEMORY_FILE_PATH: join(folder, 'm.json'), NOTES_API_KEY: madeUpKey },
  })
  const codex = `# mine
model = "gpt-5"

[mcp_servers.files] # the files
${toml(files)}
env = { FILES_TOKEN = "${madeUpKey}" }
`
  const zed = `{
  // my editor
  "theme": "One Dark",
  "context_servers": {
    "memory": ${JSON.stringify(memory)}, // remembers
  },
}
`
  const here = homeWith({ '.codex/config.toml': codex, '.config/zed/settings.json': zed })

  test('a dry run shows what would change without the secrets in it, and changes nothing', async () => {
    const dry = await here.run('--write-back', '--dry-run')
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing was written: this was a dry run.') })
    expect(dry.stderr).toMatch(/-\[mcp_servers\.files\] # the files/)
    expect(dry.stderr).toContain('FILES_TOKEN = "[redacted]"')
    expect(dry.stderr + dry.stdout).not.toContain(madeUpKey)
    expect([here.read('.codex/config.toml'), here.read('.config/zed/settings.json')]).toEqual([codex, zed])
  })

  test('a write-back leaves each host with the gateway alone, and the gateway works from there', async () => {
    const done = await here.run('--write-back', '--yes')
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('Codex starts the gateway now') })
    expect(here.read('gateway.json') + done.stderr + done.stdout + here.secrets()).not.toContain(madeUpKey)
    expect(JSON.parse(here.read('gateway.json'))).toMatchObject({
      mcpServers: {
        memory: { env: { NOTES_API_KEY: '${secret:memory.NOTES_API_KEY}' } },
        files: { env: { FILES_TOKEN: '${secret:files.FILES_TOKEN}' } },
      },
    })
    const backup = /Codex starts the gateway now: .*config\.toml \(as it was: (.*)\)/.exec(done.stderr)?.[1] ?? ''
    expect(backup.startsWith(join(here.home, 'data/countersign/host-files/'))).toBe(true)
    expect([readFileSync(backup, 'utf8'), statSync(backup).mode & 0o777]).toEqual([codex, 0o600])
    expect(statSync(dirname(backup)).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(here.home, '.codex'))).toEqual(['config.toml'])
    expect(here.read('.config/zed/settings.json')).toContain('  // my editor\n  "theme": "One Dark",')
    const settings = readHostText('json', here.read('.config/zed/settings.json'))
    const codexNow = readHostText('toml', here.read('.codex/config.toml'))
    const told = (codexNow.ok ? codexNow.value : {}) as {
      readonly mcp_servers: { readonly countersign: { readonly command: string; readonly args: readonly string[] } }
    }
    const { countersign } = told.mcp_servers
    expect(Object.keys(told.mcp_servers)).toEqual(['countersign'])
    expect(settings).toMatchObject({
      value: { theme: 'One Dark', context_servers: { countersign: { source: 'custom', args: countersign.args } } },
    })
    expect(countersign.command).toBe(process.execPath)

    const agent = await overStdio([...countersign.args, '--db', freshDatabase()], { env: here.env })
    const intent = { operation_type: 'read', reason: 'To see what is there.' }
    const listed = await agent.call('call_tool_read', {
      name: 'files:list_directory',
      args_json: JSON.stringify({ path: folder }),
      intent,
    })
    expect(listed.text).toContain('plan.txt')
    expect((await agent.call('retrieve_tools', { query: 'entities of the knowledge graph' })).text).toContain('memory:')
  })

  test('a second one changes nothing more, and never loses what only the gateway file has', async () => {
    const [toml, gateway] = [here.read('.codex/config.toml'), here.read('gateway.json')]
    expect(await here.run('--write-back', '--yes', '--add')).toMatchObject({ code: 0 })
    writeTree(here.home, { '.cursor/mcp.json': '{"mcpServers":{"late":{"command":"late-mcp"}}}' })
    expect(await here.run('--yes', '--force')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Hosts reach .*files.* through .*gateway\.json.*--add/s),
    })
    expect([here.read('.codex/config.toml'), here.read('gateway.json')]).toEqual([toml, gateway])
    expect(await here.run('--yes', '--add')).toMatchObject({ code: 0 })
    expect(
      Object.keys((JSON.parse(here.read('gateway.json')) as { mcpServers: object }).mcpServers).toSorted(),
    ).toEqual(['files', 'late', 'memory'])
  })

  test('an undo gives the files back byte for byte, once', async () => {
    expect(await here.run('--undo')).toMatchObject({ code: 0, stderr: expect.stringContaining('as it was: ') })
    expect([here.read('.codex/config.toml'), here.read('.config/zed/settings.json')]).toEqual([codex, zed])
    expect(await here.run('--undo')).toMatchObject({ code: 0, stderr: expect.stringContaining('nothing to undo') })
  })
})

test('the files of every host come back byte for byte, and meanwhile hold no server of their own', async () => {
  const here = homeWith(userFiles)
  const done = await here.run('--write-back', '--yes')
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('goes on starting from-extension itself') })
  expect(done.stderr).toMatch(/^variables to set: CURSOR_TOKEN, GH_TOKEN,/m)
  expect(done.stderr).toContain('"x-client" = "[redacted]"')
  expect(done.stderr).toContain('-    "desktop": {')
  const changed = Object.entries(userFiles).filter(([path, text]) => here.read(path) !== text)
  expect(changed.map(([path]) => path)).toHaveLength(Object.keys(userFiles).length - 2)
  for (const [path] of changed) expect(here.read(path)).not.toMatch(/-mcp|\.example/)
  expect(await here.run('--undo')).toMatchObject({ code: 0 })
  expect(Object.keys(userFiles).map((path) => [path, here.read(path)])).toEqual(Object.entries(userFiles))
})

test('what would change is shown without any secret on its lines, whoever it belongs to', async () => {
  const other = madeUpKey.replaceAll('7', '5')
  const here = homeWith({
    '.cursor/mcp.json': `{"a":{"mcpToken":"${other}"},"mcpServers":{"one":{"command":"one","env":{"KEY":"${madeUpKey}"}},"odd":{"headers":{"TOKEN":"${other}"}}}}`,
  })
  const environment = ['--secrets', 'environment', '--yes'] as const
  expect(await here.run(...environment)).toMatchObject({ code: 0 })
  const shown = await here.run(...environment, '--add', '--write-back', '--dry-run')
  expect(shown.stderr).toContain('[redacted]')
  for (const key of [madeUpKey, other]) expect(shown.stderr).not.toContain(key)
})

test('a secret that somebody keeps while the import asks stays theirs', async () => {
  const files = { '.cursor/mcp.json': `{"mcpServers":{"one":{"command":"one","env":{"API_KEY":"${madeUpKey}"}}}}` }
  const here = homeWith(files)
  const file = join(here.home, 'data/countersign/secrets.json')
  const keeping = (name: string) => changeSecrets(file, (held) => ok(new Map([...held, [name, 'mine']])))
  const asked = async (name: string) =>
    atTerminal(['import', '--out', here.out], [['[y/N]', () => keeping(name).then(() => 'y')]], { env: here.env })
  expect(await asked('one.API_KEY')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/meanwhile: one\.API_KEY/),
  })
  expect(readdirSync(here.home)).not.toContain('gateway.json')
  expect(await asked('other')).toMatchObject({ code: 0 })
  expect(await runCommand(['secrets', 'list'], { env: here.env })).toMatchObject({
    stdout: 'one.API_KEY\none.API_KEY-2\nother\n',
  })
})

test('an undo that is asked for beside something else does nothing', async () => {
  expect(await homeWith({}).run('--undo', '--dry-run')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("'--undo' cannot be used with option '--dry-run'"),
  })
})

describe('a file that was changed after the write-back', () => {
  const a = '{\n  // mine\n  "mcpServers": { "a": { "command": "a-mcp", "env": { "K": "v" } } }\n}\n'
  const written = async () => {
    const here = homeWith({ '.cursor/mcp.json': a, '.kiro/settings/mcp.json': '{"mcpServers":{"b":{"command":"b"}}}' })
    expect(await here.run('--write-back', '--yes')).toMatchObject({ code: 0 })
    return here
  }

  test('has its servers back, and what was changed elsewhere stays', async () => {
    const here = await written()
    writeTree(here.home, { '.cursor/mcp.json': here.read('.cursor/mcp.json').replace('{', '{ "seen": 3,') })
    expect(await here.run('--undo')).toMatchObject({ code: 0, stderr: expect.stringContaining('its servers are back') })
    const now = here.read('.cursor/mcp.json')
    expect(now).toContain('// mine')
    expect(readHostText('json', now)).toEqual({
      ok: true,
      value: { seen: 3, mcpServers: { a: { command: 'a-mcp', env: { K: 'v' } } } },
    })
  })

  test.each([
    [
      'the gateway was taken out',
      (text: string) => text.replace('"countersign"', '"mine"'),
      /no longer starts the gateway/,
    ],
    [
      'a server stands there again',
      (text: string) => text.replace('"mcpServers": {', '"mcpServers": { "a": {},'),
      /has a again/,
    ],
    ['it is no longer JSON', (text: string) => text.slice(0, -4), /can no longer be read/],
  ])('is left as it is, with its copy named, where %s', async (_, change, why) => {
    const here = await written()
    const mine = change(here.read('.cursor/mcp.json'))
    writeTree(here.home, { '.cursor/mcp.json': mine })
    const undone = await here.run('--undo')
    expect(undone).toMatchObject({ code: 1, stderr: expect.stringMatching(why) })
    expect(undone.stderr).toMatch(/Compare it with .*mcp\.json\.before-countersign/)
    expect(here.read('.cursor/mcp.json')).toBe(mine)
    expect(here.read('.kiro/settings/mcp.json')).toBe('{"mcpServers":{"b":{"command":"b"}}}')
  })
})

/** A database as VS Code and Cursor have it. */
function editorDatabase(file: string, key: string, value: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)')
  database.prepare('INSERT INTO ItemTable VALUES (?, ?)').run(key, Buffer.from(value))
  database.close()
}

test('a profile’s file of VS Code is read, pointed at the gateway and given back, and what is off in its database stays off', async () => {
  const file = '.config/Code/User/profiles/1a2b/mcp.json'
  const before = '{"servers":{"on":{"command":"on-mcp"},"off":{"command":"off-mcp"}}}'
  const here = homeWith({
    [file]: before,
    '.config/Code/User/globalStorage/storage.json': '{"userDataProfiles":[{"location":"1a2b","name":"Work"}]}',
  })
  const database = join(here.home, dirname(file), 'globalStorage/state.vscdb')
  editorDatabase(database, 'mcp.enablement', '[["mcp.config.usrlocal.off",false]]')
  const bytes = readFileSync(database)
  const done = await here.run('--write-back', '--yes')
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('read VS Code, profile Work: ') })
  expect(done.stderr).toContain('VS Code, profile Work starts the gateway now')
  expect(JSON.parse(here.read('gateway.json'))).toEqual({
    mcpServers: { on: { command: 'on-mcp' }, off: { command: 'off-mcp', enabled: false } },
  })
  expect(here.read(file)).toContain('countersign')
  expect([readFileSync(database).equals(bytes), readdirSync(dirname(database))]).toEqual([true, ['state.vscdb']])
  expect(await here.run('--undo')).toMatchObject({ code: 0 })
  expect(here.read(file)).toBe(before)
})

test('a server that two hosts have is one, and a tool that one of them has off is offered to neither', async () => {
  const folder = realPlace()
  const memory = officialServer('memory', [], { env: { MEMORY_FILE_PATH: join(folder, 'm.json') } })
  const { env: variables, ...start } = memory
  const here = homeWith({
    '.codex/config.toml': `[mcp_servers.memory]\n${toml(start)}\n[mcp_servers.memory.env]\n${toml(variables as Readonly<Record<string, unknown>>)}\n`,
    '.cursor/mcp.json': JSON.stringify({ mcpServers: { memory } }),
  })
  const key = 'src.vs.platform.reactivestorage.browser.reactiveStorageServiceImpl.persistentStorage.applicationUser'
  const off = JSON.stringify({ mcpDisabledTools: ['user-memory|delete_entities'] })
  editorDatabase(join(here.home, '.config/Cursor/User/globalStorage/state.vscdb'), key, off)
  const done = await here.run('--write-back', '--yes')
  expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('wrote ') })
  expect(done.stderr).toContain(
    'note: memory (Cursor, Codex): its hosts limit it differently; here it is one server, with the limits of all: without delete_entities.',
  )
  const { mcpServers } = JSON.parse(here.read('gateway.json')) as { readonly mcpServers: object }
  expect(Object.keys(mcpServers)).toEqual(['memory'])
  const agent = await agentHere(['gateway', '--config', here.out, '--db', freshDatabase()], {
    env: here.env,
  })
  const call = (name: string) =>
    agent.call('call_tool_destructive', {
      name: `memory:${name}`,
      args_json: '{"entityNames":["a"],"deletions":[]}',
      intent: { operation_type: 'destructive' },
    })
  expect((await call('delete_entities')).raw.isError).toBe(true)
  expect((await agent.call('retrieve_tools', { query: 'delete entities' })).text).not.toContain(
    'memory:delete_entities',
  )
  expect((await call('delete_observations')).status).toBe('previewed')
  expect(await here.run('--undo')).toMatchObject({ code: 0 })
})

test('a database of an editor that is none is named, and its servers are taken', async () => {
  const here = homeWith({
    '.config/Code/User/mcp.json': '{"servers":{"a":{"command":"a-mcp"}}}',
    '.config/Code/User/globalStorage/state.vscdb': 'not a database, but longer than the header of one would be',
  })
  const done = await here.run('--dry-run')
  expect(done).toMatchObject({ code: 0, stderr: expect.stringMatching(/state\.vscdb cannot be read .*is not known/) })
  expect(done.stderr).toContain('a: a-mcp')
})

test('a host that cannot name a variable is said to be one, where a key became a variable', async () => {
  const here = homeWith({
    '.config/Claude/claude_desktop_config.json': `{"mcpServers":{"a":{"command":"a","env":{"API_KEY":"${madeUpKey}"}}}}`,
    '.cursor/mcp.json': `{"mcpServers":{"b":{"command":"b","env":{"API_KEY":"${madeUpKey}"}}}}`,
  })
  const done = await here.run('--secrets', 'environment', '--write-back', '--yes')
  expect(done.stderr).toMatch(
    /note: Claude Desktop has no way to name a variable, so A_API_KEY reaches .*--secrets kept/,
  )
  expect(done.stderr).not.toContain('Cursor has no way')
  expect(here.read('.cursor/mcp.json')).toContain('"B_API_KEY": "${env:B_API_KEY}"')
})

test('the copy of a project’s file does not lie in the project', async () => {
  const here = homeWith({})
  const [project, before] = [realPlace(), `{"mcpServers":{"a":{"command":"a","env":{"API_KEY":"${madeUpKey}"}}}}`]
  writeTree(project, { '.mcp.json': before })
  const cwd = process.cwd()
  process.chdir(project)
  try {
    expect(await here.run('--project', '--write-back', '--yes')).toMatchObject({ code: 0 })
    expect(readdirSync(project)).toEqual(['.mcp.json'])
    expect(readFileSync(join(project, '.mcp.json'), 'utf8')).not.toContain(madeUpKey)
    expect(await here.run('--undo')).toMatchObject({ code: 0 })
  } finally {
    process.chdir(cwd)
  }
  expect(readFileSync(join(project, '.mcp.json'), 'utf8')).toBe(before)
})

test('a file that cannot be read is named, and one that is a link stays one', async () => {
  const here = homeWith({
    'dotfiles/mcp.json': '{"mcpServers":{"a":{"command":"a"}}}',
    '.kiro/settings/mcp.json/x': '',
  })
  mkdirSync(join(here.home, '.cursor'))
  symlinkSync(join(here.home, 'dotfiles/mcp.json'), join(here.home, '.cursor/mcp.json'))
  const done = await here.run('--write-back', '--yes')
  expect(done).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/\.kiro\/settings\/mcp\.json cannot be read \(EISDIR/),
  })
  expect(lstatSync(join(here.home, '.cursor/mcp.json')).isSymbolicLink()).toBe(true)
  expect(here.read('dotfiles/mcp.json')).toContain('countersign')
  expect(readdirSync(join(here.home, 'dotfiles'))).toEqual(['mcp.json'])
  expect(readdirSync(join(here.home, '.cursor'))).toEqual(['mcp.json'])
})
