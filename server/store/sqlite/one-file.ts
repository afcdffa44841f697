// All processes on a database must meet in the same three files: the database, its write-ahead log and the index of that.
// SQLite finds the last two by the name of the first. A second name (a hard link, a bind mount of the file alone) or a log
// that was deleted under a running process makes two logs of one database, neither sees what the other has claimed, and
// every plan runs twice. So a file with two names is not opened, and nothing is written once the files are not those that
// were opened.
import { readFileSync, realpathSync, statSync, type BigIntStats } from 'node:fs'
import { dirname } from 'node:path'
import { errnoOf, refuse, type StoreResult } from '../failure.ts'

/** The files are not those any more that this process has opened. Tagged by `kind`; nothing was written. */
export class FilesReplaced extends Error {
  readonly kind = 'files-replaced'

  constructor(file: string, name: string, what: 'deleted' | 'replaced') {
    super(
      `${name} was ${what} while this process had it open, so other processes on ${file} no longer see what this one writes. Nothing was written, and nothing will be. Stop every process on this database, put its files back together (or restore a backup), and start again.`,
    )
    this.name = 'FilesReplaced'
  }
}

/** Refuses a database that can be reached by two names. */
export const onlyOneName = (file: string): StoreResult<undefined> => {
  const found = statOf(file)
  if (found === undefined) return { ok: true, value: undefined }
  if (found.nlink > 1n)
    return refuse(
      'two-names',
      file,
      `The database ${file} has ${found.nlink} names (hard links). Opened by two of them it would have two write-ahead logs, and plans would run twice.`,
      `Stop what uses it and leave it one name: \`find / -xdev -samefile ${file}\` lists them, \`rm\` removes one without touching the data.`,
    )
  const home = realpathSync(file)
  if (found.dev !== statOf(dirname(home))?.dev || isMountPoint(home, mounts()))
    return refuse(
      'two-names',
      file,
      `The database ${file} is mounted by itself, as a file. Its write-ahead log lies beside it and would not be mounted with it, and plans would run twice.`,
      `Mount the directory that it lies in (\`-v /srv/countersign:/data\`), not the file.`,
    )
  return { ok: true, value: undefined }
}

/** Whether something is mounted exactly there. `table`: the text of `/proc/self/mountinfo`. */
export const isMountPoint = (path: string, table: string): boolean =>
  table.split('\n').some((line) => unescaped(line.split(' ')[4] ?? '') === path)

/** Blanks and the like are written in octal there. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))

/** What is mounted where, in the words of Linux; nothing on systems that have no such file. */
const mounts = (): string => {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}

/**
 * Remembers the files of a database that has just been opened and read; answers what to ask before each write.
 * @throws {FilesReplaced} from then on, once one of them is another one or gone.
 */
export const watchFiles = (file: string): (() => void) => {
  // The log lies beside the file that a symbolic link leads to.
  const home = realpathSync(file)
  const names = [file, `${home}-wal`, `${home}-shm`]
  const opened = names.map(statOf)
  let broken: FilesReplaced | undefined
  return () => {
    if (broken !== undefined) throw broken
    for (const [at, name] of names.entries()) {
      const was = opened[at]
      const is = statOf(name)
      if (was !== undefined && is?.ino === was.ino && is.dev === was.dev) continue
      throw (broken = new FilesReplaced(file, name, is === undefined ? 'deleted' : 'replaced'))
    }
  }
}

const statOf = (path: string): Pick<BigIntStats, 'ino' | 'dev' | 'nlink'> | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return undefined
  }
}
