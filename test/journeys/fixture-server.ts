// The other side of `fixtures/server.ts`: its files, its options, and how often its tools really ran.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { overHttp, overStdio, type Agent } from './agent.ts'
import { place } from './at-end.ts'
import type { FixtureOptions } from './fixtures/server.ts'
import { fixture, startWeb } from './processes.ts'

export interface Desk {
  readonly db: string
  /** From now on a run does not end. */
  hold(): void
  release(): void
  /** Whether one of the tools that can be held up there has come to where it is. */
  reached(): boolean
  /** As if no run had ever left a trace. */
  forget(): void
  /** The plans that ran, once for each time. */
  runs(): readonly string[]
  /** An agent with a server process of its own. */
  stdio(settings?: FixtureOptions['settings']): Promise<Agent & { readonly pid: number }>
  /** A web server process, and an agent connected to it. */
  http(settings?: FixtureOptions['settings']): Promise<Agent & { readonly pid: number }>
  /** The same, where no file that it writes grows past so many bytes: a full disk, as far as it can tell. */
  limited(bytes: number): Promise<{ readonly agent: Agent; readonly mcp: URL }>
}

/** Files for fixture servers that share one database; a file among them, or one on PostgreSQL with its secret. */
export function createDesk(db?: string, env: Readonly<Record<string, string>> = {}): Desk {
  const directory = place()
  const files = {
    db: db ?? join(directory, 'marks.db'),
    marks: join(directory, 'marks'),
    hold: join(directory, 'hold'),
  }
  const commandLine = (door: FixtureOptions['door'], settings: FixtureOptions['settings']): readonly string[] => [
    ...fixture('server'),
    JSON.stringify({ ...files, door, ...(settings === undefined ? {} : { settings }) } satisfies FixtureOptions),
  ]
  return {
    db: files.db,
    hold: () => writeFileSync(files.hold, ''),
    release: () => rmSync(files.hold, { force: true }),
    reached: () => existsSync(`${files.hold}.reached`),
    forget: () => rmSync(files.marks, { force: true }),
    runs: () => (existsSync(files.marks) ? readFileSync(files.marks, 'utf8').split('\n').filter(Boolean) : []),
    stdio: (settings) => overStdio(commandLine('stdio', settings), { env }),
    http: async (settings) => {
      const web = await startWeb(commandLine('http', settings), { env })
      return { ...(await overHttp(web.mcp)), pid: web.child.pid ?? 0 }
    },
    limited: async (bytes) => {
      // POSIX counts in blocks of 512 bytes; a shell that counts in others has another limit, and a limit all the same.
      const script = `ulimit -f ${Math.floor(bytes / 512)} && exec "$@"`
      const line = ['-c', script, 'sh', process.execPath, ...commandLine('http', undefined)]
      const web = await startWeb(line, { env, node: '/bin/sh' })
      return { agent: await overHttp(web.mcp), mcp: web.mcp }
    },
  }
}
