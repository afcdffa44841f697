// Servers as a user starts them: real processes, with an environment of their own and nothing of the person's who runs
// the tests.
import { spawn, type ChildProcess } from 'node:child_process'
import { atEnd, place } from './at-end.ts'
import { bundled } from './bundles.ts'

/** Command line of the binary, before its arguments. */
export const binary: readonly string[] = ['--no-warnings', bundled('countersign')]

/** Command line of a fixture server, before its arguments. */
export const fixture = (name: string): readonly string[] => ['--no-warnings', bundled(name)]

/** A home of its own, so that no test ever finds somebody's database. */
export const environment = (more: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const home = place()
  const compiled = process.env['NODE_COMPILE_CACHE']
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    XDG_DATA_HOME: home,
    ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: compiled }),
    ...more,
  }
}

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  stderr(): string
  stdout(): string
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ended>
}

export interface Start {
  readonly env?: Readonly<Record<string, string>>
  /** The folder that it runs in; that of the tests when absent. */
  readonly cwd?: string
  /** Another Node than the one that runs the tests. */
  readonly node?: string
  /** Under root, without root's right to pass over the permissions of files. Another user could not read a private checkout. */
  readonly unprivileged?: boolean
}

const withoutRights = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] as const

/** Starts Node with this command line; it is ended with the test file at the latest. */
export function start(
  commandLine: readonly string[],
  { env = {}, node = process.execPath, unprivileged = false }: Start = {},
): Running {
  const [command, ...line] = [...(unprivileged && process.getuid?.() === 0 ? withoutRights : []), node, ...commandLine]
  const child = spawn(command ?? node, line, { stdio: ['pipe', 'pipe', 'pipe'], env: environment(env) })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  atEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  return { child, stderr: () => stderr, stdout: () => stdout, ended }
}

/** Runs the binary to its end, with nothing on its stdin. */
export function runToEnd(args: readonly string[], options: Start = {}): Promise<Ended> {
  const running = start([...binary, ...args], options)
  running.child.stdin?.end()
  return running.ended
}

/** What callers of these servers bring. The secret that a server makes for itself has a journey of its own. */
export const accessSecret = 'journeys-know-this-secret'

/** An address of such a server, with what lets a caller in. */
export function letIn(address: URL | string, server?: URL): URL {
  const url = new URL(address, server)
  url.searchParams.set('token', accessSecret)
  return url
}

/** Starts a web server and waits for the address of its MCP door, as it prints it on stderr. */
export async function startWeb(commandLine: readonly string[], options: Start = {}): Promise<Running & { mcp: URL }> {
  const running = start(commandLine, { ...options, env: { COUNTERSIGN_ACCESS_SECRET: accessSecret, ...options.env } })
  const mcp = await new Promise<URL>((resolve, reject) => {
    running.child.stderr?.on('data', () => {
      const found = /(http:\/\/\S+\/mcp)/.exec(running.stderr())?.[1]
      if (found !== undefined) resolve(letIn(found))
    })
    void running.ended.then(({ stderr }) => reject(new Error(`The server ended: ${stderr}`)))
  })
  return { ...running, mcp }
}

/** `countersign demo` on a free port. */
export const startDemo = (db: string, ...more: readonly string[]): ReturnType<typeof startWeb> =>
  startWeb([...binary, 'demo', '--port', '0', '--db', db, ...more])
