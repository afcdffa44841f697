// The databases that the store's tests run on. A test that needs PostgreSQL gets a fresh, empty database on the server
// that COUNTERSIGN_TEST_POSTGRES names, or on one that is started for the run. The runner's project `postgres` runs the
// tests of the project `unit` that have to do with the store once more, and where they name a file they get a database.
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { anchorPlace, openStore } from '../server/store/store.ts'
import { migrateToolsets } from './kit/blank-database.ts'
import { inMemory } from './kit/in-memory.ts'
import { asAdministrator, createDatabase, dumpOf, emptierOf, emptying } from './postgres-server.ts'

export type Database = 'sqlite' | 'postgres'

/** Which one this project's tests are about. */
export const present: Database = process.env['COUNTERSIGN_TEST_DATABASE'] === 'postgres' ? 'postgres' : 'sqlite'

/** For a test that is about both by itself: `describe.each(databases)('on %s', (database) => …)`. */
export const databases: readonly Database[] = ['sqlite', 'postgres']

export interface TestDatabase {
  /** What `--db` takes. */
  readonly url: string
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>
}

/** COUNTERSIGN_SECRET of stores on PostgreSQL, where no key lies beside the database. */
export const testSecret = 'a secret for tests and nothing else'

const server = async (): Promise<string> => process.env['COUNTERSIGN_TEST_POSTGRES'] ?? (await startedForTheRun())

/** A fresh database on PostgreSQL, for whoever drops it afterwards. */
export const testDatabase = async (): Promise<TestDatabase> => createDatabase(await server())

/** A fresh database of either kind. */
export const freshDatabase = async (database: Database): Promise<TestDatabase> => {
  if (database === 'postgres') return testDatabase()
  const directory = mkdtempSync(join(inMemory(), 'countersign-'))
  return {
    url: join(directory, 'countersign.db'),
    drop: () => Promise.resolve(rmSync(directory, { recursive: true, force: true })),
  }
}

const startedForTheRun = async (): Promise<string> => {
  const response = await fetch(inject('postgresDoor'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** By path, from the moment that somebody asks: whoever asks meanwhile waits for the same one. */
const located = new Map<string, Promise<Kept>>()
/** Used before in this worker, and emptied: making a database and its tables takes longer than most tests. */
const spare: Kept[] = []

interface Kept extends TestDatabase {
  /** Leaves it without rows. */
  empty(): Promise<unknown>
}

/**
 * What stands in for a database file in this project's tests: the file itself, or a database that is the same for the
 * same path and another one each time for `:memory:`. For this test only; `new`: without our tables.
 */
export const locate = async (file: string, state: 'new' | 'empty' = 'empty'): Promise<string> => {
  if (present === 'sqlite' || file.startsWith('postgres')) return file
  const known = located.get(file)
  if (known !== undefined) return (await known).url
  const used = state === 'new' ? undefined : spare.pop()
  const asked = used === undefined ? keptDatabase(state) : Promise.resolve(used)
  if (file !== ':memory:') located.set(file, asked)
  onTestFinished(async () => {
    located.delete(file)
    const database = await asked
    await database.empty()
    // The anchors of what was in it would say of the next test's database that it has lost rows.
    const anchors = anchorPlace(undefined, database.url)
    if (anchors !== undefined) rmSync(anchors, { force: true })
    spare.push(database)
  })
  return (await asked).url
}

const keptDatabase = async (state: 'new' | 'empty'): Promise<Kept> => {
  const database =
    state === 'new' ? await testDatabase() : await createDatabase(await server(), await (blank ??= makeBlank()))
  return { ...database, empty: emptierOf(database.url) }
}

/** With all tables and no rows. Copied in a tenth of the time that making them takes; once for each worker. */
let blank: Promise<string> | undefined

async function makeBlank(): Promise<string> {
  const { url } = await testDatabase()
  const opened = await openStore({ file: url, secret: testSecret })
  if (!opened.ok) throw new Error(opened.failure.message)
  await migrateToolsets(opened.value.db)
  await opened.value.close()
  await asAdministrator(url, emptying)
  return url
}

/** All that a database keeps, as bytes read as text: for tests that nothing of it can be read. */
export const everything = async (file: string): Promise<string> => {
  if (present === 'sqlite')
    return globSync(`${file}*`)
      .map((part) => readFileSync(part, 'latin1'))
      .join('\n')
  return await dumpOf(await locate(file))
}
