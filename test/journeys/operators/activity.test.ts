// As an operator would: agents work, and at the terminal and over the web somebody asks what they did, why, and whether
// the record is still what was written.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ActivityLine } from '../../../server/http/activity/activity-wire.ts'
import { eventually } from '../../eventually.ts'
import { confirm, overHttp, rationale, type Reply } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { createDesk } from '../fixture-server.ts'
import { agentHere, startHere, webHere } from '../in-process.ts'
import { binary, start } from '../processes.ts'
import { atTerminal, runCommand } from '../terminal.ts'

const token = 'journey-admin-token-1234'
const db = freshDatabase()
const anchor = join(place(), 'anchors')
let web: Awaited<ReturnType<typeof webHere>>
let preview: Reply
let applied: Reply

const activity = (...args: readonly string[]) => runCommand(['activity', ...args, '--db', db])

const rows = async (...args: readonly string[]): Promise<readonly ActivityLine[]> =>
  JSON.parse((await activity('list', '-o', 'json', ...args)).stdout) as readonly ActivityLine[]

const meddle = (statement: string): void => {
  const database = new DatabaseSync(db)
  database.exec(statement)
  database.close()
}

beforeAll(async () => {
  web = await webHere(['demo', '--port', '0', '--db', db], {
    env: { COUNTERSIGN_ADMIN_TOKEN: token, COUNTERSIGN_ANCHOR: anchor },
  })
  const agent = await overHttp(web.mcp)
  await agent.call('orders_list')
  preview = await agent.call('orders_create', {
    customer: 'ACME',
    lines: [{ sku: 'DESK-01', quantity: 1 }],
  })
  applied = await confirm(agent, preview)
  expect(applied.status).toBe('applied')
  await agent.call('orders_explode', { api_key: 'a canary that nobody may see' })
})

describe('at the terminal', () => {
  test('list shows what was called, with words where icons are not wanted', async () => {
    const plain = await activity('list', '--no-icons')
    expect(plain.code).toBe(0)
    expect(plain.stdout.split('\n')[0]).toMatch(/^TIME \(UTC\) +SOURCE +TOOL +INTENT +STATUS +DURATION +ID$/)
    expect(plain.stdout).toMatch(/mcp +orders_create +write, derived +applied +\d+ ms/)
    expect((await activity('list')).stdout).toMatch(/orders_create +✎ write, derived +applied/)
    const quiet = await runCommand(['activity', 'list', '--db', db], { env: { NO_COLOR: '1' } })
    expect(quiet.stdout).toBe(plain.stdout)
  })

  test('filters do what they say, and what makes no sense is named', async () => {
    expect((await rows('--status', 'applied')).map((row) => row.tool)).toStrictEqual(['orders_create'])
    expect((await rows('--intent-type', 'read')).every((row) => row.intent_type === 'read')).toBe(true)
    expect(await rows('--until', '1d')).toStrictEqual([])
    expect((await rows('--search', 'desk-01 acme')).map((row) => row.tool)).toContain('orders_create')
    expect(await rows('--search', 'desk-01 nobody')).toStrictEqual([])
    for (const [name, value] of [
      ['--status', 'done'],
      ['--since', 'soon'],
      ['--risk', 'huge'],
      ['--search', '"'],
    ] as const) {
      const wrong = await activity('list', name, value)
      expect(wrong.code).toBe(2)
      expect(wrong.stderr).toContain(`The filter ${name} cannot be ${JSON.stringify(value)}`)
    }
  })

  test('show tells the story of a plan from preview to result', async () => {
    const { stdout } = await activity('show', preview.planId)
    expect(stdout).toMatch(/1 of 2: ac_\w+ previewed/)
    expect(stdout).toMatch(/2 of 2: ac_\w+ applied/)
    expect(stdout).toContain(`"${rationale}" (the agent's claim)`)
    expect((await activity('show', 'pl_none')).code).toBe(1)
  })

  test('export streams JSON and CSV, and no secret is in it', async () => {
    const exported = JSON.parse((await activity('export')).stdout) as readonly ActivityLine[]
    expect(exported.map((row) => row.status)).toStrictEqual(['ok', 'previewed', 'applied', 'refused'])
    const csv = (await activity('export', '--format', 'csv', '--tool', 'orders_explode')).stdout
    expect(csv.split('\r\n')).toHaveLength(3)
    expect(csv + JSON.stringify(exported)).not.toContain('canary')
  })

  test('watch prints calls as they come, until it is interrupted', async () => {
    const listeners = process.listenerCount('SIGINT')
    const watching = start([...binary, 'activity', 'watch', '--db', db, '-o', 'json'])
    await eventually(() => expect(watching.stderr()).toContain('Watching'))
    await (await overHttp(web.mcp)).call('orders_list')
    await eventually(() => expect(watching.stdout()).toMatch(/"tool":"orders_list".*"status":"ok"/))
    watching.child.kill('SIGINT')
    expect((await watching.ended).code).toBe(0)
    const here = startHere(['activity', 'watch', '--db', db])
    await eventually(() => expect(here.stderr()).toContain('Watching'))
    expect((await here.end()).code).toBe(0)
    expect(process.listenerCount('SIGINT')).toBe(listeners)
  })

  test('a reader who has seen enough ends it well and without a word', async () => {
    for (const args of [
      ['activity', 'list', '--db', db],
      ['activity', 'export', '--db', db],
      ['config', 'schema'],
    ]) {
      const running = start([...binary, ...args])
      running.child.stdout?.destroy()
      expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
    }
  })

  test('a path where there is no database is not an empty log', async () => {
    const wrong = await runCommand(['activity', 'list', '--db', join(place(), 'none.db')])
    expect(wrong).toMatchObject({ code: 1, stdout: '' })
    expect(wrong.stderr).toContain('There is no database')
  })
})

