// `countersign import`: the servers that the hosts on this machine already use, as one gateway file. Each line of that
// file is a command that runs at the next start, so a person sees them all before it is written; and with `--write-back`
// the hosts start the gateway in their place.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  editHostText,
  hostNames,
  importFromHosts,
  pointedFiles,
  readHostText,
  shownChange,
  undoWriteBack,
  neededVariables,
  writeBack,
  writeGatewayFile,
  type Imported,
  type Pointed,
} from '../../compose/settings/host-files.ts'
import { ownCommand } from '../../compose/package-files.ts'
import { changeSecrets, readSecrets, secretsFile, type Secrets } from '../../compose/settings/secrets.ts'
import { saysYes, withTerminal } from '../terminal/ask.ts'
import { exit, failed, say, trouble, write, type Trouble } from '../terminal/output.ts'
import { ok, type Result } from '../../errors/result.ts'
import { surroundings } from '../../model/surroundings.ts'

export interface ImportOptions {
  /** `-` prints it. */
  readonly out: string
  readonly force?: true
  /** Adds to the file what it does not have yet. */
  readonly add?: true
  /** Takes the files of the folder in which it was called as well. */
  readonly project?: true
  readonly secrets: 'kept' | 'environment'
  /** Points the hosts at the gateway. */
  readonly writeBack?: true
  /** Shows what would be written. */
  readonly dryRun?: true
  /** Gives the hosts' files back. */
  readonly undo?: true
  /** Writes without asking. */
  readonly yes?: true
}

/** What is to be written, in this order. */
interface Writing {
  readonly out: string
  readonly imported: Imported
  readonly text: string
  /** The text of the file that is there. */
  readonly before: string | undefined
  readonly pointed: readonly Pointed[]
}

/** Reads the hosts' files and writes one of ours. Answers the exit code. */
export async function importCommand(options: ImportOptions): Promise<number> {
  if (options.undo === true) return undo()
  const printed = options.out === '-'
  if (printed && options.writeBack === true)
    return trouble(
      { message: 'Hosts cannot start a gateway whose file is only printed.', next: 'Name a file with --out.' },
      exit.refused,
    )
  const inKept = options.secrets === 'kept' && !printed
  const before = await fileThere(options)
  if (!before.ok) return trouble(before.failure)
  const kept = inKept ? await readSecrets(secretsFile(surroundings().env)) : ok<Secrets>(new Map())
  if (!kept.ok) return trouble(kept.failure)
  const imported = await importFromHosts(surroundings().env, process.cwd(), {
    project: options.project === true,
    secrets: inKept ? 'kept' : 'environment',
    kept: kept.value,
    existing: options.add === true ? before.value.servers : {},
  })
  sayImported(imported, inKept)
  const names = Object.keys(imported.servers)
  if (names.length === 0 && imported.known.length === 0) {
    if (imported.read.some(({ own }) => own.length > 0)) {
      say.line('These hosts start Countersign, and nothing else that could be taken.')
      return exit.ok
    }
    return trouble({
      message: 'No host on this machine has a server configured that could be taken.',
      next: `Looked at were ${hostNames.join(', ')}; write a gateway file by hand instead.`,
    })
  }
  const text = textWith(imported, options.add === true ? before.value.text : undefined)
  if (!text.ok) return trouble(text.failure)
  if (printed) {
    await write(text.value)
    return exit.ok
  }
  const lost = lostBy(options, imported, before.value.servers)
  if (lost !== undefined) return trouble(lost)
  const start = {
    args: [...ownCommand().slice(1), 'gateway', '--config', resolve(options.out)],
    command: ownCommand()[0],
  }
  const { pointed, troubles } =
    options.writeBack === true
      ? pointedFiles(imported, start, surroundings().env, process.cwd())
      : { pointed: [], troubles: [] }
  for (const change of pointed) say.line(`\n${await shownChange(change, imported.hidden)}`)
  for (const { message, next } of troubles) say.error(message, next)
  for (const { host, unhanded } of pointed)
    if (unhanded.length > 0)
      say.line(
        `note: ${host} has no way to name a variable, so ${unhanded.join(', ')} reaches the gateway only where ${host} was started with it; with --secrets kept nothing has to be handed on.`,
      )
  if (pointed.length > 0) say.line('\nClose these hosts first: one that runs may write its file anew, as it was.')
  if (options.dryRun === true) {
    say.line('Nothing was written: this was a dry run.')
    return troubles.length === 0 ? exit.ok : exit.failed
  }
  const refused = options.yes === true ? undefined : await whyNotWritten(options.out, names.length, pointed.length)
  if (refused !== undefined) return trouble(refused, exit.refused)
  const writing = { out: options.out, imported, text: text.value, before: before.value.text, pointed }
  const code = await writeAll(writing, inKept)
  return troubles.length === 0 ? code : exit.failed
}

/** The gateway file that is there, where one may be; nothing of it is written over unasked. */
async function fileThere({
  out,
  force,
  add,
}: ImportOptions): Promise<Result<{ text: string | undefined; servers: Readonly<Record<string, unknown>> }, Trouble>> {
  const text = out === '-' ? undefined : await readFile(out, 'utf8').catch(() => undefined)
  if (text === undefined) return ok({ text, servers: {} })
  if (force !== true && add !== true)
    return failed(
      `${out} is there already and was left as it is.`,
      'Add to it with --add, replace it with --force, or name another file with --out.',
    )
  const held = readHostText('json', text)
  if (!held.ok && add === true) return failed(`${out} ${held.failure}.`, 'Correct it, or replace it with --force.')
  const servers = held.ok ? held.value['mcpServers'] : undefined
  return ok({ text, servers: typeof servers === 'object' && servers !== null ? { ...servers } : {} })
}

