// What else a contract can say of a call, and how the engine keeps it: long arguments, repeats, blocks, autonomy, risk that
// depends on the input, and what is not for AI at all.
import { describe, expect, test } from 'vitest'
import type { Preview } from '../../../server/tools/contract.ts'
import { z } from 'zod'
import { bodyOf } from '../../../server/rail/answers/envelope.ts'
import { type Answer } from '../../../server/rail/answers/outcome.ts'
import { isErrorOutcome, outcomes } from '../../../server/model/outcome.ts'
import { packageDocs } from '../../../server/compose/docs.ts'
import { callTool } from '../../../server/mcp/protocol.ts'
import type { ApplyForm, CallLimits, Counter } from '../../../server/rail/engine.ts'
import type { Contract } from '../../../server/tools/contract.ts'
import { MINUTE } from '../../kit/clock.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { readTool } from '../../kit/tools.ts'
import {
  applyMessage,
  type Book,
  confirmed,
  createStage,
  notePreview,
  noteTool,
  openBook,
  previewAgainMessage,
  ticketOf,
} from './rail-fixture.ts'

const mallory = caller({ principal: { tenant: 'default', subject: 'mallory' } })
const trusted = caller({ trusted: true })

const critical = { risk: 'critical', basis: () => 'v1' } as const

describe('how the Apply message names the call', () => {
  const applied = async (text: string, apply: ApplyForm): Promise<{ message: string; outcome: string; book: Book }> => {
    const { stage, book } = await openBook({}, { settings: { apply } })
    const message = confirmed(await stage.ask('notes_write', { text }))
    return { message, outcome: (await stage.repeat(message)).outcome, book }
  }
  const long = 'x'.repeat(9000)

  test.each([
    ['a short call', 'x', 'auto', 'notes_write'],
    ['a long call', long, 'auto', 'apply_plan'],
    ['a long call, inline by setting', long, 'inline', 'notes_write'],
    ['a short call, by reference by setting', 'x', 'reference', 'apply_plan'],
  ] as const)('%s', async (_, text, form, tool) => {
    const { message, outcome, book } = await applied(text, form)
    expect(message).toMatch(new RegExp(`^Apply: call ${tool}\\(`))
    expect(message).toMatch(/preview=False\)$/)
    expect(outcome).toBe('applied')
    expect(book[0]?.text).toBe(text)
  })

  test('the switch is at 8 KB of the message, to the byte', async () => {
    const { message } = await applied('x', 'inline')
    const room = 8 * 1024 - Buffer.byteLength(message) + 1
    expect(Buffer.byteLength((await applied('x'.repeat(room), 'auto')).message)).toBe(8 * 1024)
    expect((await applied('x'.repeat(room + 1), 'auto')).message).toMatch(
      /^Apply: call apply_plan\(tool="notes_write", title=/,
    )
    // Bytes, not characters.
    expect((await applied('€'.repeat(room / 2), 'auto')).message).toMatch(/^Apply: call apply_plan\(/)
  })

  test('the reference form never works with less than a ticket', async () => {
    const { stage, book } = await openBook({}, { settings: { apply: 'reference' } })
    const preview = await stage.ask('notes_write', { text: 'x' })
    const args = { tool: 'notes_write', title: 'x', rationale: 'The person confirmed it.', preview: false }
    expect((await stage.send('apply_plan', { ...args, ticket: preview.planId })).outcome).toBe('refused')
    expect((await stage.send('apply_plan', { ...args, ticket: ticketOf(preview), tool: 'notes_other' })).outcome).toBe(
      'refused',
    )
    expect((await stage.send('apply_plan', { ...args, ticket: ticketOf(preview) }, mallory)).outcome).toBe('refused')
    expect((await stage.send('apply_plan', { ...args, ticket: ticketOf(preview), preview: true })).outcome).toBe(
      'refused',
    )
    expect(book).toStrictEqual([])
    expect((await stage.send('apply_plan', { ...args, ticket: ticketOf(preview) })).outcome).toBe('applied')
  })

  test('the reference form is asked for proof as its inner tool', async () => {
    const { stage, book } = await openBook(critical, { settings: { apply: 'reference' } })
    const preview = await stage.ask('notes_write', { text: 'x' })
    expect(await stage.repeat(confirmed(preview))).toMatchObject({
      outcome: 'refused',
      guidance: { error_type: 'proof_missing' },
    })
    await stage.press('countersign_plan_confirm', preview, trusted)
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('applied')
    expect(book).toHaveLength(1)
  })
})

describe('an identical call that was just applied', () => {
  test.each([
    [0, 'applied 0 seconds ago'],
    [1000, 'applied 1 second ago'],
    [59_000, 'applied 59 seconds ago'],
    [60_000, 'applied 1 minute ago'],
    [119_000, 'applied 1 minute ago'],
    [9 * MINUTE, 'applied 9 minutes ago'],
  ])('%i ms ago is warned of, with what a repeat does', async (ms, words) => {
    const { stage } = await openBook()
    await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))
    stage.clock.pass(ms)
    const preview = await stage.ask('notes_write', { text: 'x' })
    expect(preview.text).toContain(words)
    expect(preview.text).toContain('A second note is written.')
    expect(preview.preview?.warnings).toHaveLength(1)
  })

  test('is warned of in sentences, however its contract ends them', async () => {
    const again = (onRepeat: string) => ({ what: 'It is written.', onRepeat })
    const { stage } = await openBook({ sideEffects: [again('A second one is kept'), again('Nothing more.')] })
    await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))
    expect((await stage.ask('notes_write', { text: 'x' })).preview?.warnings).toMatchObject([
      { text: 'Confirming does it again: A second one is kept. Nothing more.' },
    ])
  })

  test('after ten minutes, with other arguments, or for somebody else, is not warned of', async () => {
    const { stage } = await openBook()
    await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))
    expect((await stage.ask('notes_write', { text: 'y' })).text).not.toContain('identical')
    expect((await stage.ask('notes_write', { text: 'x' }, mallory)).text).not.toContain('identical')
    stage.clock.pass(10 * MINUTE)
    expect((await stage.ask('notes_write', { text: 'x' })).text).not.toContain('identical')
  })
})

