// One plan from its preview to its end, through the engine and a real store: what each answer says, and what ran.
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../kit/clock.ts'
import { caller } from '../../kit/calls.ts'
import { confirmed, notePreview, openBook, previewAgainMessage, ticketOf } from './rail-fixture.ts'

const mallory = caller({ principal: { tenant: 'default', subject: 'mallory' } })
const otherTenant = caller({ principal: { tenant: 'other', subject: 'ada' } })
const trusted = caller({ trusted: true })

const high = { risk: 'high', basis: () => 'v1' } as const
const critical = { risk: 'critical', basis: () => 'v1' } as const

describe('preview, Apply, result', () => {
  test('a preview changes nothing; its message applies it once; a repeat hears the recorded result', async () => {
    const { stage, book } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'hello' })
    expect(preview).toMatchObject({ outcome: 'previewed', card: { kind: 'preview', state: 'ready' } })
    expect(book).toStrictEqual([])
    const applied = await stage.repeat(confirmed(preview))
    expect(applied).toMatchObject({
      outcome: 'applied',
      planId: preview.planId,
      result: { id: 'N-1', text: 'hello' },
      card: { kind: 'success', state: 'applied', plan_id: preview.planId },
    })
    stage.clock.pass(2 * MINUTE)
    const again = await stage.repeat(confirmed(preview))
    expect(again).toMatchObject({ outcome: 'replayed', result: { id: 'N-1', text: 'hello' } })
    expect(again.text).toContain('already applied at 2026-01-01T12:00:00.000Z')
    expect(book).toStrictEqual([{ key: preview.planId, text: 'hello' }])
  })

  test('the plan id is proof enough at medium risk, where no card can be seen', async () => {
    const { stage, book } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'x' }, caller({ cards: 'no' }))
    expect(preview.text).toContain(`ticket="${preview.planId}"`)
    expect((await stage.ask('notes_write', { text: 'x', ticket: preview.planId, preview: false })).outcome).toBe(
      'applied',
    )
    expect(book).toHaveLength(1)
  })

  test('preview=False without a ticket never runs: a preview comes back that says so', async () => {
    const { stage, book } = await openBook()
    const answer = await stage.ask('notes_write', { text: 'x', preview: false })
    expect(answer.outcome).toBe('previewed')
    expect(answer.text).toContain('Not done yet')
    expect(book).toStrictEqual([])
  })

  test('a ticket without preview=False is a new preview, and says so', async () => {
    const { stage, book } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.ask('notes_write', { text: 'x', ticket: ticketOf(preview) })
    expect(answer.outcome).toBe('previewed')
    expect(answer.text).toContain('did not say preview=False')
    expect(book).toStrictEqual([])
  })

  test('the ticket stands in the card and in no text', async () => {
    const { stage } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'x' })
    const ticket = ticketOf(preview)
    expect(confirmed(preview)).toContain(ticket)
    expect(preview.text).not.toContain(ticket)
    expect(preview.text).not.toContain('cs1_')
  })

  test('what runs is what was stored, not what the message said again', async () => {
    const ran: unknown[] = []
    const { stage } = await openBook({
      run: (input) => {
        ran.push(input)
        return { id: 'N-1', text: input.text }
      },
    })
    const preview = await stage.ask('notes_write', { text: 'x' })
    await stage.ask('notes_write', {
      times: 1.0,
      text: 'x',
      ticket: ticketOf(preview),
      preview: false,
      rationale: 'Another reason altogether.',
    })
    expect(ran).toStrictEqual([{ text: 'x', times: 1 }])
  })
})