/** The new file, or the one that is there with what is new in it. */
function textWith({ servers }: Imported, before: string | undefined): Result<string, Trouble> {
  if (before === undefined) return ok(`${JSON.stringify({ mcpServers: servers }, null, 2)}\n`)
  let text = before
  for (const [name, value] of Object.entries(servers)) {
    const edited = editHostText('json', text, { remove: [], set: { at: ['mcpServers', name], value: { ...value } } })
    if (!edited.ok) return failed(`The gateway file ${edited.failure}.`, 'Write to another file with --out.')
    text = edited.value
  }
  return ok(text)
}

/** Servers that only the gateway file has by now: their hosts start the gateway instead. */
function lostBy(
  { out, force }: ImportOptions,
  { read, servers }: Imported,
  existing: Readonly<Record<string, unknown>>,
): Trouble | undefined {
  const lost = Object.keys(existing).filter((name) => !Object.hasOwn(servers, name))
  const used = read.some(({ own }) => own.some(({ words }) => words.includes(resolve(out))))
  if (force !== true || !used || lost.length === 0) return undefined
  return {
    message: `Hosts reach ${lost.join(', ')} through ${out} and have no other trace of them; it was left as it is.`,
    next: 'Add what is new with --add, or give the hosts their servers back first with --undo.',
  }
}

function sayImported({ read, notes, shown, secrets, known, servers }: Imported, inKept: boolean): void {
  for (const { file } of read) say.line(`read ${file.host}: ${file.path}`)
  for (const note of notes) say.line(`note: ${note}`)
  for (const line of shown) say.line(line)
  if (known.length > 0) say.line(`there already: ${known.join(', ')}`)
  const named = [...secrets.keys()]
  if (named.length > 0)
    say.line(
      inKept
        ? `secrets to keep sealed on this machine: ${named.join(', ')}`
        : `secrets to set as variables of the environment: ${named.join(', ')}`,
    )
  const others = neededVariables(Object.values(servers)).filter((name) => !secrets.has(name))
  const unset = others.filter((name) => surroundings().env[name] === undefined)
  if (unset.length > 0) say.line(`variables to set: ${unset.join(', ')}`)
}

/** Asks whether these are to be written; why not, where nobody agrees. */
const whyNotWritten = (out: string, count: number, pointed: number): Promise<Trouble | undefined> =>
  withTerminal(true, async (terminal) => {
    if (terminal === undefined)
      return {
        message: 'Nothing was written: there is no terminal at which to ask.',
        next: 'Read the lines above, then add --yes.',
      }
    const servers = count === 1 ? 'this server' : `these ${count} servers`
    const files = pointed === 0 ? '' : `, and point ${pointed === 1 ? 'this file' : `these ${pointed} files`} at it`
    const answer = await terminal.ask(`Write ${servers} to ${out}${files}? [y/N] `)
    return saysYes(answer) ? undefined : { message: 'Nothing was written.', next: '' }
  })

/** A server's secrets are kept before it is written, and it is written before its host gives it up. */
async function writeAll({ out, imported, text, before, pointed }: Writing, inKept: boolean): Promise<number> {
  if (inKept && imported.secrets.size > 0) {
    const written = await changeSecrets(secretsFile(surroundings().env), (kept) => withNew(kept, imported.secrets))
    if (!written.ok) return trouble(written.failure)
  }
  if (text !== before) {
    const written = await writeGatewayFile(out, text, before)
    if (!written.ok) return trouble(written.failure)
  }
  const names = Object.keys(imported.servers)
  say.line(names.length === 0 ? `${out} has them all` : `wrote ${out} with ${names.join(', ')}`)
  let code: number = exit.ok
  for (const change of pointed) {
    const done = await writeBack(change, surroundings().env)
    if (!done.ok) code = trouble(done.failure)
    else say.line(`${change.host} starts the gateway now: ${change.path} (as it was: ${done.value})`)
    if (change.left.length > 0)
      say.line(`note: ${change.host} goes on starting ${change.left.join(', ')} itself, past Countersign.`)
  }
  say.line(
    pointed.length === 0
      ? `next: countersign gateway --config ${out}`
      : 'next: restart these hosts; `countersign import --undo` gives them their files back',
  )
  return code
}

/** All of them; a name that somebody else has given to another secret meanwhile is theirs. */
function withNew(kept: Secrets, added: Secrets): Result<Secrets, Trouble> {
  const taken = [...added].filter(([name, value]) => kept.has(name) && kept.get(name) !== value).map(([name]) => name)
  return taken.length === 0
    ? ok(new Map([...kept, ...added]))
    : failed(`Kept with another value meanwhile: ${taken.join(', ')}. Nothing was written.`, 'Run the import again.')
}

async function undo(): Promise<number> {
  const done = await undoWriteBack(surroundings().env)
  if (!done.ok) return trouble(done.failure)
  const { restored, troubles } = done.value
  for (const { path, kind } of restored)
    say.line(kind === 'whole' ? `as it was: ${path}` : `its servers are back, what was changed since stays: ${path}`)
  for (const { message, next } of troubles) say.error(message, next)
  if (restored.length === 0 && troubles.length === 0)
    say.line('No host’s file was written, so there is nothing to undo.')
  if (restored.length > 0) say.line('The gateway file and the kept secrets were left where they are.')
  return troubles.length === 0 ? exit.ok : exit.failed
}
