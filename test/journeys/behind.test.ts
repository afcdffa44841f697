// A database that was set back (a restored copy, a disk that lied) is noticed before an agent can change anything, and a
// person is told at every place where they look. Through the real program, as an operator meets it.
import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../server/store/store.ts'
import { record } from '../server/activity/rows.ts'
import { place, runToEnd } from './processes.ts'

const store = async (db: string) => {
  const opened = await openStore({ file: db })
  if (!opened.ok) throw new Error(opened.failure.message)
  return opened.value
}
