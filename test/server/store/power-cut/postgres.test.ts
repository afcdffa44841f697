// The same on PostgreSQL, whose own processes are recorded: what a transaction waits for is up to it, and what it says of
// that to the server. The server is tuned as many are, so that by itself it waits for nothing.
import { chmodSync, chownSync, cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../../../full.ts'
import { inMemory } from '../../../kit/in-memory.ts'
import { createDisk, type Base, type Disk } from '../../../kit/power-cut/disk.ts'
import { compileRecorder, readJournal, whyNotRecorded, type Change } from '../../../kit/power-cut/journal.ts'
import { longest } from '../../../longest.ts'
import { asAdministrator, createDatabase, startPostgres, type PostgresServer } from '../../../postgres-server.ts'
import { testSecret } from '../../../postgres.ts'
import type { Mark } from './marks.ts'
import { brokenPromises } from './promises.ts'
import { baseIn, cutPower, cutsOf, runServers } from './recorded.ts'

const cuts = Array.from({ length: 40 }, (_, at) => at)
const leaseMs = 1500

/** Written by `fwrite`, and made anew where it is missing. */
const unrecorded = /\/(?:pg_internal\.init|postmaster\.(?:pid|opts))$/

const reason = isFull() ? whyNotRecorded() : 'each cut is a recovery, so in full runs only'

describe.skipIf(reason !== undefined)(`on PostgreSQL${reason === undefined ? '' : ` (not here: ${reason})`}`, () => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  let server: PostgresServer | undefined
  let work = ''
  let url = ''
  let base: Base | undefined
  let isBroken = false
  let changes: readonly Change[] = []

  const newDisk = (): Disk => createDisk(base, 'of synced files, too')

  beforeAll(async () => {
    work = mkdtempSync(join(inMemory(), 'countersign-power-cut-'))
    const settings = { synchronous_commit: 'off', full_page_writes: 'on', wal_writer_delay: '10s' }
    server = await startPostgres({ settings })
    url = (await createDatabase(server.url)).url
    await server.halt()
    base = baseIn(server.home)
    const journal = join(work, 'journal')
    const env = compileRecorder(work)({ folder: server.home, journal })
    // Under root, PostgreSQL runs as somebody else.
    writeFileSync(journal, '')
    chmodSync(journal, 0o666)
    chmodSync(work, 0o711)
    await server.resume(env)
    const anchor = join(server.home, 'anchor')
    const busy = { folder: server.home, file: url, secret: testSecret, anchor, leaseMs, atOnce: 8 }
    await runServers([[{ ...busy, name: 'one', agents: 16 }]], env)
    await asAdministrator(url, 'checkpoint')
    await runServers(
      ['two', 'three'].map((name) => [{ ...busy, name, agents: 16 }]),
      env,
    )
    // What it writes down when it is told to stop goes past the recorder.
    await server.crash()
    changes = readJournal(journal)
    await wait(leaseMs)
  }, 2 * longest)

  afterAll(async () => {
    await server?.stop()
    // What shows how something broke stays.
    if (!isBroken) rmSync(work, { recursive: true, force: true })
  })

  test('the journal has every write: at its end it has the files that are there', () => {
    const disk = newDisk()
    for (const change of changes) disk.happen(change)
    const [seen, there] = [disk.seen(), baseIn(server?.home ?? '').files]
    const isRecorded = (name: string): boolean => !unrecorded.test(name)
    expect([...seen.keys()].filter(isRecorded).sort()).toStrictEqual([...there.keys()].filter(isRecorded).sort())
    for (const [name, content] of seen)
      if (isRecorded(name)) expect([name, there.get(name)?.content.equals(content)]).toStrictEqual([name, true])
  })

  /** Puts files in the place of the server's own, and asks a server on them. */
  const look = async (folder: string, marks: readonly Mark[]): Promise<readonly string[]> => {
    const postgres = server ?? expect.fail('There is no server.')
    const data = join(postgres.home, 'data')
    const { uid, gid } = statSync(data)
    rmSync(data, { recursive: true })
    rmSync(join(folder, 'data', 'postmaster.pid'), { force: true })
    cpSync(join(folder, 'data'), data, { recursive: true })
    for (const name of ['', ...readdirSync(data, { recursive: true, encoding: 'utf8' })])
      chownSync(join(data, name), uid, gid)
    chmodSync(data, 0o700)
    try {
      await postgres.resume()
    } catch (error) {
      return [String(error)]
    }
    try {
      return await brokenPromises({ file: url, secret: testSecret, anchor: join(folder, 'anchor') }, marks)
    } finally {
      await postgres.crash()
    }
  }

  test(
    `of ${cuts.length} cuts of power none makes anything run twice or loses what somebody was told`,
    async () => {
      const broken = await cutPower(changes, cutsOf(changes, cuts, seed), look, work, newDisk())
      isBroken = broken.length > 0
      expect(broken).toStrictEqual([])
    },
    10 * longest,
  )

  test('a disk that does not keep what it has synced is found out', async () => {
    const middle = Math.floor(changes.length / 2)
    const lying = changes.filter(({ kind }, at) => kind !== 'sync-ended' || at < middle)
    const atTheEnd = [1, 2, 3].map((seed) => ({ at: lying.length, seed }))
    expect(await cutPower(lying, atTheEnd, look, work, newDisk())).not.toStrictEqual([])
  })
})
