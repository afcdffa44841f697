// Calls that ask nobody, outcomes that cannot be written down, and the click that is a critical call's whole proof.
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { call } from '../../server/rail/call.ts'
import { callPlanTool } from '../../server/rail/apply/plan-tools.ts'
import type { Caller } from '../../server/rail/engine.ts'
import { compose } from '../../server/compose/compose.ts'
import { defineTool } from '../../server/tools/define-tool.ts'

const caller: Caller = {
  principal: { tenant: 'default', subject: 'ada' },
  permissions: 'all',
  client: 'test',
  cards: 'yes',
  trusted: true,
}

/** A server with one tool that counts its runs and answers what it is told to. */
async function serve(autonomous: boolean, result: () => unknown = () => ({ done: true })) {
  let runs = 0
  const tool = defineTool({
    name: 'bell.ring',
    title: 'Ring the bell',
    noun: 'the ringing',
    description: 'Rings once.',
    operation: 'write',
    risk: 'medium',
    autonomous,
    idempotency: 'plan',
    input: z.strictObject({}),
    output: z.any(),
    sideEffects: [{ what: 'The bell rings.', onRepeat: 'It rings again.' }],
    failures: { no_bell: { effect: 'none', guidance: 'Hang up a bell.' } },
    preview: () => ({ title: 'Ring the bell', summary: 'Rings once.', confirmLabel: 'Ring' }),
    run: () => {
      runs++
      return result()
    },
  })
  const composed = await compose({ file: ':memory:', tools: [tool], onError: () => undefined })
  if (!composed.ok) throw new Error(composed.failure.message)
  onTestFinished(() => composed.value.close())
  const { engine } = composed.value.parts
  const ask = (args: Record<string, unknown>) =>
    call(engine, {
      tool: 'bell_ring',
      args: { rationale: 'It is time for lunch.', ...args },
      caller,
      signal: new AbortController().signal,
    })
  return { engine, ask, runs: () => runs, store: composed.value.store }
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
    await callPlanTool(engine, caller, name, { ticket })
  const { calls } = await store.activity.pageRecords({ filter: {}, order: 'newest', limit: 10 })
  expect(calls.map((row) => row.tool)).toStrictEqual([
    'countersign_plan_cancel',
    'countersign_plan_confirm',
    'bell_ring',
  ])
  expect(JSON.stringify(calls)).not.toContain(ticket)
})
