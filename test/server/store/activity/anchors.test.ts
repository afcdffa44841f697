// Anchors are what the database's owner cannot rewrite. All of them count, a database that has lost what they have seen
// does not go on by itself, and only a person with the key can accept one that has.
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../eventually.ts'
import { runsOf } from '../../../full.ts'
import { anchoringOf, keepActivity, type Keeping } from '../../../../server/compose/records/activity.ts'
import {
  appendAnchors,
  readAnchors,
  readAnchorsSoFar,
  type Anchor,
  type Store,
} from '../../../../server/store/store.ts'
import { MINUTE } from '../../../kit/clock.ts'
import { draft, opened, place } from '../store-fixture.ts'
import { entry, meddle, record, verdictOf } from './rows.ts'

const desk = async (calls = 6): Promise<{ file: string; store: Store; ids: string[]; anchors: string }> => {
  const folder = place()
  const file = join(folder, 'log.db')
  const store = await opened({ file })
  const ids: string[] = []
  for (let at = 0; at < calls; at++) ids.push(await record(store))
  return { file, store, ids, anchors: join(folder, 'anchors') }
}

const read = async (file: string): Promise<readonly Anchor[]> => {
  const found = await readAnchorsSoFar(file)
  if (!found.ok) throw new Error(found.failure.message)
  return found.value
}

/** Cuts the last calls off, head and all, as the owner of the database can. */
const cutTo = async (file: string, seq: number): Promise<void> => {
  await meddle(file, 'delete from countersign_activity where begin_seq > ?', seq)
  await meddle(
    file,
    `update countersign_activity_heads set seq = ?, link = (select end_link from countersign_activity where end_seq = ${seq})`,
    seq,
  )
}

const startKeeping = async (store: Store, anchors: string): Promise<{ said: string[]; keeping: Keeping }> => {
  const said: string[] = []
  const keeping = await keepActivity(
    store,
    { anchor: anchors },
    ':memory:',
    (error) => said.push(String(error)),
    (text) => said.push(text),
  )
  return { said, keeping }
}

/** A server that stops once it has started. */
const keep = async (
  store: Store,
  anchors: string,
): Promise<{ said: string[]; behind: () => Promise<string | undefined> }> => {
  const { said, keeping } = await startKeeping(store, anchors)
  await keeping.stop()
  return { said, behind: async () => (await keeping.doubt())?.message }
}

/** A server that goes on until the test ends. */
const serving = async (store: Store, anchors: string): Promise<{ said: string[]; keeping: Keeping }> => {
  const started = await startKeeping(store, anchors)
  onTestFinished(() => started.keeping.stop())
  return started
}

test('of two anchors of one entry neither silences the other, and both are named with file and line', async () => {
  const { store, anchors } = await desk()
  const [head] = await store.activity.heads()
  if (head === undefined) throw new Error('There is no head.')
  const other = { ...head, link: `${head.link.slice(0, -1)}x` }
  for (const [first, second] of [
    [head, other],
    [other, head],
  ] as const) {
    writeFileSync(anchors, '')
    await appendAnchors(anchors, [first])
    await appendAnchors(anchors, [second])
    const problem = await verdictOf(store, await read(anchors))
    expect(problem).toMatchObject({ kind: 'contradicted', seq: 12 })
    expect(problem?.message).toContain(`line 1 of ${anchors}`)
    expect(problem?.message).toContain(`line 2 of ${anchors}`)
    expect(problem?.message).toContain(head.link)
    expect(problem?.message).toContain(other.link)
  }
})

test('every anchor is compared, wherever in the file a false one stands', async () => {
  const { store } = await desk()
  const [head] = await store.activity.heads()
  if (head === undefined) throw new Error('There is no head.')
  const honest: Anchor[] = [head]
  for (let at = 0; at < 4; at++) {
    await record(store)
    honest.push(...(await store.activity.heads()))
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(4), fc.nat(5), async (which, where) => {
      const lie = { ...(honest[which] ?? head), link: 'x'.repeat(43) }
      expect(await verdictOf(store, honest.toSpliced(where, 0, lie))).toMatchObject({ seq: lie.seq })
    }),
    { numRuns: runsOf(30) },
  )
  expect(await verdictOf(store, honest)).toBeUndefined()
})

