import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { StoreFailure } from '../../../server/store/store.ts'
import { draft, failed, opened, place, startJob } from './store-fixture.ts'

const secret = 'a secret of many characters'

/** A database with one plan in it, closed. */
const made = async (options: { secret?: string } = {}): Promise<string> => {
  const file = join(place(), 'plans.db')
  const store = await opened({ file, ...options })
  await store.plans.open(draft())
  await store.close()
  return file
}

const complete = (failure: StoreFailure): void => {
  expect(failure.message).toContain(failure.file)
  expect(failure.next).not.toBe('')
}

test('refuses a directory that does not exist, and does not create it', async () => {
  const directory = join(place(), 'no', 'such')
  const failure = await failed({ file: join(directory, 'plans.db') })
  expect(failure).toMatchObject({ kind: 'directory-missing', message: `The directory ${directory} does not exist.` })
  expect(failure.next).toContain(directory)
  expect(() => statSync(directory)).toThrow('ENOENT')
})

test('refuses a path that has a file where a directory should be', async () => {
  const file = join(place(), 'file')
  writeFileSync(file, 'text')
  expect(await failed({ file: join(file, 'plans.db') })).toMatchObject({ kind: 'directory-missing' })
  expect(await failed({ file: join(file, 'further', 'plans.db') })).toMatchObject({ kind: 'directory-missing' })
})

test('refuses a directory as the database', async () => {
  const file = place()
  const failure = await failed({ file })
  expect(failure.kind).toBe('cannot-open')
  complete(failure)
})

test.for(['a,b\n1,2\n', 'SQLite format 2\0 and so on', '\0'.repeat(5000)])(
  'refuses a file that is something else, and leaves it as it was',
  async (content) => {
    const file = join(place(), 'table.csv')
    writeFileSync(file, content)
    const failure = await failed({ file })
    expect(failure.kind).toBe('not-a-database')
    complete(failure)
    expect(readFileSync(file, 'utf8')).toBe(content)
  },
)

test('takes a file of zeros for a new database, where a power cut left it with the journal of its making', async () => {
  const file = join(place(), 'plans.db')
  writeFileSync(file, '\0'.repeat(4096))
  // The header of a rollback journal (sqlite.org/fileformat2.html#the_rollback_journal): no pages, and none before.
  const journal = Buffer.alloc(512)
  journal.write('d9d505f920a163d7', 'hex')
  journal.writeUInt32BE(512, 20)
  journal.writeUInt32BE(4096, 24)
  writeFileSync(`${file}-journal`, journal)
  const { plans } = await opened({ file })
  expect((await plans.open(draft())).plan.state).toBe('open')
})

test('takes an empty file for a new database', async () => {
  const file = join(place(), 'plans.db')
  writeFileSync(file, '')
  const { plans } = await opened({ file })
  expect((await plans.open(draft())).plan.state).toBe('open')
})

test.for([
  ['cut off in its header', (file: string) => truncateSync(file, 60)],
  ['cut off in the middle', (file: string) => truncateSync(file, 4096 * 3 + 100)],
  [
    'overwritten in the middle',
    (file: string) => {
      const bytes = readFileSync(file)
      bytes.fill(0x5a, 4096, 4096 * 4)
      writeFileSync(file, bytes)
    },
  ],
  [
    'damaged in its schema',
    (file: string) => {
      const bytes = readFileSync(file)
      bytes.fill(0xff, 100, 4096)
      writeFileSync(file, bytes)
    },
  ],
] as const)('refuses a database that was %s, and leaves it as it was', async ([, damage]) => {
  const file = await made()
  damage(file)
  const before = readFileSync(file)
  const failure = await failed({ file })
  expect(failure.kind).toBe('corrupt')
  complete(failure)
  expect(readFileSync(file).equals(before)).toBe(true)
})

test('refuses a database that a newer version wrote', async () => {
  const file = await made()
  const database = new DatabaseSync(file)
  database.exec(`insert into countersign_migration values ('9999-wonders', '2030-01-01T00:00:00.000Z')`)
  database.close()
  const failure = await failed({ file })
  expect(failure.kind).toBe('newer-schema')
  expect(failure.message).toContain('9999-wonders')
  complete(failure)
})