describe('over the web', () => {
  const get = (path: string, bearer = token) =>
    fetch(new URL(`/api/v1/activity${path}`, web.mcp), { headers: { authorization: `Bearer ${bearer}` } })

  test('the same rows, for those with the admin token only', async () => {
    expect((await get('', 'wrong')).status).toBe(401)
    const page = (await (await get('?status=applied')).json()) as { readonly activity: readonly ActivityLine[] }
    // Over the web they have more: a sentence, and who decided.
    expect(page.activity).toMatchObject(await rows('--status', 'applied'))
    const wrong = await get('?status=done')
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ error: { filter: 'status' } })
    expect(await (await get('/export?status=applied')).json()).toHaveLength(1)
  })
})

describe('the proof', () => {
  test('is clean, against the heads that the server anchored too; an edited row is named', async () => {
    expect((await activity('anchor', anchor)).code).toBe(0)
    expect(readFileSync(anchor, 'utf8')).toMatch(/"tenant":/)
    const clean = await activity('verify', '--anchor', anchor)
    expect(clean).toMatchObject({ code: 0 })
    expect(clean.stdout).toMatch(/^ok +tenant \S+: whole, \d+ entries; [1-9]\d* anchored heads found in it/)
    const [row] = await rows('--status', 'applied')
    meddle(`update countersign_activity set rationale = 'I was told to.' where id = '${row?.id}'`)
    const broken = await activity('verify')
    expect(broken.code).toBe(1)
    expect(broken.stdout).toContain(`BROKEN`)
    expect(broken.stdout).toContain(row?.id)
    meddle(`update countersign_activity set rationale = '${rationale}' where id = '${row?.id}'`)
    expect((await activity('verify')).code).toBe(0)
  })

  test('an anchor file that is none is said so by its line', async () => {
    const wrong = await activity('verify', '--anchor', db)
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('Line 1 of')
  })
})

