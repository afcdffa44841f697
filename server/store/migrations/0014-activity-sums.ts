// Sums of calls by whole hours and days (ADR 75). Empty at first: servers fill them while they run, so that no start waits
// for a log of millions of rows to be counted.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { createTable, index, key, optional, required } from './columns.ts'

export const activitySums = (): Migration => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await createTable(
      db,
      'countersign_activity_sums',
      required('text', 'tenant'),
      required('bigint', 'length', 'since'),
      required('text', 'outcome'),
      optional('text', 'tool', 'verdict', 'error_code', 'error_type', 'variant', 'ended'),
      required('integer', 'calls', 'asked', 'said', 'erased'),
    )
    await index(db, 'countersign_activity_sums', 'time', 'tenant', 'length', 'since').execute()
    await createTable(
      db,
      'countersign_activity_summed',
      key('tenant'),
      required('bigint', 'since', 'until', 'cut', 'erasures'),
    )
  },
})