test('gives up on a lock that is never let go, with the file and the reason', async () => {
  const file = join(place(), 'plans.db')
  const holder = new DatabaseSync(file)
  holder.exec('create table theirs (x); begin exclusive')
  const failure = await failed({ file })
  holder.close()
  expect(failure.kind).toBe('busy')
  complete(failure)
})

test('refuses a short secret before it creates anything', async () => {
  const file = join(place(), 'plans.db')
  const failure = await failed({ file, secret: 'x'.repeat(15) })
  expect(failure).toMatchObject({ kind: 'secret-too-short', file })
  expect(failure.message).not.toContain('xxx')
  expect(() => statSync(file)).toThrow('ENOENT')
})

test('opens with the secret that it was made with, without a key file, and with no other', async () => {
  const file = await made({ secret })
  expect(() => statSync(`${file}.key`)).toThrow('ENOENT')
  const again = await opened({ file, secret })
  expect((await again.plans.find({ by: 'id', id: 'pl_1' }))?.args).toBe(draft().args)
  const other = await failed({ file, secret: `${secret}!` })
  expect(other.kind).toBe('key-mismatch')
  complete(other)
  const none = await failed({ file })
  expect(none).toMatchObject({ kind: 'key-unreadable', file: `${file}.key` })
  expect(none.next).toContain('COUNTERSIGN_SECRET')
})

test('refuses to make a new key for a database whose key file is gone', async () => {
  const file = await made()
  rmSync(`${file}.key`)
  const failure = await failed({ file })
  expect(failure.kind).toBe('key-unreadable')
  complete(failure)
  expect(() => statSync(`${file}.key`)).toThrow('ENOENT')
})

test('refuses the key of another database', async () => {
  const [file, other] = [await made(), await made()]
  writeFileSync(`${file}.key`, readFileSync(`${other}.key`))
  const failure = await failed({ file })
  expect(failure.kind).toBe('key-mismatch')
  complete(failure)
})

test.for([0, 31, 33])('refuses a key of %i bytes', async (length) => {
  const file = await made()
  writeFileSync(`${file}.key`, Buffer.alloc(length))
  const failure = await failed({ file })
  expect(failure).toMatchObject({ kind: 'key-malformed', file: `${file}.key` })
  expect(failure.message).toContain(`${length} bytes`)
})

test('refuses a directory in place of the key', async () => {
  const file = join(place(), 'plans.db')
  mkdirSync(`${file}.key`, { mode: 0o700 })
  const failure = await failed({ file })
  expect(failure.kind).toBe('key-unreadable')
  complete(failure)
})

test.runIf(process.platform !== 'win32')('refuses a key that others may read', async () => {
  const file = await made()
  expect(statSync(`${file}.key`).mode & 0o777).toBe(0o600)
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(`${file}.key`, mode)
    const failure = await failed({ file })
    expect(failure).toMatchObject({ kind: 'key-exposed', file: `${file}.key` })
    expect(failure.message).toContain(mode.toString(8))
  }
  chmodSync(`${file}.key`, 0o400)
  expect((await opened({ file })).file).toBe(file)
})

/** What a process meets that is not root. */
const failedAsNobody = async (file: string): Promise<StoreFailure> => {
  const job = await startJob(file, 'as-nobody')
  await job.line()
  job.say('open')
  return JSON.parse(await job.line()) as StoreFailure
}

test.runIf(process.platform !== 'win32')('refuses files and directories that it may not write', async () => {
  const file = await made()
  const directory = join(file, '..')
  chmodSync(directory, 0o777)
  chmodSync(file, 0o444)
  const fixed = await failedAsNobody(file)
  expect(fixed).toMatchObject({ kind: 'read-only', file })
  complete(fixed)
  chmodSync(directory, 0o555)
  expect(await failedAsNobody(file)).toMatchObject({ kind: 'read-only' })
  expect(await failedAsNobody(join(directory, 'new.db'))).toMatchObject({ kind: 'read-only' })
  chmodSync(directory, 0o777)
  chmodSync(file, 0o666)
  chmodSync(`${file}.key`, 0o000)
  expect(await failedAsNobody(file)).toMatchObject({ kind: 'key-unreadable', file: `${file}.key` })
  chmodSync(directory, 0o700)
})
