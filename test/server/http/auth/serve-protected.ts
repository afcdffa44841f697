// What the tests about callers share: a server that is opened from a settings file, four tools of which three take a
// permission, and the records behind it through a connection of their own.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createCountersign, type CountersignOptions, type HttpOptions } from '../../../../server/index.ts'
import { readResponse } from '../../../kit/read-response.ts'
import { locate, present, testSecret } from '../../../postgres.ts'
import { opened, place } from '../../store/store-fixture.ts'
import { readTool, writeTool } from '../../../kit/tools.ts'

export const adminToken = 'the-token-of-the-operators-of-this-test'
export const why = 'The person asked for this.'

export type Desk = Awaited<ReturnType<typeof openDesk>>

/** Opens a server with these settings; it ends with its test. */
export async function openDesk(
  settings: Readonly<Record<string, unknown>>,
  more: Partial<CountersignOptions> & { readonly http?: HttpOptions } = {},
) {
  vi.stubEnv('COUNTERSIGN_ADMIN_TOKEN', adminToken)
  onTestFinished(() => void vi.unstubAllEnvs())
  const folder = place()
  const named = more.store ?? join(folder, 'desk.db')
  const file = await locate(named)
  if (present === 'postgres') vi.stubEnv('COUNTERSIGN_SECRET', testSecret)
  const config = join(folder, 'countersign.json')
  writeFileSync(config, JSON.stringify({ log: { level: 'silent' }, ...settings }))
  const done: string[] = []
  const { http, ...options } = more
  const server = createCountersign({ tools: deskTools(done), config, ...options, store: file })
  onTestFinished(() => server.close())
  const web = await server.http({ port: 0, ...http })
  onTestFinished(() => web.close())
  const send = async (
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) =>
    readResponse(
      await fetch(`${web.url}${path}`, {
        method,
        headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
  return {
    web,
    file,
    /** What a second server on the same database is given as its store. */
    place: named,
    /** What was really done, in order. */
    done,
    records: await opened({ file }),
    /** Any request. */
    send,
    /** A call over REST with this `Authorization`. */
    call: (tool: string, args: object = {}, authorization = '') =>
      send('POST', `/api/v1/tools/${tool}${new URL(web.mcpUrl).search}`, {
        body: { rationale: why, ...args },
        headers: authorization === '' ? {} : { authorization },
      }),
    admin: (method: string, path: string, body?: unknown) =>
      send(method, path, { body, headers: { authorization: `Bearer ${adminToken}` } }),
  }
}

const thing = z.strictObject({ id: z.string().max(50) })

/** `things.read` takes `things:read`, `things.change` `things:write`; `things.drop` is critical; `things.look` is free. */
function deskTools(done: string[]) {
  const things = {
    input: thing,
    output: thing,
    noun: 'the thing',
    basis: () => '1',
    preview: ({ id }: z.infer<typeof thing>) => ({
      title: `Change ${id}`,
      summary: `Change ${id} for good.`,
      confirmLabel: 'Change it',
    }),
  }
  const reads = { input: thing, output: thing, run: ({ id }: z.infer<typeof thing>) => ({ id }) }
  return [
    readTool({ ...reads, name: 'things.look' }),
    readTool({ ...reads, name: 'things.read', permissions: ['things:read'] }),
    writeTool({
      ...things,
      name: 'things.change',
      permissions: ['things:write'],
      run: ({ id }) => {
        done.push(`changed ${id}`)
        return { id }
      },
    }),
    writeTool({
      ...things,
      name: 'things.drop',
      operation: 'destructive',
      risk: 'critical',
      permissions: ['things:drop'],
      run: ({ id }) => {
        done.push(`dropped ${id}`)
        return { id }
      },
    }),
  ]
}
