// A function of a contract that answers with something that has not happened yet (an iterator that nobody asks, a
// function that nobody calls, a promise inside the result) has done nothing, or not all, and must not read as done.
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { MINUTE } from '../../kit/clock.ts'
import { readTool } from '../../kit/tools.ts'
import { applyNote, confirmed, createStage, type NoteContract, noteTool, type Stage } from './rail-fixture.ts'

const steps = async function* (): AsyncGenerator<string> {
  yield 'one'
}
const lines = function* (): Generator<string> {
  yield 'one'
}
const never = new Promise<never>(() => undefined)

/** What a program without a compiler may answer with, and how the record names it. */
const answers: readonly (readonly [string, () => unknown, string])[] = [
  ['an async generator', () => steps(), 'an async iterator'],
  ['a generator', () => lines(), 'an iterator'],
  ['an async iterator of its own making', () => ({ [Symbol.asyncIterator]: () => steps() }), 'an async iterator'],
  ['the iterator of a list', () => [1, 2].values(), 'an iterator'],
  ['a promise of a generator', () => Promise.resolve(steps()), 'an async iterator'],
  ['a function', () => () => 'later', 'a function'],
  ['a list of promises', () => [never, never], 'a promise at /0'],
  ['an object with a promise inside', () => ({ id: 'N-1', text: { of: never } }), 'a promise at /text/of'],
  ['an object with an iterator inside', () => ({ id: 'N-1', text: steps() }), 'an async iterator at /text'],
]

const loose = { output: z.any() } as unknown as Partial<NoteContract>
const stageWith = (change: Partial<NoteContract>): Promise<Stage> =>
  createStage([noteTool([], { ...loose, ...change })])

describe.each(answers)('%s as the answer of a tool', (_, make, name) => {
  const unfinished = (() => make()) as never

  test('from run: the outcome is not known, nobody hears "applied", then or later', async () => {
    const stage = await stageWith({ run: unfinished })
    const preview = await stage.ask('notes_write', { text: 'x' })
    const answer = await stage.repeat(confirmed(preview))
    expect(answer.outcome).toBe('outcome_unknown')
    expect(answer.text).toContain(`answered with ${name}`)
    expect(answer.text).toContain('may not have been done')
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('outcome_unknown')
    expect(stage.engine.reports.join()).toContain(name)
  })

  test('from preview: there is no card and no plan', async () => {
    const stage = await stageWith({ preview: unfinished })
    expect(await stage.ask('notes_write', { text: 'x' })).toMatchObject({ outcome: 'failed' })
    expect(stage.engine.reports.join()).toContain(name)
  })

  test('from basis: there is no card and no plan', async () => {
    const stage = await stageWith({ basis: unfinished })
    expect(await stage.ask('notes_write', { text: 'x' })).toMatchObject({ outcome: 'failed' })
  })

  test('from reconcile: what is not known stays not known', async () => {
    const broken = (): never => {
      throw new Error('the wire is cut')
    }
    const stage = await stageWith({ run: broken, reconcile: unfinished })
    const preview = await stage.ask('notes_write', { text: 'x' })
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('outcome_unknown')
    stage.clock.pass(MINUTE * 10)
    expect((await stage.repeat(confirmed(preview))).outcome).toBe('outcome_unknown')
  })

  test('from a read: it failed', async () => {
    const read = readTool({
      name: 'notes.read',
      input: z.strictObject({}),
      output: z.looseObject({}),
      run: unfinished,
    })
    const stage = await createStage([read])
    expect(await stage.ask('notes_read')).toMatchObject({ outcome: 'failed' })
  })
})

describe('an answer of another form than the contract promises', () => {
  test.each([[undefined], [null], [''], [7], [{ version: 1 }], [Number.NaN]])(
    'a basis of %j is no fingerprint: there is no card and no plan',
    async (basis) => {
      const stage = await stageWith({ basis: (() => basis) as never })
      expect(await stage.ask('notes_write', { text: 'x' })).toMatchObject({ outcome: 'failed' })
      expect(stage.engine.reports.join()).toContain('fingerprint')
    },
  )

  test.each([[undefined], [true], [{}], [{ kind: 'done' }], [{ kind: 'not_applied' }]])(
    'a reconcile that says %j has found out nothing',
    async (found) => {
      const broken = (): never => {
        throw new Error('the wire is cut')
      }
      const stage = await stageWith({ run: broken, reconcile: (() => found) as never })
      const preview = await stage.ask('notes_write', { text: 'x' })
      await stage.repeat(confirmed(preview))
      stage.clock.pass(MINUTE * 10)
      expect((await stage.repeat(confirmed(preview))).outcome).toBe('outcome_unknown')
      expect(await stage.store.plans.find({ by: 'id', id: preview.planId ?? '' })).toMatchObject({ state: 'unknown' })
    },
  )
})

test('a promise of another library is waited for, and what it comes to counts', async () => {
  class Later<T> extends Promise<T> {}
  const later = Later.resolve({ id: 'N-1', text: 'x' })
  const stage = await stageWith({ run: () => later })
  expect(await applyNote(stage)).toMatchObject({ outcome: 'applied', result: { id: 'N-1', text: 'x' } })
})
