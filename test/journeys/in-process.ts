// Servers as `processes.ts` starts them, but in the process of the test: the same command line between streams of its own,
// at a seventh of the cost, because its modules are loaded once. What is about the process itself (signals, crashes, exit
// codes) starts real ones, and so do most tests of several servers on one database.
import { PassThrough, Readable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { connect, type Agent, type AgentOptions } from './agent.ts'
import { atEnd } from './at-end.ts'
import { accessSecret, environment, letIn, type Ended, type Start } from './processes.ts'
import { main, Written } from './program.ts'

interface Options extends Pick<Start, 'env'> {
  /** Whether a person sits at its terminal; nobody when absent. */
  readonly isTTY?: boolean
}

export interface Here {
  /** Where its client writes. */
  readonly stdin: PassThrough
  stderr(): string
  /** What it has printed; nothing of what a client of its stdio has read. */
  stdout(): string
  /** Resolves when it is through. */
  readonly ended: Promise<Ended>
  /** Tells it to end, as a signal does, and waits for that. */
  end(): Promise<Ended>
}

/** Runs the program with this command line. It is ended with the test file at the latest. */
export const startHere = (args: readonly string[], options: Options = {}): Here =>
  run(args, new Written(options.isTTY), options)

function run(args: readonly string[], stdout: PassThrough | Written, { env = {}, isTTY = false }: Options) {
  const [stdin, stderr, ends] = [new PassThrough(), new Written(isTTY), new AbortController()]
  const surroundings = {
    // Read by the program itself: what it does about a message happens in its own surroundings, not in those of the writer.
    stdin: Object.assign(Readable.from(stdin), { isTTY }),
    stdout,
    stderr,
    env: environment(env),
    ends: ends.signal,
  }
  const printed = (): string => (stdout instanceof Written ? stdout.text : '')
  const ended = main(args, surroundings).then((code) => {
    stdout.end()
    return { code, stdout: printed(), stderr: stderr.text }
  })
  const end = (): Promise<Ended> => {
    ends.abort()
    stdin.end()
    return ended
  }
  atEnd(end)
  return { stdin, written: stderr, stderr: () => stderr.text, stdout: printed, ended, end }
}

/** A server on stdio that runs here, with what it writes there as it is. */
export function startWithStdio(
  args: readonly string[],
  options: Options = {},
): Omit<Here, 'stdout'> & { readonly stdout: PassThrough } {
  const stdout = new PassThrough()
  return { ...run(args, stdout, options), stdout }
}

/** The client's side of a server on stdio that runs here. */
export function stdioHere(args: readonly string[], options: Options = {}): Here & { readonly transport: Transport } {
  const stdout = new PassThrough()
  const running = run(args, stdout, options)
  // Both sides of stdio read and write the same lines.
  const transport = new StdioServerTransport(stdout, running.stdin)
  const close = transport.close.bind(transport)
  const gone = new Promise<void>((resolve) => stdout.once('end', resolve)).then(close)
  transport.close = () => {
    running.stdin.end()
    // Nobody may have read a word of it.
    stdout.resume()
    return gone
  }
  return { ...running, transport }
}

/** An agent whose host has started the server with this command line. */
export async function agentHere(args: readonly string[], options: AgentOptions & Options = {}): Promise<Agent & Here> {
  const { transport, ...running } = stdioHere(args, options)
  const refused = running.ended.then(({ stderr }) => Promise.reject(new Error(`The server ended: ${stderr}`)))
  return { ...(await Promise.race([connect(transport, options), refused])), ...running }
}

/** Starts a web server and waits for the address of its MCP door, as it prints it on stderr. */
export async function webHere(args: readonly string[], { env }: Options = {}): Promise<Here & { readonly mcp: URL }> {
  const running = run(args, new Written(), { env: { COUNTERSIGN_ACCESS_SECRET: accessSecret, ...env } })
  const mcp = await new Promise<URL>((resolve, reject) => {
    running.written.on('text', () => {
      const found = /(http:\/\/\S+\/mcp)/.exec(running.stderr())?.[1]
      if (found !== undefined) resolve(letIn(found))
    })
    running.ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)), reject)
  })
  return { ...running, mcp }
}

/** `countersign demo` on a free port. */
export const demoHere = (db: string, ...more: readonly string[]): ReturnType<typeof webHere> =>
  webHere(['demo', '--port', '0', '--db', db, ...more])
