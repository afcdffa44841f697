// Two halves are compared only if nothing else differs between them: a session that goes without is answered byte for byte
// as if guidance were switched off, and stays in its half wherever it calls.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toToolResult } from '../../../server/mcp/result.ts'
import { defineTool } from '../../../server/tools/define-tool.ts'
import type { GuidanceSettings } from '../../../server/rail/engine.ts'
import { engineFor } from '../../../server/rail/guidance-half.ts'
import { caller } from '../../kit/calls.ts'
import { createStage, noteTool, why } from './rail-fixture.ts'

const counting = defineTool({
  name: 'rows.read',
  title: 'Read rows',
  description: 'Reads rows of a table, as many as are asked for.',
  operation: 'read',
  risk: 'low',
  input: z.strictObject({ rows: z.int() }),
  output: z.strictObject({ rows: z.int() }),
  failures: { too_many: { effect: 'none', guidance: 'Ask for fewer rows.' } },
  budget: { unit: 'rows', limit: 100, consumed: (_, { rows }: { rows: number }) => rows },
  run: ({ rows }, ctx) => {
    if (rows < 0) throw new Error('no such row')
    return rows > 1000 ? ctx.fail('too_many', 'That is too much.') : { rows }
  },
})

const open = (guidance: GuidanceSettings) =>
  createStage([noteTool([], { risk: 'medium' }), counting], { settings: { guidance } })

const half = async (told: 'with' | 'without') => {
  const { engine } = await open({ errors: true, budget: true, sample: 0.5 })
  const names = Array.from({ length: 40 }, (_, at) => `session ${at}`)
  const name = names.find((session) => engineFor(engine, caller({ session })).about.told === told)
  return name ?? expect.unreachable()
}

/** Every kind of answer that guidance or a budget has a part in. */
const calls: readonly (readonly [tool: string, args: object])[] = [
  ['rows_read', { rows: 99 }],
  ['rows_read', { rows: 'many' }],
  ['rows_read', { rows: 5000 }],
  ['rows_read', { rows: -1 }],
  ['rows_raed', { rows: 1 }],
  ['notes_write', { text: 7 }],
  ['notes_write', { text: 'x', ticket: 'cs1_none', preview: false }],
]

const answers = async (guidance: GuidanceSettings, session: string) => {
  const { send } = await open(guidance)
  const said = []
  for (const [tool, args] of calls) {
    const answer = await send(tool, { rationale: why, ...args }, caller({ session }))
    said.push(JSON.stringify(toToolResult(answer)))
  }
  return said
}

describe('of sessions that are told what to do about errors, and of those that are not', () => {
  test('one that goes without is answered byte for byte as if guidance were switched off', async () => {
    const session = await half('without')
    const without = await answers({ errors: true, budget: true, sample: 0.5 }, session)
    expect(without).toStrictEqual(await answers({ errors: false, budget: false }, session))
    expect(without.join()).not.toMatch(/error_guidance|countersign\/guidance|budget/)
  })

  test('one that is told is answered as if there were no other', async () => {
    const session = await half('with')
    const told = await answers({ errors: true, budget: true, sample: 0.5 }, session)
    expect(told).toStrictEqual(await answers({ errors: true, budget: true }, session))
    expect(told.filter((text) => /countersign\/guidance|error_guidance/.test(text))).toHaveLength(6)
  })

  test('each stays in its half on every machine, and the halves are as large as the setting says', async () => {
    const told = async (sample: number, session: string) => {
      const { engine } = await open({ errors: true, budget: true, sample })
      return engineFor(engine, caller({ session })).about.told
    }
    const [one, other] = await Promise.all([told(0.5, 'a session'), told(0.5, 'a session')])
    expect(one).toBe(other)
    const { engine } = await open({ errors: true, budget: true, sample: 0.25 })
    const all = Array.from({ length: 2000 }, (_, at) => engineFor(engine, caller({ session: `s${at}` })).about.told)
    const share = all.filter((each) => each === 'with').length / all.length
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.3)
    expect([await told(1, 's'), await told(0, 's')]).toStrictEqual(['all', 'none'])
  })

  test('calls without a session go by their principal', async () => {
    const { engine } = await open({ errors: true, budget: true, sample: 0.5 })
    const of = (subject: string, session?: string) =>
      engineFor(engine, caller({ principal: { tenant: 'default', subject }, ...(session && { session }) })).about
        .session
    expect(of('ada')).toBe(of('ada'))
    expect(of('ada')).not.toBe(of('eve'))
    expect(of('ada', 's1')).toBe(of('eve', 's1'))
  })
})
