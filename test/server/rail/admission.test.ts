// Between a call's arrival and its dispatch lie its limits and its row, both of which take time: a server that closes
// waits for them, the catalogue may be another one afterwards, and the record says what was known until then.
import { expect, test } from 'vitest'
import type { Contract, ReadContract } from '../../../server/tools/contract.ts'
import { call } from '../../../server/rail/call.ts'
import { runApproved } from '../../../server/rail/apply/run-approved.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Caller, CallLimits, Engine } from '../../../server/rail/engine.ts'
import { createLog } from '../../../server/operations/telemetry/log.ts'
import { createMetrics } from '../../../server/operations/telemetry/metrics.ts'
import { createObserver } from '../../../server/operations/telemetry/observer.ts'
import { createCatalog, type Catalog } from '../../../server/tools/catalog.ts'
import { voter } from '../operators/approvals/voters.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import {
  createStage,
  noteInput,
  noteOutput,
  noteTool,
  type NoteContract,
  type NoteInput,
  type NoteOutput,
  why,
} from './rail-fixture.ts'

/** `notes.write`, which only reads where a note is to be written no more than once. */
const mixedTool = (ran: string[], change: Partial<NoteContract> = {}): Contract => {
  const run = ({ text }: NoteInput): NoteOutput => {
    ran.push(text)
    return { id: 'N-1', text }
  }
  const contract: ReadContract<NoteInput, NoteOutput> = {
    name: 'notes.write',
    title: 'Look for a note',
    description: 'Looks whether a note is in the book.',
    operation: 'read',
    risk: 'low',
    input: noteInput,
    output: noteOutput,
    failures: {},
    run,
  }
  return noteTool([], { run, reading: { when: ({ times }) => times === 1, contract }, ...change })
}

/** What a contract of high risk says. */
const high: Partial<NoteContract> = { risk: 'high', basis: () => '1' }

/** A stage whose catalogue becomes this one while a call's row is written. */
const changing = async (before: Contract, after: readonly Contract[], change: Partial<Engine> = {}) => {
  const stage = await createStage([before])
  const { activityLog, approvals } = stage.store
  let catalog: Catalog = stage.engine.catalog
  const engine = Object.assign(stage.engine, {
    approvals,
    catalog: { tools: catalog.tools, find: (name: string) => catalog.find(name) },
    activityLog: { ...activityLog },
    ...change,
  })
  const become = (tools: readonly Contract[]): void => {
    catalog = createCatalog(tools)
  }
  const changeWhileWriting = (): void => {
    engine.activityLog.start = (...entry) => {
      become(after)
      return activityLog.start(...entry)
    }
  }
  const ask = (args: Readonly<Record<string, unknown>>, as?: Caller): Promise<Answer> =>
    stage.ask('notes_write', args, as)
  return { ask, store: stage.store, clock: stage.clock, engine, become, changeWhileWriting }
}

test.each([
  ['has left the catalogue', () => []],
  ['is defined otherwise', (ran: string[]) => [mixedTool(ran, high)]],
])('a tool that %s once its call is written down does not run', async (_, after) => {
  const ran: string[] = []
  const { ask, changeWhileWriting } = await changing(mixedTool(ran), after(ran))
  expect(await ask({ text: 'before' })).toMatchObject({ outcome: 'ok' })
  changeWhileWriting()
  expect(await ask({ text: 'after' })).toMatchObject({
    outcome: 'refused',
    guidance: { error_type: 'unknown_tool' },
  })
  expect(ran).toStrictEqual(['before'])
})

test('where the rule that rates tools fails, what a wrong name may mean is not named, and the operator is told', async () => {
  const riskOf = (): never => {
    throw new Error('no such tenant')
  }
  const { engine, ask } = await createStage([noteTool([])], { settings: { riskOf } })
  const refusal = { kind: 'unknown-tool', tool: 'notes_wrote', near: ['notes_write'] } as const
  const throughDoor = await call(engine, { ...requestOf('notes_wrote', { rationale: why }), refusal })
  for (const answer of [throughDoor, await ask('notes_wrote')]) {
    expect(answer).toMatchObject({ outcome: 'refused', guidance: { error_type: 'unknown_tool' } })
    expect(JSON.stringify(answer)).not.toContain('notes_write"')
  }
  expect(engine.reports).toContain('notes_write risk: no such tenant')
})

