// A PostgreSQL of the tests' own, for whoever has none at hand: started on a free port of the loopback, in a temporary
// directory that goes with it. It sorts texts as people do, not by their bytes, because a real one does so too.
import { rmSync } from 'node:fs'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import { freePort } from './free-port.ts'
import { inMemory } from './kit/in-memory.ts'
import { embeddedPostgres } from './postgres-package.ts'

export interface PostgresServer {
  /** Of its superuser, to the database `postgres`. */
  readonly url: string
  /** The folder that its files lie in, below `data`. */
  readonly home: string
  /** Ends every connection and stops; what was committed stays. */
  halt(): Promise<void>
  /** Stops as if the power had gone: nothing is written down any more. */
  crash(): Promise<void>
  /** Starts again after `halt` or `crash`, at the same address; with these variables in its environment. */
  resume(env?: Readonly<Record<string, string>>): Promise<void>
  /** Stops for good and removes its files. */
  stop(): Promise<void>
}

export interface PostgresServerOptions {
  /**
   * On a disk, with the server's own defaults. Otherwise in memory, where there is a file system for that, and tuned as
   * many are, with `synchronous_commit=off`.
   */
  readonly durable?: boolean
  /** More settings, by name; they win. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts a server. Whoever starts it must stop it. */
export const startPostgres = async ({
  durable = false,
  settings = {},
}: PostgresServerOptions = {}): Promise<PostgresServer> => {
  const home = await mkdtemp(join(durable ? tmpdir() : inMemory(), 'countersign-postgres-'))
  const data = join(home, 'data')
  const binaries = await mkdtemp(join(tmpdir(), 'countersign-postgres-package-'))
  // A run that is interrupted stops the server, and ends before anybody comes to `stop`.
  const remove = (): void => {
    for (const folder of [home, binaries]) rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', remove)
  const port = await freePort()
  const password = randomBytes(12).toString('hex')
  const log: string[] = []
  const flags = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    ...(durable ? {} : { full_page_writes: 'off', synchronous_commit: 'off' }),
    ...settings,
  }
  const { default: EmbeddedPostgres } = await embeddedPostgres(binaries)
  const server = new EmbeddedPostgres({
    databaseDir: data,
    user: 'postgres',
    password,
    port,
    authMethod: 'scram-sha-256',
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    // In a locale of its own: the machine's may be one that it lacks.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--no-sync'],
    postgresFlags: Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (message) => void (log.push(message) > 50 && log.shift()),
    onError: () => undefined,
  })
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step()
    } catch (error) {
      throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error })
    }
  }
  // The user that it runs as must get through to its data.
  await chmod(home, 0o711)
  await attempt(() => server.initialise())
  await attempt(() => server.start())
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
    process.kill(pid, name)
    await server.stop()
  }
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    home,
    halt: () => server.stop(),
    crash: () => signal('SIGQUIT'),
    resume: (env = {}) =>
      attempt(async () => {
        // The package hands on what this process has.
        const before = Object.keys(env).map((name) => [name, process.env[name]] as const)
        Object.assign(process.env, env)
        try {
          await server.start()
        } finally {
          for (const [name, value] of before)
            if (value === undefined) delete process.env[name]
            else process.env[name] = value
        }
      }),
    stop: async () => {
      await server.stop()
      process.off('exit', remove)
      remove()
    },
  }
}

/** A fresh database on a server, or a copy of one that nobody is connected to; and how to be rid of it, whoever is. */
export const createDatabase = async (
  server: string,
  copied?: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> => {
  const name = `countersign_${randomBytes(6).toString('hex')}`
  const from = copied === undefined ? '' : ` template ${new URL(copied).pathname.slice(1)}`
  await asAdministrator(server, `create database ${name}${from}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asAdministrator(server, `drop database if exists ${name} with (force)`) }
}

/** Runs one statement on a connection of its own. */
export const asAdministrator = async (url: string, statement: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Answers what leaves our tables without rows, and nothing else. It keeps its connection, which does not keep the process:
 * a new one has to read up on every table first, and that is most of the work. Tables of toolsets that begin without rows
 * stay, because making them takes longer than most tests of them; those of the demo begin with orders, and go.
 */
export const emptierOf = (url: string): (() => Promise<unknown>) => {
  // A property test has a database for each of its runs, and the server has 300 connections.
  const pool = new Pool({ connectionString: url, max: 1, idleTimeoutMillis: 300, allowExitOnIdle: true })
  // The server may stop before the process that has nothing more to empty.
  pool.on('error', () => undefined)
  return () => pool.query(emptying)
}

/** The statement that does it. */
export const emptying = `do $$
    declare
      found record;
    begin
      -- The newest first: rows point at rows of tables that were there before.
      for found in
        select relname as name from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace order by oid desc
      loop
        if found.name ~ '^(countersign|mail|files)_migration' then
          continue;
        elsif found.name ~ '^(countersign|mail|files)_' then
          execute format('delete from %I', found.name);
        else
          execute format('drop table %I cascade', found.name);
        end if;
      end loop;
    end $$`

/**
 * The pages of every table and index as they lie on the disk, without what was removed: how long that stays in them, in
 * the log of the server and in its backups is its operator's business (ADR 14).
 */
export const dumpOf = async (url: string): Promise<string> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    // By itself the full one keeps what was removed after any transaction began that still runs, of other databases too;
    // and other tests write there.
    await client.query('vacuum (freeze, disable_page_skipping)')
    await client.query('vacuum full')
    await client.query('checkpoint')
    const { rows } = await client.query<{ readonly pages: Buffer | null }>(
      `select pg_read_binary_file(pg_relation_filepath(c.oid), true) as pages
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'i', 't') and n.nspname not in ('pg_catalog', 'information_schema')`,
    )
    return rows.map(({ pages }) => pages?.toString('latin1') ?? '').join('\n')
  } finally {
    await client.end()
  }
}
