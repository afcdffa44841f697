// `countersign import`: the servers that the hosts on this machine already use, as one gateway file. Each line of that
// file is a command that runs at the next start, so a person sees them all before it is written.
import { chmod, writeFile } from 'node:fs/promises'
import { importFromHosts } from '../../compose/gateway-files.ts'
import { saysYes, withTerminal } from '../terminal/ask.ts'
import { exit, say, trouble, write, type Trouble } from '../terminal/output.ts'

interface ImportOptions {
  /** `-` prints it. */
  readonly out: string
  readonly force?: true
  /** Takes the files of the folder in which it was called as well. */
  readonly project?: true
  /** Writes without asking. */
  readonly yes?: true
}

/** Writes the file and nothing else. Answers the exit code. */
export async function importCommand(options: ImportOptions): Promise<number> {
  const imported = await importFromHosts(process.env, process.cwd(), options.project === true)
  for (const { host, path } of imported.read) say.line(`read ${host}: ${path}`)
  for (const note of imported.notes) say.line(`note: ${note}`)
  for (const line of imported.shown) say.line(line)
  if (imported.servers.length === 0)
    return trouble({
      message: 'No host on this machine has a server configured.',
      next: 'Looked at were Claude Desktop, Claude Code, Cursor and VS Code; write a gateway file by hand instead.',
    })
  if (options.out === '-') {
    await write(imported.text)
    return exit.ok
  }
  const refused = options.yes === true ? undefined : await whyNotWritten(options.out, imported.servers.length)
  if (refused !== undefined) return trouble(refused, exit.refused)
  try {
    // People write keys into their hosts' files; a copy of them is nobody else's to read.
    await writeFile(options.out, imported.text, { mode: 0o600, flag: options.force === true ? 'w' : 'wx' })
    await chmod(options.out, 0o600)
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    return trouble({
      message: exists
        ? `${options.out} is there already and was left as it is.`
        : `${options.out} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      next: exists ? 'Name another file with --out, or replace it with --force.' : 'Name another file with --out.',
    })
  }
  say.line(`wrote ${options.out} with ${imported.servers.join(', ')}`)
  say.line(`next: countersign gateway --config ${options.out}`)
  return exit.ok
}

/** Asks whether these are to be written; why not, where nobody agrees. */
const whyNotWritten = (out: string, count: number): Promise<Trouble | undefined> =>
  withTerminal(true, async (terminal) => {
    if (terminal === undefined)
      return {
        message: 'Nothing was written: there is no terminal at which to ask.',
        next: 'Read the lines above, then add --yes.',
      }
    const servers = count === 1 ? 'this server' : `these ${count} servers`
    const answer = await terminal.ask(`Write ${servers} to ${out}? [y/N] `)
    return saysYes(answer) ? undefined : { message: 'Nothing was written.', next: '' }
  })
