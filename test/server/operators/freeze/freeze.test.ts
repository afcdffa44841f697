// The one switch: what it stops, whom it tells why, and what is left after it was lifted.
import { describe, expect, test } from 'vitest'
import { call } from '../../../../server/rail/call.ts'
import type { Caller, Engine } from '../../../../server/rail/engine.ts'
import { freezeChanges } from '../../../../server/operators/freeze.ts'
import { callPlanTool } from '../../../../server/rail/apply/plan-tools.ts'
import { createClock } from '../../../kit/clock.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import {
  confirmed,
  createEngine,
  type NoteContract,
  notePreview,
  noteTool,
  openMemory,
  ticketOf,
  why,
} from '../../rail/rail-fixture.ts'
import { parseApply } from '../../../../server/confirm/message.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { openOffice } from '../../http/operators/serve-operators.ts'
import { voter } from '../approvals/voters.ts'

const reason = 'Stock is being counted.'

/** An engine with everything that operators have, and what it wrote. */
const openEngine = async () => {
  const clock = createClock()
  const store = await openMemory(clock.now)
  const book: { key: string; text: string }[] = []
  const { approvals, switches, plans: ledger } = store
  const duringPreview: (() => Promise<unknown>)[] = []
  const preview: NoteContract['preview'] = async (input) => {
    await duringPreview.pop()?.()
    return notePreview(input)
  }
  const tools = [
    noteTool(book, { preview }),
    noteTool(book, { name: 'notes.burn', risk: 'critical', basis: () => '1', preview }),
    noteTool(book, { name: 'notes.jot', autonomous: true, risk: 'low', preview }),
  ]
  const engine: Engine = { ...createEngine({ tools, ledger, now: clock.now }), approvals, switches }
  const send = (tool: string, args: unknown, as: Caller): Promise<Answer> => call(engine, requestOf(tool, args, as))
  return {
    clock,
    store,
    book,
    switches,
    /** What happens while the next call is being previewed. */
    duringPreview,
    ask: (tool: string, args: object, as = caller()) => send(tool, { rationale: why, ...args }, as),
    confirm: (preview: Answer, as = caller()) => {
      const parsed = parseApply(confirmed(preview))
      if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error('not an Apply message')
      return send(parsed.value.tool, parsed.value.args, as)
    },
    status: (preview: Answer, as = caller()) =>
      callPlanTool(engine, as, 'countersign_plan_status', { ticket: ticketOf(preview) }),
  }
}

const other = caller({ principal: { tenant: 'other', subject: 'bob' } })

