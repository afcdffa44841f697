// The operator's story, with real processes: an agent without cards asks for what it may not do, a person decides at a
// terminal, and the call happens once, whoever is up and whoever else decides at the same instant.
import { readFileSync, statSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../eventually.ts'
import { confirm, overHttp, overStdio, type Agent } from './agent.ts'
import { freshDatabase } from './at-end.ts'
import { binary, runToEnd, startDemo } from './processes.ts'
import { atTerminal, runCommand } from './terminal.ts'

let db: string

beforeEach(() => {
  db = freshDatabase()
})

const withoutCards = (as = 'stdio') =>
  overStdio([...binary, 'demo', '--stdio', '--db', db, '--as', as], { cards: false })

const idsOf = async (agent: Agent) => {
  const { orders } = (await agent.call('orders_list')).data as { readonly orders: readonly { readonly id: string }[] }
  return orders.map(({ id }) => id)
}

/** Asks for the deletion of an order; answers the id of the approval that it waits for. */
const askToDelete = async (agent: Agent, order = 'SO-1008') =>
  String((await agent.call('orders_delete', { id: order })).data['approval_id'])

const repeat = (agent: Agent, id: string, order = 'SO-1008') =>
  agent.call('orders_delete', { id: order, ticket: id, preview: false })

/** The operators' API of a demo, with the token from the file that it printed the place of. */
const office = (mcp: URL) => async (path: string, body?: object) => {
  const token = readFileSync(`${db}.admin-token`, 'utf8').trim()
  const response = await fetch(new URL(`/api/v1${path}`, mcp), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

describe('an agent without cards that asks to delete an order', () => {
  test('is told to wait; a person approves at the terminal; it happens once, and the agent gets the outcome', async () => {
    const agent = await withoutCards()
    const asked = await agent.call('orders_delete', { id: 'SO-1008' })
    const id = String(asked.data['approval_id'])
    expect(asked).toMatchObject({ isError: false, data: { requires_human_approval: true, ttl_seconds: 86400 } })
    expect(Object.keys(asked.data)).toHaveLength(5)
    expect(asked.text).toContain(`countersign approvals approve ${id}`)
    expect(asked.text).toContain(`ticket="${id}"`)
    expect(await repeat(agent, id)).toMatchObject({ data: { approval_id: id } })

    const list = await runCommand(['approvals', 'list', '--db', db])
    expect(list).toMatchObject({ code: 0, stderr: '' })
    expect(list.stdout).toMatch(new RegExp(`${id} +pending +critical +orders_delete`))
    expect((await runCommand(['approvals', 'show', id, '--db', db])).stdout).toContain('Delete order SO-1008')

    const approved = await atTerminal(
      ['approvals', 'approve', id, '--db', db, '--by', 'Eve'],
      [['Type SO-1008', 'SO-1008']],
    )
    expect(approved.code).toBe(0)
    expect(approved.stdout).toContain('Delete order SO-1008')
    expect(approved.stderr).toContain('The call is applied.')
    expect(await idsOf(agent)).not.toContain('SO-1008')
    for (let times = 0; times < 2; times++)
      expect(await repeat(agent, id)).toMatchObject({
        status: 'replayed',
        data: { result: { deleted: { id: 'SO-1008' } } },
      })
    const shown = await runCommand(['approvals', 'show', id, '--db', db])
    expect(shown.stdout).toContain('by Eve')
  })

  test('is told where the web door is, once one is open', async () => {
    const { mcp } = await startDemo(db)
    const agent = await overHttp(mcp, { cards: false })
    const asked = await agent.call('orders_delete', { id: 'SO-1008' })
    expect(asked.data['approval_url']).toBe(`/admin/approvals/${String(asked.data['approval_id'])}`)
    expect(asked.text).toContain(new URL(String(asked.data['approval_url']), mcp).href)
  })

  test('cannot have it approved by a pipe, nor without the word that its card asks for', async () => {
    const agent = await withoutCards()
    const id = await askToDelete(agent)
    const piped = await runToEnd(['approvals', 'approve', id, '--db', db])
    expect(piped).toMatchObject({ code: 1, stdout: '' })
    expect(piped.stderr).toContain('interactive terminal')
    for (const answer of ['y', 'yes', 'no', '']) {
      const left = await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1008', answer]])
      expect([left.code, left.stderr]).toStrictEqual([1, expect.stringContaining('it still waits')])
    }
    expect(await idsOf(agent)).toContain('SO-1008')
  })

  test('hears why it was rejected, and nobody can approve it any more', async () => {
    const agent = await withoutCards()
    const id = await askToDelete(agent)
    const rejected = await runCommand(['approvals', 'reject', id, '--reason', 'The customer called again.', '--db', db])
    expect(rejected.code).toBe(0)
    expect((await repeat(agent, id)).text).toContain('The customer called again.')
    const late = await atTerminal(['approvals', 'approve', id, '--db', db])
    expect([late.code, late.stderr]).toStrictEqual([1, expect.stringContaining('already rejected')])
    expect(await idsOf(agent)).toContain('SO-1008')
  })
})

describe('the process that serves the tool', () => {
  test('takes a decision that was made in another process, without being asked again', async () => {
    const agent = await withoutCards()
    const id = await askToDelete(agent)
    await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1008', 'SO-1008']])
    await eventually(async () => expect(await idsOf(agent)).not.toContain('SO-1008'))
  })

  test('may be down: the call then happens when the agent repeats it', async () => {
    const agent = await withoutCards()
    const id = await askToDelete(agent)
    await agent.close()
    const approved = await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1008', 'SO-1008']])
    expect([approved.code, approved.stderr]).toStrictEqual([
      0,
      expect.stringContaining('when the agent repeats its call'),
    ])
    const later = await withoutCards()
    expect((await repeat(later, id)).status).toMatch(/^(applied|replayed)$/)
    expect(await idsOf(later)).not.toContain('SO-1008')
    expect((await repeat(later, id)).status).toBe('replayed')
  })

  test('asks anew where the order was changed after the approval was asked for', async () => {
    const agent = await withoutCards()
    const id = await askToDelete(agent)
    const other = await overStdio([...binary, 'demo', '--stdio', '--db', db, '--as', 'other'])
    const change = await other.call('orders_modify', { id: 'SO-1008', note: 'Keep this one.' })
    expect((await confirm(other, change)).status).toBe('applied')
    await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1008', 'SO-1008']])
    const told = await repeat(agent, id)
    expect(told.data['requires_human_approval']).toBe(true)
    expect(told.data['approval_id']).not.toBe(id)
    expect(await idsOf(agent)).toContain('SO-1008')
  })
})

test('somebody else’s approval is answered like one that does not exist', async () => {
  const [agent, other] = [await withoutCards(), await withoutCards('other')]
  const id = await askToDelete(agent)
  await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1008', 'SO-1008']])
  const [foreign, unknown] = [await repeat(other, id), await repeat(other, 'ap_0000000000000000')]
  expect(foreign.data).toStrictEqual(unknown.data)
  expect(foreign).toMatchObject({ status: 'refused', isError: true })
})

test('two server processes that are told yes and no at the same instant agree on one decision', async () => {
  const [one, two] = [await startDemo(db), await startDemo(db)]
  const agent = await overHttp(one.mcp, { cards: false })
  for (const order of ['SO-1005', 'SO-1006', 'SO-1007', 'SO-1008']) {
    const id = await askToDelete(agent, order)
    const [yes, no] = await Promise.all([
      office(one.mcp)(`/approvals/${id}/approve`),
      office(two.mcp)(`/approvals/${id}/reject`, { reason: 'Not today.' }),
    ])
    expect([yes.status, no.status].toSorted((a, b) => a - b)).toStrictEqual([200, 409])
    expect((await idsOf(agent)).includes(order)).toBe(no.status === 200)
  }
})

test('a second factor is enrolled at the terminal, and then critical calls take a code, each once', async () => {
  const agent = await withoutCards()
  let [secret, used] = ['', '']
  const code = (steps: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
  const enrolled = await atTerminal(
    ['admin', 'totp', '--db', db],
    [
      [
        'Code that it shows now: ',
        (shown) => {
          secret = /the secret {2}([A-Z2-7]+)/.exec(shown)?.[1] ?? ''
          used = code(0)
          return used
        },
      ],
    ],
  )
  expect([enrolled.code, enrolled.stderr]).toStrictEqual([0, expect.stringContaining('otpauth://totp/')])
  const id = await askToDelete(agent)
  const approved = await atTerminal(
    ['approvals', 'approve', id, '--db', db],
    [
      ['Type SO-1008', 'SO-1008'],
      ['Code of your authenticator: ', used],
      ['Code of your authenticator: ', () => code(1)],
    ],
  )
  expect(approved).toMatchObject({ code: 0 })
  expect(approved.stderr).toContain('4 of 5 tries are left')
  expect(approved.stderr).toContain('The call is applied.')
})

test('the admin token lies in a file for its owner alone; its place is printed, the token never', async () => {
  const web = await startDemo(db)
  await eventually(() => expect(web.stderr()).toContain(`${db}.admin-token`))
  expect(statSync(`${db}.admin-token`).mode & 0o777).toBe(0o600)
  expect(web.stderr() + web.stdout()).not.toContain(readFileSync(`${db}.admin-token`, 'utf8').trim())
})

test('freeze stops an apply between the confirmation and the call, and unfreeze lets the next one through', async () => {
  const agent = await overStdio([...binary, 'demo', '--stdio', '--db', db])
  const create = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }
  const preview = await agent.call('orders_create', create)
  const frozen = await runCommand(['freeze', '--reason', 'Stock is being counted.', '--db', db])
  expect([frozen.code, frozen.stderr]).toStrictEqual([0, expect.stringContaining('1 open preview')])
  expect(await confirm(agent, preview)).toMatchObject({ status: 'refused', guidance: { error_type: 'frozen' } })
  expect((await agent.call('orders_create', create)).text).toContain('Stock is being counted.')
  expect((await agent.call('orders_list')).isError).toBe(false)
  expect((await runCommand(['unfreeze', '--db', db])).code).toBe(0)
  expect((await confirm(agent, preview)).text).toContain('Stock is being counted.')
  expect((await confirm(agent, await agent.call('orders_create', create))).status).toBe('applied')
  expect((await runCommand(['unfreeze', '--db', db])).code).toBe(1)
  const record = (await runCommand(['activity', 'list', '--db', db, '--output', 'json'])).stdout
  expect([record.includes('operator.froze'), record.includes('operator.unfroze')]).toStrictEqual([true, true])
})

test('what an agent tells the operators is listed and marked at the terminal', async () => {
  const agent = await withoutCards()
  const sent = await agent.call('submit_feedback', {
    attempted_action: 'Delete SO-1008.\u001b[2Jspoofed',
    expected_outcome: 'It is gone.',
    actual_outcome: 'It waits.',
    severity: 'low',
  })
  const { id } = sent.data['result'] as { readonly id: string }
  const list = await runCommand(['feedback', 'list', '--severity', 'low', '--since', '1h', '--db', db])
  expect(list.stdout).toContain(id)
  expect(list.stdout).not.toContain('\u001b')
  expect(
    (await runCommand(['feedback', 'set', id, '--state', 'done', '--note', 'As designed.', '--db', db])).code,
  ).toBe(0)
  expect((await runCommand(['feedback', 'list', '--state', 'new', '--db', db])).stdout).toBe('')
  for (const args of [
    ['--since', 'yesterday'],
    ['--severity', 'fatal'],
    ['--state', 'open'],
  ])
    expect((await runCommand(['feedback', 'list', ...args, '--db', db])).code).toBe(2)
})
