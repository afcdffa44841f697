// One line on how a server stands is all that an agent has to decide by: come again, when, or tell the person.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { secondsUntilTry, statusText } from '../../../../server/gateway/upstream/status.ts'
import type { UpstreamState } from '../../../../server/gateway/upstream/connection/connection-lifecycle.ts'

const at = Date.parse('2026-11-23T14:03:10Z')
const down = { kind: 'restarting', since: at + 110_000, awaySince: at, reason: 'it ended (exit code 3)' } as const

test.each<[string, UpstreamState, number]>([
  ['starting, 12 s so far', { kind: 'starting', since: at, awaySince: at }, at + 12_900],
  [
    'down since 14:03:10 UTC (2 min): it ended (exit code 3); it is started again in 8 s',
    { ...down, retryAt: at + 128_000 },
    at + 120_000,
  ],
  [
    'down since 14:03:10 UTC (3 h): it ended (exit code 3); it is being started again now',
    { ...down, kind: 'failed', retryAt: at },
    at + 3 * 3_600_000,
  ],
  [
    'down since 14:03:10 UTC (2 min): it ended (exit code 3), 3 times now; it is started again in 8 s',
    { ...down, failures: 3, retryAt: at + 128_000 },
    at + 120_000,
  ],
  [
    'down since 14:03:10 UTC (0 s): it needs KEY; a person sets it; it is not started again before that',
    { kind: 'failed', since: at, awaySince: at, reason: 'it needs KEY', remedy: 'a person sets it' },
    at,
  ],
  ['not started yet; the first call of one of its tools starts it', { kind: 'idle', since: at }, at],
  [
    'waiting for a login. It asks for one. A person runs this in a terminal that has KEY of this server: `log in`',
    { ...down, need: { kind: 'none', server: 'it', why: 'It asks for one.', command: 'log in', variables: ['KEY'] } },
    at,
  ],
  ['up', { kind: 'ready', since: at }, at],
  ['shut down', { kind: 'closed', since: at }, at],
])('says: %s', (words, state, now) => {
  expect(statusText(state, now)).toBe(words)
})

test('is one line, without what the server said itself, whatever the clock does; asking again is never at once', () => {
  const time = fc.integer({ min: -1e12, max: 4e12 })
  const states = fc.record(
    {
      kind: fc.constantFrom('idle', 'starting', 'ready', 'restarting', 'failed', 'closed'),
      since: time,
      awaySince: time,
      reason: fc.string(),
      said: fc.constant('PASSWORD'),
      retryAt: time,
    },
    { requiredKeys: ['kind', 'since'] },
  )
  fc.assert(
    fc.property(states as fc.Arbitrary<UpstreamState>, time, (state, now) => {
      const text = statusText(state, now)
      expect(text).not.toMatch(/\n|NaN|-\d+ (?:s|min|h|days)|PASSWORD/)
      expect(secondsUntilTry(state, now)).toBeGreaterThanOrEqual(1)
    }),
  )
})
