// What a card reads beyond what it was sent: pages of a list while its plan is open, and how what it began goes on. Nobody
// but the plan's own principal gets any of it, nothing of it writes, and whatever a tool answers is looked at first.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readForCard, readListOfApproval, type CardReadName } from '../../../server/rail/apply/card-reads.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Card, CardPageRow } from '../../../server/model/card.ts'
import type { Caller, Engine } from '../../../server/rail/engine.ts'
import { cardLimits } from '../../../server/cards/limits.ts'
import type { CardList, Followed } from '../../../server/tools/card-reads.ts'
import { defineTool } from '../../../server/tools/define-tool.ts'
import { caller } from '../../kit/calls.ts'
import { MINUTE } from '../../kit/clock.ts'
import { listOf, mailingPreview, row } from '../../kit/mailing-tool.ts'
import { withNextPage } from '../../../ui/parts/next-page.ts'
import { applyMessage, confirmed, createStage, noteTool, ticketOf } from './rail-fixture.ts'

const input = z.strictObject({ segment: z.string() })
const output = z.strictObject({ campaign: z.string() })
const people = Array.from({ length: 250 }, (_, at) => `p${String(at).padStart(4, '0')}`)

interface Change {
  readonly lists?: Readonly<Record<string, CardList<z.infer<typeof input>>>>
  readonly follow?: (given: z.infer<typeof input>, result: z.infer<typeof output>) => Followed
  readonly permissions?: readonly string[]
}

const mailing = (change: Change = {}) =>
  defineTool({
    name: 'mails.send',
    title: 'Send mails',
    description: 'Sends a mail to everybody of a segment.',
    operation: 'write',
    noun: 'the mailing',
    risk: 'medium',
    idempotency: 'plan',
    sideEffects: [{ what: 'Mails go out.', onRepeat: 'They go out again.' }],
    failures: { no_segment: { effect: 'none', guidance: 'Name another one.' } },
    input,
    output,
    preview: () => mailingPreview(people),
    run: () => ({ campaign: 'cp_1' }),
    lists: { recipients: listOf(() => people) },
    follow: (_given, { campaign }) => ({
      done: false,
      title: `Sending ${campaign}`,
      blocks: [{ kind: 'progress', label: 'Sent', done: 1, total: 250 }],
      offers: [{ tool: 'notes_write', arguments: { text: 'stop it' }, label: 'Stop' }],
    }),
    ...change,
  })

const open = async (change: Change = {}, more: Parameters<typeof createStage>[1] = {}) => {
  const stage = await createStage([mailing(change), noteTool([])], more)
  const preview = await stage.ask('mails_send', { segment: 'all' })
  const read = async (name: CardReadName, args: object, as: Caller = caller()) =>
    readForCard(stage.engine, as, { name, args, signal: new AbortController().signal })
  return {
    ...stage,
    preview,
    read,
    page: (at: object = {}, as?: Caller) =>
      read('countersign_plan_page', { ticket: ticketOf(preview), list: 'recipients', ...at }, as),
    apply: (): Promise<Answer> => stage.repeat(confirmed(preview)),
  }
}

const meta = (read: Awaited<ReturnType<typeof readForCard>>, key: string): unknown =>
  read.kind === 'read' ? read.meta[key] : read
const cardOf = (read: Awaited<ReturnType<typeof readForCard>>): Card => meta(read, 'countersign/card') as Card
const notYours = (name: CardReadName) => ({ kind: 'not-your-card', tool: name })

