// What a process wrote, read back: `record-writes.c` is compiled and loaded into it, and leaves a journal of every change to
// the files below one folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** A file as the system numbers it; a number may come again once the file is gone. */
export type FileNumber = number

/** One change, in the order of all. Names are relative to the folder; the folder itself is the empty one. */
export type Change =
  | { readonly kind: 'created'; readonly file: FileNumber; readonly name: string }
  | { readonly kind: 'written'; readonly file: FileNumber; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'sized'; readonly file: FileNumber; readonly size: number }
  /** A sync holds for what stands before its beginning, once it has ended. A thread does one at a time. */
  | { readonly kind: 'sync-began' | 'sync-ended'; readonly file: FileNumber; readonly thread: number }
  | { readonly kind: 'folder-sync-began' | 'folder-sync-ended'; readonly name: string; readonly thread: number }
  | { readonly kind: 'folder-made'; readonly name: string }
  | { readonly kind: 'linked' | 'renamed'; readonly name: string; readonly to: string }
  | { readonly kind: 'removed'; readonly name: string }
  /** From here on its content changes without our seeing it. */
  | { readonly kind: 'mapped'; readonly file: FileNumber }

/** Why no process can be recorded on this machine; `undefined` where one can. */
export function whyNotRecorded(): string | undefined {
  if (process.platform !== 'linux') return `writes are recorded on Linux, and this is ${process.platform}`
  return spawnSync('cc', ['--version']).status === 0 ? undefined : 'there is no C compiler (`cc`) on this machine'
}

/** Compiles the recorder into a folder; answers what a process that is recorded needs in its environment. */
export function compileRecorder(
  into: string,
): (recorded: { readonly folder: string; readonly journal: string }) => Readonly<Record<string, string>> {
  const library = join(into, 'record-writes.so')
  const source = join(import.meta.dirname, 'record-writes.c')
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl'])
  return ({ folder, journal }) => ({
    LD_PRELOAD: library,
    POWER_CUT_FOLDER: realpathSync(folder),
    POWER_CUT_JOURNAL: journal,
    // Writes handed to the kernel in a ring would go past the C library.
    UV_USE_IO_URING: '0',
  })
}

/** `struct record` of `record-writes.c`. */
const HEAD = 32

/**
 * Reads a journal.
 * @throws where a file was changed in a way that nobody could see.
 */
export function readJournal(file: string): readonly Change[] {
  const journal = readFileSync(file)
  const changes: Change[] = []
  for (let at = 0; at < journal.length;) {
    const length = Number(journal.readBigUInt64LE(at + 24))
    const bytes = journal.subarray(at + HEAD, at + HEAD + length)
    changes.push(
      toChange(String.fromCharCode(journal.readUInt32LE(at)), {
        thread: journal.readUInt32LE(at + 4),
        file: Number(journal.readBigUInt64LE(at + 8)),
        at: Number(journal.readBigUInt64LE(at + 16)),
        bytes,
      }),
    )
    at += HEAD + length
  }
  return changes
}

interface Written {
  readonly thread: number
  readonly file: FileNumber
  readonly at: number
  readonly bytes: Buffer
}

function toChange(what: string, { thread, file, at, bytes }: Written): Change {
  const [name = '', to = ''] = what === 'w' ? [] : bytes.toString().split('\0')
  switch (what) {
    case 'c':
      return { kind: 'created', file, name }
    case 'w':
      return { kind: 'written', file, at, bytes }
    case 't':
      return { kind: 'sized', file, size: at }
    case 's':
      return { kind: 'sync-began', file, thread }
    case 'S':
      return { kind: 'sync-ended', file, thread }
    case 'd':
      return { kind: 'folder-sync-began', name, thread }
    case 'D':
      return { kind: 'folder-sync-ended', name, thread }
    case 'm':
      return { kind: 'folder-made', name }
    case 'l':
      return { kind: 'linked', name, to }
    case 'r':
      return { kind: 'renamed', name, to }
    case 'u':
      return { kind: 'removed', name }
    case 'v':
      return { kind: 'mapped', file }
    default:
      throw new Error(`The file ${file} was changed in a way that is not recorded: ${bytes.toString()}.`)
  }
}
