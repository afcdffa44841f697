// The files of the hosts on this machine: read for an import, changed by a write-back, and given back by its undo. A file
// that somebody else wrote into meanwhile is theirs: it is left as it is, and that is said.
import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { homedir, platform } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Variables } from '../../config/references.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { importHosts, type Imported, type ImportOptions } from '../../gateway/hosts/import-hosts.ts'
import type { Machine } from '../../gateway/hosts/host-kind.ts'
import {
  pointAtGateway,
  recordSchema,
  type GatewayStart,
  type Pointed,
  type WriteBackRecord,
  type WrittenBack,
  withServersBack,
} from '../../gateway/hosts/write-back.ts'
import { redactText } from '../../policy/redact.ts'
import {
  createPrivateFile,
  errnoOf,
  withFileLock,
  readEditorItems,
  replaceFile,
  secretsFile,
} from '../../store/store.ts'
import { lineDiff, loadLineDiff } from '../../gateway/profiles/line-diff.ts'

export { hostNames } from '../../gateway/hosts/host-table.ts'
export { editHostText, readHostText } from '../../gateway/hosts/host-text.ts'
export { neededVariables } from '../../gateway/hosts/server-variables.ts'
export type { Pointed } from '../../gateway/hosts/write-back.ts'
export type { Imported } from '../../gateway/hosts/import-hosts.ts'

/** One file that could not be changed, or given back, and what to do. */
export interface FileTrouble {
  readonly message: string
  readonly next: string
}

const machineOf = (env: Variables, cwd: string): Machine => {
  const system = platform()
  return { platform: system === 'darwin' || system === 'win32' ? system : 'linux', home: homedir(), env, cwd }
}

/** Reads the hosts' files on this machine. Writes nothing. */
export const importFromHosts = (env: Variables, cwd: string, options: ImportOptions): Promise<Imported> =>
  importHosts(machineOf(env, cwd), { read: textOf, isFile, list, items: readEditorItems }, options)

/** The text of a file; `undefined` where there is none. Throws where it cannot be read. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() === true

const list = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

/** What would become of the hosts' files, with those that cannot be changed. */
export function pointedFiles(
  { read }: Imported,
  start: GatewayStart,
  env: Variables,
  cwd: string,
): { readonly pointed: readonly Pointed[]; readonly troubles: readonly FileTrouble[] } {
  const pointed: Pointed[] = []
  const troubles: FileTrouble[] = []
  for (const file of read) {
    const done = pointAtGateway(file, machineOf(env, cwd), start)
    if (!done.ok)
      troubles.push({ message: `${done.failure}; it was left as it is.`, next: 'Take its servers out by hand.' })
    else if (done.value !== undefined) pointed.push(done.value)
  }
  return { pointed, troubles }
}

/** The lines that change in a host's file, without these secrets, and without what else on them looks like one. */
export async function shownChange({ path, before, after }: Pointed, secrets: Iterable<string>): Promise<string> {
  await loadLineDiff()
  const longestFirst = [...secrets].filter((value) => value !== '').toSorted((a, b) => b.length - a.length)
  const hidden = longestFirst.reduce((text, value) => hiding(text, value), lineDiff(before, after, 0) ?? 'Most of it.')
  return `${path}\n${hidden.split('\n').map(redactText).join('\n')}`
}

/** A short one is hidden where it is a whole value, and not wherever its letters stand. */
function hiding(text: string, secret: string): string {
  const spelled = [secret, JSON.stringify(secret).slice(1, -1)]
  return spelled.reduce(
    (held, value) =>
      secret.length < 6
        ? held.replaceAll(`"${value}"`, '"[redacted]"').replaceAll(` ${value}`, ' [redacted]')
        : held.replaceAll(value, '[redacted]'),
    text,
  )
}

const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

const recordFile = (env: Variables): string => join(dirname(secretsFile(env)), 'written-back.json')

