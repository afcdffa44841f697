// The promise of the whole product, explored to the end: two processes hold the same confirmed plan and one store, and
// whatever order their steps come in, whoever dies in between, the tool runs at most once and nobody is told otherwise.
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { casesOf } from '../../full.ts'
import { explore } from './explore-interleavings.ts'
import { createClock } from '../../kit/clock.ts'
import { openMemory } from './rail-fixture.ts'
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
  const { paths, states } = await explore(twoProcesses({ store, clock }, scenario))
  explored.push(`${paths.toLocaleString('en')} (${states.toLocaleString('en')} states): ${JSON.stringify(scenario)}`)
  expect(paths).toBeGreaterThan(1)
}

const crashes: readonly Scenario[] = conducts.flatMap((conduct) =>
  [true, false].map((reconcile) => ({ conduct, reconcile, crashes: 2, lapses: 'after a crash' as const })),
)

/** Of each conduct one. */
const someCrashes = [
  'writes, false',
  'writes, then throws, true',
  'refuses, false',
  'breaks off half way, false',
  'answers nonsense, true',
]
const byConduct = ({ conduct, reconcile }: Scenario): string => `${conduct}, ${reconcile}`

test.each(casesOf(crashes, byConduct, someCrashes))(
  'both may crash after any step: a tool that $conduct, reconcile $reconcile',
  run,
)

interface Named extends Scenario {
  readonly when: string
}
const byName = ({ when, reconcile }: Named): string => `${when}, ${reconcile}`

const afterCrash = { conduct: 'writes', crashes: 1, lapses: 'after a crash' } as const
const undisturbed = { conduct: 'writes', crashes: 0 } as const

const thirds: readonly Named[] = [
  { when: 'cancels', third: 'cancels', ...afterCrash, reconcile: false, expires: true },
  { when: 'cancels while nobody crashes', third: 'cancels', ...undisturbed, reconcile: false },
  { when: 'previews again', third: 'previews again', ...afterCrash, reconcile: false },
  { when: 'previews again while nobody crashes', third: 'previews again', ...undisturbed, reconcile: false },
  { when: 'edits', third: 'edits', ...afterCrash, reconcile: true },
  { when: 'clicks', third: 'clicks', ...undisturbed, reconcile: true, expires: true },
  { when: 'clicks before anything expires', third: 'clicks', ...undisturbed, reconcile: true },
]
const someThirds = [
  'cancels while nobody crashes, false',
  'previews again while nobody crashes, false',
  'clicks before anything expires, true',
]

test.each(casesOf(thirds, byName, someThirds))('a third process $when', run)

const conditions: readonly Named[] = [true, false].flatMap((reconcile): readonly Named[] => [
  { when: 'a lease lapses under a living owner', conduct: 'writes', reconcile, crashes: 1, lapses: 'any time' },
  { when: 'the caller stops waiting', conduct: 'writes', reconcile, crashes: 0, deadline: true, lapses: 'any time' },
  { when: 'the caller stops waiting while the lease holds', ...undisturbed, reconcile, deadline: true },
  {
    when: 'both calls are in one process',
    conduct: 'writes',
    reconcile,
    crashes: 1,
    sameProcess: true,
    lapses: 'any time',
  },
  { when: 'any four steps of the store fail', ...undisturbed, reconcile, faults: 4 },
  { when: 'any two steps of the store fail', ...undisturbed, reconcile, faults: 2 },
  { when: 'one step of the store fails', ...undisturbed, reconcile, faults: 1 },
  { when: 'a step of the store fails', conduct: 'writes', reconcile, crashes: 1, faults: 1, lapses: 'any time' },
])
/** That a lease lapses under a living owner is part of the run that sleeps. */
const someConditions = [
  'the caller stops waiting while the lease holds, false',
  'both calls are in one process, true',
  'one step of the store fails, true',
]

test('a run that sleeps while others conclude that it was lost: whatever it does then is what the record says', () =>
  run({ conduct: 'writes', reconcile: true, crashes: 0, lapses: 'any time', sleeps: true }))

test.each(casesOf(conditions, byName, someConditions))('$when, reconcile $reconcile', run)
