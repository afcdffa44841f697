// Node's own SQLite, asked for when this is evaluated: as a static import it would keep an old Node from hearing that it is old.
import type { DatabaseSync as Database } from 'node:sqlite'

export const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
export type DatabaseSync = Database