describe('a plan that cannot be used', () => {
  test('cancelled: refused, with the cancellation as the reason, and nothing runs', async () => {
    const { stage, book } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'x' })
    expect(await stage.press('countersign_plan_cancel', preview)).toMatchObject({ state: 'cancelled' })
    const answer = await stage.repeat(confirmed(preview))
    expect(answer).toMatchObject({ outcome: 'refused', guidance: { retryable: 'no' }, card: { state: 'refused' } })
    expect(answer.text).toContain('cancelled')
    expect(book).toStrictEqual([])
  })

  test('expired after fifteen minutes to the millisecond; a click adds five, once', async () => {
    const { stage } = await openBook()
    const [early, late, clicked] = [
      await stage.ask('notes_write', { text: 'early' }),
      await stage.ask('notes_write', { text: 'late' }),
      await stage.ask('notes_write', { text: 'clicked' }),
    ]
    await stage.press('countersign_plan_confirm', clicked)
    await stage.press('countersign_plan_confirm', clicked)
    stage.clock.pass(15 * MINUTE - 1)
    expect((await stage.repeat(confirmed(early))).outcome).toBe('applied')
    stage.clock.pass(1)
    const answer = await stage.repeat(confirmed(late))
    expect(answer.outcome).toBe('refused')
    expect(answer.text).toContain('expired')
    expect(previewAgainMessage(answer)).toMatch(/^Preview: call notes_write\(text="late", times=1, rationale=/)
    stage.clock.pass(5 * MINUTE - 1)
    expect(await stage.press('countersign_plan_status', clicked)).toMatchObject({ state: 'open', expires_in_ms: 1 })
    stage.clock.pass(1)
    expect(await stage.press('countersign_plan_status', clicked)).toMatchObject({ state: 'expired' })
    expect((await stage.repeat(confirmed(clicked))).outcome).toBe('refused')
  })

  test('superseded by a newer preview of the same call, which works', async () => {
    const { stage, book } = await openBook()
    const older = await stage.ask('notes_write', { text: 'x' })
    const newer = await stage.ask('notes_write', { text: 'x' })
    expect(await stage.press('countersign_plan_status', older)).toMatchObject({ state: 'superseded' })
    expect((await stage.repeat(confirmed(older))).text).toContain('newer preview')
    expect((await stage.repeat(confirmed(newer))).outcome).toBe('applied')
    expect(book).toHaveLength(1)
  })

  test('somebody else hears the same of every plan, whatever became of it', async () => {
    const { stage, book } = await openBook()
    const open = await stage.ask('notes_write', { text: 'open' })
    const cancelled = await stage.ask('notes_write', { text: 'cancelled' })
    const applied = await stage.ask('notes_write', { text: 'applied' })
    const messages = [open, cancelled, applied].map(confirmed)
    await stage.press('countersign_plan_cancel', cancelled)
    await stage.repeat(confirmed(applied))
    const unknown = await stage.ask(
      'notes_write',
      { text: 'x', ticket: `cs1_${'0'.repeat(26)}`, preview: false },
      mallory,
    )
    for (const as of [mallory, otherTenant])
      for (const message of messages) expect((await stage.repeat(message, as)).text).toBe(unknown.text)
    for (const as of [mallory, otherTenant])
      for (const preview of [open, cancelled, applied])
        expect(await stage.press('countersign_plan_status', preview, as)).toBeUndefined()
    expect(await stage.press('countersign_plan_cancel', open, mallory)).toBeUndefined()
    expect((await stage.repeat(confirmed(open))).outcome).toBe('applied')
    expect(book.map(({ text }) => text)).toStrictEqual(['applied', 'open'])
  })

  test.each([
    ['truncated', (ticket: string) => ticket.slice(0, -1), 'must be copied whole'],
    ['in capitals', (ticket: string) => ticket.toUpperCase(), 'must be copied whole'],
    ['forged', () => `cs1_${'7'.repeat(26)}`, 'No preview of yours'],
    ['an unknown plan id', () => `pl_${'7'.repeat(16)}`, 'No preview of yours'],
    ['an unknown approval', () => `ap_${'7'.repeat(16)}`, 'No preview of yours'],
    ['an invention', () => 'yes', 'must be copied whole'],
  ])('a ticket that is %s is refused with what to do next', async (_, change, why) => {
    const { stage, book } = await openBook()
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.ask('notes_write', { text: 'x', ticket: change(ticketOf(preview)), preview: false })
    expect(answer).toMatchObject({ outcome: 'refused', guidance: { error_type: 'confirmation_refused' } })
    expect(answer.text).toContain(why)
    expect(answer.text).toContain('fresh preview')
    expect(book).toStrictEqual([])
  })
})

