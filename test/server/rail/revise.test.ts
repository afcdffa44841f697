// The person changes values on the card: what is offered, what is taken, what is sent, what is on record, and that nothing of
// it applies anything.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cardWords } from '../../../server/cards/card-words.ts'
import { parseMessage } from '../../../server/confirm/message.ts'
import { call } from '../../../server/rail/call.ts'
import type { Caller } from '../../../server/rail/engine.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { revisePlan } from '../../../server/rail/apply/revise-plan.ts'
import type { ToolContext } from '../../../server/tools/contract.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { writeTool } from '../../kit/tools.ts'
import { confirmed, createStage, ticketOf, type Stage } from './rail-fixture.ts'

const input = z.strictObject({
  customer: z.string(),
  lines: z
    .array(z.strictObject({ sku: z.string(), quantity: z.int().min(1).max(100) }))
    .min(1)
    .max(50),
  day: z.iso.date().optional(),
  note: z.string().max(60).optional(),
})
type Order = z.infer<typeof input>

const ran: Order[] = []
const order = (more: object = {}) =>
  writeTool({
    name: 'orders.place',
    input,
    output: z.unknown(),
    revise: ['/lines/*', '/lines/*/quantity', '/day', { at: '/note', label: 'Remark' }],
    preview: (given, ctx) =>
      given.day === '2020-01-01'
        ? ctx.fail('past', 'That day is over.', {
            fields: [{ pointer: '/day', received: given.day, allowed: 'a day that is yet to come' }],
          })
        : { title: `Order for ${given.customer}`, summary: 'An order.', confirmLabel: 'Place order' },
    failures: { past: { effect: 'none', guidance: 'Name a later day.' } },
    run: (given: Order) => {
      ran.push(given)
      return {}
    },
    ...more,
  })

const proposal = {
  customer: 'ACME',
  lines: [
    { sku: 'DESK-01', quantity: 2 },
    { sku: 'LAMP-01', quantity: 5 },
    { sku: 'MAT-01', quantity: 1 },
  ],
}

interface Change {
  readonly set?: Record<string, string>
  readonly leave_out?: readonly string[]
  readonly send?: boolean
}

interface Heard {
  readonly refused?: string
  readonly state?: string
  readonly message?: string
  readonly faults?: readonly { readonly at: string; readonly text: string }[]
}

const revise = async (stage: Stage, preview: Answer, change: Change, as: Caller = caller()): Promise<Heard> => {
  const args = { ticket: ticketOf(preview), ...change }
  const read = await revisePlan(stage.engine, as, { args, signal: new AbortController().signal })
  if (read.kind !== 'read') return { refused: read.kind }
  return { state: read.status.state, ...(read.meta['countersign/revision'] as Heard | undefined) }
}

/** The agent makes the call that the message asks for. */
const obey = (stage: Stage, message = ''): Promise<Answer> => {
  const parsed = parseMessage(message)
  if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error(`not a Preview message: ${message}`)
  return stage.send(parsed.value.tool, parsed.value.args)
}

const textOn = (answer: Answer): string => JSON.stringify(answer.card?.blocks)

describe('a card offers to change', () => {
  test('the places that the contract names, each as what its schema says, and no others', async () => {
    const stage = await createStage([order()])
    const { card } = await stage.ask('orders_place', { ...proposal, note: 'Ring twice' })
    expect(card?.edits).toStrictEqual({
      fields: [
        { at: '/day', label: 'Day', as: 'date', optional: true },
        { at: '/note', label: 'Remark', as: 'text', value: 'Ring twice', optional: true },
      ],
      lists: [
        {
          label: 'Lines',
          removable: true,
          members: [
            {
              at: '/lines/0',
              label: 'DESK-01',
              fields: [{ at: '/lines/0/quantity', label: 'Quantity', as: 'number', value: '2' }],
            },
            {
              at: '/lines/1',
              label: 'LAMP-01',
              fields: [{ at: '/lines/1/quantity', label: 'Quantity', as: 'number', value: '5' }],
            },
            {
              at: '/lines/2',
              label: 'MAT-01',
              fields: [{ at: '/lines/2/quantity', label: 'Quantity', as: 'number', value: '1' }],
            },
          ],
        },
      ],
    })
  })

  test('nothing where the contract says nothing of it, and everything single where it says true', async () => {
    const none = await createStage([order({ revise: undefined })])
    expect((await none.ask('orders_place', proposal)).card?.edits).toBeUndefined()
    const all = await createStage([order({ revise: true })])
    const { card } = await all.ask('orders_place', proposal)
    expect(card?.edits?.fields.map(({ at }) => at)).toStrictEqual(['/customer', '/day', '/note'])
    expect(card?.edits?.lists[0]?.members[0]?.fields.map(({ at }) => at)).toStrictEqual([
      '/lines/0/sku',
      '/lines/0/quantity',
    ])
  })

  test('nothing where the changed call would be too long for a message', async () => {
    const long = z.strictObject({ text: z.string(), note: z.string().optional() })
    const stage = await createStage([
      writeTool({ name: 'things.keep', input: long, output: z.unknown(), run: () => ({}), revise: ['/note'] }),
    ])
    expect((await stage.ask('things_keep', { text: 'short' })).card?.edits).toBeDefined()
    expect((await stage.ask('things_keep', { text: 'x'.repeat(9_000) })).card?.edits).toBeUndefined()
  })
})

