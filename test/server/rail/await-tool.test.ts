// A call that names a tool of a server which still starts waits for it. The wait is part of the call: a server that closes
// waits for both, and the record says how long both took.
import { expect, test } from 'vitest'
import { call } from '../../../server/rail/call.ts'
import type { Engine } from '../../../server/rail/engine.ts'
import { withKnownTool } from '../../../server/rail/intake/await-tool.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { createStage, noteTool, why } from './rail-fixture.ts'

const startsIn = 4000

/** An engine whose tools are listed once somebody has waited for them. */
async function starting() {
  const { engine: ready, store, clock } = await createStage([noteTool([])])
  const running: Promise<unknown>[] = []
  const here = Promise.withResolvers<undefined>()
  let isListed = false
  const engine: Engine = {
    ...ready,
    activityLog: store.activityLog,
    running: (run) => void running.push(run),
    catalog: {
      tools: ready.catalog.tools,
      find: (name) => (isListed ? ready.catalog.find(name) : undefined),
      arrivalOf: () => ({ permissions: ['notes.write'], rationale: 'required', wait: () => here.promise }),
    },
    missingPermissions: (principal, asked) => (principal.subject === 'ada' ? [] : asked),
  }
  const arrive = (): void => {
    clock.pass(startsIn)
    isListed = true
    here.resolve(undefined)
  }
  const ask = (subject = 'ada') =>
    withKnownTool(
      engine,
      requestOf(
        'notes_write',
        { text: 'Hello', rationale: why },
        caller({ principal: { tenant: 'default', subject } }),
      ),
      (known) => call(engine, known),
    )
  const rows = async () => (await store.activity.pageRecords({ filter: {}, limit: 5 })).calls
  return { ask, arrive, running, rows }
}

test('a server that closes waits for the wait and for the call behind it', async () => {
  const { ask, arrive, running } = await starting()
  const answer = ask()
  expect(running).toHaveLength(1)
  arrive()
  const [first] = await Promise.all([running[0], answer])
  expect(first).toMatchObject({ outcome: 'previewed' })
})

test('the record says how long the wait and the call took', async () => {
  const { ask, arrive, rows } = await starting()
  const answer = ask()
  arrive()
  await answer
  await expect.poll(async () => (await rows())[0]?.durationMs).toBe(startsIn)
})

test('who may use nothing of the server waits for nothing, and is told what is missing', async () => {
  const { ask } = await starting()
  expect(await ask('eve')).toMatchObject({ outcome: 'refused', missing: ['notes.write'] })
})
