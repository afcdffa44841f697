// Resources and prompts of several servers are one list to a client. One server that does not answer must not keep the
// others' from it, and an address must not be told to servers that it was not meant for.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createResourcesAndPrompts } from '../../../../server/gateway/passthrough/resources-and-prompts.ts'
import { hiddenViews } from '../../../../server/gateway/passthrough/views.ts'
import type { LifecycleOptions } from '../../../../server/gateway/upstream/connection/lifecycle-options.ts'
import { ledgerOf, newFolder, officialServer, misbehavingServer, startPool, until, type Entry } from '../servers.ts'

const anyone = { may: () => true }

const ledger = (): string => join(newFolder(), 'ledger')

test('lists of the others come while one server never answers with its own, and what they list is read at once', async () => {
  const [hanging, other] = [ledger(), ledger()]
  const pool = await startPool({
    // Longer than this test may take: an answer that waited for it would not be seen.
    hanging: misbehavingServer('hang-lists', hanging, { timeout_ms: 600_000 }),
    polite: misbehavingServer('polite', other),
    everything: officialServer('everything'),
  })
  const passage = createResourcesAndPrompts(pool, hiddenViews)
  expect((await passage.listResources(anyone)).resources.map(({ uri }) => uri)).toContain('a://b')
  expect((await passage.listPrompts(anyone)).prompts.map(({ name }) => name)).toContain('args-prompt')
  expect(ledgerOf(hanging)).toContain('asked resources/list')
  expect(await passage.readResource({ uri: 'a://b' }, anyone)).toEqual({ contents: [{ uri: 'a://b', text: other }] })
  expect(await passage.getPrompt({ name: 'simple-prompt' }, anyone)).toHaveProperty('messages')
  expect(ledgerOf(hanging)).not.toContain('read')
})

test('a list question that its client gives up is given up at the server', async () => {
  const asked = ledger()
  const pool = await startPool({ hanging: misbehavingServer('hang-lists', asked, { timeout_ms: 600_000 }) })
  const stop = new AbortController()
  const listing = createResourcesAndPrompts(pool, hiddenViews).listResources({ ...anyone, signal: stop.signal })
  await until(() => ledgerOf(asked).includes('asked resources/list'))
  stop.abort()
  await listing
  await until(() => ledgerOf(asked).includes('cancelled'))
})

test('an address that nobody lists goes to the server whose template it fits, and to no other', async () => {
  const [stranger, owner] = [ledger(), ledger()]
  const pool = await startPool({
    stranger: misbehavingServer('polite', stranger),
    owner: misbehavingServer('templates', owner),
  })
  const passage = createResourcesAndPrompts(pool, hiddenViews)
  const uri = 'shelf://secret-of-the-owner'
  expect(await passage.readResource({ uri }, anyone)).toEqual({ contents: [{ uri, text: owner }] })
  expect(await passage.readResource({ uri: 'nobody://knows' }, anyone)).toBeUndefined()
  expect(ledgerOf(stranger)).not.toContain('read')
  expect(ledgerOf(owner).filter((deed) => deed === 'read')).toHaveLength(1)
})

test('an address that two servers list stays with the first, and the other is named once', async () => {
  const [first, second] = [ledger(), ledger()]
  const said: string[] = []
  const pool = await startPool({
    first: misbehavingServer('polite', first),
    second: misbehavingServer('polite', second),
  })
  const passage = createResourcesAndPrompts(pool, hiddenViews, (sentence) => said.push(sentence))
  for (let count = 0; count < 2; count++)
    expect((await passage.listResources(anyone)).resources.map(({ uri }) => uri)).toEqual(['a://b'])
  expect(await passage.readResource({ uri: 'a://b' }, anyone)).toMatchObject({ contents: [{ text: first }] })
  expect(said).toEqual(['second lists "a://b" too; it stays with first.'])
})

test.each<readonly [string, Entry, string, Partial<LifecycleOptions>]>([
  // Another attempt would come after the test.
  [
    'was up and is away',
    misbehavingServer('tools-only'),
    'restarting',
    { backoff: { firstMs: 600_000, maxMs: 600_000 } },
  ],
  ['has failed', { command: '/nowhere/at-all' }, 'failed', { giveUpAfter: 1 }],
])(
  'an address that nobody lists is read of the only server that has resources, where another %s',
  async (_, entry, kind, life) => {
    const pool = await startPool({ it: misbehavingServer('polite', ledger()), other: entry }, life)
    const other = pool.find('other')
    if (kind === 'restarting') await other?.callTool('crash', {})
    await until(() => other?.state().kind === kind)
    const uri = 'shelf://dynamic'
    expect(await createResourcesAndPrompts(pool, hiddenViews).readResource({ uri }, anyone)).toHaveProperty('contents')
  },
)

test('an address that nobody lists is asked of nobody while another server has not come up yet', async () => {
  const asked = ledger()
  const life = { backoff: { firstMs: 600_000, maxMs: 600_000 } }
  const pool = await startPool({ it: misbehavingServer('polite', asked), other: { command: '/nowhere/at-all' } }, life)
  const uri = 'shelf://dynamic'
  expect(await createResourcesAndPrompts(pool, hiddenViews).readResource({ uri }, anyone)).toBeUndefined()
  expect(ledgerOf(asked)).not.toContain('read')
})
