// What a preview says to programs: what this very call does, what is missing, how long it takes; and the same to whoever
// asks for a dry run in the form of the tool design guide.
import { describe, expect, test } from 'vitest'
import { bodyOf } from '../../../server/rail/answers/envelope.ts'
import { figureText } from '../../../server/cards/figures.ts'
import { applyNote, notePreview, openBook, type Stage } from './rail-fixture.ts'

const preview = async (stage: Stage, args: object = {}) =>
  bodyOf(await stage.ask('notes_write', { text: 'x', ...args }))

describe('the expected side effects of a preview', () => {
  test('are its own sentences with their figures as programs read them', async () => {
    const money = figureText({ kind: 'money', amount: '2290.59', currency: 'EUR' })
    const { stage } = await openBook({
      preview: (input) => ({
        ...notePreview(input),
        effects: ['Stock of DESK-01 goes from 9 to 7', `ACME is charged ${money}`],
      }),
    })
    expect(await preview(stage)).toMatchObject({
      expected_side_effects: ['Stock of DESK-01 goes from 9 to 7', 'ACME is charged EUR 2290.59'],
      missing_permissions: [],
    })
  })

  test('are found in its further blocks, too', async () => {
    const { stage } = await openBook({
      preview: (input) => ({
        ...notePreview(input),
        blocks: [{ kind: 'effects', effects: ['Two readers are told'] }],
        effects: ['The book has 3 notes'],
      }),
    })
    expect(await preview(stage)).toMatchObject({
      expected_side_effects: ['Two readers are told', 'The book has 3 notes'],
    })
  })

  test('are what the contract says in general where the preview says nothing of its own', async () => {
    const { stage } = await openBook()
    expect(await preview(stage)).toMatchObject({ expected_side_effects: ['One more note.'], missing_permissions: [] })
  })
})

test('a dry run with the argument of the guide answers in its shape, opens the plan of the real call, and never runs', async () => {
  const { stage, book } = await openBook({
    dryRunRequired: true,
    preview: (input) => ({
      ...notePreview(input),
      warnings: [{ title: 'The book is nearly full', text: 'Two pages are left.' }],
      effects: ['The book has 3 notes'],
    }),
  })
  expect(await preview(stage, { dryRun: true, preview: false })).toMatchObject({
    dry_run: true,
    summary: 'Writes one note.',
    changes: [{ pointer: '/text' }],
    warnings: ['The book is nearly full. Two pages are left.'],
    missing_permissions: [],
    expected_side_effects: ['The book has 3 notes'],
  })
  const asked = await stage.ask('notes_write', { text: 'x', dryRun: true })
  const { card } = asked
  const confirm = card?.actions.find(({ role }) => role === 'confirm')
  expect(JSON.stringify(confirm)).toContain('Apply: call notes_write(text=')
  expect(JSON.stringify(confirm)).not.toContain('dryRun')
  expect(book).toEqual([])
  // Otherwise warnings are as cards have them.
  expect(await preview(stage, { dryRun: false })).toMatchObject({ warnings: [{ title: 'The book is nearly full' }] })
  expect((await stage.ask('notes_write', { text: 'x', dryRun: 'yes' })).guidance?.field_errors).toEqual([
    { pointer: '/dryRun', received: 'yes', allowed: 'true or false' },
  ])
})

test('a tool that does not declare a dry run refuses the argument', async () => {
  const { stage, book } = await openBook()
  expect(await preview(stage, { dryRun: true })).toMatchObject({
    status: 'refused',
    error_guidance: { field_errors: [{ pointer: '/dryRun' }] },
  })
  expect(book).toEqual([])
})

test('what a tool adds to its preview for programs stands in its details', async () => {
  const details = { recipients: 4821, samples: [{ to: 'ada@example.org' }] }
  const { stage } = await openBook({ preview: (input) => ({ ...notePreview(input), details }) })
  expect(await preview(stage)).toMatchObject({ status: 'previewed', details })
})

test('a dry run in the form of the guide has its names too, and the figures of the tool beside them', async () => {
  const details = { recipientCount: 4821, sampleMessages: [{ to: 'ada@example.org' }], status: 'sent', result: {} }
  const { stage } = await openBook({
    dryRunRequired: true,
    preview: (input) => ({ ...notePreview(input), details, effects: ['4,821 mails go out'], estimatedDurationMs: 900 }),
  })
  const { status, result, ...told } = await preview(stage, { dryRun: true })
  expect([status, result]).toStrictEqual(['previewed', undefined])
  expect(told).toMatchObject({
    dryRun: true,
    recipientCount: 4821,
    sampleMessages: [{ to: 'ada@example.org' }],
    missingPermissions: [],
    expectedSideEffects: ['4,821 mails go out'],
    estimatedDurationMs: 900,
    details,
  })
  expect(await preview(stage)).not.toHaveProperty('dryRun')
})

test('an estimate that the tool makes of this very call comes before what its runs took', async () => {
  const { stage } = await openBook({ preview: (input) => ({ ...notePreview(input), estimatedDurationMs: 7 }) })
  Object.assign(stage.engine, { typicalDuration: async () => 900 })
  expect(await preview(stage)).toMatchObject({ estimated_duration_ms: 7 })
})

test('a record that cannot be asked how long a tool takes holds up no preview', async () => {
  const { stage } = await openBook()
  Object.assign(stage.engine, { typicalDuration: () => Promise.reject(new Error('the record is gone')) })
  expect(await preview(stage)).not.toHaveProperty('estimated_duration_ms')
  expect(stage.engine.reports).toEqual(['how long notes_write takes: the record is gone'])
  expect((await applyNote(stage)).outcome).toBe('applied')
})
