// The promise of the whole product, explored to the end: two processes hold the same confirmed plan and one store, and
// whatever order their steps come in, whoever dies in between, the tool runs at most once and nobody is told otherwise.
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { explore } from './explore.ts'
import { createClock, openMemory } from './stage.ts'
import { twoProcesses, type Scenario } from './two-processes.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const explored: string[] = []
afterAll(() => console.log(`Orders of steps explored:\n${explored.join('\n')}`))

const conducts: readonly Scenario['conduct'][] = [
  'writes',
  'writes, then throws',
  'refuses',
  'breaks off half way',
  'answers nonsense',
]

const run = async (scenario: Scenario): Promise<void> => {
  const clock = createClock()
  const store = await openMemory(clock.now)
  const { paths, states } = await explore(() => twoProcesses({ store, clock }, scenario))
  explored.push(`${paths.toLocaleString('en')} (${states.toLocaleString('en')} states): ${JSON.stringify(scenario)}`)
  expect(paths).toBeGreaterThan(1)
}

const crashes: readonly Scenario[] = conducts.flatMap((conduct) =>
  [true, false].map((reconcile) => ({ conduct, reconcile, crashes: 2, lapses: 'after a crash' as const })),
)

test.each(crashes)('both may crash after any step: a tool that $conduct, reconcile $reconcile', run)

const thirds: readonly (Scenario & { readonly third: string })[] = [
  { third: 'cancels', conduct: 'writes', reconcile: false, crashes: 1, lapses: 'after a crash', expires: true },
  { third: 'previews again', conduct: 'writes', reconcile: false, crashes: 1, lapses: 'after a crash' },
  { third: 'edits', conduct: 'writes', reconcile: true, crashes: 1, lapses: 'after a crash' },
  { third: 'clicks', conduct: 'writes', reconcile: true, crashes: 0, expires: true },
]

test.each(thirds)('a third process $third meanwhile', run)

const conditions: readonly (Scenario & { readonly when: string })[] = [true, false].flatMap((reconcile) => [
  { when: 'a lease lapses under a living owner', conduct: 'writes', reconcile, crashes: 1, lapses: 'any time' },
  { when: 'the caller stops waiting', conduct: 'writes', reconcile, crashes: 0, deadline: true, lapses: 'any time' },
  {
    when: 'both calls are in one process',
    conduct: 'writes',
    reconcile,
    crashes: 1,
    sameProcess: true,
    lapses: 'any time',
  },
  { when: 'any four steps of the store fail', conduct: 'writes', reconcile, crashes: 0, faults: 4 },
  { when: 'a step of the store fails', conduct: 'writes', reconcile, crashes: 1, faults: 1, lapses: 'any time' },
])

test('a run that sleeps while others conclude that it was lost: whatever it does then is what the record says', () =>
  run({ conduct: 'writes', reconcile: true, crashes: 0, lapses: 'any time', sleeps: true }))

test.each(conditions)('$when, reconcile $reconcile', run)
