// When something breaks, the one thing that must be right is whether anything was changed. Each test here breaks a part
// and reads the answer as the person would.
import { describe, expect, test } from 'vitest'
import {
  applyNote,
  confirmed,
  everythingShown,
  type NoteContract,
  notePreview,
  nothingChanged,
  openBook,
  previewAgainMessage,
  throwDiskError,
} from './rail-fixture.ts'

describe('a tool that fails while it runs', () => {
  test('with a failure declared as without effect: failed, with the contract’s guidance, and told again on repeat', async () => {
    const { stage } = await openBook({ run: (_input, ctx) => ctx.fail('book_full', 'No page is left.') })
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.repeat(confirmed(preview))
    expect(answer).toMatchObject({
      outcome: 'failed',
      planId: preview.planId,
      guidance: { error_type: 'book_full', message: 'No page is left.', actionable_guidance: ['Take another book.'] },
      card: { kind: 'error', state: 'failed', code: 'book_full' },
    })
    expect(answer.text).toMatch(nothingChanged)
    expect(previewAgainMessage(answer)).toMatch(/^Preview: call notes_write\(/)
    expect(await stage.repeat(confirmed(preview))).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'book_full' },
    })
  })

  test.each<[string, NoteContract['run'], string]>([
    [
      'declared as partial',
      (_input, ctx) => ctx.fail('ink_ran_out', 'Half a note is written.'),
      'Half a note is written.',
    ],
    ['not declared', (_input, ctx) => ctx.fail('surprise', 'Something else.'), 'failed unexpectedly'],
    ['thrown', () => Promise.reject(new Error('secret: connection string')), 'failed unexpectedly'],
    ['thrown at once', () => throwDiskError(), 'failed unexpectedly'],
    ['thrown as a text', () => Promise.reject(new Error('x')), 'failed unexpectedly'],
  ])('with a failure that is %s: the outcome is not known, and it is never run again', async (_, run, words) => {
    let runs = 0
    const { stage } = await openBook({
      run: (input, ctx) => {
        runs += 1
        return run(input, ctx)
      },
    })
    const preview = await stage.ask('notes_write', { text: 'x' })
    for (const answer of [await stage.repeat(confirmed(preview)), await stage.repeat(confirmed(preview))]) {
      expect(answer).toMatchObject({
        outcome: 'outcome_unknown',
        card: { state: 'unknown' },
        guidance: { retryable: 'no' },
      })
      expect(answer.text).toContain(words)
      expect(everythingShown(answer)).not.toMatch(nothingChanged)
      expect(everythingShown(answer)).not.toContain('connection string')
    }
    expect(runs).toBe(1)
  })

  test('an exception is reported with the incident that the caller is told', async () => {
    const { stage } = await openBook({ run: () => throwDiskError() })
    const answer = await applyNote(stage)
    expect(stage.engine.reports).toStrictEqual(['notes_write run: the disk is gone'])
    expect(answer.text).toContain('in_1')
    expect(everythingShown(answer)).not.toContain('the disk is gone')
  })

  test('before anything is written: a basis that fails or throws is a failure without effect', async () => {
    for (const [trouble, type] of [
      [
        (ctx: Parameters<NonNullable<NoteContract['basis']>>[1]) => ctx.fail('book_full', 'No page is left.'),
        'book_full',
      ],
      [() => throwDiskError(), 'tool_error'],
    ] as const) {
      let broke = false
      const { stage, book } = await openBook({ basis: (_input, ctx) => (broke ? trouble(ctx) : 'v1') })
      const preview = await stage.ask('notes_write', { text: 'x' })
      broke = true
      const answer = await stage.repeat(confirmed(preview))
      expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: type } })
      expect(answer.text).toMatch(nothingChanged)
      expect(book).toStrictEqual([])
    }
  })
})

describe('a tool that says something else than its contract', () => {
  test('after a write: it is applied, and the bad answer is not handed on', async () => {
    const { stage, book } = await openBook({
      run: (input, ctx) => {
        book.push({ key: ctx.idempotencyKey, text: input.text })
        return { id: 7, secret: 'x' } as unknown as { id: string; text: string }
      },
    })
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.repeat(confirmed(preview))
    expect(answer).toMatchObject({ outcome: 'applied', card: { kind: 'success', state: 'applied' } })
    expect(answer.result).toBeUndefined()
    expect(answer.text).toContain('is not valid')
    expect(everythingShown(answer)).not.toContain('secret')
    expect(everythingShown(answer)).not.toMatch(nothingChanged)
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'replayed' })
    expect(book).toHaveLength(1)
  })

  test.each<[string, Partial<NoteContract>]>([
    ['throws', { cards: { success: () => throwDiskError() } }],
    ['is none that a card can show', { cards: { success: () => ({ title: '', blocks: [] }) } }],
    [
      'links to a script',
      { cards: { success: () => ({ title: 'Done', links: [{ label: 'x', url: 'javascript:alert(1)' }] }) } },
    ],
    ['is spoilt by its undo', { undo: () => throwDiskError() }],
  ])('a success card that %s: the write stands, and plain words say so', async (_, change) => {
    const { stage, book } = await openBook(change)
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.repeat(confirmed(preview))
    expect(answer).toMatchObject({ outcome: 'applied', result: { id: 'N-1', text: 'x' }, card: { kind: 'success' } })
    expect(everythingShown(answer)).not.toMatch(nothingChanged)
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'replayed', result: { id: 'N-1' } })
    expect(book).toHaveLength(1)
  })

  test.each<[string, NoteContract['preview']]>([
    ['throws', () => throwDiskError()],
    ['fails undeclared', (_input, ctx) => ctx.fail('surprise', 'x')],
    [
      'is none that a card can show',
      (input) => ({
        ...notePreview(input),
        blocks: [
          { kind: 'fields', fields: [{ label: 'Sum', value: { kind: 'money', amount: '1,00', currency: 'EUR' } }] },
        ],
      }),
    ],
  ])('a preview that %s is the tool’s own error, and nothing was changed', async (_, preview) => {
    const { stage, book } = await openBook({ preview })
    const answer = await stage.ask('notes_write', { text: 'x' })
    expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'tool_error', category: 'server' } })
    expect(answer.text).toMatch(nothingChanged)
    expect(stage.engine.reports).toHaveLength(1)
    expect(book).toStrictEqual([])
  })

  test('a preview that fails as declared says why, and what to do', async () => {
    const { stage } = await openBook({ preview: (_input, ctx) => ctx.fail('book_full', 'No page is left.') })
    expect(await stage.ask('notes_write', { text: 'x' })).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'book_full', actionable_guidance: ['Take another book.'] },
    })
  })
})
