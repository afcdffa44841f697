// What an operator writes of single tools, seen from outside: a rule for some arguments refuses such calls and no others,
// and a rule that fits no tool is said by `config check`, by `doctor` and at the start, because it protects nothing.
import { DatabaseSync } from 'node:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { casesOf } from '../../full.ts'
import { confirm, overHttp } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { actingServer, gatewayFile, openReach, misbehavingServer, type ReachKind } from './reach.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

describe.each(casesOf<ReachKind>(['gateway over stdio', 'wrap over stdio'], String, ['gateway over stdio']))(
  'through a %s',
  (kind) => {
    test('a rule for some arguments that forbids refuses such calls and records them; others are previewed, confirmed and run', async () => {
      const ledger = join(place(), 'ledger')
      const large = { if: { amount: { greater_than: 1000 } }, risk: 'forbidden' }
      const reach = await openReach(kind, { pay: actingServer(ledger, { tools: { 'create_*': { when: [large] } } }) })
      const agent = reach.agent('pay')
      if (kind === 'wrap over stdio') expect(agent.tools.map(({ name }) => name)).toContain('create_refund')
      else
        expect(JSON.stringify((await agent.call('retrieve_tools', { query: 'refund' })).raw)).toContain(
          'pay:create_refund',
        )
      const refused = await reach.call('pay', 'write', 'create_refund', { charge: 'ch_1', amount: 9900 })
      expect(refused).toMatchObject({ isError: true, planId: '', guidance: { error_type: 'forbidden_call' } })
      // The same call would be refused again.
      expect(refused.card?.actions).toEqual([])
      expect(refused.card).toMatchObject({ state: 'refused' })
      expect(refused.text).toContain('The operator forbids calls of pay:create_refund with such arguments.')
      const shown = await reach.call('pay', 'write', 'create_refund', { charge: 'ch_1', amount: 20 })
      expect(shown.status).toBe('previewed')
      expect((await confirm(reach.agent('pay'), shown)).status).toBe('applied')
      expect(ledgerOf(ledger)).toEqual(['create_refund {"amount":20,"charge":"ch_1"}'])
      const listed = await runCommand(['activity', 'list', '--db', reach.db, '-o', 'json'])
      const name = kind === 'wrap over stdio' ? 'create_refund' : 'pay:create_refund'
      const calls = JSON.parse(listed.stdout) as readonly Readonly<Record<string, unknown>>[]
      expect(calls.filter(({ tool }) => tool === name).map((call) => [call['status'], call['error_code']])).toEqual([
        ['applied', null],
        ['previewed', null],
        ['refused', 'forbidden_call'],
      ])
    })
  },
)

const rules = { echo: { risk: 'low' }, ecoh: { risk: 'low' }, 'gabra*': { risk: 'forbidden' }, 's*': { risk: 'high' } }
const wrong = [
  /gateway\.json:1:\d+: mcpServers\.rude\.tools has a rule for "ecoh", and no tool of rude is called that\. Did you mean "echo"\?/,
  /gateway\.json:1:\d+: mcpServers\.rude\.tools has a rule for "gabra\*", and no tool of rude fits that\. Did you mean "garba\*"\?/,
]

test('`doctor` fails over a rule that fits no tool, and names what was meant', async () => {
  const config = gatewayFile({ rude: misbehavingServer('polite', '', { tools: rules }) })
  const { code, stdout } = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
  for (const said of wrong) expect(stdout).toMatch(said)
  expect(stdout.match(/no tool of rude/g)).toHaveLength(2)
  expect(code).toBe(1)
  const right = gatewayFile({ rude: misbehavingServer('polite', '', { tools: { 'e*': { risk: 'low' } } }) })
  expect(await runCommand(['doctor', '--config', right, '--db', freshDatabase()])).toMatchObject({ code: 0 })
})

