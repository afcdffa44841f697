// `countersign import`: the servers that the hosts on this machine already use, as one gateway file.
import { chmod, writeFile } from 'node:fs/promises'
import { importFromHosts } from '../compose-gateway-files.ts'
import { exit, trouble } from './gateway-serve.ts'
import { say } from './say.ts'

export interface ImportOptions {
  /** `-` prints it. */
  readonly out: string
  readonly force?: true
}

/** Writes the file and nothing else. Answers the exit code. */
export async function importCommand(options: ImportOptions): Promise<number> {
  const imported = await importFromHosts(process.env, process.cwd())
  for (const { host, path } of imported.read) say.line(`read ${host}: ${path}`)
  for (const note of imported.notes) say.line(`note: ${note}`)
  if (imported.servers.length === 0)
    return trouble({
      message: 'No host on this machine has a server configured.',
      next: 'Looked at were Claude Desktop, Claude Code, Cursor and VS Code; write a gateway file by hand instead.',
    })
  if (options.out === '-') {
    process.stdout.write(imported.text)
    return exit.ok
  }
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
