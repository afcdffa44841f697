// The operator's story, with real processes: an agent without cards asks for what it may not do, a person decides at a
// terminal, and the call happens once, whoever is up and whoever else decides at the same instant.
import { readFileSync, statSync } from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { confirm, overHttp, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { agentHere } from '../in-process.ts'
import { runToEnd, startDemo } from '../processes.ts'
import { atTerminal, runCommand } from '../terminal.ts'

const withoutCards = (db: string) => agentHere(['demo', '--stdio', '--db', db], { cards: false })

const idsOf = async (agent: Agent) => {
  const { orders } = (await agent.call('orders_list')).data as { readonly orders: readonly { readonly id: string }[] }
  return orders.map(({ id }) => id)
}

/** Asks for the deletion of an order; answers the id of the approval that it waits for. */
const askToDelete = async (agent: Agent, order = 'SO-1008') =>
  String((await agent.call('orders_delete', { id: order })).data['approval_id'])

const repeat = (agent: Agent, id: string, order = 'SO-1008') =>
  agent.call('orders_delete', { id: order, ticket: id, preview: false })

type Web = Awaited<ReturnType<typeof startDemo>>

/** The operators' API of a demo, with the token from the file that it printed the place of. */
const office = (db: string, mcp: URL) => async (path: string, body?: object) => {
  const token = readFileSync(`${db}.admin-token`, 'utf8').trim()
  const response = await fetch(new URL(`/api/v1${path}`, mcp), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

describe('an agent without cards', () => {
  // One server for all of them, and for each that has one deleted an order of its own.
  const db = freshDatabase()
  let agent: Agent
  let other: Agent

  beforeAll(async () => {
    agent = await withoutCards(db)
    other = await agentHere(['demo', '--stdio', '--db', db, '--as', 'other'])
  })

  test('is told to wait when it asks to delete an order; a person approves at the terminal; it happens once, and the agent gets the outcome', async () => {
    const asked = await agent.call('orders_delete', { id: 'SO-1008' })
    const id = String(asked.data['approval_id'])
    expect(asked).toMatchObject({ isError: false, data: { requires_human_approval: true, ttl_seconds: 86400 } })
    expect(Object.keys(asked.data)).toHaveLength(6)
    expect(asked.text).toContain(`\`countersign approvals approve ${id} --db ${db}\``)
    // Over stdio there is no web door whose address could stand before it.
    expect(asked.data['approval_url']).toBe(`/admin/approvals/${id}`)
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

  test('cannot have its call approved by a pipe, nor without the word that its card asks for', async () => {
    const id = await askToDelete(agent, 'SO-1007')
    const piped = await runToEnd(['approvals', 'approve', id, '--db', db])
    expect(piped).toMatchObject({ code: 1, stdout: '' })
    expect(piped.stderr).toContain('interactive terminal')
    for (const answer of ['y', 'yes', 'no', '']) {
      const left = await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1007', answer]])
      expect([left.code, left.stderr]).toStrictEqual([1, expect.stringContaining('it still waits')])
    }
    expect(await idsOf(agent)).toContain('SO-1007')
  })

  test('hears why its call was rejected, and nobody can approve it any more', async () => {
    const id = await askToDelete(agent, 'SO-1007')
    const rejected = await runCommand(['approvals', 'reject', id, '--reason', 'The customer called again.', '--db', db])
    expect(rejected.code).toBe(0)
    expect((await repeat(agent, id, 'SO-1007')).text).toContain('The customer called again.')
    const late = await atTerminal(['approvals', 'approve', id, '--db', db])
    expect([late.code, late.stderr]).toStrictEqual([1, expect.stringContaining('already rejected')])
    expect(await idsOf(agent)).toContain('SO-1007')
  })

  test('need not ask again: the process that serves the tool takes a decision that was made in another one', async () => {
    const id = await askToDelete(agent, 'SO-1005')
    await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1005', 'SO-1005']])
    await eventually(async () => expect(await idsOf(agent)).not.toContain('SO-1005'))
  })

  test('asks anew where the order was changed after the approval was asked for', async () => {
    const id = await askToDelete(agent, 'SO-1006')
    const change = await other.call('orders_modify', { id: 'SO-1006', note: 'Keep this one.' })
    expect((await confirm(other, change)).status).toBe('applied')
    await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1006', 'SO-1006']])
    const told = await repeat(agent, id, 'SO-1006')
    expect(told.data['requires_human_approval']).toBe(true)
    expect(told.data['approval_id']).not.toBe(id)
    expect(await idsOf(agent)).toContain('SO-1006')
  })

  test('hears of somebody else’s approval what it hears of one that does not exist', async () => {
    const id = await askToDelete(agent, 'SO-1003')
    await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1003', 'SO-1003']])
    const [foreign, unknown] = [
      await repeat(other, id, 'SO-1003'),
      await repeat(other, 'ap_0000000000000000', 'SO-1003'),
    ]
    expect(foreign.data).toStrictEqual(unknown.data)
    expect(foreign).toMatchObject({ status: 'refused', isError: true })
  })

  test('has what it tells the operators listed and marked at the terminal', async () => {
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
})

describe('two web servers on one database', () => {
  const db = freshDatabase()
  let one: Web
  let two: Web

  beforeAll(async () => {
    ;[one, two] = [await startDemo(db), await startDemo(db)]
  })

  test('tell an agent without cards where the web door is', async () => {
    const agent = await overHttp(one.mcp, { cards: false })
    const asked = await agent.call('orders_delete', { id: 'SO-1008' })
    const { href } = new URL(`/admin/approvals/${String(asked.data['approval_id'])}`, one.mcp)
    expect(asked.data['approval_url']).toBe(href)
    expect(asked.text).toContain(href)
  })

  test('keep the admin token in a file for its owner alone, and print its place, never the token', async () => {
    await eventually(() => expect(one.stderr()).toContain(`${db}.admin-token`))
    expect(statSync(`${db}.admin-token`).mode & 0o777).toBe(0o600)
    expect(one.stderr() + one.stdout()).not.toContain(readFileSync(`${db}.admin-token`, 'utf8').trim())
  })

  test('agree on one decision when they are told yes and no at the same instant', async () => {
    const agent = await overHttp(one.mcp, { cards: false })
    for (const order of ['SO-1005', 'SO-1006', 'SO-1007', 'SO-1008']) {
      const id = await askToDelete(agent, order)
      const [yes, no] = await Promise.all([
        office(db, one.mcp)(`/approvals/${id}/approve`),
        office(db, two.mcp)(`/approvals/${id}/reject`, { reason: 'Not today.' }),
      ])
      expect([yes.status, no.status].toSorted((a, b) => a - b)).toStrictEqual([200, 409])
      expect((await idsOf(agent)).includes(order)).toBe(no.status === 200)
    }
  })
})

test('the process that serves the tool may be down: the call then happens when the agent repeats it', async () => {
  const db = freshDatabase()
  const agent = await withoutCards(db)
  const id = await askToDelete(agent)
  await agent.close()
  const approved = await atTerminal(['approvals', 'approve', id, '--db', db], [['Type SO-1008', 'SO-1008']])
  expect([approved.code, approved.stderr]).toStrictEqual([
    0,
    expect.stringContaining('when the agent repeats its call'),
  ])
  const later = await withoutCards(db)
  // The server that has started may have taken it itself, and be running it.
  await eventually(async () => expect((await repeat(later, id)).status).toMatch(/^(applied|replayed)$/))
  expect(await idsOf(later)).not.toContain('SO-1008')
  expect((await repeat(later, id)).status).toBe('replayed')
})

test('a second factor is enrolled at the terminal, and then critical calls take a code, each once', async () => {
  const db = freshDatabase()
  const agent = await withoutCards(db)
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

test('freeze stops an apply between the confirmation and the call, and unfreeze lets the next one through', async () => {
  const db = freshDatabase()
  const agent = await agentHere(['demo', '--stdio', '--db', db])
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