test('one tenant says up to where it is anchored, and that it is not where no anchor knows it', async () => {
  const { store } = await desk()
  const heads = await store.activity.heads()
  await record(store)
  expect(await store.activity.verifyOne('default', heads)).toMatchObject({ anchored: 12, entries: 14 })
  expect(await store.activity.verifyOne('default')).toMatchObject({ anchored: undefined, problem: undefined })
  expect(await store.activity.verify()).toMatchObject([{ anchored: undefined }])
})

test('what a process that died left of a line ends with it: the next anchor is a line of its own', async () => {
  const { store, anchors } = await desk()
  appendFileSync(anchors, '{"at":"2026-01-0')
  await appendAnchors(anchors, await store.activity.heads())
  expect(await readAnchors(anchors)).toMatchObject({ ok: true, value: [{ seq: 12, place: { line: 2 } }] })
})

test('an anchor file that is there and cannot be read is said, and is no empty one', async () => {
  const folder = place()
  expect(await readAnchorsSoFar(folder)).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining(`${folder} cannot be read (EISDIR)`) as string },
  })
  expect(await readAnchorsSoFar(join(folder, 'none'))).toStrictEqual({ ok: true, value: [] })
})

test('a database that has lost what its anchors have seen is frozen at the start, anchors nothing, and says what to do', async () => {
  const { file, store, anchors } = await desk()
  expect((await keep(store, anchors)).said).toStrictEqual([])
  await cutTo(file, 6)
  const before = readFileSync(anchors, 'utf8')
  const { said, behind } = await keep(store, anchors)
  expect(said.join()).toContain('ends at entry 6')
  expect(said.join()).toContain(`line 1 of ${anchors}`)
  expect(said.join()).toContain('countersign activity accept')
  expect(await behind()).toContain('entry 12')
  expect(await store.switches.frozen('anybody')).toMatchObject({ tenant: undefined, by: 'countersign' })
  expect(readFileSync(anchors, 'utf8')).toBe(before)
  // It has gone on since, past the number that was anchored: it is another chain all the same.
  const restarted = await opened({ file })
  for (let at = 0; at < 6; at++) await record(restarted)
  expect((await keep(restarted, anchors)).said.join()).toContain('Entry 12 of tenant "default" is not the one')
})

test('a server that began before its database was set back says so when it is asked', async () => {
  const { file, store, anchors } = await desk()
  const { behind } = await keep(store, anchors)
  expect(await behind()).toBeUndefined()
  await cutTo(file, 6)
  expect(await behind()).toContain('ends at entry 6')
})

test('a running server whose database is set back says so, freezes and anchors nothing, at its next write', async () => {
  const { file, store, anchors } = await desk()
  const { said, keeping } = await serving(store, anchors)
  await eventually(async () => expect(await read(anchors)).toHaveLength(1))
  await store.activityLog.event(await record(store), { name: 'seen', data: '' })
  await store.switches.unfreeze(undefined)
  await cutTo(file, 6)
  await expect(record(store)).rejects.toThrow('ends at entry 6, but this process has written entry 15')
  expect(said.join()).toContain('ends at entry 6')
  expect(said.join()).toContain('countersign activity accept')
  expect(await store.switches.frozen('anybody')).toMatchObject({ tenant: undefined, by: 'countersign' })
  expect((await keeping.stillInDoubt())?.kind).toBe('behind')
  // What was seen is an anchor like any other: every door refuses to lift the freeze now.
  expect((await read(anchors)).map(({ seq }) => seq)).toStrictEqual([12, 15])
  // The record goes on, and so do those who read.
  await record(store)
  await keeping.stop()
  expect(await read(anchors)).toHaveLength(2)
})