describe('a freeze between the confirmation and the apply', () => {
  test('stops it, and the agent and the card hear why', async () => {
    const { ask, confirm, status, switches, book } = await openEngine()
    const preview = await ask('notes_write', { text: 'one' })
    expect(await switches.freeze({ tenant: undefined, reason, by: 'Eve' })).toStrictEqual({ revoked: 1 })
    expect(await confirm(preview)).toMatchObject({
      outcome: 'refused',
      guidance: { error_type: 'frozen', cause: reason },
    })
    expect(await status(preview)).toMatchObject({ state: 'cancelled', reason })
    expect(book).toStrictEqual([])
  })

  test('tells nobody a secret that stands in its reason', async () => {
    const { ask, switches } = await openEngine()
    const draft = { tenant: undefined, reason: 'Key leaked: API_TOKEN=aB3dE5gH7jK9mN1p', by: 'Eve' }
    const said = 'Key leaked: API_TOKEN=[redacted]'
    expect(await freezeChanges(switches, draft)).toMatchObject({ reason: said })
    expect(await ask('notes_write', { text: 'one' })).toMatchObject({ guidance: { cause: said } })
  })

  test('keeps what it took back taken back after it was lifted, and still says why', async () => {
    const { ask, confirm, status, switches, clock, book } = await openEngine()
    const preview = await ask('notes_write', { text: 'one' })
    await switches.freeze({ tenant: undefined, reason, by: 'Eve' })
    clock.pass(1000)
    expect(await switches.unfreeze(undefined)).toBe(true)
    const told = await confirm(preview)
    expect(told).toMatchObject({ outcome: 'refused', guidance: { error_type: 'confirmation_refused' } })
    expect(told.text).toContain(reason)
    expect(told.text).not.toContain('The person has cancelled')
    expect(await status(preview)).toMatchObject({ state: 'cancelled', reason })
    expect((await confirm(await ask('notes_write', { text: 'one' }))).outcome).toBe('applied')
    expect(book).toHaveLength(1)
  })

  test('gives no reason for a preview that the person has cancelled', async () => {
    const { ask, status, store, switches, clock } = await openEngine()
    const preview = await ask('notes_write', { text: 'one' })
    await store.plans.cancel(preview.planId ?? '')
    clock.pass(1)
    await switches.freeze({ tenant: undefined, reason, by: 'Eve' })
    expect(await status(preview)).not.toHaveProperty('reason')
  })

  test.for([
    ['one tenant', 'default'],
    ['all', undefined],
  ] as const)('of %s stops a call that runs alone and is still being previewed', async ([, tenant], { expect }) => {
    const { ask, switches, duringPreview, book } = await openEngine()
    duringPreview.push(() => switches.freeze({ tenant, reason, by: 'Eve' }))
    const told = await ask('notes_jot', { text: 'one' })
    expect(told).toMatchObject({ outcome: 'refused', guidance: { error_type: 'frozen', cause: reason } })
    expect(book).toStrictEqual([])
    await switches.unfreeze(tenant)
    const repeated = await ask('notes_jot', { text: 'one', ticket: told.planId, preview: false })
    expect([repeated.outcome, repeated.text]).toStrictEqual(['refused', expect.stringContaining(reason)])
    expect([(await ask('notes_jot', { text: 'two' })).outcome, book.length]).toStrictEqual(['applied', 1])
  })

  test('stops a confirmed call that is previewed once more for an approver', async () => {
    const { ask, confirm, switches, duringPreview, store } = await openEngine()
    const preview = await ask('notes_burn', { text: 'one' }, caller({ trusted: false }))
    duringPreview.push(() => switches.freeze({ tenant: undefined, reason, by: 'Eve' }))
    expect(await confirm(preview, caller({ trusted: false }))).toMatchObject({
      outcome: 'refused',
      guidance: { error_type: 'frozen', cause: reason },
    })
    await switches.unfreeze(undefined)
    expect(await store.approvals.claimable(10)).toStrictEqual([])
  })

  test('of another tenant stops no call that is being previewed', async () => {
    const { ask, switches, duringPreview } = await openEngine()
    duringPreview.push(() => switches.freeze({ tenant: 'other', reason, by: 'Eve' }))
    expect((await ask('notes_jot', { text: 'one' })).outcome).toBe('applied')
  })

  test.for([
    ['a card', 'notes_write', 'yes'],
    ['an approval', 'notes_burn', 'no'],
  ] as const)(
    'leaves nothing of a call that was still being previewed for %s, not even afterwards',
    async ([, tool, cards], { expect }) => {
      const { ask, switches, duringPreview, book, clock, store } = await openEngine()
      duringPreview.push(() => switches.freeze({ tenant: undefined, reason, by: 'Eve' }))
      const told = await ask(tool, { text: 'one' }, caller({ cards }))
      expect(told).toMatchObject({ outcome: 'refused', guidance: { error_type: 'frozen', cause: reason } })
      clock.pass(1000)
      await switches.unfreeze(undefined)
      expect(await store.plans.find({ by: 'id', id: told.planId ?? '' })).toMatchObject({ state: 'cancelled' })
      expect(await store.approvals.list({ state: 'pending', limit: 10 })).toStrictEqual([])
      const repeated = await ask(tool, { text: 'one', ticket: told.planId, preview: false })
      expect([repeated.outcome, repeated.text]).toStrictEqual(['refused', expect.stringContaining(reason)])
      expect(book).toStrictEqual([])
    },
  )

  test('does not undo what was applied: its result is still told', async () => {
    const { ask, confirm, switches, book } = await openEngine()
    const preview = await ask('notes_write', { text: 'one' })
    await confirm(preview)
    await switches.freeze({ tenant: undefined, reason, by: 'Eve' })
    expect((await confirm(preview)).outcome).toBe('replayed')
    expect(book).toHaveLength(1)
  })
})

