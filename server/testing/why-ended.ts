// Why a command that was to be a server is none, in a sentence and with what to do: its name is wrong, a file that it names
// is not there, or it crashed, and said why on stderr.
import { existsSync } from 'node:fs'
import { basename, extname, resolve } from 'node:path'

/** Why there is no server behind the bridge (any more). */
export interface Ended {
  readonly code: string
  readonly message: string
  readonly next: string
  /** The last lines that it wrote to stderr. */
  readonly output?: string
}

interface Command {
  readonly command: string
  readonly args: readonly string[]
}

const mostLines = 12

const again = 'then press “Connect again”.'

/** Why the command could not be started at all. */
export function notStarted({ command }: Command, error: unknown): Ended {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  if (code === 'ENOENT')
    return {
      code: 'no-such-command',
      message: `There is no command ${JSON.stringify(command)} here.`,
      next: `Check how it is spelled and that it is installed, start the playground with the right one, ${again}`,
    }
  return {
    code: 'not-started',
    message: `${JSON.stringify(command)} could not be started: ${message ?? String(error)}.`,
    next: `See that it is a program that may be run, ${again}`,
  }
}

/** Why a command that was started has ended. */
export function whyEnded(run: Command & { readonly output: string; readonly hasAnswered: boolean }): Ended {
  const { command, args, output, hasAnswered } = run
  const last = output.trimEnd().split('\n').slice(-mostLines).join('\n')
  const said = last === '' ? {} : { output: last }
  const name = basename(command)
  if (hasAnswered)
    return {
      code: 'server-ended',
      message: `The server (${name}) has ended.`,
      next:
        last === '' ? 'Press “Connect again” to start it anew.' : `Read its last lines, mend what they say, ${again}`,
      ...said,
    }
  const missing = missingFile(args)
  if (missing !== undefined)
    return {
      code: 'no-such-file',
      message: `There is no file ${resolve(missing)}.`,
      next: `Correct the path and start the playground again, or put the file there, ${again}`,
      ...said,
    }
  return {
    code: 'server-ended',
    message: `${JSON.stringify(name)} ended before it answered as an MCP server.`,
    next:
      last === ''
        ? `It said nothing on stderr: run it by itself and see, ${again}`
        : `Read its last lines, mend what they say, ${again}`,
    ...said,
  }
}

/** The argument that looks like a program's file and is none. */
export const missingFile = (args: readonly string[]): string | undefined =>
  args.find((arg) => !arg.startsWith('-') && programs.includes(extname(arg).toLowerCase()) && !existsSync(arg))

const programs: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.py', '.rb', '.sh', '.jar', '.php']