test('a process that is killed while a tool runs leaves its row open, and the chain whole', async () => {
  const desk = createDesk()
  desk.hold()
  const agent = await desk.stdio()
  const shown = await agent.call('marks_add', { text: 'one' })
  const lost = confirm(agent, shown).catch((error: unknown) => error)
  await eventually(() => expect(desk.runs()).toHaveLength(1))
  process.kill(agent.pid, 'SIGKILL')
  await lost
  desk.release()
  const listed = await runCommand(['activity', 'list', '--db', desk.db, '--status', 'open', '-o', 'json'])
  expect(JSON.parse(listed.stdout)).toMatchObject([{ tool: 'marks_add', status: 'open', duration_ms: null }])
  expect((await runCommand(['activity', 'verify', '--db', desk.db])).code).toBe(0)
})

test('while the database cannot be written nothing runs, and what to do is said; afterwards all goes on', async () => {
  const agent = await overHttp(web.mcp)
  const before = (await rows()).length
  const holder = new DatabaseSync(db)
  holder.exec('begin immediate')
  const refused = await agent.call('orders_list')
  holder.exec('rollback')
  holder.close()
  expect(refused.isError).toBe(true)
  expect(refused.text).not.toContain('SQLITE')
  expect(refused.guidance).toMatchObject({ retryable: 'after_wait' })
  expect((await agent.call('orders_list')).isError).toBe(false)
  expect(await rows()).toHaveLength(before + 1)
  expect((await activity('verify')).code).toBe(0)
})

test('the story of a call that a person allowed is told from the question to the outcome, with their name', async () => {
  const file = freshDatabase()
  const agent = await agentHere(['demo', '--stdio', '--db', file], { cards: false })
  const asked = await agent.call('orders_delete', { id: 'SO-1008' })
  const id = String(asked.data['approval_id'])
  await atTerminal(['approvals', 'approve', id, '--db', file, '--by', 'Eve'], [['Type SO-1008', 'SO-1008']])
  const repeated = await agent.call('orders_delete', { id: 'SO-1008', ticket: id, preview: false })
  expect(repeated.status).toBe('replayed')
  // The row of a call without an effect is written within a moment, and not before its answer.
  const story = async () => (await runCommand(['activity', 'show', id, '--db', file, '--no-icons'])).stdout
  const outcomes = (text: string) => [...text.matchAll(/^\d of \d: ac_\w+ (\w+)/gm)].map(([, status]) => status)
  await expect
    .poll(async () => outcomes(await story()))
    .toStrictEqual(['awaiting_approval', 'ok', 'applied', 'replayed'])
  const stdout = await story()
  expect(stdout).toContain('Eve, tenant default, with terminal over operator')
  expect(stdout).toContain('over approval')
  expect(stdout).toMatch(new RegExp(`^${id} approved by Eve at 20`, 'm'))
  expect((await runCommand(['activity', 'verify', '--db', file])).code).toBe(0)
})

test('the terminal erases a person only when it is told so, and the chain stays whole', async () => {
  const file = freshDatabase()
  const agent = await agentHere(['demo', '--stdio', '--db', file])
  await agent.call('orders_list', { rationale: 'Mrs Kowalski asked for her orders.' })
  await agent.close()
  const listed = async () => {
    const { stdout } = await runCommand(['activity', 'list', '-o', 'json', '--db', file])
    return JSON.parse(stdout) as readonly ActivityLine[]
  }
  const subject = (await listed())[0]?.subject ?? ''
  const erase = ['activity', 'erase', '--subject', subject, '--db', file]
  expect(await runCommand(erase)).toMatchObject({ code: 2, stderr: expect.stringContaining('Say --yes to do it.') })
  expect(JSON.stringify(await listed())).toContain('Kowalski')
  const erased = await runCommand([...erase, '--yes'])
  expect(erased).toMatchObject({ code: 0, stdout: expect.stringContaining('Calls whose texts were erased: 1.') })
  const left = JSON.stringify(await listed())
  expect([left.includes('Kowalski'), left.includes(subject)]).toStrictEqual([false, false])
  expect(await runCommand(['activity', 'verify', '--db', file])).toMatchObject({ code: 0 })
})
