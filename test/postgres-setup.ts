// One PostgreSQL for a whole run of tests, but only for a run that asks for one: the runner opens a small door, and the
// first test that knocks has the server started. It lives in the runner's process, so it ends with it.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres, type PostgresServer } from './postgres-server.ts'
import { inMemory } from './kit/in-memory.ts'
import { listening } from './kit/listening.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the address of the run's PostgreSQL. */
    readonly postgresDoor: string
  }
}

let data: string | undefined
let starting: Promise<PostgresServer> | undefined

const door = createServer((_request, response) => {
  starting ??= startPostgres()
  starting.then(
    ({ url }) => response.end(url),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

export const setup = async (project: TestProject): Promise<void> => {
  // Each project of the runner comes here. The first one opens the door for all of them, and closes it as the last.
  if ('postgresDoor' in project.getProvidedContext()) return
  // Where a server keeps what belongs to its user, anchors of databases on a server among it.
  data = process.env['XDG_DATA_HOME'] = mkdtempSync(join(inMemory(), 'countersign-data-'))
  project.vitest.provide('postgresDoor', await listening(door))
}

export const teardown = async (): Promise<void> => {
  if (data !== undefined) rmSync(data, { recursive: true, force: true })
  door.closeAllConnections()
  door.close()
  await (await starting?.catch(() => undefined))?.stop()
}