describe('a list that is longer than its card', () => {
  test('stands in the text with its first rows, how many are left, and what lists them', async () => {
    const { preview } = await open()
    expect(preview.text).toContain('Recipients: 250')
    expect(preview.text).toContain('p0002@acme.example')
    expect(preview.text).toContain('and 247 more. `segments_preview` lists them all.')
  })

  test('is read on with the ticket, from the key behind which a page begins', async () => {
    const { page } = await open()
    const first = await page({ after: 'p0002' })
    expect(first).toMatchObject({ kind: 'read', status: { state: 'open' } })
    const { rows, next } = meta(first, 'countersign/page') as { rows: CardPageRow[]; next: string }
    expect(rows.map(({ key }) => key)).toStrictEqual(people.slice(3, 103))
    expect(next).toBe('p0102')
    expect(meta(await page({ after: 'p0202' }), 'countersign/page')).not.toHaveProperty('next')
  })

  test('shows one row in full, by the arguments that the plan stored; of a row that is gone nothing', async () => {
    const { page } = await open()
    expect(meta(await page({ key: 'p0007' }), 'countersign/page')).toStrictEqual({
      list: 'recipients',
      key: 'p0007',
      blocks: [{ kind: 'text', text: 'Dear p0007 of all' }],
    })
    expect(meta(await page({ key: 'nobody' }), 'countersign/page')).toStrictEqual({ list: 'recipients', key: 'nobody' })
  })

  test('is nobody else’s, and nobody’s once its plan has ended', async () => {
    const { page, press, preview, apply } = await open()
    const none = notYours('countersign_plan_page')
    expect(await page({}, caller({ principal: { tenant: 'acme', subject: 'eve' } }))).toStrictEqual(none)
    expect(await page({}, caller({ principal: { tenant: 'other', subject: 'ada' } }))).toStrictEqual(none)
    await apply()
    expect(await page()).toStrictEqual(none)
    const again = await open()
    await again.press('countersign_plan_cancel', again.preview)
    expect(await again.page()).toStrictEqual(none)
    expect(await press('countersign_plan_status', preview)).toMatchObject({ state: 'applied' })
  })

  test('is not read where the plan’s time is over, by its id, under another name or with a word more', async () => {
    const { page, read, clock, preview } = await open()
    const none = notYours('countersign_plan_page')
    for (const args of [
      { ticket: preview.planId, list: 'recipients' },
      { ticket: ticketOf(preview), list: 'toString' },
      { ticket: ticketOf(preview), list: 'others' },
      { ticket: ticketOf(preview), list: 'recipients', limit: 5000 },
      { ticket: ticketOf(preview), list: 'recipients', after: 'p0001', key: 'p0002' },
      { ticket: ticketOf(preview), list: 'recipients', after: 'x'.repeat(501) },
      { ticket: 'cs1_00000000000000000000000000', list: 'recipients' },
      {},
    ])
      expect(await read('countersign_plan_page', args)).toStrictEqual(none)
    clock.pass(16 * MINUTE)
    expect(await page()).toStrictEqual(none)
  })

  test('asks for the permissions of its tool, whenever it is read', async () => {
    const { page } = await open({ permissions: ['contacts:read'] })
    expect(await page({}, caller({ permissions: [] }))).toStrictEqual({
      kind: 'not-permitted',
      tool: 'mails_send',
      missing: ['contacts:read'],
    })
    expect(await page({}, caller({ permissions: ['contacts:read'] }))).toHaveProperty('kind', 'read')
  })

  test('is limited in how often it is read', async () => {
    const { engine, preview } = await open()
    const limits: NonNullable<Engine['limits']> = {
      take: async (_principal, counted) => ({ counted, perMinute: 600, retryAfterSeconds: 7 }),
    }
    const read = await readForCard({ ...engine, limits }, caller(), {
      name: 'countersign_plan_page',
      args: { ticket: ticketOf(preview), list: 'recipients' },
      signal: new AbortController().signal,
    })
    expect(read).toMatchObject({ kind: 'too-many-calls', counted: 'card_reads', retryAfterSeconds: 7 })
  })

  test.each<[string, CardList['page']]>([
    ['more rows than a page has', () => ({ rows: people.slice(0, cardLimits.pageRows + 1).map(row) })],
    ['a row twice', () => ({ rows: [row('a'), row('a')] })],
    ['no rows and more to come', () => ({ rows: [], next: 'z' })],
    ['the same place again', () => ({ rows: [row('b')], next: 'a' })],
    ['a value of no kind', () => ({ rows: [{ key: 'a', cells: ['x' as never] }] })],
    ['more than a card takes', () => ({ rows: [{ key: 'a', cells: [{ kind: 'code', text: 'x'.repeat(500_000) }] }] })],
    ['nothing at all', () => undefined as never],
    ['an error', () => Promise.reject(new Error('the disk is gone'))],
  ])('that answers with %s is a mistake of its tool, told to the operator and to nobody else', async (_what, page) => {
    const stage = await open({ lists: { recipients: { page } } })
    const read = await stage.page({ after: 'a' })
    expect(read).toMatchObject({ kind: 'tool-crashed', tool: 'mails_send', during: 'read' })
    expect(stage.engine.reports.at(-1)).toContain('mails_send lists')
    expect(JSON.stringify(read)).not.toContain('disk')
  })

  test('has no further lists inside of a row', async () => {
    const pages = { kind: 'pages', list: 'x', label: 'x', total: 0, columns: [{ label: 'x' }], rows: [] } as const
    const { page } = await open({ lists: { recipients: { page: () => ({ rows: [] }), open: () => [pages] } } })
    expect(await page({ key: 'a' })).toHaveProperty('kind', 'tool-crashed')
  })

  test('that is not among the contract’s lists is refused with its preview', async () => {
    const { preview, engine } = await open({ lists: {} })
    expect(preview.outcome).toBe('failed')
    expect(engine.reports.at(-1)).toContain('"recipients"')
  })

  test('is read for an approver as for whoever asked, while the decision is open', async () => {
    const { engine, preview } = await open()
    const approval = {
      planId: preview.planId ?? '',
      principal: caller().principal,
      client: 'a test',
      state: 'pending',
    } as Parameters<typeof readListOfApproval>[1]
    const { signal } = new AbortController()
    const read = await readListOfApproval(engine, approval, { list: 'recipients', key: 'p0001' }, signal)
    expect(read).toMatchObject({ kind: 'read', value: { key: 'p0001' } })
    const decided = { ...approval, state: 'rejected' as const }
    expect(await readListOfApproval(engine, decided, { list: 'recipients' }, signal)).toBeUndefined()
  })
})

