import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readTool } from '../../kit/tools.ts'
import { toToolResult } from '../../../server/mcp/result.ts'
import { applyNote, confirmed, createStage, openBook, throwDiskError, type Stage } from './rail-fixture.ts'

describe('a read tool', () => {
  const reading = (change: object): Parameters<typeof createStage>[0] => [
    readTool({
      name: 'notes.get',
      input: z.strictObject({ id: z.string() }),
      output: z.strictObject({ id: z.string(), size: z.number() }),
      failures: { gone: { effect: 'none', guidance: 'List the notes first.', retryable: 'no' } },
      run: ({ id }) => ({ id, size: 1 }),
      ...change,
    }),
  ]

  test('answers its output, and no card', async () => {
    const stage = await createStage(reading({}))
    const answer = await stage.ask('notes_get', { id: 'N-1' })
    expect(answer).toMatchObject({ outcome: 'ok', result: { id: 'N-1', size: 1 } })
    expect(answer.card).toBeUndefined()
  })

  test('takes neither preview nor ticket', async () => {
    const stage = await createStage(reading({}))
    const answer = await stage.ask('notes_get', { id: 'N-1', preview: false, ticket: 'cs1_x' })
    expect(answer.guidance?.field_errors.map(({ pointer }) => pointer)).toStrictEqual(['/preview', '/ticket'])
  })

  test('that fails as declared, that throws, and that answers something else', async () => {
    type Fail = { fail(code: string, message: string): unknown }
    const failed = await createStage(reading({ run: (_: unknown, ctx: Fail) => ctx.fail('gone', 'Burnt.') }))
    expect(await failed.ask('notes_get', { id: '1' })).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'gone', retryable: 'no' },
    })
    const crashed = await createStage(reading({ run: throwDiskError }))
    expect(await crashed.ask('notes_get', { id: '1' })).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: 'tool_error' },
    })
    const odd = await createStage(reading({ run: () => ({ id: '1', size: 'huge' }) }))
    const answer = await odd.ask('notes_get', { id: '1' })
    expect(answer).toMatchObject({ outcome: 'failed', guidance: { error_type: 'bad_output' } })
    expect(answer.text).toContain('/size')
    expect(answer.result).toBeUndefined()
  })

  test.each([
    [0, 'efficient', 0],
    [499, 'efficient', 0],
    [500, 'moderate', 0],
    [749, 'moderate', 0],
    [750, 'warning', 1],
    [899, 'warning', 1],
    [900, 'critical', 1],
    [999, 'critical', 1],
    [1000, 'exhausted', 1],
    [5000, 'exhausted', 1],
  ])('that used %i of 1000 is %s', async (used, status, causes) => {
    const stage = await createStage(reading({ budget: { unit: 'rows', limit: 1000, consumed: () => used } }))
    const { budget } = await stage.ask('notes_get', { id: '1' })
    expect(budget).toMatchObject({ consumed: used, budget: 1000, utilization_percent: used / 10, status })
    expect(budget?.likely_causes).toHaveLength(causes)
    expect(budget?.recommendation).toMatch(/\.$/)
  })

  test('recommends a limit with a margin of half to all of what was used, once a budget is nearly used up', async () => {
    const advice = async (used: number) => {
      const stage = await createStage(reading({ budget: { unit: 'rows', limit: 1000, consumed: () => used } }))
      return (await stage.ask('notes_get', { id: '1' })).budget?.recommendation
    }
    expect(await advice(850)).toBe(
      'Consider a filter or a smaller page. Calls like this one need a limit of 1275 to 1700 rows.',
    )
    expect(await advice(1000)).toMatch(/^Stop: .* need a limit of 1500 to 2000 rows\.$/)
    expect(await advice(740)).toBe('No change needed yet.')
  })

  test('without a budget says nothing of one; with a budget of nothing it is exhausted', async () => {
    expect((await (await createStage(reading({}))).ask('notes_get', { id: '1' })).budget).toBeUndefined()
    const none = await createStage(reading({ budget: { unit: 'rows', limit: 0, consumed: () => 0 } }))
    expect((await none.ask('notes_get', { id: '1' })).budget).toMatchObject({
      utilization_percent: 100,
      status: 'exhausted',
    })
  })
})

test('what went well carries no guidance', async () => {
  const { stage } = await openBook()
  const previewed = await stage.ask('notes_write', { text: 'x' })
  for (const answer of [previewed, await stage.repeat(confirmed(previewed))]) {
    expect(answer.guidance).toBeUndefined()
    expect(toToolResult(answer).structuredContent).not.toHaveProperty('error_guidance')
  }
})

describe('a budget of a write', () => {
  const rows = (used: number | (() => number)) => ({
    budget: { unit: 'rows', limit: 10, consumed: typeof used === 'number' ? () => used : used },
  })
  const applied = async (stage: Stage) => toToolResult(await applyNote(stage)).structuredContent

  test('stands in the envelope of what was applied, and again where the result is replayed', async () => {
    const { stage } = await openBook(rows(9))
    const message = confirmed(await stage.ask('notes_write', { text: 'x' }))
    const analysis = { consumed: 9, budget: 10, utilization_percent: 90, status: 'critical' }
    expect(toToolResult(await stage.repeat(message)).structuredContent).toMatchObject({
      status: 'applied',
      budget_analysis: analysis,
    })
    expect(toToolResult(await stage.repeat(message)).structuredContent).toMatchObject({
      status: 'replayed',
      budget_analysis: analysis,
    })
  })

  test('stands in no preview, because nothing is used up yet', async () => {
    const { stage } = await openBook(rows(9))
    const preview = toToolResult(await stage.ask('notes_write', { text: 'x' }))
    expect(preview.structuredContent).not.toHaveProperty('budget_analysis')
  })

  test('that cannot be counted is reported, and hides no result', async () => {
    const { stage, book } = await openBook(rows(throwDiskError))
    const content = await applied(stage)
    expect(content).toMatchObject({ status: 'applied', result: { text: 'x' } })
    expect(content).not.toHaveProperty('budget_analysis')
    expect([book.length, stage.engine.reports]).toStrictEqual([1, [expect.stringMatching(/^notes_write budget: /)]])
  })

  test('is told to nobody where the operator says so', async () => {
    const guidance = { errors: true, budget: false }
    const { stage } = await openBook(rows(9), { settings: { guidance } })
    expect(await applied(stage)).not.toHaveProperty('budget_analysis')
  })
})
