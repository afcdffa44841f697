// What rests on a commit must be there after the power was cut, at any moment and whatever the system had written back by
// then. Real servers are recorded while they work, and each cut makes the files that a disk could have been left with: those
// are opened by a server as it would be after a restart.
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { casesOf, isFull } from '../../../full.ts'
import { inMemory } from '../../../kit/in-memory.ts'
import { createDisk } from '../../../kit/power-cut/disk.ts'
import { compileRecorder, readJournal, whyNotRecorded, type Change } from '../../../kit/power-cut/journal.ts'
import { longest } from '../../../longest.ts'
import { opened, place } from '../store-fixture.ts'
import { brokenPromises } from './promises.ts'
import { cutPower, cutsOf, baseIn, runServers, type Cut } from './recorded.ts'

const all = Array.from({ length: 2000 }, (_, at) => at)
const some = all.filter((at) => at % 117 === 0)
const cuts = casesOf(all, String, some.map(String))

/** Short, so that what was running counts as lost by the time that its database is opened again. */
const leaseMs = 1500

const reason = whyNotRecorded()

describe.skipIf(reason !== undefined)(`on SQLite${reason === undefined ? '' : ` (not here: ${reason})`}`, () => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  let work = ''
  let changes: readonly Change[] = []
  let isBroken = false

  beforeAll(async () => {
    work = mkdtempSync(join(inMemory(), 'countersign-power-cut-'))
    const folder = join(work, 'live')
    mkdirSync(folder)
    const env = compileRecorder(work)({ folder, journal: join(work, 'journal') })
    const [times, busy] = [isFull() ? 2 : 1, { folder, file: join(folder, 'plans.db'), leaseMs }]
    await runServers(
      [
        [
          { ...busy, name: 'one', agents: 8 * times, atOnce: 1 },
          { ...busy, name: 'two', agents: 16 * times, atOnce: 8 },
        ],
      ],
      env,
    )
    // Two servers at a time. Loading one costs more than all that it does here.
    if (isFull())
      await runServers(
        ['three', 'four'].map((name) => [{ ...busy, name, agents: 8 * times, atOnce: 8 }]),
        env,
      )
    changes = readJournal(join(work, 'journal'))
    await wait(leaseMs)
  })

  // What shows how something broke stays.
  afterAll(() => (isBroken ? undefined : rmSync(work, { recursive: true, force: true })))

  const brokenIn = (journal: readonly Change[], at: readonly Cut[]): Promise<readonly string[]> =>
    cutPower(journal, at, (folder, marks) => brokenPromises({ file: join(folder, 'plans.db') }, marks), work)

  test('the journal has every write: at its end it has the files that are there', () => {
    const disk = createDisk()
    for (const change of changes) disk.happen(change)
    const [seen, there] = [disk.seen(), baseIn(join(work, 'live')).files]
    expect([...seen.keys()].sort()).toStrictEqual([...there.keys()].sort())
    for (const [name, content] of seen)
      expect([name, there.get(name)?.content.equals(content)]).toStrictEqual([name, true])
  })

  test(
    `of ${cuts.length} cuts of power none makes anything run twice or loses what somebody was told`,
    async () => {
      const broken = await brokenIn(changes, cutsOf(changes, cuts, seed))
      isBroken = broken.length > 0
      expect(broken).toStrictEqual([])
    },
    10 * longest,
  )

  test('a disk that does not keep what it has synced is found out', async () => {
    const middle = Math.floor(changes.length / 2)
    const lying = changes.filter(({ kind }, at) => kind !== 'sync-ended' || at < middle)
    const atTheEnd = [1, 2, 3, 4, 5].map((seed) => ({ at: lying.length, seed }))
    expect(await brokenIn(lying, atTheEnd)).not.toStrictEqual([])
  })
})

test('the heads that become anchors are told after a write that the disk has, also where they are the same as before', async () => {
  const file = join(place(), 'plans.db')
  const { activity } = await opened({ file })
  const log = (): number => statSync(`${file}-wal`).size
  await activity.heads()
  const before = log()
  await activity.heads()
  expect(log()).toBeGreaterThan(before)
})
