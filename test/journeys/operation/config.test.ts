// The settings file at a terminal: what it says is in force for every command, and what is wrong stops the start.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { place } from '../at-end.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const written = (settings: string): string => {
  const file = join(place(), 'countersign.json')
  writeFileSync(file, settings)
  return file
}

test('`config init` writes a file that can be used and that nobody loses', async () => {
  const file = join(place(), 'mine.json')
  expect(await runCommand(['config', 'init', '--out', file])).toMatchObject({ code: 0 })
  const checked = await runCommand(['config', 'check', file])
  expect(checked).toMatchObject({ code: 0, stderr: '' })
  expect(checked.stdout).toMatch(/http\.port +3323 +\S+mine\.json:\d+:\d+/)
  writeFileSync(file, '{"name": "mine"}')
  expect(await runCommand(['config', 'init', '--out', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--force') as string,
  })
  expect(readFileSync(file, 'utf8')).toBe('{"name": "mine"}')
  expect(await runCommand(['config', 'init', '--out', file, '--force'])).toMatchObject({ code: 0 })
  const printed = await runCommand(['config', 'init', '--out', '-'])
  expect(printed.stdout).toBe(readFileSync(file, 'utf8'))
})

test('`config check` says what is in force, where it comes from, and no secret', async () => {
  const file = written('{\n  "secret": "${SEALING}",\n  "http": { "port": 4000 }\n}')
  const env = {
    SEALING: 'a secret that nobody sees',
    COUNTERSIGN_DB: 'postgres://u:geheim@h/d',
    COUNTERSIGN_PORT: '5000',
  }
  const checked = await runCommand(['config', 'check', file], { env })
  expect(checked.code).toBe(0)
  expect(checked.stdout).toMatch(/^secret +\$\{SEALING\} +\S+countersign\.json:2:13$/m)
  expect(checked.stdout).toMatch(/^http\.port +5000 +COUNTERSIGN_PORT$/m)
  expect(checked.stdout).toMatch(/^access\.mode +open +default$/m)
  expect(checked.stdout + checked.stderr).not.toMatch(/nobody sees|geheim/)
  const stray = await runCommand(['config', 'check'], { env: { COUNTERSIGN_PROT: '1' } })
  expect(stray.stderr).toBe('COUNTERSIGN_PROT is not read here. Did you mean COUNTERSIGN_PORT?\n')
  const json = await runCommand(['config', 'check', '--json'], { env: { ...env, COUNTERSIGN_CONFIG: file } })
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: true, file })
})

test('`config check` names every mistake, those of the gateway and of open doors too', async () => {
  const wrong = await runCommand(['config', 'check', written('{\n  "htpp": 1,\n  "log": { "level": "loud" }\n}')])
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/countersign\.json:2:3: "htpp" is an unknown key\. Did you mean "http"\?/)
  expect(wrong.stderr).toMatch(/countersign\.json:3:21: log\.level cannot be "loud"/)
  const gateway = await runCommand([
    'config',
    'check',
    written('{"http": {"host": "0.0.0.0"},\n "mcpServers": {"a": {"comand": "x"}}}'),
  ])
  expect(gateway.code).toBe(1)
  expect(gateway.stderr).toMatch(/countersign\.json:2:22: mcpServers\.a has neither command nor url/)
  expect(gateway.stderr).toMatch(/access\.mode "open" lets everybody call/)
})

test('a server does not start with a mistake, and says it in one line', async () => {
  const file = written('{"http": {"port": "x"}}')
  for (const args of [['demo'], ['gateway'], ['freeze', '--reason', 'to see'], ['token', 'list'], ['doctor']]) {
    const ended = await runCommand([...args, '--config', file])
    expect(ended.code).not.toBe(0)
    expect(ended.stderr.trim().split('\n')).toHaveLength(1)
    expect(ended.stderr).toMatch(/countersign\.json:1:19: http\.port cannot be "x": it must be a number/)
  }
})

test('a server does not open itself to a network by accident', async () => {
  const file = written('{"http": {"host": "0.0.0.0", "port": 0}}')
  const refused = await runCommand(['demo', '--config', file])
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stderr).toMatch(/does not start: it would listen on 0\.0\.0\.0/)
  const web = await webHere(['demo', '--config', file, '--insecure-open'])
  expect((await fetch(`${web.mcp.origin}/healthz`)).status).toBe(200)
})

test('one file is enough: name, database and servers of a gateway, for every command', async () => {
  const folder = place()
  const file = join(folder, 'countersign.json')
  const memory = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js')
  writeFileSync(
    file,
    JSON.stringify({
      name: 'The one and only',
      db: 'one.db',
      http: { port: 0 },
      languages: ['de'],
      mcpServers: {
        memory: { command: process.execPath, args: [memory], env: { MEMORY_FILE_PATH: join(folder, 'memory.json') } },
      },
    }),
  )
  const server = await webHere(['gateway', '--http', '--config', file])
  expect(server.stderr()).toContain(join(folder, 'one.db'))
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(server.mcp))
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('call_tool_write')
  expect(client.getServerVersion()?.name).toBe('The one and only')
  await client.close()
  const frozen = await runCommand(['freeze', '--reason', 'to see it', '--config', file])
  expect(frozen).toMatchObject({ code: 0 })
  const env = { COUNTERSIGN_CONFIG: file }
  expect((await runCommand(['unfreeze'], { env })).stderr).toContain('Lifted')
})