describe('the proof that each risk asks for', () => {
  test.each([
    ['high', high, 'plan', caller(), 'refused'],
    ['high', high, 'ticket', caller(), 'applied'],
    ['critical', critical, 'plan', trusted, 'refused'],
    ['critical', critical, 'ticket', trusted, 'refused'],
    ['critical', critical, 'click', caller(), 'refused'],
    ['critical', critical, 'click', trusted, 'applied'],
  ] as const)('%s risk with a %s', async (_, risk, proof, as, outcome) => {
    const { stage, book } = await openBook(risk)
    const preview = await stage.ask('notes_write', { text: 'x' }, as)
    if (proof === 'click') await stage.press('countersign_plan_confirm', preview, as)
    const ticket = proof === 'plan' ? preview.planId : ticketOf(preview)
    const answer = await stage.ask('notes_write', { text: 'x', ticket, preview: false }, as)
    expect(answer.outcome).toBe(outcome)
    if (outcome === 'refused') expect(answer).toMatchObject({ guidance: { error_type: 'proof_missing' } })
    expect(book).toHaveLength(outcome === 'applied' ? 1 : 0)
    // What is missing can still be brought: the plan is not used up.
    if (outcome === 'refused')
      expect(await stage.press('countersign_plan_status', preview, as)).toMatchObject({ state: 'open' })
  })

  test('a recorded result is replayed whatever proof the repeat brings, but never to somebody without permission', async () => {
    const lacking = new Set<string>()
    const { stage, book } = await openBook(
      { ...high, permissions: ['notes:write'] },
      { missingPermissions: (_principal, permissions) => permissions.filter((one) => lacking.has(one)) },
    )
    const preview = await stage.ask('notes_write', { text: 'x' })
    await stage.repeat(confirmed(preview))
    expect((await stage.ask('notes_write', { text: 'x', ticket: preview.planId, preview: false })).outcome).toBe(
      'replayed',
    )
    lacking.add('notes:write')
    const answer = await stage.repeat(confirmed(preview))
    expect(answer).toMatchObject({
      outcome: 'refused',
      missing: ['notes:write'],
      guidance: { error_type: 'permission_denied' },
    })
    expect(JSON.stringify(answer)).not.toContain('N-1')
    expect(book).toHaveLength(1)
  })
})

describe('a basis that moves', () => {
  test('between preview and apply: stale, nothing runs, and the new preview shows what was seen', async () => {
    const state = { text: 'old', version: 1 }
    const { stage, book } = await openBook({
      basis: () => String(state.version),
      preview: (input) => ({
        ...notePreview(input),
        changes: [
          {
            pointer: '/text',
            label: 'Text',
            before: { kind: 'text', text: state.text },
            after: { kind: 'text', text: input.text },
          },
        ],
      }),
    })
    const preview = await stage.ask('notes_write', { text: 'new' })
    Object.assign(state, { text: 'moved', version: 2 })
    const answer = await stage.repeat(confirmed(preview))
    expect(answer).toMatchObject({ outcome: 'stale', guidance: { error_type: 'plan_stale' } })
    expect(answer.preview?.changes).toStrictEqual([
      {
        pointer: '/text',
        label: 'Text',
        saw: { kind: 'text', text: 'old' },
        before: { kind: 'text', text: 'moved' },
        after: { kind: 'text', text: 'new' },
      },
    ])
    expect(answer.text).toContain('you saw old, now moved → new')
    expect(book).toStrictEqual([])
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('refused')
    expect((await stage.repeat(confirmed(answer))).outcome).toBe('applied')
    expect(book).toHaveLength(1)
  })

  test('between the check and the write: the tool says stale, and nothing is called applied', async () => {
    const { stage } = await openBook({ basis: () => 'v1', run: (_input, ctx) => ctx.stale() })
    const answer = await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))
    expect(answer.outcome).toBe('stale')
  })

  test('the write is handed the basis that the person saw, and the key of the plan', async () => {
    const handed: unknown[] = []
    const { stage } = await openBook({
      basis: () => 'v7',
      run: (input, { basis, idempotencyKey }) => {
        handed.push(basis, idempotencyKey)
        return { id: 'N', text: input.text }
      },
    })
    const preview = await stage.ask('notes_write', { text: 'x' })
    await stage.repeat(confirmed(preview))
    expect(handed).toStrictEqual(['v7', preview.planId])
  })
})