describe('changed values', () => {
  test('come back as a Preview message with the whole call, and change nothing themselves', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    const { message } = await revise(stage, preview, {
      set: { '/lines/0/quantity': '3', '/note': 'Ring' },
      leave_out: ['/lines/1'],
    })
    expect(message).toBe(
      'Preview: call orders_place(customer="ACME", lines=[{"sku":"DESK-01","quantity":3},{"sku":"MAT-01","quantity":1}], note="Ring", rationale="The person asked for this note.", preview=true)',
    )
    expect((await stage.press('countersign_plan_status', preview))?.state).toBe('open')
    expect(ran).toStrictEqual([])
  })

  test('that the schema refuses are said at their places on the card, also behind members that are left out', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    expect(await revise(stage, preview, { set: { '/lines/2/quantity': '0' }, leave_out: ['/lines/0'] })).toStrictEqual({
      state: 'open',
      faults: [{ at: '/lines/2/quantity', text: 'Allowed: a number of at least 1' }],
    })
    expect(await revise(stage, preview, { set: { '/lines/0/quantity': 'two' } })).toMatchObject({
      faults: [{ at: '/lines/0/quantity', text: 'Allowed: a number in digits, with a point before its decimals' }],
    })
    expect(await revise(stage, preview, { leave_out: ['/lines/0', '/lines/1', '/lines/2'] })).toMatchObject({
      faults: [{ at: '', text: 'Lines: Allowed: a list of at least 1 item' }],
    })
  })

  test('that the tool itself refuses are said in its words', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    expect(await revise(stage, preview, { set: { '/day': '2020-01-01' } })).toMatchObject({
      faults: [{ at: '/day', text: 'Allowed: a day that is yet to come' }],
    })
  })

  test('are judged in the language of the card, and quoted where only the tool has words for it', async () => {
    const stage = await createStage([
      order({
        languages: ['en', 'de'],
        failures: {
          past: { effect: 'none', guidance: 'Name a later day.' },
          full: { effect: 'none', guidance: 'Wait.', says: { de: 'Das Lager ist voll.' } },
        },
        preview: (given: Order, ctx: ToolContext) => {
          if (given.day === '2020-01-01')
            return ctx.fail('past', 'That day is over.', {
              fields: [{ pointer: '/day', received: given.day, allowed: 'a day that is yet to come' }],
            })
          if (given.day === '2020-01-04')
            return ctx.fail('full', 'The store is full.', {
              fields: [{ pointer: '/day', received: given.day, allowed: 'a day with room' }],
            })
          if (given.day === '2020-01-02') return ctx.fail('past', 'That day is over.')
          if (given.day === '2020-01-03') return ctx.fail('full', 'The store is full.')
          return { title: `Bestellung für ${given.customer}`, summary: 'Bestellt.', confirmLabel: 'Bestellen' }
        },
      }),
    ])
    const preview = await stage.ask('orders_place', proposal, caller({ languages: ['de'] }))
    const faults = async (change: Change) => (await revise(stage, preview, change)).faults
    expect(preview.card?.language).toBe('de')
    // The host asks for another language by now; the card is still the German one.
    const french = caller({ languages: ['fr'] })
    expect(await revise(stage, preview, { set: { '/lines/2/quantity': '0' } }, french)).toMatchObject({
      faults: [{ text: 'Erlaubt: eine Zahl ab 1' }],
    })
    expect(await faults({ set: { '/lines/0/quantity': '9007199254740993' } })).toStrictEqual([
      { at: '/lines/0/quantity', text: `Erlaubt: ${cardWords('de').limitSafeInteger}` },
    ])
    expect(await faults({ set: { '/lines/2/quantity': '0' } })).toStrictEqual([
      { at: '/lines/2/quantity', text: 'Erlaubt: eine Zahl ab 1' },
    ])
    expect(await faults({ set: { '/lines/2/quantity': '2.5' } })).toStrictEqual([
      { at: '/lines/2/quantity', text: 'Erlaubt: eine ganze Zahl' },
    ])
    expect(await faults({ set: { '/lines/0/quantity': 'zwei', '/day': 'morgen' } })).toStrictEqual([
      { at: '/lines/0/quantity', text: `Erlaubt: ${cardWords('de').limitDigits}` },
    ])
    expect(await faults({ set: { '/day': 'morgen' } })).toStrictEqual([
      { at: '/day', text: 'Erlaubt: ein Tag wie „2026-11-28“' },
    ])
    expect(await faults({ set: { '/day': '2020-01-01' } })).toStrictEqual([
      { at: '/day', text: 'Erlaubt: „a day that is yet to come“' },
    ])
    expect(await faults({ set: { '/day': '2020-01-02' } })).toStrictEqual([
      { at: '', text: 'Das Werkzeug konnte dies nicht ausführen. „That day is over.“' },
    ])
    expect(await faults({ set: { '/day': '2020-01-03' } })).toStrictEqual([{ at: '', text: 'Das Lager ist voll.' }])
    expect(await faults({ set: { '/day': '2020-01-04' } })).toStrictEqual([
      { at: '/day', text: 'Das Lager ist voll. Erlaubt: „a day with room“' },
    ])
    expect(await faults({ set: { '/customer': 'Globex' } })).toStrictEqual([
      { at: '', text: `/customer: ${cardWords('de').reviseNot}` },
    ])
    expect(await faults({ set: { '/lines/0/quantity': '2' } })).toStrictEqual([
      { at: '', text: cardWords('de').reviseSame },
    ])
  })

  test('of other places are refused, whoever asks for them', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    for (const set of [
      { '/customer': 'Globex' },
      { '/lines/0/sku': 'X' },
      { '/ticket': 'x' },
      { '/__proto__/a': 'x' },
      { '': 'x' },
    ]) {
      const { faults } = await revise(stage, preview, { set, send: true })
      const [at = ''] = Object.keys(set)
      const named = at === '' ? '' : at.startsWith('/lines') ? 'Lines: ' : `${at}: `
      expect(faults).toStrictEqual([{ at: '', text: `${named}This cannot be changed on the card.` }])
    }
    expect((await revise(stage, preview, { leave_out: ['/lines'] })).faults).toHaveLength(1)
  })

  test('of somebody else’s card, or of none, are answered as if there were no such card', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    const eve = caller({ principal: { tenant: 'default', subject: 'eve' } })
    expect(await revise(stage, preview, { set: {} }, eve)).toStrictEqual({ refused: 'not-your-card' })
    const byId = { args: { ticket: preview.planId, set: {} }, signal: new AbortController().signal }
    expect(await revisePlan(stage.engine, caller(), byId)).toMatchObject({ kind: 'not-your-card' })
  })

  test('that are none, or stand in a member that is left out, are no fault of that member', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    expect((await revise(stage, preview, { set: { '/lines/0/quantity': '2' }, send: true })).faults).toStrictEqual([
      { at: '', text: 'Nothing is changed.' },
    ])
    const left = { set: { '/lines/1/quantity': 'two' }, leave_out: ['/lines/1'] }
    expect((await revise(stage, preview, left)).message).toContain(
      'lines=[{"sku":"DESK-01","quantity":2},{"sku":"MAT-01"',
    )
  })

  test('are not taken once Confirm was pressed: then the ticket has been in the chat', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    await stage.press('countersign_plan_confirm', preview)
    const { message, faults } = await revise(stage, preview, { set: { '/note': 'Ring' }, send: true })
    expect([message, faults?.length]).toStrictEqual([undefined, 1])
  })

  test('are not taken once an approver decides, who would else approve what was proposed before', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    await stage.store.plans.hold(preview.planId ?? '', 60_000)
    expect(await revise(stage, preview, { set: { '/note': 'Ring' }, send: true })).toStrictEqual({
      state: 'open',
      faults: [{ at: '', text: 'An approver decides about this call now.' }],
    })
    await stage.ask('orders_place', { ...proposal, note: 'Ring' })
    expect((await stage.press('countersign_plan_status', preview))?.state).toBe('open')
  })

  test('of a tool that marks secrets, of somebody else’s server, are never taken', async () => {
    const stage = await createStage([order({ wire: 'far:order', revise: true, secrets: { arguments: ['/note'] } })])
    const preview = await stage.ask('far:order', { ...proposal, note: 'hunter2' })
    expect(preview.card?.edits).toBeUndefined()
    const { message, faults } = await revise(stage, preview, { set: { '/customer': 'Globex' }, send: true })
    expect([message, faults?.[0]?.text]).toStrictEqual([undefined, '/customer: This cannot be changed on the card.'])
  })

  test('of a plan that is no longer open bring its state and no message', async () => {
    const stage = await createStage([order()])
    const preview = await stage.ask('orders_place', proposal)
    await stage.press('countersign_plan_cancel', preview)
    expect(await revise(stage, preview, { set: { '/note': 'x' }, send: true })).toStrictEqual({ state: 'cancelled' })
  })
})

