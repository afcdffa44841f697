// Making the tables of a store and of its toolsets takes ten times as long as all else of opening one, and a thousand tests
// open one each. So they are made once for each worker, and stores in memory begin with a copy.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStore, type Store, type StoreOptions } from '../../server/store/store.ts'
import { migrate as migrateFiles } from '../../server/toolsets/files/tables.ts'
import { migrate as migrateMail } from '../../server/toolsets/mail/migrations.ts'
import { inMemory } from './in-memory.ts'

/** Makes the tables of the toolsets that begin without rows. */
export async function migrateToolsets(db: Store['db']): Promise<void> {
  await migrateFiles(db)
  await migrateMail(db)
}

let blank: Promise<Uint8Array> | undefined

/** What `openStore` begins with where this is its file: all tables and no rows in memory, what lies there otherwise. */
export const beginning = async (file: string): Promise<Pick<StoreOptions, 'copyOf'>> =>
  file === ':memory:' ? { copyOf: await (blank ??= makeBlank()) } : {}

async function makeBlank(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(inMemory(), 'countersign-blank-'))
  const file = join(folder, 'blank.db')
  try {
    const opened = await openStore({ file })
    if (!opened.ok) throw new Error(opened.failure.message)
    await migrateToolsets(opened.value.db)
    await opened.value.close()
    const database = new DatabaseSync(file)
    // In memory there is no write-ahead log, and which key it belongs to is its own matter.
    database.exec('pragma journal_mode = delete; delete from countersign_meta')
    const bytes = database.serialize()
    database.close()
    return bytes
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