test('a tool that is the same by its definition runs as the catalogue has it once its call is written down', async () => {
  const [old, held] = [[] as string[], [] as string[]]
  const { ask, changeWhileWriting } = await changing(mixedTool(old), [mixedTool(held)])
  changeWhileWriting()
  expect(await ask({ text: 'after' })).toMatchObject({ outcome: 'ok' })
  expect([old, held]).toStrictEqual([[], ['after']])
})

test.each([
  ['has left the catalogue', () => [], undefined],
  ['is defined as approved, and was not when it was written down,', undefined, { ...high, risk: 'critical' }],
] as const)('an approved call whose tool %s does not run', async (_, after, meanwhile) => {
  const ran: string[] = []
  const approved = mixedTool(ran, high)
  const { ask, engine, store, become, changeWhileWriting } = await changing(approved, after?.() ?? [approved])
  const waits = await ask({ text: 'x', times: 2 }, caller({ cards: 'no' }))
  const decided = await store.approvals.decide(waits.approval?.id ?? '', { decision: 'approved', by: voter('Eve') })
  if (decided.kind !== 'decided') throw new Error(decided.kind)
  if (meanwhile !== undefined) become([mixedTool(ran, meanwhile)])
  changeWhileWriting()
  expect(await runApproved(engine, decided.approval)).toMatchObject({ outcome: 'refused' })
  expect(ran).toStrictEqual([])
})

test('a server that closes waits for a call whose limits are being asked, and the record says how long that took', async () => {
  const asked = Promise.withResolvers<undefined>()
  const running: Promise<unknown>[] = []
  const limits: CallLimits = { take: () => asked.promise }
  const { ask, store, clock } = await changing(mixedTool([]), [], {
    limits,
    running: (run) => void running.push(run),
  })
  const answer = ask({ text: 'x' })
  expect(running).toHaveLength(1)
  clock.pass(3000)
  asked.resolve(undefined)
  expect(await running[0]).toBe(await answer)
  expect((await store.activity.pageRecords({ filter: {}, limit: 5 })).calls).toMatchObject([{ durationMs: 3000 }])
})

test.each(['calls', 'writes'] as const)(
  'the record says that a refused call was a write where its arguments were looked at before (limit of %s)',
  async (limited) => {
    const reached = { counted: limited, perMinute: 1, retryAfterSeconds: 60 }
    const limits: CallLimits = { take: async (_, counter) => (counter === limited ? reached : undefined) }
    const { ask, store } = await changing(mixedTool([]), [], { limits })
    expect(await ask({ text: 'x', times: 2 })).toMatchObject({ outcome: 'refused' })
    const { calls } = await store.activity.pageRecords({ filter: {}, limit: 5 })
    expect(calls).toMatchObject([{ operation: limited === 'writes' ? 'write' : undefined }])
  },
)

test('a read that ends in a fault of ours has a card where hosts draw one for it', async () => {
  const { engine } = await changing(mixedTool([]), [])
  engine.activityLog.start = () => ({ id: 'ac_none', written: Promise.reject(new Error('the disk is gone')) })
  const request = requestOf('notes_write', { text: 'x', rationale: why })
  const { card } = await call(engine, { ...request, drawn: 'tool' })
  expect(card).toMatchObject({ kind: 'error', state: 'failed' })
})

test('figures say of a call that reads or writes by its arguments what it was run as', async () => {
  const metrics = createMetrics('1.0.0')
  const observer = createObserver({
    metrics: () => metrics,
    log: createLog({ level: 'silent', redact: (line) => line }),
  })
  const { ask } = await changing(mixedTool([]), [], { observer })
  for (const times of [1, 2]) await ask({ text: 'x', times })
  const { text } = await metrics.exposition()
  for (const counted of ['operation="read",outcome="ok"', 'operation="write",outcome="previewed"'])
    expect(text).toContain(`countersign_call_duration_seconds_count{${counted}} 1`)
})
