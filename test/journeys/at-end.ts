// What a journey starts or writes outside itself must be gone when its file is through, in the reverse order of its
// making, also when a test in between has failed.
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inMemory } from '../kit/in-memory.ts'

const open: (() => Promise<unknown> | void)[] = []

/** Does this when the test file is through. */
export const atEnd = (close: () => Promise<unknown> | void): void => void open.push(close)

/** A directory for one journey. */
export function place(): string {
  const directory = mkdtempSync(join(inMemory(), 'countersign-journey-'))
  atEnd(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A database file that does not exist yet. */
export const freshDatabase = (): string => join(place(), 'desk.db')

/** Ends and removes all of it. */
export async function endAll(): Promise<void> {
  for (const close of open.splice(0).reverse()) await close()
}