async function readRecord(env: Variables): Promise<Result<WriteBackRecord, FileTrouble>> {
  const file = recordFile(env)
  const text = await readFile(file, 'utf8').catch((error: unknown) => (errnoOf(error) === 'ENOENT' ? undefined : ''))
  if (text === undefined) return ok({ version: 1, files: [] })
  const parsed = recordSchema.safeParse(jsonOf(text))
  return parsed.success
    ? ok(parsed.data)
    : fail({
        message: `${file}, which says what was written into hosts' files, cannot be read.`,
        next: 'Compare each host’s file with its copy (….before-countersign) by hand, and remove this file.',
      })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function writeRecord(env: Variables, files: WriteBackRecord['files']): Promise<void> {
  await replaceFile(recordFile(env), `${JSON.stringify({ version: 1, files } satisfies WriteBackRecord, null, 2)}\n`)
}

/** Writes the gateway's file for its owner alone: a new one, or in place of one whose text is still `before`. */
export async function writeGatewayFile(
  file: string,
  text: string,
  before: string | undefined,
): Promise<Result<void, FileTrouble>> {
  try {
    if (before === undefined) await writeFile(file, text, { mode: 0o600, flag: 'wx' })
    else if ((await readFile(file, 'utf8')) === before) await replaceFile(await realpath(file), text)
    else return fail({ message: `${file} has changed meanwhile and was left as it is.`, next: 'Run the import again.' })
    return ok(undefined)
  } catch (error) {
    const code = errnoOf(error) ?? String(error)
    return fail(
      code === 'EEXIST'
        ? { message: `${file} is there already and was left as it is.`, next: 'Run the import again.' }
        : { message: `${file} cannot be written (${code}).`, next: 'Name another file with --out.' },
    )
  }
}

/** Writes one host's file, with a copy of it for its owner alone. Answers where the copy is. */
export async function writeBack(change: Pointed, env: Variables): Promise<Result<string, FileTrouble>> {
  try {
    await mkdir(dirname(recordFile(env)), { recursive: true, mode: 0o700 })
    return await withFileLock(recordFile(env), () => writeLocked(change, env))
  } catch (error) {
    return fail({
      message: `${change.path} cannot be changed (${errnoOf(error) ?? String(error)}) and was left as it is.`,
      next: 'Make it and its folder writable for you, and run the import again.',
    })
  }
}

async function writeLocked(
  { path, before, after, format, edit }: Pointed,
  env: Variables,
): Promise<Result<string, FileTrouble>> {
  const record = await readRecord(env)
  if (!record.ok) return record
  // A link stays a link: people keep these files in a repository of their own.
  const real = await realpath(path)
  const [bytes, { mode }] = [await readFile(real), await stat(real)]
  if (digest(bytes) !== digest(before))
    return fail({ message: `${path} has changed meanwhile and was left as it is.`, next: 'Run the import again.' })
  const backup = await freeBackup(await besideRecord(path, env))
  await createPrivateFile(backup, bytes)
  const entry: WrittenBack = {
    path: real,
    backup,
    before: digest(bytes),
    after: digest(after),
    at: new Date().toISOString(),
    format,
    remove: edit.remove.map((at) => [...at]),
    ...(edit.set === undefined ? {} : { set: { at: [...edit.set.at], value: { ...edit.set.value } } }),
  }
  await writeRecord(env, [...record.value.files, entry])
  await replaceFile(real, after, mode & 0o777)
  return ok(backup)
}

/** Where the copy of a file goes: beside the file it would be committed, with the keys in it, where that is in a repository. */
async function besideRecord(path: string, env: Variables): Promise<string> {
  const folder = join(dirname(secretsFile(env)), 'host-files')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return join(folder, `${digest(path).slice(0, 12)}-${basename(path)}`)
}

async function freeBackup(path: string): Promise<string> {
  const first = `${path}.before-countersign`
  for (let count = 2, free = first; ; free = `${first}-${count++}`) if (!(await isFile(free))) return free
}

/** What became of one file: `whole` is byte for byte what it was, in `servers` only its servers came back. */
interface Restored {
  readonly path: string
  readonly kind: 'whole' | 'servers'
}

interface Undone {
  readonly restored: readonly Restored[]
  readonly troubles: readonly FileTrouble[]
}

/** Gives hosts' files back as they were, the newest first. Answers what was given back and what was not. */
export async function undoWriteBack(env: Variables): Promise<Result<Undone, FileTrouble>> {
  const record = await readRecord(env)
  // Where nothing was ever written there may be no folder for the lock either.
  if (!record.ok || record.value.files.length === 0) return record.ok ? ok({ restored: [], troubles: [] }) : record
  return withFileLock(recordFile(env), () => undoLocked(env))
}

async function undoLocked(env: Variables): Promise<Result<Undone, FileTrouble>> {
  const record = await readRecord(env)
  if (!record.ok) return record
  const restored: Restored[] = []
  const troubles: FileTrouble[] = []
  let files = record.value.files
  for (const entry of files.toReversed()) {
    const done = await restore(entry)
    if (!done.ok) {
      troubles.push(done.failure)
      continue
    }
    restored.push({ path: entry.path, kind: done.value })
    files = files.filter((other) => other !== entry)
    await writeRecord(env, files)
    await rm(entry.backup, { force: true })
  }
  return ok({ restored, troubles })
}

async function restore(entry: WrittenBack): Promise<Result<Restored['kind'], FileTrouble>> {
  const { path, backup } = entry
  const look = `Compare it with ${backup}, which is what it was, and change it by hand.`
  try {
    const now = await readFile(path)
    if (digest(now) === entry.before) return ok('whole')
    const before = await readFile(backup)
    if (digest(before) !== entry.before)
      return fail({ message: `${backup} is no longer what ${path} was; that was left as it is.`, next: look })
    const isOurs = digest(now) === entry.after
    // A host that runs keeps more in its file than its servers, and writes it anew all the time.
    const merged = isOurs ? ok(before) : withServersBack(now.toString('utf8'), before.toString('utf8'), entry)
    if (!merged.ok)
      return fail({ message: `${path} was changed since: it ${merged.failure}. It was left as it is.`, next: look })
    await replaceFile(path, merged.value, (await stat(path)).mode & 0o777)
    return ok(isOurs ? 'whole' : 'servers')
  } catch (error) {
    return fail({ message: `${path} cannot be given back (${errnoOf(error) ?? String(error)}).`, next: look })
  }
}
