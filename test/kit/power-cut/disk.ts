// What a power cut leaves of the files that a process wrote, by a journal of its writes. The model is that of POSIX, and a
// disk that keeps no more of its word than it has to:
//
// - What a sync of the file that had ended covers is there. It covers what had been written when it began.
// - Of what was written since, each block is as it was at some moment since then, whatever became of the blocks around it:
//   the system writes back what it likes when it likes. A block is a sector of 512 bytes or a page of eight of them; one
//   sector is never torn, which is what SQLite assumes of a disk (sqlite.org/atomiccommit.html, "powersafe overwrite" in
//   sqlite.org/psow.html). A file that had grown may have any size that it has had since; where no data came, it is zeros,
//   as ext4, XFS and btrfs have it. One that was shortened has all that was behind its new end, or nothing: their journals
//   finish a truncation that they have begun, and SQLite relies on it where it empties its write-ahead log.
// - A name (created, linked, renamed, removed) is as durable as the last sync of its folder. Of the changes since then each
//   is there as a whole or is not. File systems promise more, and where a program relies on that (PostgreSQL does, for the
//   files of tables), `names` says so: a sync of a file then covers its own names. Folders that are made are there.
// - What lies in a mapping that processes share is lost: anything may stand in its file.
import type { Change, FileNumber } from './journal.ts'

/** Contents by name, relative to the folder. */
export type Files = ReadonlyMap<string, Buffer>

export interface Disk {
  /** The next change of the journal. */
  happen(change: Change): void
  /** What is found after the power was cut here; `random` decides on all that is not certain. */
  afterCut(random: () => number): Files
  /** What processes see at this moment; without files whose content nobody sees. */
  seen(): Files
  /** Folders below the one that is recorded. */
  folders(): ReadonlySet<string>
}

type Data = Extract<Change, { readonly kind: 'written' | 'sized' }>

interface StoredFile {
  /** What is certain to be there: so many bytes of this, and behind them zeros. */
  room: Buffer
  size: number
  /** Changes since, and how many there were before these. */
  recent: Data[]
  before: number
  mapped: boolean
}

type Names = Map<string, StoredFile>

interface Renaming {
  readonly folder: string
  /** What has this name, or had it. */
  readonly file: StoredFile | undefined
  readonly turn: number
  apply(names: Names): void
}

const PAGE = 4096
const SECTOR = 512

const folderOf = (name: string): string => name.slice(0, Math.max(0, name.lastIndexOf('/')))

/** What lies on a disk before anything is recorded: content and number of each file, by name, and the folders. */
export interface Base {
  readonly files: ReadonlyMap<string, { readonly file: FileNumber; readonly content: Buffer }>
  readonly folders: readonly string[]
}

/** A disk with these files on it. `names`: what must be synced for a name to last. */
export function createDisk(
  base: Base = { files: new Map(), folders: [] },
  names: 'of synced folders' | 'of synced files, too' = 'of synced folders',
): Disk {
  const folders = new Set(base.folders)
  const files = new Map<FileNumber, StoredFile>()
  const safeNames: Names = new Map()
  const present: Names = new Map()
  for (const [name, { file, content }] of base.files) {
    // Of its own: what is synced is put into it.
    const stored = { room: Buffer.from(content), size: content.length, recent: [], before: 0, mapped: false }
    files.set(file, stored)
    safeNames.set(name, stored)
    present.set(name, stored)
  }
  let recentNames: Renaming[] = []
  let turn = 0
  /** What each thread that is syncing waits for. */
  const syncing = new Map<number, () => void>()

  const rename = (name: string, file: StoredFile | undefined, apply: Renaming['apply']): void => {
    turn += 1
    recentNames.push({ folder: folderOf(name), file, turn, apply })
    apply(present)
  }
  /** What makes names safe that are as they are now. */
  const settleNames = (isCovered: (one: Renaming) => boolean): (() => void) => {
    const until = turn
    return () => {
      const isSafe = (one: Renaming): boolean => one.turn <= until && isCovered(one)
      for (const one of recentNames.filter(isSafe)) one.apply(safeNames)
      recentNames = recentNames.filter((one) => !isSafe(one))
    }
  }
  const fileOf = (number: FileNumber): StoredFile => {
    const found = files.get(number)
    if (found === undefined) throw new Error(`The journal has no beginning of the file ${number}.`)
    return found
  }

  const happen = (change: Change): void => {
    switch (change.kind) {
      case 'created': {
        // Two processes may both take themselves for the one that has made it.
        const known = files.get(change.file)
        if (known !== undefined && present.get(change.name) === known) return
        const made = { room: Buffer.alloc(0), size: 0, recent: [], before: 0, mapped: false }
        files.set(change.file, made)
        return rename(change.name, made, (among) => void among.set(change.name, made))
      }
      case 'written':
      case 'sized':
        return void fileOf(change.file).recent.push(change)
      case 'sync-began': {
        const stored = fileOf(change.file)
        const covered = stored.before + stored.recent.length
        const named = settleNames(({ file }) => names === 'of synced files, too' && file === stored)
        return void syncing.set(change.thread, () => {
          settle(stored, covered)
          named()
        })
      }
      case 'folder-sync-began':
        return void syncing.set(
          change.thread,
          settleNames(({ folder }) => folder === change.name),
        )
      case 'sync-ended':
      case 'folder-sync-ended':
        return syncing.get(change.thread)?.()
      case 'linked':
      case 'renamed':
        return rename(change.to, present.get(change.name), (among) => {
          const stored = among.get(change.name)
          if (stored === undefined) return
          among.set(change.to, stored)
          if (change.kind === 'renamed') among.delete(change.name)
        })
      case 'removed':
        folders.delete(change.name)
        return rename(change.name, present.get(change.name), (among) => void among.delete(change.name))
      case 'mapped':
        fileOf(change.file).mapped = true
        return
      case 'folder-made':
        folders.add(change.name)
        return
      default:
        return change satisfies never
    }
  }

  return {
    happen,
    folders: () => folders,
    afterCut: (random) => {
      const kept = chanceOf(random)
      const found = new Map(safeNames)
      for (const one of recentNames) if (random() < kept) one.apply(found)
      const contents = new Map<string, Buffer>()
      for (const [name, stored] of found) {
        const content = stored.mapped ? anything(stored, random) : remains(stored, random)
        if (content !== undefined) contents.set(name, content)
      }
      return contents
    },
    seen: () =>
      new Map([...present].flatMap(([name, stored]) => (stored.mapped ? [] : [[name, latest(stored)] as const]))),
  }
}