describe('`config check`', () => {
  test('names a rule that fits no tool the database has seen, and starts and writes nothing', async () => {
    const db = freshDatabase()
    const ledger = join(place(), 'ledger')
    const config = gatewayFile({ rude: misbehavingServer('polite', ledger, { tools: rules }) }, { db })
    const before = await runCommand(['config', 'check', config])
    expect(before).toMatchObject({ code: 0 })
    expect(before.stderr).toMatch(/rules for tools of rude were not checked: .* has not seen its tools yet.*doctor/)
    expect(existsSync(db)).toBe(false)
    expect(ledgerOf(ledger)).toEqual([])

    const seeing = await webHere(['gateway', '--http', '0', '--config', config])
    await seeing.end()
    const started = ledgerOf(ledger)
    const checked = await runCommand(['config', 'check', config])
    expect(checked).toMatchObject({ code: 1, stdout: '' })
    for (const said of wrong) expect(checked.stderr).toMatch(said)
    expect(checked.stderr.trim().split('\n')).toHaveLength(2)
    const json = await runCommand(['config', 'check', '--json', config])
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problems: [{}, {}], unchecked: [] })
    expect(ledgerOf(ledger)).toEqual(started)
    const right = gatewayFile({ rude: misbehavingServer('polite', '', { tools: { 'e*': { risk: 'low' } } }) }, { db })
    expect(await runCommand(['config', 'check', right])).toMatchObject({ code: 0, stderr: '' })
  })

  test('does the same on PostgreSQL, and says where the database does not answer', async () => {
    const database = await testDatabase()
    atEnd(() => database.drop())
    const file = (db: string) => gatewayFile({ rude: misbehavingServer('polite', '', { tools: rules }) }, { db })
    const env = { COUNTERSIGN_SECRET: testSecret }
    const before = await runCommand(['config', 'check', file(database.url)], { env })
    expect(before.stderr).toMatch(/has not seen its tools yet/)
    const seeing = await webHere(['gateway', '--http', '0', '--config', file(database.url)], { env })
    await seeing.end()
    const checked = await runCommand(['config', 'check', file(database.url)], { env })
    expect(checked.code).toBe(1)
    for (const said of wrong) expect(checked.stderr).toMatch(said)
    const away = await runCommand(['config', 'check', file('postgres://nobody@127.0.0.1:1/none')], { env })
    expect(away).toMatchObject({ code: 0 })
    expect(away.stderr).toMatch(/rules for tools of rude were not checked: /)
  })

  test('leaves a database of another version as it is', async () => {
    const db = freshDatabase()
    const older = new DatabaseSync(db)
    older.exec('create table countersign_pins (server text, tool text, digest text)')
    older.exec("insert into countersign_pins values ('rude', 'echo', '')")
    older.close()
    const config = gatewayFile({ rude: misbehavingServer('polite', '', { tools: { ecoh: { risk: 'low' } } }) }, { db })
    expect((await runCommand(['config', 'check', config])).stderr).toContain('Did you mean "echo"?')
    const after = new DatabaseSync(db, { readOnly: true })
    atEnd(() => after.close())
    expect(after.prepare('select name from sqlite_master').all()).toEqual([{ name: 'countersign_pins' }])
  })
})

test('a start warns of a rule that fits no tool, once, and again only of one that a changed list has left behind', async () => {
  const config = gatewayFile({ rude: misbehavingServer('polite', '', { tools: { ...rules, meta: { risk: 'low' } } }) })
  const web = await webHere(['gateway', '--http', '0', '--config', config, '--db', freshDatabase()])
  const warnings = () => web.stderr().match(/has a rule for \\?"[^"\\]+/g) ?? []
  await eventually(() => expect(warnings()).toHaveLength(2))
  const agent = await overHttp(web.mcp)
  const shown = await agent.call('call_tool_write', {
    name: 'rude:rename',
    args_json: JSON.stringify({ without: 'meta' }),
    intent: { operation_type: 'write' },
  })
  await confirm(agent, shown)
  await eventually(() => expect(warnings().at(-1)).toContain('meta'))
  expect(warnings()).toHaveLength(3)
})

test('names of tools elsewhere in the settings are checked the same way: at the start, by `doctor`, by `config check`', async () => {
  const db = freshDatabase()
  const config = gatewayFile(
    { rude: misbehavingServer('polite', '') },
    {
      db,
      policy: { approvals: [{ tools: ['rude:ehco'] }, { tools: ['rude:e*'] }] },
      tenants: { shop: { risk: { 'rude:gabra': 'high' } } },
    },
  )
  const said = [
    /policy\.approvals\[0\]\.tools names \\?"rude:ehco\\?", and no tool is called that\. Did you mean \\?"rude:echo/,
    /tenants\.shop\.risk names \\?"rude:gabra/,
  ]
  const before = await runCommand(['config', 'check', config])
  expect(before).toMatchObject({ code: 0 })
  expect(before.stderr).toContain('policy.approvals[0].tools[0] "rude:ehco" was not checked against rude')
  const web = await webHere(['gateway', '--http', '0', '--config', config])
  await eventually(() => said.forEach((each) => expect(web.stderr()).toMatch(each)))
  await web.end()
  const checked = await runCommand(['config', 'check', config])
  expect(checked.code).toBe(1)
  for (const each of said) expect(checked.stderr).toMatch(each)
  expect(checked.stderr).toMatch(/gateway\.json:\d+:\d+: policy/)
  expect(checked.stderr.trim().split('\n')).toHaveLength(2)
  const doctor = await runCommand(['doctor', '--config', config])
  expect(doctor.code).toBe(1)
  for (const each of said) expect(doctor.stdout).toMatch(each)
})

test('a server of one’s own tools warns of them at its start', async () => {
  const config = gatewayFile({}, { policy: { approvals: [{ tools: ['orders_creat'] }] } })
  const server = await webHere(['demo', '--port', '0', '--db', freshDatabase(), '--config', config])
  await eventually(() => expect(server.stderr()).toMatch(/names \\?"orders_creat\\?", and no tool is called that/))
  await server.end()
})
