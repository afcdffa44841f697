// What the card of somebody else's tool says of the calls before: when, how they ended, how long they took; never what
// was in them.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { cardSchema } from '../../../../server/cards/card.schema.ts'
import { shownCalls, similarBlocks, type PastCall } from '../../../../server/gateway/upstream/similar-calls.ts'

const past = (more: Partial<PastCall> = {}): PastCall => ({
  at: Date.UTC(2026, 0, 31, 12),
  outcome: 'applied',
  durationMs: 12,
  own: true,
  ...more,
})

test('the last few are a table, newest first as they come', () => {
  const [block] = similarBlocks('files:write_file', [
    past(),
    past({ outcome: 'failed', durationMs: 2340, own: false }),
    past({ outcome: 'outcome_unknown', durationMs: undefined }),
  ])
  expect(block).toStrictEqual({
    kind: 'table',
    label: 'Calls of files:write_file before',
    columns: [{ label: 'When' }, { label: 'Asked by' }, { label: 'Outcome' }, { label: 'Took', align: 'end' }],
    rows: [
      [
        { kind: 'date', iso: '2026-01-31T12:00:00.000Z', precision: 'minute' },
        { kind: 'text', text: 'the same' },
        { kind: 'text', text: 'done' },
        { kind: 'number', value: '12', unit: 'ms' },
      ],
      [
        { kind: 'date', iso: '2026-01-31T12:00:00.000Z', precision: 'minute' },
        { kind: 'text', text: 'somebody else' },
        { kind: 'text', text: 'failed, nothing was changed' },
        { kind: 'number', value: '2.3', unit: 's' },
      ],
      [
        { kind: 'date', iso: '2026-01-31T12:00:00.000Z', precision: 'minute' },
        { kind: 'text', text: 'the same' },
        { kind: 'text', text: 'nobody knows how it ended' },
        { kind: 'unknown' },
      ],
    ],
  })
  expect(z.array(cardSchema.shape.blocks.element).safeParse([block]).success).toBe(true)
})

test('without any, nothing is said; of many, a few', () => {
  expect(similarBlocks('files:write_file', [])).toStrictEqual([])
  const [block] = similarBlocks(
    't',
    Array.from({ length: 40 }, () => past()),
  )
  expect(block).toMatchObject({ rows: Array.from({ length: shownCalls }, () => expect.anything()) })
})
