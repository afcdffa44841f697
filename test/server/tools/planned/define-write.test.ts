// A write that is declared by its plan, on the real rail: what the person signs is what `plan` said, and nothing else runs.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Middleware } from '../../../../server/index.ts'
import { parseMessage } from '../../../../server/confirm/message.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { defineWrite } from '../../../../server/tools/planned/define-write.ts'
import { runsOf } from '../../../full.ts'
import { sound, tracker } from '../../../kit/tracker.ts'
import { settingBack } from '../../../../server/tools/planned/planned.ts'
import { confirmed, createStage, previewAgainMessage, type Stage } from '../../rail/rail-fixture.ts'

const cyclic = (): object => {
  const made: Record<string, unknown> = {}
  return Object.assign(made, { self: made })
}
const many = (): object => Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`m${at}`, at]))

/** What its card's Undo asks for. */
function undone(stage: Stage, applied: Answer): Promise<Answer> {
  const parsed = parseMessage(previewAgainMessage(applied) ?? '')
  if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error('The card offers no undo.')
  return stage.send(parsed.value.tool, parsed.value.args)
}

describe('a write that is declared by its plan', () => {
  test('shows what would change, makes it once it is signed, and offers to set it back', async () => {
    const { issues, tools } = tracker()
    const stage = await createStage(tools)
    const preview = await stage.ask('issues_change', { id: 'ISS-1', state: 'closed' })
    expect(preview).toMatchObject({
      outcome: 'previewed',
      preview: {
        title: 'Change issue ISS-1',
        subtitle: 'Launch',
        summary: 'Changes State of the issue ISS-1.',
        confirmLabel: 'Change issue',
        changes: [{ pointer: '/state', before: { text: 'open' }, after: { text: 'closed' } }],
        unchanged: [{ label: 'Id' }, { label: 'Title' }],
      },
    })
    expect(issues.get('ISS-1')?.state).toBe('open')
    const applied = await stage.repeat(confirmed(preview))
    expect(applied).toMatchObject({
      outcome: 'applied',
      result: { before: { state: 'open' }, after: { id: 'ISS-1', title: 'Launch', state: 'closed' } },
      card: { title: 'Change issue ISS-1: done' },
    })
    const undo = await undone(stage, applied)
    expect(undo).toMatchObject({ preview: { changes: [{ before: { text: 'closed' }, after: { text: 'open' } }] } })
    await stage.repeat(confirmed(undo))
    expect(issues.get('ISS-1')?.state).toBe('open')
  })

  test('does not run where the record has moved since it was signed', async () => {
    const { issues, tools } = tracker()
    const stage = await createStage(tools)
    const preview = await stage.ask('issues_change', { id: 'ISS-1', state: 'closed' })
    issues.set('ISS-1', { id: 'ISS-1', title: 'Launch, later', state: 'open' })
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'stale' })
    expect(issues.get('ISS-1')).toMatchObject({ title: 'Launch, later', state: 'open' })
  })

  test('shows a new record as one that comes and a deleted one as one that goes', async () => {
    const { issues, tools } = tracker()
    const stage = await createStage(tools)
    const created = await stage.ask('issues_create', { title: 'Party' })
    expect(created).toMatchObject({
      preview: {
        summary: 'Creates the issue Party.',
        blocks: [
          {
            kind: 'diff',
            records: [{ change: 'added', label: 'Party', fields: [{ label: 'Title' }, { label: 'State' }] }],
          },
        ],
      },
    })
    const applied = await stage.repeat(confirmed(created))
    expect(applied).toMatchObject({ outcome: 'applied', result: { after: { id: 'ISS-2', title: 'Party' } } })
    const undo = await undone(stage, applied)
    expect(undo).toMatchObject({
      preview: {
        summary: 'Deletes the issue ISS-2.',
        blocks: [{ records: [{ change: 'removed', label: 'Party', id: 'ISS-2' }] }],
      },
    })
    expect(await stage.repeat(confirmed(undo))).toMatchObject({ outcome: 'applied', result: { left: 1 } })
    expect([...issues.keys()]).toStrictEqual(['ISS-1'])
  })

  test('has no button where nothing would change, nor where the plan says why not', async () => {
    const stage = await createStage(tracker().tools)
    const same = await stage.ask('issues_change', { id: 'ISS-1', title: 'Launch' })
    expect(same).toMatchObject({ preview: { blocked: { code: 'unchanged', title: 'Nothing would change' } } })
    const locked = await stage.ask('issues_change', { id: 'ISS-1', title: 'locked' })
    expect(locked).toMatchObject({ preview: { blocked: { code: 'locked' }, effects: [] } })
    expect(() => confirmed(locked)).toThrow('no Confirm')
    expect(await stage.ask('issues_change', { id: 'ISS-9' })).toMatchObject({
      outcome: 'failed',
      guidance: { error_type: expect.any(String), message: 'There is no issue ISS-9.' },
    })
  })

  test('rests on all that its plan says', async () => {
    let stock = 9
    const sell = defineWrite({
      name: 'goods.sell',
      description: 'Sells one.',
      risk: 'high',
      input: z.strictObject({ by: z.enum(['effects', 'basis', 'blocks', 'summary']) }),
      plan: ({ by }) => ({
        effects: by === 'effects' ? [`The stock falls to ${stock - 1}`] : ['The stock falls'],
        ...(by === 'basis' ? { basis: { stock } } : {}),
        ...(by === 'blocks' ? { blocks: [{ kind: 'text' as const, text: `${stock} are there` }] } : {}),
        ...(by === 'summary' ? { summary: `Sells one of ${stock}.` } : {}),
      }),
      apply: () => void (stock -= 1),
    })
    const stage = await createStage([sell])
    const preview = await stage.ask('goods_sell', { by: 'basis' })
    expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'applied', result: {} })
    for (const by of ['effects', 'basis', 'blocks', 'summary']) {
      const stale = await stage.ask('goods_sell', { by })
      stock += 1
      expect([by, await stage.repeat(confirmed(stale))]).toMatchObject([by, { outcome: 'stale' }])
    }
    expect(stock).toBe(12)
  })

  test.each<[string, () => unknown, string]>([
    ['an id of its own in after', () => ({ after: { id: Math.random() } }), 'another after/id each time'],
    ['a clock in its effects', () => ({ effects: [`Ends at ${performance.now()}`] }), 'another effects each time'],
    ['a Set', () => ({ before: { members: new Set(['a']) } }), 'a Set at "/before/members"'],
    ['a cycle', () => ({ before: cyclic() }), 'a cycle at "/before/self"'],
    ['a number as its summary', () => ({ after: { a: 1 }, summary: 5 }), '5 as summary. Answer a text'],
    ['null alone', () => ({ before: null, effects: null, blocked: null }), 'nothing to sign'],
    ['no number', () => ({ before: { n: Number.NaN } }), 'NaN at "/before/n"'],
    ['nothing', () => ({ before: undefined }), 'nothing to sign'],
    ['a text as the record', () => ({ before: 'open', after: 'closed' }), '"open" as before'],
    ['a part that no preview has', () => ({ after: { a: 1 }, efects: ['x'] }), 'Did you mean "effects"?'],
    ['a code of no failure', () => ({ blocked: { code: 'lockd', title: 'x', text: 'y' } }), '"lockd"'],
    ['more than a card can show', () => ({ after: many(), before: {} }), 'plan changes 600 members'],
  ])('whose plan answers %s is told so at its first preview', async (_, plan, said) => {
    const add = defineWrite({ ...sound, plan: plan as never })
    const stage = await createStage([add])
    expect(await stage.ask('notes_add')).toMatchObject({ outcome: 'failed' })
    expect(stage.engine.reports.join()).toContain(said)
  })

  test('takes a part that is undefined or null for one that is not said: the card shows what is compared', async () => {
    const before = { id: 'U-1', name: 'Ada' }
    const parts = 'title subtitle summary changes unchanged effects blocks warnings confirmLabel details basis blocked'
    const nothing = fc.record(
      Object.fromEntries(parts.split(' ').map((part) => [part, fc.constantFrom(undefined, null)])),
      { requiredKeys: [] },
    )
    let more: object = {}
    const rename = defineWrite({
      ...sound,
      plan: () => ({ before, after: { ...before, name: 'Eve' }, ...more }),
    })
    const stage = await createStage([rename])
    const plain = (await stage.ask('notes_add')).preview
    expect(plain).toMatchObject({ changes: [{ before: { text: 'Ada' }, after: { text: 'Eve' } }] })
    await fc.assert(
      fc.asyncProperty(nothing, async (said) => {
        more = said
        const preview = await stage.ask('notes_add')
        // What is said beside it is that it was applied a moment ago.
        expect({ ...preview.preview, warnings: [] }).toStrictEqual(plain)
        more = {}
        expect(await stage.repeat(confirmed(preview))).toMatchObject({ outcome: 'applied' })
      }),
      { numRuns: runsOf(100) },
    )
  })

  test.each([
    ['before', (to: string) => ({ before: { id: 'A', to }, after: { id: 'A', to: `next to ${to}` } })],
    ['after', (to: string) => ({ before: { id: 'A' }, after: { id: 'A', to } })],
    [
      'basis',
      (to: string) => ({ before: { id: 'A' }, after: { id: 'A', done: true }, basis: to, summary: `To ${to}.` }),
    ],
  ])('applies nothing that was not shown, though its %s moves there and back again', async (_, plan) => {
    const applied: string[] = []
    for (const answers of ['aba', 'abba', 'abab', 'aab', 'abb']) {
      let asked = 0
      const write = defineWrite({
        ...sound,
        plan: () => plan(answers[Math.min(asked++, answers.length - 1)] ?? ''),
        apply: (planned) => void applied.push(JSON.stringify(planned)),
      })
      const stage = await createStage([write])
      const preview = await stage.ask('notes_add')
      if (preview.outcome !== 'previewed') continue
      applied.length = 0
      const answer = await stage.repeat(confirmed(preview))
      if (answer.outcome !== 'applied') continue
      expect([answers, JSON.stringify(preview.preview)]).toEqual([answers, expect.not.stringMatching(/\bb\b/)])
      expect(applied.join()).not.toMatch(/\bb\b/)
    }
  })

  test('shows what its basis is of where the state moves while it is asked, and does not blame the plan', async () => {
    let [stock, moves] = [0, false]
    const sell = defineWrite({
      ...sound,
      plan: () => ({
        before: { id: 'A' },
        after: { id: 'A', sold: true },
        basis: { stock },
        summary: `One of ${stock}.`,
      }),
    })
    const open = defineWrite({ ...sound, name: 'notes.open', plan: () => ({ after: { title: 'x', after: stock } }) })
    const move: Middleware = async ({ stage: at }, next) => {
      if (moves && at === 'preview') stock += 1
      await next()
    }
    const stage = await createStage([sell, open])
    Object.assign(stage.engine, { middleware: [move] })
    for (const [tool, shown] of [
      ['notes_add', 'One of 0.'],
      ['notes_open', '"value":"1"'],
    ] as const) {
      moves = true
      const moved = await stage.ask(tool)
      expect([moved.outcome, JSON.stringify(moved.preview)]).toEqual(['previewed', expect.stringContaining(shown)])
      moves = false
      const stale = await stage.repeat(confirmed(moved))
      expect(stale.outcome).toBe('stale')
      expect(await stage.repeat(confirmed(stale))).toMatchObject({ outcome: 'applied' })
    }
    expect(stage.engine.reports).toStrictEqual([])
  })

  test('answers what was there before, also where apply changes that very object', async () => {
    const note = { id: 'N-1', text: 'a' }
    const write = defineWrite({
      ...sound,
      plan: () => ({ before: note, after: { ...note, text: 'b' } }),
      apply: ({ before, after }) => void Object.assign(before, after),
    })
    const stage = await createStage([write])
    expect(await stage.repeat(confirmed(await stage.ask('notes_add')))).toMatchObject({
      result: { before: { text: 'a' }, after: { text: 'b' } },
    })
  })

  test('leaves alone what apply returns and what is no such record', async () => {
    // A member of that name makes no promise of a record.
    const made = JSON.parse('{"id":"N-1","then":"later"}') as { id: string }
    const write = defineWrite({ ...sound, plan: () => ({ after: made }), apply: (() => ({ changes: 1 })) as never })
    const stage = await createStage([write])
    expect(await stage.repeat(confirmed(await stage.ask('notes_add')))).toMatchObject({ result: { after: made } })
  })

  test('offers to set back only where no other argument would do something once more', () => {
    const sides = { before: { id: 'A', qty: 5 }, after: { id: 'A', qty: 2 } }
    expect(settingBack('t', { id: 'A', qty: 2 }, sides)?.arguments).toStrictEqual({ id: 'A', qty: 5 })
    expect(settingBack('t', { id: 'A', qty: 2, refund: true }, sides)).toBeUndefined()
    expect(settingBack('t', { id: 'A', by: -3 }, sides)).toBeUndefined()
    const marked = defineWrite({
      ...sound,
      secrets: { arguments: ['/pin'] },
      input: z.strictObject({ pin: z.string() }),
    })
    expect('undo' in marked).toBe(false)
  })

  test('takes an apply that finds the record moved in its own transaction for staleness', async () => {
    const write = defineWrite({
      name: 'notes.touch',
      description: 'Touches a note.',
      risk: 'medium',
      input: z.strictObject({}),
      plan: () => ({ before: { n: 1 }, after: { n: 2 } }),
      apply: (_, ctx) => ctx.stale(),
    })
    const stage = await createStage([write])
    expect(await stage.repeat(confirmed(await stage.ask('notes_touch')))).toMatchObject({ outcome: 'stale' })
  })
})
