// Calls that ask nobody, outcomes that cannot be written down, and the click that is a critical call's whole proof.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../../server/rail/call.ts'
import { callPlanTool } from '../../../server/rail/apply/plan-tools.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { composed } from '../../kit/composed.ts'
import { writeTool } from '../../kit/tools.ts'

const as = caller({ trusted: true })

/** A server with one tool that counts its runs and answers what it is told to. */
async function serve(autonomous: boolean, result: () => unknown = () => ({ done: true })) {
  let runs = 0
  const tool = writeTool({
    name: 'bell.ring',
    autonomous,
    input: z.strictObject({}),
    output: z.any(),
    run: () => {
      runs++
      return result()
    },
  })
  const { parts, store } = await composed({ file: ':memory:', tools: [tool], onError: () => undefined })
  const ask = (args: Record<string, unknown>) =>
    call(parts.engine, requestOf('bell_ring', { rationale: 'It is time for lunch.', ...args }, as))
  return { engine: parts.engine, ask, runs: () => runs, store }
}

test('four equal calls of an autonomous tool at once all run, and take no card away', async () => {
  const { ask, runs } = await serve(true)
  const shown = await ask({ preview: true })
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask({ preview: false })))
  expect(answers.map((answer) => answer.outcome)).toStrictEqual(['applied', 'applied', 'applied', 'applied'])
  expect((await ask({ preview: false, ticket: shown.planId })).outcome).toBe('applied')
  expect(runs()).toBe(5)
})

test('a result that JSON cannot hold is applied all the same, and never runs again', async () => {
  const { ask, runs } = await serve(false, () => ({ big: 1n }))
  const { planId } = await ask({})
  const applied = await ask({ preview: false, ticket: planId })
  expect(applied.outcome).toBe('applied')
  expect(applied.text).not.toMatch(/nothing was changed|was not run/i)
  expect((await ask({ preview: false, ticket: planId })).outcome).toBe('replayed')
  expect(runs()).toBe(1)
})

test('a click in the card and a cancel have their rows in the activity log, a look has none', async () => {
  const { engine, ask, store } = await serve(false)
  const shown = await ask({})
  const ticket = shown.card?.plan?.ticket
  for (const name of ['countersign_plan_status', 'countersign_plan_confirm', 'countersign_plan_cancel'] as const)
    await callPlanTool(engine, as, name, { ticket })
  const { calls } = await store.activity.pageRecords({ filter: {}, order: 'newest', limit: 10 })
  expect(calls.map((row) => row.tool)).toStrictEqual([
    'countersign_plan_cancel',
    'countersign_plan_confirm',
    'bell_ring',
  ])
  expect(JSON.stringify(calls)).not.toContain(ticket)
})