/** Nothing of it, all of it, and what lies between: each alone would hide what another shows, and the first the least. */
const chanceOf = (random: () => number): number => [0, 0, 0.1, 0.5, 0.9, 1][Math.floor(random() * 6)] ?? 1

const sizeAfter = (size: number, change: Data): number =>
  change.kind === 'sized' ? change.size : Math.max(size, change.at + change.bytes.length)

const safe = ({ room, size }: StoredFile): Buffer => room.subarray(0, size)

/** Puts a change into a content that has room for it, block by block where not all of them are reached. */
function put(content: Buffer, change: Data, reaches: (at: number) => boolean = () => true, block = 2 ** 40): void {
  const from = change.kind === 'sized' ? change.size : change.at
  const to = change.kind === 'sized' ? content.length : change.at + change.bytes.length
  for (let at = from; at < to;) {
    const end = Math.min(to, (Math.floor(at / block) + 1) * block)
    if (reaches(at))
      if (change.kind === 'sized') content.fill(0, at, end)
      else change.bytes.copy(content, at, at - from, end - from)
    at = end
  }
}

function latest(stored: StoredFile): Buffer {
  const { recent } = stored
  if (recent.length === 0) return safe(stored)
  const sizes = sizesOf(stored)
  const content = Buffer.alloc(Math.max(...sizes))
  safe(stored).copy(content)
  for (const change of recent) put(content, change)
  return content.subarray(0, sizes.at(-1))
}

/** The sizes that a file has had since its last sync. */
function sizesOf({ recent, size }: StoredFile): readonly number[] {
  const sizes = [size]
  for (const change of recent) sizes.push(sizeAfter(sizes.at(-1) ?? 0, change))
  return sizes
}

/** Makes safe what a sync has covered; `covered` counts from the file's beginning. */
function settle(stored: StoredFile, covered: number): void {
  const done = stored.recent.splice(0, Math.max(0, covered - stored.before))
  stored.before += done.length
  for (const change of done) {
    const size = sizeAfter(stored.size, change)
    if (size > stored.room.length) {
      const room = Buffer.alloc(2 * size)
      safe(stored).copy(room)
      stored.room = room
    }
    put(stored.room, change)
    stored.size = size
  }
}

function remains(stored: StoredFile, random: () => number): Buffer {
  const { recent } = stored
  if (recent.length === 0) return safe(stored)
  const kept = chanceOf(random)
  /** How many of the changes since the last sync have reached the disk. */
  const moment = (): number => {
    if (random() < kept) return recent.length
    return random() < 0.5 ? 0 : Math.floor(random() * (recent.length + 1))
  }
  const block = random() < 0.5 ? SECTOR : PAGE
  const sizes = sizesOf(stored)
  const resized = moment()
  const shortened = recent.flatMap((change, turn) =>
    change.kind === 'sized' && change.size < (sizes[turn] ?? 0) ? [{ turn, size: change.size }] : [],
  )
  const moments = new Map<number, number>()
  const reached = (at: number): number => {
    const number = Math.floor(at / block)
    let found = moments.get(number)
    if (found !== undefined) return found
    found = moment()
    for (const { turn, size } of shortened)
      if ((number + 1) * block > size) found = resized > turn ? Math.max(found, turn + 1) : Math.min(found, turn)
    moments.set(number, found)
    return found
  }
  const content = Buffer.alloc(Math.max(...sizes))
  safe(stored).copy(content)
  for (const [turn, change] of recent.entries()) put(content, change, (at) => turn < reached(at), block)
  return content.subarray(0, sizes[resized])
}

/** Of a file that lay in a mapping: none, or noise. */
function anything(stored: StoredFile, random: () => number): Buffer | undefined {
  if (random() < 0.5) return undefined
  const content = Buffer.alloc(latest(stored).length)
  for (let at = 0; at + 4 <= content.length; at += 4) content.writeUInt32LE(Math.floor(random() * 2 ** 32), at)
  return content
}