describe('the preview of a changed call', () => {
  const changed = async (stage: Stage, preview: Answer, change: Change) =>
    obey(stage, (await revise(stage, preview, { ...change, send: true })).message)

  test('says what was changed, takes the place of the old one, and is what is applied', async () => {
    const stage = await createStage([order()])
    ran.length = 0
    const first = await stage.ask('orders_place', proposal)
    const second = await changed(stage, first, { set: { '/lines/0/quantity': '3' }, leave_out: ['/lines/1'] })
    expect(second.outcome).toBe('previewed')
    expect(second.card?.blocks.slice(0, 2)).toStrictEqual([
      { kind: 'text', text: '**Changed on the card**, against what the agent had proposed:' },
      {
        kind: 'diff',
        changes: [],
        records: [
          {
            change: 'changed',
            label: 'DESK-01',
            changes: [
              {
                pointer: '/lines/0/quantity',
                label: 'Quantity',
                before: { kind: 'number', value: '2' },
                after: { kind: 'number', value: '3' },
              },
            ],
          },
          { change: 'removed', label: 'LAMP-01' },
        ],
      },
    ])
    expect((await stage.press('countersign_plan_status', first))?.state).toBe('superseded')
    expect((await stage.repeat(confirmed(first))).outcome).toBe('refused')
    expect((await stage.repeat(confirmed(second))).outcome).toBe('applied')
    expect(ran).toStrictEqual([
      {
        customer: 'ACME',
        lines: [
          { sku: 'DESK-01', quantity: 3 },
          { sku: 'MAT-01', quantity: 1 },
        ],
      },
    ])
  })

  test('says it against what the agent proposed, however often it was changed since, and not where that is back', async () => {
    const stage = await createStage([order()])
    const first = await stage.ask('orders_place', proposal)
    const second = await changed(stage, first, { set: { '/lines/0/quantity': '3' } })
    const third = await changed(stage, second, { set: { '/note': 'Ring' } })
    expect(textOn(third)).toContain('"label":"DESK-01"')
    expect(textOn(third)).toContain('"label":"Remark"')
    const again = await stage.ask('orders_place', {
      ...proposal,
      lines: third.card === undefined ? [] : [{ sku: 'DESK-01', quantity: 3 }, ...proposal.lines.slice(1)],
      note: 'Ring',
    })
    expect(textOn(again)).toContain('Changed on the card')
    const back = await changed(stage, again, { set: { '/lines/0/quantity': '2', '/note': '' } })
    expect(textOn(back)).not.toContain('Changed on the card')
  })

  test('is asked for as a preview, also where such a call runs without', async () => {
    const stage = await createStage([order({ autonomous: { when: ({ lines }: Order) => lines.length < 3 } })])
    ran.length = 0
    const first = await stage.ask('orders_place', proposal)
    expect(first.outcome).toBe('previewed')
    const second = await changed(stage, first, { leave_out: ['/lines/1'] })
    expect(second.outcome).toBe('previewed')
    expect(textOn(second)).toContain('Changed on the card')
    expect(ran).toStrictEqual([])
  })

  test('is marked only where the card has sent it: what an agent changes by itself is the agent’s', async () => {
    const stage = await createStage([order()])
    const first = await stage.ask('orders_place', proposal)
    await revise(stage, first, { set: { '/note': 'Ring' } })
    const own = await stage.ask('orders_place', { ...proposal, note: 'Ring' })
    expect(textOn(own)).not.toContain('Changed on the card')
    expect((await stage.press('countersign_plan_status', first))?.state).toBe('open')
    await revise(stage, first, { set: { '/note': 'Knock' }, send: true })
    const other = await stage.ask('orders_place', { ...proposal, note: 'Wait' })
    expect(textOn(other)).not.toContain('Changed on the card')
  })

  test('is written as its door takes it', async () => {
    const stage = await createStage([order()])
    const request = requestOf('orders_place', { ...proposal, rationale: 'They asked for it.' }, caller())
    const spelling = {
      tool: 'call_tool_write',
      around: [
        ['name', 'far:order'],
        ['args_json', null],
        ['intent', { operation_type: 'write' }],
      ] as [string, unknown][],
    }
    const preview = await call(stage.engine, { ...request, spelling })
    const { message } = await revise(stage, preview, { set: { '/note': 'Ring' } })
    const parsed = parseMessage(message ?? '')
    expect(parsed).toMatchObject({ ok: true, value: { kind: 'preview', tool: 'call_tool_write' } })
    const args = parsed.ok && parsed.value.kind === 'preview' ? parsed.value.args : {}
    expect(args).toMatchObject({ name: 'far:order', intent: { operation_type: 'write' } })
    expect(JSON.parse(String(args['args_json']))).toStrictEqual({ ...proposal, note: 'Ring' })
  })
})

