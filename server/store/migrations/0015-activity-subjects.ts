// Whose texts are erased is looked for by its pseudonym: without an index each erasure read every row of its tenant, while it
// held the log. A log that is there already is sorted once, at the first start: a million rows take seconds.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { index } from './columns.ts'

export const activitySubjects = (): Migration => ({
  up: (db: Kysely<unknown>): Promise<void> =>
    index(db, 'countersign_activity', 'subjects', 'tenant', 'pseudonym').execute(),
})
