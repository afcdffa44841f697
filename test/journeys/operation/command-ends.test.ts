// A command that has said what it had to say ends, as a process: whatever it opened (servers behind a gateway, a database,
// a terminal) is closed. In the process of a test nobody would see that it does not.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { gatewayFile, misbehavingServer } from '../gateway/reach.ts'
import { binary, fixture, start } from '../processes.ts'

const servers = () => ['--config', gatewayFile({ rude: misbehavingServer('polite') }), '--db', freshDatabase()]

test.each<[string, () => readonly string[]]>([
  ['lists tools of servers', () => ['tools', 'list', ...servers()]],
  ['calls a tool', () => ['call', 'tool-read', '--tool-name=rude:look', '--json_args={}', ...servers()]],
  ['looks at everything', () => ['doctor', ...servers()]],
  ['reads a file', () => ['activity', 'list', '--db', freshDatabase()]],
])('a command that %s ends while its stdin stays open', async (_, args) => {
  const { code } = await start([...binary, ...args()]).ended
  expect(code).not.toBeNull()
})

test('a command that reads PostgreSQL ends while its stdin stays open', async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const env = { COUNTERSIGN_SECRET: testSecret }
  expect((await start([...binary, 'freeze', '--reason', 'a try', '--db', database.url], { env }).ended).code).toBe(0)
  expect((await start([...binary, 'activity', 'list', '--db', database.url], { env }).ended).code).toBe(0)
})

test('a command that has had its answer at the terminal ends while the terminal stays open', async () => {
  const asking = start([
    ...fixture('at-a-terminal'),
    'account',
    'add',
    'Eve',
    '--role',
    'admin',
    '--db',
    freshDatabase(),
  ])
  for (const question of ['New password of Eve', 'The same again']) {
    await eventually(() => expect(asking.stderr()).toContain(question))
    asking.child.stdin?.write('correct horse battery staple\r')
  }
  expect((await asking.ended).code).toBe(0)
})

test('a server on stdio ends when nobody reads its answers any more, though its stdin stays open', async () => {
  const server = start([...binary, 'demo', '--stdio', '--db', join(place(), 'desk.db')])
  await new Promise((resolve) => server.child.stdout?.destroy().once('close', resolve))
  const ask = { jsonrpc: '2.0', id: 1, method: 'initialize' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  server.child.stdin?.write(`${JSON.stringify({ ...ask, params })}\n`)
  expect((await server.ended).code).toBe(0)
})
