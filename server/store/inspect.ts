// A look at a database without being its server: what `doctor` says of the record, the clock and the definitions that were
// pinned. Nothing is made, migrated, anchored, frozen or written.
import { createActivity, type ActivityReader } from './activity/activity.ts'
import type { StoreResult } from './failure.ts'
import { keyFromSecret } from './key.ts'
import { openSealer } from './key-check.ts'
import { schemaState } from './migrations/migrate.ts'
import type { Pin } from '../model/pins.ts'
import type { Switches } from '../model/switches.ts'
import { createPins } from './pins/pins.ts'
import { isPostgresAddress } from './postgres/address.ts'
import { openToRead } from './read-only.ts'
import { sqliteName } from './sqlite/database.ts'
import { onlyOneName } from './sqlite/one-file.ts'
import type { StoreOptions } from './store.ts'
import { createSwitches } from './switches/switches.ts'
import type { Tables } from './tables.ts'

/** What was found. */
interface Inspected {
  /** Migrations that the database lacks, which the first start does, and those that this version does not know. */
  readonly missing: readonly string[]
  readonly unknown: readonly string[]
  /** What may be asked; `undefined` of a database of another version, whose tables may mean something else. */
  readonly asked:
    | {
        readonly activity: Pick<ActivityReader, 'behind' | 'retentionTime'>
        readonly switches: Pick<Switches, 'list'>
        readonly pins: readonly Pin[]
      }
    | undefined
  close(): Promise<void>
}

/** Looks into a database; `undefined` where there is none yet. The failure says why it, or its key, is not right. */
export async function inspectDatabase({
  file,
  secret,
}: Pick<StoreOptions, 'file' | 'secret'>): Promise<StoreResult<Inspected | undefined>> {
  const named = isPostgresAddress(file) ? undefined : onlyOneName(sqliteName(file))
  if (named?.ok === false) return named
  const opened = await openToRead(file)
  if (!opened.ok) return opened
  if (opened.value === undefined) return { ok: true, value: undefined }
  const { db, name, now, refuse, close } = opened.value
  try {
    const schema = await schemaState(db)
    if (schema.missing.length > 0 || schema.unknown.length > 0)
      return { ok: true, value: { ...schema, asked: undefined, close } }
    const tables = db.$extendTables<Tables>()
    const key = secret === undefined ? undefined : keyFromSecret(name, secret)
    const sealer = key?.ok === false ? key : await openSealer(tables, name, key?.value, true)
    if (!sealer.ok) {
      await close()
      return sealer
    }
    const { activity } = createActivity({
      db: tables,
      key: sealer.value.derive('activity chain'),
      now,
      relaxed: onlyReads,
      flush: onlyReads,
    })
    const switches = createSwitches({ db: tables, reads: tables, sealer: sealer.value, now })
    const asked = { activity, switches, pins: await createPins(tables).all() }
    return { ok: true, value: { ...schema, asked, close } }
  } catch (error) {
    await close()
    return refuse(error)
  }
}

const onlyReads = (): Promise<never> => Promise.reject(new Error('This connection only reads.'))
