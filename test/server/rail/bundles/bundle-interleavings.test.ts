// What is promised of a plan is promised of a bundle: whatever order the steps of two processes come in, and whoever dies in
// between, each step runs at most once, and what is told of it is what happened.
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { casesOf } from '../../../full.ts'
import { createClock } from '../../../kit/clock.ts'
import { explore } from '../explore-interleavings.ts'
import { openMemory } from '../rail-fixture.ts'
import { bundleProcesses, type BundleScenario } from './bundle-processes.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const explored: string[] = []
afterAll(() => console.log(`Orders of steps explored:\n${explored.join('\n')}`))

interface Named extends BundleScenario {
  readonly when: string
}

const scenarios: readonly Named[] = [
  { when: 'two processes apply it', crashes: 0, reconcile: true },
  { when: 'two processes apply it and one of them may crash after any step', crashes: 1, reconcile: true },
  { when: 'the same, of notes that nobody can look up', crashes: 1, reconcile: false },
  { when: 'one of them may sleep for longer than its lease', crashes: 0, sleeps: true, reconcile: true },
  { when: 'somebody applies the second step', third: 'applies the second step', crashes: 0, reconcile: true },
  {
    when: 'somebody applies the second step, and there is a crash',
    third: 'applies the second step',
    crashes: 1,
    reconcile: true,
  },
  { when: 'somebody cancels the second step', third: 'cancels the second step', crashes: 0, reconcile: true },
  { when: 'somebody cancels the bundle', third: 'cancels the bundle', crashes: 1, reconcile: false },
  {
    when: 'they are bundled anew meanwhile',
    third: 'bundles them anew',
    crashes: 0,
    reconcile: true,
  },
  {
    when: 'they are bundled anew, and there is a crash',
    third: 'bundles them anew',
    crashes: 1,
    reconcile: true,
  },
]

/** The quick ones; the others are explored in full runs. */
const some = [
  'two processes apply it',
  'somebody applies the second step',
  'somebody cancels the second step',
  'somebody cancels the bundle',
]

test.each(casesOf(scenarios, ({ when }) => when, some))('$when', async ({ when, ...scenario }) => {
  const clock = createClock()
  const store = await openMemory(clock.now)
  const { paths, states } = await explore(bundleProcesses({ store, clock }, scenario))
  explored.push(`${paths.toLocaleString('en')} (${states.toLocaleString('en')} states): ${when}`)
  expect(paths).toBeGreaterThan(1)
})
