// One busy life of a database with all its writes on record, and the cuts of power that are tried on it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDisk, type Base, type Disk } from '../../../kit/power-cut/disk.ts'
import type { Change } from '../../../kit/power-cut/journal.ts'
import { seeded } from '../../../kit/seeded.ts'
import { marksFile, marksIn, type Mark } from './marks.ts'
import type { Busy } from './server.ts'

/** Runs processes at the same time until all have ended; each is one server after the other. */
export async function runServers(
  processes: readonly (readonly Busy[])[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  await Promise.all(
    processes.map(async (busy) => {
      const server = join(import.meta.dirname, 'server.ts')
      const child = spawn(process.execPath, ['--no-warnings', server, JSON.stringify(busy)], {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: { ...process.env, ...env },
      })
      const [code] = (await once(child, 'exit')) as [number | null]
      if (code !== 0) throw new Error(`The server ${busy.map(({ name }) => name).join(', ')} ended with ${code}.`)
    }),
  )
}

/** What lies below a folder. */
export function baseIn(folder: string): Base {
  const there = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => ({
    name,
    is: statSync(join(folder, name)),
  }))
  const files = there
    .filter(({ is }) => is.isFile())
    .map(({ name, is }) => [name, { file: is.ino, content: readFileSync(join(folder, name)) }] as const)
  return { files: new Map(files), folders: there.filter(({ is }) => is.isDirectory()).map(({ name }) => name) }
}

export interface Cut {
  /** After so many changes. */
  readonly at: number
  /** Decides on what was not certain. */
  readonly seed: number
}

/**
 * Cuts of a journal, in their order. Of four, two come just after a mark, when somebody relies on what was done a moment ago;
 * one after a change of names or of another file than the log, which are few; and one anywhere.
 */
export function cutsOf(changes: readonly Change[], numbers: readonly number[], seed: number): readonly Cut[] {
  const anywhere = [...changes.keys()]
  const places = [marksIn(changes).map(({ at }) => at), rareIn(changes), anywhere]
  return numbers
    .map((number) => {
      const random = seeded(seed + number)
      const among = places[[0, 0, 1, 2][number % 4] ?? 2] ?? anywhere
      return { at: (among[Math.floor(random() * among.length)] ?? -1) + 1, seed: seed + number }
    })
    .toSorted((one, other) => one.at - other.at)
}

/** Which changes are not of the log's content, nor marks. */
function rareIn(changes: readonly Change[]): readonly number[] {
  const names = new Map<number, string>()
  return changes.flatMap((change, at) => {
    if (change.kind === 'created') names.set(change.file, change.name)
    const name = 'file' in change ? (names.get(change.file) ?? '') : ''
    return name === marksFile || /-(?:wal|shm)$/.test(name) ? [] : [at]
  })
}

/** Makes the files after a cut, and looks at them. */
async function afterCut(
  disk: Disk,
  cut: Cut,
  look: (folder: string) => Promise<readonly string[]>,
  into: string,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(into, 'cut-'))
  for (const name of disk.folders()) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 })
  for (const [name, content] of disk.afterCut(seeded(cut.seed))) {
    if (name !== marksFile) writeFileSync(join(folder, name), content, { mode: 0o600 })
  }
  const broken = await look(folder)
  if (broken.length === 0) rmSync(folder, { recursive: true })
  return broken.map((each) => `${each} (cut at ${cut.at}, seed ${cut.seed}: ${folder})`)
}

/**
 * Cuts the power as often as this says, and asks each time what is broken of what was promised until then. `into`: where the
 * files after each cut are put; those of a cut that broke something stay there.
 */
export async function cutPower(
  changes: readonly Change[],
  cuts: readonly Cut[],
  look: (folder: string, marks: readonly Mark[]) => Promise<readonly string[]>,
  into: string,
  disk: Disk = createDisk(),
): Promise<readonly string[]> {
  const marks = marksIn(changes)
  const broken: string[] = []
  let happened = 0
  for (const cut of cuts) {
    for (; happened < cut.at; happened += 1) {
      const change = changes[happened]
      if (change !== undefined) disk.happen(change)
    }
    const until = marks.filter(({ at }) => at < cut.at).map(({ mark }) => mark)
    broken.push(...(await afterCut(disk, cut, (folder) => look(folder, until), into)))
  }
  return broken
}