describe('a preview that is blocked', () => {
  test('has no Confirm and opens no plan', async () => {
    const opened: string[] = []
    const book: Book = []
    const blocked = { title: 'The book is full.', text: 'Take another book.' }
    const stage = await createStage([noteTool(book, { preview: (input) => ({ ...notePreview(input), blocked }) })], {
      wrap: (ledger) => ({
        ...ledger,
        open: (draft) => {
          opened.push(draft.id)
          return ledger.open(draft)
        },
      }),
    })
    const answer = await stage.ask('notes_write', { text: 'x' })
    expect(answer).toMatchObject({ outcome: 'previewed', card: { state: 'blocked' } })
    expect(answer.planId).toBeUndefined()
    expect(applyMessage(answer)).toBeUndefined()
    expect(answer.card?.plan).toBeUndefined()
    expect(answer.text).toContain('The book is full.')
    expect(previewAgainMessage(answer)).toMatch(/^Preview: call notes_write\(/)
    expect(opened).toStrictEqual([])
  })

  test('says with which failure the call would end, and promises no side effect', async () => {
    const blocked = { title: 'The book is full.', text: 'Take another book.', code: 'book_full' }
    const { stage } = await openBook({ preview: (input) => ({ ...notePreview(input), blocked }) })
    expect(bodyOf(await stage.ask('notes_write', { text: 'x' }))).toMatchObject({ blocked, expected_side_effects: [] })
  })
})

describe('a contract that may run without a person', () => {
  test('does not run unasked what no card could show', async () => {
    const shown = { title: 'Write', summary: 'Writes.', confirmLabel: 'Write' }
    const broken: readonly Partial<Preview>[] = [{ title: '' }, { confirmLabel: '' }, { effects: [5 as never] }]
    for (const part of broken) {
      const { stage, book } = await openBook({ autonomous: true, preview: () => ({ ...shown, ...part }) })
      const answer = await stage.ask('notes_write', { text: 'x' })
      expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error' } })
      expect(book).toStrictEqual([])
    }
  })

  test('runs when it is called, takes a plan of its own, and says what became of it', async () => {
    const { stage, book } = await openBook({ autonomous: true })
    const answer = await stage.ask('notes_write', { text: 'x' })
    expect(answer).toMatchObject({ outcome: 'applied', result: { id: 'N-1' } })
    expect(book).toStrictEqual([{ key: answer.planId, text: 'x' }])
    const replay = await stage.ask('notes_write', { text: 'x', ticket: answer.planId, preview: false })
    expect(replay).toMatchObject({ outcome: 'replayed', result: { id: 'N-1' } })
  })

  test('still only previews where it is asked to', async () => {
    const { stage, book } = await openBook({ autonomous: true })
    expect((await stage.ask('notes_write', { text: 'x', preview: true })).outcome).toBe('previewed')
    expect(book).toStrictEqual([])
  })

  test('only previews where a real preview is required first', async () => {
    const { stage, book } = await openBook({ autonomous: true, dryRunRequired: true })
    expect((await stage.ask('notes_write', { text: 'x', preview: false })).outcome).toBe('previewed')
    expect(book).toStrictEqual([])
  })
})

describe('risk that depends on the input', () => {
  const upsert = {
    risk: { atMost: 'critical', of: ({ text }: { text: string }) => (text === 'delete' ? 'critical' : 'medium') },
    basis: () => 'v1',
  } as const

  test('each input is asked for its own proof', async () => {
    const { stage } = await openBook(upsert)
    const mild = await stage.ask('notes_write', { text: 'add' })
    expect(mild.card?.risk).toBe('medium')
    expect((await stage.ask('notes_write', { text: 'add', ticket: mild.planId, preview: false })).outcome).toBe(
      'applied',
    )
    const grave = await stage.ask('notes_write', { text: 'delete' })
    expect(grave.card?.risk).toBe('critical')
    expect((await stage.repeat(confirmed(grave))).outcome).toBe('refused')
  })
})

describe('what is not for AI', () => {
  const forbidden = (ran: unknown[]): Contract =>
    readTool({
      name: 'cards.read',
      risk: 'forbidden',
      input: z.strictObject({ id: z.string() }),
      output: z.strictObject({ pan: z.string() }),
      run: (input) => {
        ran.push(input)
        return { pan: '4111111111111111' }
      },
    })

  const bare = ({ outcome, guidance, text, ...rest }: Answer, tool: string): unknown =>
    JSON.parse(JSON.stringify({ outcome, guidance, text, rest }).replaceAll(tool, 'TOOL'))

  test('is answered exactly like a tool that does not exist, whatever it is asked', async () => {
    const ran: unknown[] = []
    const stage = await createStage([noteTool([]), forbidden(ran)])
    for (const args of [{ id: '1' }, {}, { id: 7, wrong: true }])
      expect(bare(await stage.ask('cards_read', args), 'cards_read')).toStrictEqual(
        bare(await stage.ask('cards_rule', args), 'cards_rule'),
      )
    expect(ran).toStrictEqual([])
  })

  test('is met over MCP like a tool that does not exist, also by who has called too often', async () => {
    const stage = await createStage([noteTool([], { risk: 'forbidden' })])
    const limited = (counted: Counter): CallLimits => ({
      take: async (_, counter) => (counter === counted ? { counted, perMinute: 1, retryAfterSeconds: 60 } : undefined),
    })
    for (const more of [{}, { limits: limited('calls') }, { limits: limited('writes') }]) {
      const door = {
        engine: { ...stage.engine, ...more },
        name: 'notes',
        version: '1',
        resources: [],
        docs: packageDocs,
      }
      const raw = async (tool: string): Promise<string> =>
        JSON.stringify(await callTool(door, requestOf(tool, { text: 'x' }))).replaceAll(tool, 'TOOL')
      expect(await raw('notes_write')).toBe(await raw('notes_wrote'))
    }
  })

  test('is not suggested to somebody who is one letter off', async () => {
    const stage = await createStage([noteTool([]), forbidden([])])
    expect((await stage.ask('cards_reads')).guidance?.actionable_guidance.join()).not.toMatch(/cards_read\b/)
    expect((await stage.ask('note_write')).text).toContain('notes_write')
  })

  test('a rule about the input may lower the risk of its contract, and never raise it', async () => {
    const { stage, book } = await openBook({ risk: { atMost: 'critical', of: () => 'forbidden' }, basis: () => 'v1' })
    expect((await stage.ask('notes_write', { text: 'x' })).card?.risk).toBe('critical')
    expect(book).toStrictEqual([])
  })
})

test('which outcomes are errors for a client', () => {
  expect(outcomes.filter(isErrorOutcome)).toStrictEqual(['mismatch', 'stale', 'refused', 'failed', 'outcome_unknown'])
})

test('a result is kept for a day; after that a replay says applied, without data', async () => {
  const { stage, book } = await openBook()
  const preview = await stage.ask('notes_write', { text: 'x' })
  await stage.repeat(confirmed(preview))
  stage.clock.pass(24 * 60 * MINUTE + 1)
  const answer = await stage.repeat(confirmed(preview))
  expect(answer).toMatchObject({ outcome: 'replayed', card: { state: 'applied' } })
  expect(answer.result).toBeUndefined()
  expect(answer.text).toContain('no longer stored')
  expect(book).toHaveLength(1)
})

test('undo is offered as a preview of another call, and only there', async () => {
  const book: Book = []
  const stage = await createStage([
    noteTool(book, {
      undo: (_input, output) => ({ tool: 'notes_strike', arguments: { text: output.id }, label: 'Strike out' }),
    }),
    noteTool([], { name: 'notes.strike', title: 'Strike out' }),
  ])
  const applied = await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))
  expect(previewAgainMessage(applied)).toMatch(/^Preview: call notes_strike\(text="N-1", rationale="Undo of plan pl_/)
})