test('a reader who pages to the end has every row once and in order, however long pages are and whatever changes', async () => {
  const keys = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.integer({ min: 1, max: 9 }),
      fc.array(keys, { maxLength: 8 }),
      async (first, size, later) => {
        let now = first.toSorted()
        const list = listOf(() => now)
        const changes = [...later]
        let shown: readonly CardPageRow[] = []
        let after: string | undefined
        do {
          const page = await list.page({ segment: 'x' }, undefined as never, {
            ...(after === undefined ? {} : { after }),
            limit: size,
          })
          shown = withNextPage(shown, page.rows)
          after = page.next
          const change = changes.shift()
          if (change !== undefined) now = change.toSorted()
        } while (after !== undefined)
        const seen = shown.map(({ key }) => key)
        expect(seen).toStrictEqual([...new Set(seen)].toSorted())
        if (later.length === 0) expect(seen).toStrictEqual(first.toSorted())
      },
    ),
  )
})

describe('what goes on after its call', () => {
  test('is asked for by the success card, which the answer then takes the place of', async () => {
    const { read, apply, preview } = await open()
    const applied = await apply()
    expect(applied.card).toMatchObject({ kind: 'success', follow: true, plan_id: preview.planId })
    const card = cardOf(await read('countersign_plan_progress', { ticket: preview.planId ?? '' }))
    expect(card).toMatchObject({
      kind: 'success',
      state: 'applied',
      title: 'Sending cp_1',
      plan_id: preview.planId,
      follow: true,
      blocks: [{ kind: 'progress', done: 1 }],
    })
    const [offer] = card.actions
    expect(card.actions).toHaveLength(1)
    expect(offer).toMatchObject({ role: 'other', label: 'Stop…' })
    expect(offer?.steps).toStrictEqual([
      {
        do: 'SendMessage',
        text: `Preview: call notes_write(text="stop it", rationale="The person asked for it on the card of plan ${preview.planId}.")`,
      },
    ])
  })

  test('ends with the answer that says so', async () => {
    const { read, apply, preview } = await open({ follow: () => ({ done: true, blocks: [] }) })
    await apply()
    const card = cardOf(await read('countersign_plan_progress', { ticket: ticketOf(preview) }))
    expect(card).not.toHaveProperty('follow')
    expect(card.title).toBe('Send mails: done')
  })

  test('is told of no plan that is open or has failed, nor to anybody else, nor of a tool that follows nothing', async () => {
    const { read, apply, preview, ask, repeat } = await open()
    const none = notYours('countersign_plan_progress')
    const ticket = preview.planId ?? ''
    expect(await read('countersign_plan_progress', { ticket })).toStrictEqual(none)
    await apply()
    const eve = caller({ principal: { tenant: 'acme', subject: 'eve' } })
    expect(await read('countersign_plan_progress', { ticket }, eve)).toStrictEqual(none)
    const note = await ask('notes_write', { text: 'x' })
    await repeat(confirmed(note))
    expect(await read('countersign_plan_progress', { ticket: note.planId ?? '' })).toStrictEqual(none)
  })

  test('offers no call that could not be made, and none that would apply', async () => {
    const offers = [
      { tool: 'no_such', arguments: {}, label: 'A' },
      { tool: 'notes_write', arguments: { text: 'x', preview: false }, label: 'B' },
      { tool: 'notes_write', arguments: {}, label: 'C' },
    ]
    const { read, apply, preview, engine } = await open({ follow: () => ({ done: false, blocks: [], offers }) })
    await apply()
    expect(cardOf(await read('countersign_plan_progress', { ticket: preview.planId ?? '' })).actions).toStrictEqual([])
    expect(engine.reports).toHaveLength(3)
  })

  test('is a mistake of its tool where it is no part of a card', async () => {
    const wrong = { kind: 'progress', label: 'x', done: 2, total: 1 } as const
    const { read, apply, preview } = await open({ follow: () => ({ done: false, blocks: [wrong] }) })
    await apply()
    expect(await read('countersign_plan_progress', { ticket: preview.planId ?? '' })).toHaveProperty(
      'kind',
      'tool-crashed',
    )
  })

  test('runs nothing: neither reading has a message that applies', async () => {
    const { preview, read, apply } = await open()
    await apply()
    const card = cardOf(await read('countersign_plan_progress', { ticket: preview.planId ?? '' }))
    expect(applyMessage({ ...preview, card })).toBeUndefined()
    expect(card).not.toHaveProperty('plan')
  })
})
