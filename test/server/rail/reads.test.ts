import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readTool } from '../../kit/tools.ts'
import { createStage, throwDiskError } from './rail-fixture.ts'

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

  test('without a budget says nothing of one; with a budget of nothing it is exhausted', async () => {
    expect((await (await createStage(reading({}))).ask('notes_get', { id: '1' })).budget).toBeUndefined()
    const none = await createStage(reading({ budget: { unit: 'rows', limit: 0, consumed: () => 0 } }))
    expect((await none.ask('notes_get', { id: '1' })).budget).toMatchObject({
      utilization_percent: 100,
      status: 'exhausted',
    })
  })
})