test('a claim is known to be on disk, and all that was written before it: a database without them was set back', async () => {
  const { file, store, anchors } = await desk(1)
  const { said } = await serving(store, anchors)
  await eventually(async () => expect(await read(anchors)).toHaveLength(1))
  await store.plans.open(draft())
  await store.activityLog.begin(entry(), 'after-claim')
  await store.plans.claim('pl_1', 'one', MINUTE)
  await cutTo(file, 2)
  await expect(record(store)).rejects.toThrow('has written entry 3')
  expect(said.join()).toContain('older than its anchors')
})

test('an end that a crash of the database took away accuses nobody', async () => {
  const { file, store, anchors } = await desk(1)
  const { said } = await serving(store, anchors)
  await eventually(async () => expect(await read(anchors)).toHaveLength(1))
  // Neither waits for the disk.
  await store.activityLog.begin(entry(), 'none')
  await cutTo(file, 2)
  await record(store)
  expect(said).toStrictEqual([])
  expect(await store.switches.frozen('anybody')).toBeUndefined()
})

test('a server that is asked to anchor compares with what it has anchored before, also where others have written since', async () => {
  const { file, store, anchors } = await desk()
  const { said, keeping } = await serving(store, anchors)
  await eventually(async () => expect(await read(anchors)).toHaveLength(1))
  await cutTo(file, 6)
  const other = await opened({ file })
  for (let at = 0; at < 6; at++) await record(other)
  await keeping.stop()
  expect(said.join()).toContain('Entry 12 of tenant "default" is not the one')
  expect(await store.switches.frozen('anybody')).toMatchObject({ by: 'countersign' })
  expect(await read(anchors)).toHaveLength(1)
})

test('nothing is accused while others write, anchor and remove what is old all the time', async () => {
  const { file, store, anchors } = await desk(1)
  const other = await opened({ file })
  const over = new AbortController()
  const writing = (async () => {
    while (!over.signal.aborted) {
      await record(other)
      await appendAnchors(anchors, await other.activity.heads())
      for (let at = 0; at < 3; at++) await record(other)
      await other.activity.retain({ rows: 1 })
    }
  })()
  try {
    for (let at = 0; at < 200; at++) expect(await anchoringOf(store, anchors, ':memory:').doubt()).toBeUndefined()
  } finally {
    over.abort()
    await writing
  }
})

test('a server whose anchors cannot be read starts frozen, and says how to go on', async () => {
  const { store, anchors } = await desk()
  await keep(store, anchors)
  const mended = readFileSync(anchors, 'utf8')
  writeFileSync(anchors, `${mended}{"at":"yesterday"}\n`)
  const { said, keeping } = await serving(store, anchors)
  expect(said.join()).toContain(`Line 2 of ${anchors} is not an anchor`)
  expect(said.join()).toContain('countersign activity accept')
  expect(await store.switches.frozen('anybody')).toMatchObject({ tenant: undefined, by: 'countersign' })
  expect((await keeping.stillInDoubt())?.kind).toBe('unreadable')
  expect(readFileSync(anchors, 'utf8')).toBe(`${mended}{"at":"yesterday"}\n`)
  writeFileSync(anchors, mended)
  expect(await keeping.stillInDoubt()).toBeUndefined()
})

test('a first line that was never finished is no damage: nothing was anchored yet', async () => {
  const { store, anchors } = await desk()
  writeFileSync(anchors, '{"at":"2026-01-0')
  expect((await keep(store, anchors)).said).toStrictEqual([])
  expect(await read(anchors)).toHaveLength(1)
})

test('a line of which a disk has kept only the end, or nothing but its room, was cut while it was written', async () => {
  const { store, anchors } = await desk()
  writeFileSync(anchors, `${'\0'.repeat(90)}\n`)
  expect((await keep(store, anchors)).said).toStrictEqual([])
  const whole = readFileSync(anchors, 'utf8')
  const [line = ''] = whole.split('\n').slice(1)
  writeFileSync(anchors, `${whole}${'\0'.repeat(12)}${line.slice(12)}\n${line}\n`)
  expect((await keep(store, anchors)).said).toStrictEqual([])
  expect(await read(anchors)).not.toHaveLength(0)
})

