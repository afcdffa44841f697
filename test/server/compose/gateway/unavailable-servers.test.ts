// Some hosts cut the instructions of a server after some 2,000 characters, without a word to it. What an agent needs at once
// stands before that, and what stands behind it is told again where it surely arrives.
import { expect, test } from 'vitest'
import { createLateInstructions, startInstructions } from '../../../../server/compose/gateway/unavailable-servers.ts'
import { gatewayInstructions } from '../../../../server/gateway/call-tools/meta-tools.ts'
import { instructionsFor } from '../../../../server/rail/answers/agent-instructions.ts'
import { misbehavingServer, startPool } from '../../gateway/servers.ts'

const surelyHandedOn = 2048
const rail = instructionsFor()
const ada = { tenant: 'default', subject: 'ada' }
const tells = (TELLS: string) => misbehavingServer('polite', '', { env: { TELLS } })
const slowly = { backoff: { firstMs: 60_000, maxMs: 60_000 } }

test('which servers are not there, and the first three of them by name, stands where no host cuts it off', async () => {
  const bad = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, misbehavingServer('die-at-once')]))
  const pool = await startPool({ ...bad, talks: tells('Echo politely. '.repeat(200)) }, slowly)
  const { text } = startInstructions(pool, 'gateway', { gateway: gatewayInstructions, rail })
  const handedOn = text.slice(0, surelyHandedOn)
  expect(handedOn).toMatch(/c is down since .*: it ended at once \(exit code 3\).*\. So are 2 more\./)
  expect(handedOn).not.toContain('d is down')
  expect(text.indexOf('Echo politely')).toBeGreaterThan(text.indexOf('Tools that change something'))
})

test('a server whose instructions may have been cut off is heard again, and one that was surely read is not', async () => {
  const pool = await startPool({ brief: tells('Echo politely.'), wordy: tells('Echo politely. '.repeat(100)) })
  const { surelyRead } = startInstructions(pool, 'wrap', { rail })
  expect(surelyRead.map(({ name }) => name)).toStrictEqual(['brief'])
  const late = createLateInstructions(pool, (upstream) => surelyRead.includes(upstream))
  const heard = pool.upstreams.map((upstream) => late(upstream, ada))
  expect(heard).toStrictEqual([undefined, expect.stringContaining('> Echo politely.')])
})

test('late instructions are told to each caller once in a conversation, and again after an hour', async () => {
  const pool = await startPool({ gh: tells('Echo politely.') })
  const [gh] = pool.upstreams
  if (gh === undefined) throw new Error('There is no server.')
  let now = 0
  const late = createLateInstructions(
    pool,
    () => false,
    () => now,
  )
  const bob = { tenant: 'default', subject: 'bob' }
  expect([late(gh, ada), late(gh, ada), late(gh, bob)].map((told) => told !== undefined)).toEqual([true, false, true])
  now = 3_600_000
  expect(late(gh, ada)).toContain('> Echo politely.')
})