describe('while it holds', () => {
  test('nothing is previewed, applied or asked for', async () => {
    const { ask, switches } = await openEngine()
    await switches.freeze({ tenant: undefined, reason, by: 'Eve' })
    for (const [tool, args] of [
      ['notes_write', { text: 'one' }],
      ['notes_write', { text: 'one', preview: true }],
      ['notes_write', { text: 'one', preview: false }],
      ['notes_burn', { text: 'one' }],
    ] as const)
      expect(await ask(tool, args)).toMatchObject({
        outcome: 'refused',
        guidance: { error_type: 'frozen', cause: reason },
      })
  })

  test('what waited for an approval is rejected with the reason, and approving comes too late', async () => {
    const { ask, switches, store, book } = await openEngine()
    const waiting = await ask('notes_burn', { text: 'one' }, caller({ cards: 'no' }))
    const id = waiting.approval?.id ?? ''
    await switches.freeze({ tenant: undefined, reason, by: 'Eve' })
    expect(await store.approvals.decide(id, { decision: 'approved', by: voter('Mallory') })).toMatchObject({
      kind: 'already',
      approval: { state: 'rejected', decidedBy: 'Eve', reason: expect.stringContaining(reason) as string },
    })
    const told = await ask('notes_burn', { text: 'one', ticket: id, preview: false })
    expect([told.outcome, told.text]).toStrictEqual(['refused', expect.stringContaining(reason)])
    expect(book).toStrictEqual([])
  })

  test('what was approved and has not run does not run, not even afterwards', async () => {
    const { ask, switches, store, book } = await openEngine()
    const id = (await ask('notes_burn', { text: 'one' }, caller({ cards: 'no' }))).approval?.id ?? ''
    await store.approvals.decide(id, { decision: 'approved', by: voter('Eve') })
    await switches.freeze({ tenant: undefined, reason, by: 'Eve' })
    expect(await store.approvals.claimable(10)).toStrictEqual([])
    await switches.unfreeze(undefined)
    const told = await ask('notes_burn', { text: 'one', ticket: id, preview: false })
    expect([told.outcome, told.text]).toStrictEqual(['refused', expect.stringContaining(reason)])
    expect(book).toStrictEqual([])
  })
})

describe('a freeze of one tenant', () => {
  test('leaves the others alone', async () => {
    const { ask, confirm, switches } = await openEngine()
    const [mine, theirs] = [await ask('notes_write', { text: 'one' }), await ask('notes_write', { text: 'two' }, other)]
    expect(await switches.freeze({ tenant: 'other', reason, by: 'Eve' })).toStrictEqual({ revoked: 1 })
    expect((await confirm(mine)).outcome).toBe('applied')
    expect((await confirm(theirs, other)).outcome).toBe('refused')
  })

  test('and one of all are lifted apart', async () => {
    const { switches } = await openEngine()
    await switches.freeze({ tenant: 'other', reason: 'first', by: 'Eve' })
    await switches.freeze({ tenant: undefined, reason: 'second', by: 'Eve' })
    expect(await switches.unfreeze(undefined)).toBe(true)
    expect(await switches.unfreeze(undefined)).toBe(false)
    expect([await switches.frozen('default'), (await switches.frozen('other'))?.reason]).toStrictEqual([
      undefined,
      'first',
    ])
  })

  test('set again says the new reason, and is lifted once', async () => {
    const { switches } = await openEngine()
    await switches.freeze({ tenant: 'other', reason: 'first', by: 'Eve' })
    await switches.freeze({ tenant: 'other', reason: 'second', by: 'Eve' })
    expect((await switches.list()).map((each) => each.reason)).toStrictEqual(['second'])
    expect([await switches.unfreeze('other'), await switches.list()]).toStrictEqual([true, []])
  })
})

test('the admin door sets it, lists it and lifts it, and refuses what it cannot understand', async () => {
  const { admin, call } = await openOffice()
  await call('notes_tidy', { id: 'n1' })
  expect((await admin('POST', '/freeze', { reason, by: 'Eve' })).body).toStrictEqual({
    frozen: true,
    tenant: null,
    reason,
    revoked_plans: 1,
  })
  expect((await admin('GET', '/freeze')).body).toMatchObject({ freezes: [{ tenant: null, reason, by: 'Eve' }] })
  expect((await admin('POST', '/unfreeze', { tenant: 'other' })).status).toBe(409)
  expect((await admin('POST', '/unfreeze')).status).toBe(200)
  expect((await admin('POST', '/unfreeze')).status).toBe(409)
  for (const body of [undefined, { reason: '' }, { reason, tenant: '' }, { reason, tenat: 'default' }])
    expect((await admin('POST', '/freeze', body)).status).toBe(400)
  expect((await admin('GET', '/freeze')).body).toStrictEqual({ freezes: [] })
})