test('an empty database with an old anchor file counts as one that has lost everything, and may be a new one', async () => {
  const { store, anchors } = await desk()
  await keep(store, anchors)
  const fresh = await opened({ file: join(place(), 'fresh.db') })
  const { said } = await keep(fresh, anchors)
  expect(said.join()).toContain('ends at entry 0')
  expect(said.join()).toContain('If this is a new database in the place of an older one')
  expect(await fresh.switches.frozen('anybody')).toBeDefined()
})

test('a freeze that an operator has set stays theirs', async () => {
  const { file, store, anchors } = await desk()
  await keep(store, anchors)
  await store.switches.freeze({ tenant: undefined, reason: 'Audit.', by: 'ada' })
  await cutTo(file, 6)
  await keep(store, anchors)
  expect(await store.switches.frozen('anybody')).toMatchObject({ by: 'ada', reason: 'Audit.' })
})

test('who accepts the older database is in the file, signed; it is anchored again from there, and the past before it counts', async () => {
  const { file, store, ids, anchors } = await desk(3)
  await keep(store, anchors)
  for (let at = 0; at < 3; at++) ids.push(await record(store))
  await keep(store, anchors)
  await cutTo(file, 8)
  const restarted = await opened({ file })
  await keep(restarted, anchors)
  await appendAnchors(anchors, await restarted.activity.acceptances(await read(anchors), 'Ada'))
  expect(readFileSync(anchors, 'utf8')).toContain('"by":"Ada","after":6')
  expect((await keep(restarted, anchors)).said).toStrictEqual([])
  for (let at = 0; at < 4; at++) await record(restarted)
  expect((await keep(restarted, anchors)).said).toStrictEqual([])
  expect(await restarted.activity.verify(await read(anchors))).toMatchObject([{ problem: undefined, anchored: 16 }])
  await meddle(file, 'update countersign_activity set tool = ? where id = ?', 'x', ids[0] ?? '')
  expect(await verdictOf(store, await read(anchors))).toMatchObject({ kind: 'changed', id: ids[0] })
})

test('an acceptance that nobody with the key has signed accepts nothing', async () => {
  const { file, store, anchors } = await desk()
  await keep(store, anchors)
  await cutTo(file, 6)
  const [head] = await store.activity.heads()
  if (head === undefined) throw new Error('There is no head.')
  await appendAnchors(anchors, [{ ...head, accepted: { by: 'Eve', after: 0, mac: 'x'.repeat(43) } }])
  expect((await keep(store, anchors)).said.join()).toContain('ends at entry 6')
  expect(await verdictOf(store, await read(anchors))).toMatchObject({ kind: 'changed' })
})

test('a database is anchored beside it unless somebody names another place, readable for its user alone', async () => {
  const file = join(place(), 'log.db')
  const store = await opened({ file: ':memory:' })
  await record(store)
  expect(anchoringOf(store, undefined, ':memory:').file).toBeUndefined()
  expect(anchoringOf(store, undefined, file).file).toBe(`${file}.anchor`)
  expect(anchoringOf(store, 'elsewhere', file).file).toBe('elsewhere')
  const [one, two] = ['postgres://a:secret@db/x', 'postgres://a:secret@db/y'].map(
    (address) => anchoringOf(store, undefined, address).file,
  )
  expect(one).toMatch(/postgres-[0-9a-f]{16}\.anchor$/)
  expect(two).not.toBe(one)
  const keeping = await keepActivity(store, {}, file, String, String)
  await keeping.stop()
  expect(statSync(`${file}.anchor`).mode & 0o777).toBe(0o600)
  expect(await read(`${file}.anchor`)).toMatchObject([{ seq: 2 }])
})

test('several processes anchor one database at once, and none of their lines is torn', async () => {
  const { file, store, anchors } = await desk()
  const others = await Promise.all([opened({ file }), opened({ file })])
  await Promise.all(
    [store, ...others].map(async (each) => {
      for (let at = 0; at < 10; at++) {
        await record(each)
        await appendAnchors(anchors, await each.activity.heads())
      }
    }),
  )
  expect(await read(anchors)).toHaveLength(30)
  expect(await verdictOf(store, await read(anchors))).toBeUndefined()
})