test('what was changed is on record before the message goes out, and what was only checked is not', async () => {
  const stage = await createStage([order()])
  const engine = { ...stage.engine, activityLog: stage.store.activityLog }
  const recorded = { ...stage, engine }
  const preview = await call(
    engine,
    requestOf('orders_place', { ...proposal, rationale: 'They asked for it.' }, caller()),
  )
  await revise(recorded, preview, { set: { '/lines/0/quantity': '3' } })
  await revise(recorded, preview, { set: { '/lines/0/quantity': '3' }, leave_out: ['/lines/1'], send: true })
  const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
  const revised = calls.filter(({ tool }) => tool === 'countersign_plan_revise')
  expect(revised).toHaveLength(1)
  const row = await stage.store.activity.find(revised[0]?.id ?? '')
  expect(row).toMatchObject({ auditEvent: 'plan.revised', planId: preview.planId, subject: 'ada' })
  expect(JSON.parse(row?.args ?? '')).toStrictEqual({
    plan: preview.planId,
    tool: 'orders_place',
    changed: ['DESK-01, Quantity: 2 → 3', 'LAMP-01: left out'],
  })
})

test('an approver reads what was changed on the card', async () => {
  const stage = await createStage([order({ risk: 'high', basis: () => 'v1' })])
  const engine = { ...stage.engine, approvals: stage.store.approvals }
  const first = await stage.ask('orders_place', proposal)
  const { message } = await revise(stage, first, { set: { '/lines/0/quantity': '3' }, send: true })
  const second = await obey(stage, message)
  const parsed = parseMessage(confirmed(second))
  const args = parsed.ok && parsed.value.kind === 'apply' ? parsed.value.args : {}
  // The plan's id alone proves too little at high risk.
  const asked = await call(engine, requestOf('orders_place', { ...args, ticket: second.planId }, caller()))
  expect(asked.outcome).toBe('awaiting_approval')
  const approval = await stage.store.approvals.find(asked.approval?.id ?? '')
  expect(approval?.card).toContain('Changed on the card')
})

test('what looks like a secret, by its name, is not repeated in the record', async () => {
  const keys = z.strictObject({ label: z.string(), api_key: z.string() })
  const keep = writeTool({ name: 'keys.keep', input: keys, output: z.unknown(), run: () => ({}), revise: true })
  const stage = await createStage([keep])
  const engine = { ...stage.engine, activityLog: stage.store.activityLog }
  const given = { label: 'a', api_key: 'first-of-the-keys', rationale: 'They asked for it.' }
  const preview = await call(engine, requestOf('keys_keep', given, caller()))
  const set = { '/label': 'b', '/api_key': 'second-of-the-keys' }
  expect((await revise({ ...stage, engine }, preview, { set, send: true })).message).toBeDefined()
  const { calls } = await stage.store.activity.page({ filter: {}, limit: 10 })
  const row = calls.find(({ tool }) => tool === 'countersign_plan_revise')
  const { args } = (await stage.store.activity.find(row?.id ?? '')) ?? {}
  expect(args).toContain('Label: \\"a\\" → \\"b\\"')
  expect(args).not.toContain('of-the-keys')
})
