// One PostgreSQL for a whole run of tests, but only for a run that asks for one: the runner opens a small door, and the
// first test that knocks has the server started. It lives in the runner's process, so it ends with it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestProject } from 'vitest/node'
import { startPostgres, type PostgresServer } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where to ask for the address of the run's PostgreSQL. */
    readonly postgresDoor: string
  }
}

let starting: Promise<PostgresServer> | undefined

const door = createServer((_request, response) => {
  starting ??= startPostgres()
  starting.then(
    ({ url }) => response.end(url),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
})

export const setup = async (project: TestProject): Promise<void> => {
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const address = door.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  project.provide('postgresDoor', `http://127.0.0.1:${address.port}`)
}

export const teardown = async (): Promise<void> => {
  door.closeAllConnections()
  door.close()
  await (await starting?.catch(() => undefined))?.stop()
}
