// What stays of a failure for whoever runs the server: a line of the log and a figure, by type and by the rule that found
// it. What no rule explains stands out, because there the server, or a tool, is what has to be mended.
import { describe, expect, test } from 'vitest'
import { redactText } from '../../../../server/policy/redact.ts'
import { createLog, type LogLevel } from '../../../../server/operations/telemetry/log.ts'
import { createMetrics } from '../../../../server/operations/telemetry/metrics.ts'
import { createObserver } from '../../../../server/operations/telemetry/observer.ts'
import { applyNote, openBook, throwDiskError, type NoteContract } from '../../rail/rail-fixture.ts'

/** A stage whose observer writes a log of this level and counts. */
async function watched(change: Partial<NoteContract> = {}, level: LogLevel = 'info') {
  const lines: string[] = []
  const stream = { write: (line: string) => lines.push(line) }
  const log = createLog({ level, readable: false, redact: redactText, stream })
  const metrics = createMetrics('1.0.0')
  const { stage } = await openBook(change, { observer: createObserver({ metrics: () => metrics, log }) })
  return {
    stage,
    said: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    counted: async (name = 'failures') =>
      (await metrics.exposition()).text.split('\n').filter((line) => line.startsWith(`countersign_${name}_total{`)),
  }
}

describe('a failure', () => {
  test('that a rule explains is a line at info with its type and its rule, and is counted', async () => {
    const { stage, said, counted } = await watched()
    await stage.ask('notes_write', { text: 1 })
    await stage.ask('notes_write', { txet: 'x' })
    await stage.ask('notes_wirte', { text: 'x' })
    expect(said()).toMatchObject([
      { level: 'info', msg: 'notes_write: refused', error_type: 'validation_error', rule: 'arguments.schema' },
      { level: 'info', error_type: 'validation_error' },
      { level: 'info', msg: 'an unknown tool: refused', error_type: 'unknown_tool', rule: 'catalog.find' },
    ])
    expect(await counted()).toStrictEqual([
      'countersign_failures_total{tool="notes_write",error_type="validation_error",rule="arguments.schema"} 2',
      'countersign_failures_total{tool="(unknown)",error_type="unknown_tool",rule="catalog.find"} 1',
    ])
  })

  test('that a tool declares is one at info, by the name that its contract gives it', async () => {
    const { stage, said, counted } = await watched({ preview: (_, ctx) => ctx.fail('book_full', 'The book is full.') })
    await stage.ask('notes_write', { text: 'x' })
    expect(said()).toMatchObject([{ level: 'info', error_type: 'book_full', rule: 'failures.book_full' }])
    expect(await counted()).toHaveLength(1)
  })

  test.each<[string, Partial<NoteContract>, string]>([
    ['the preview', { preview: throwDiskError }, 'tool.preview'],
    ['the basis', { basis: throwDiskError }, 'tool.preview'],
  ])('that nobody expects in %s is a warning', async (_, change, rule) => {
    const { stage, said } = await watched(change)
    await stage.ask('notes_write', { text: 'x' })
    expect(said()).toMatchObject([{ level: 'warn', error_type: 'tool_error', rule }])
  })

  test('that nobody expects in a run is a warning too, although its outcome has a name', async () => {
    const { stage, said, counted } = await watched({ run: throwDiskError })
    expect((await applyNote(stage)).outcome).toBe('outcome_unknown')
    expect(said()).toMatchObject([{ level: 'warn', error_type: 'outcome_unknown', rule: 'tool.run' }])
    expect(await counted()).toStrictEqual([
      'countersign_failures_total{tool="notes_write",error_type="outcome_unknown",rule="tool.run"} 1',
    ])
  })

  test('that no rule explains has a fingerprint of what was thrown, whatever its values are, and no secret', async () => {
    let order = 1041
    const { stage, said, counted } = await watched({
      preview: () => {
        throw new Error(`no order SO-${order++} for token=ghp_${'a1B2'.repeat(9)} at /var/desk/orders.db`)
      },
    })
    await stage.ask('notes_write', { text: 'x' })
    await stage.ask('notes_write', { text: 'y' })
    const [one, other] = said()
    expect(one).toMatchObject({ level: 'warn', tool: 'notes_write', rule: 'tool.preview' })
    expect(one?.['fingerprint']).toMatch(/^[0-9a-f]{12}$/)
    expect(one?.['sample']).toBe('no order <id> for token redacted at <path>')
    expect(JSON.stringify(one)).not.toContain('ghp_')
    expect(other?.['fingerprint']).toBe(one?.['fingerprint'])
    expect(await counted('unexplained_errors')).toStrictEqual([
      'countersign_unexplained_errors_total{tool="notes_write"} 2',
    ])
  })

  test('has no line above the level that the operator set; what went well is a line at debug only', async () => {
    const quiet = await watched({}, 'warn')
    await quiet.stage.ask('notes_write', { text: 1 })
    expect(quiet.said()).toStrictEqual([])
    const { stage, said, counted } = await watched()
    expect((await applyNote(stage)).outcome).toBe('applied')
    expect(said()).toStrictEqual([])
    expect(await counted()).toStrictEqual([])
  })

  test('has no argument in its line', async () => {
    const { stage, said } = await watched()
    await stage.ask('notes_write', { text: 'x', secret_of_mine: 'hunter2' })
    expect(JSON.stringify(said())).not.toMatch(/hunter2|secret_of_mine/)
  })
})
