// The databases that the store's tests run on. A test that needs PostgreSQL gets a fresh, empty database on the server
// that COUNTERSIGN_TEST_POSTGRES names, or on one that is started for the run.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createDatabase } from './postgres-server.ts'

export type Database = 'sqlite' | 'postgres'

/** What the store's tests loop over: `describe.each(databases)('on %s', (database) => …)`. */
export const databases: readonly Database[] = ['sqlite', 'postgres']

export interface TestDatabase {
  /** What `--db` takes. */
  readonly url: string
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>
}

/** COUNTERSIGN_SECRET of stores on PostgreSQL, where no key lies beside the database. */
export const testSecret = 'a secret for tests and nothing else'

/** A fresh database on PostgreSQL, for whoever drops it afterwards. */
export const testDatabase = async (): Promise<TestDatabase> =>
  createDatabase(process.env['COUNTERSIGN_TEST_POSTGRES'] ?? (await startedForTheRun()))

/** A fresh database of either kind. */
export const freshDatabase = async (database: Database): Promise<TestDatabase> => {
  if (database === 'postgres') return testDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'countersign-'))
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
