// What middleware cannot do: change who calls or what the tool is given, and hear something else than what the rail says.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, type CountersignOptions, type Middleware, type ToolContext } from '../../../server/index.ts'
import { confirm, connect, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { writeTool } from '../../kit/tools.ts'

async function agentOf(options: CountersignOptions): Promise<Agent> {
  const server = createCountersign({ store: join(place(), 'notes.db'), ...options })
  atEnd(() => server.close())
  return connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (address, init) => server.fetch(new Request(address, init)),
      requestInit: { headers: { 'x-role': 'guest' } },
    }),
  )
}

/** What a tool saw of its call. */
const factsOf = ({ principal, request, locales, guidance, log, meta }: ToolContext) => ({
  principal,
  role: request?.headers.get('x-role'),
  locales,
  guidance,
  logs: log.info.name !== 'silent',
  meta,
})

test('it changes neither who calls nor what the tool is given, in this call or a later one', async () => {
  const attempts: readonly ((ctx: Record<string, any>) => unknown)[] = [
    ({ principal }) => (principal.subject = 'mallory'),
    ({ principal }) => (principal.claims.role = 'owner'),
    ({ principal }) => principal.claims.teams.push('admins'),
    ({ request }) => request.headers.set('x-role', 'admin'),
    ({ locales }) => locales.push('xx'),
    ({ guidance }) => (guidance.errors = 'none'),
    ({ log }) => (log.info = function silent() {}),
    ({ meta }) => (meta.foo = 1),
  ]
  const meddles: Middleware = ({ ctx }, next) => {
    for (const attempt of attempts)
      try {
        attempt(ctx)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
      }
    return next()
  }
  const seen: ReturnType<typeof factsOf>[] = []
  const options = (middleware: readonly Middleware[]): CountersignOptions => {
    const one = { tenant: 'acme', subject: 'ada', claims: { role: 'guest', teams: ['a'] } }
    return {
      middleware,
      principalOf: () => one,
      missingPermissions: (principal) => {
        expect(() => Object.assign(principal, { subject: 'mallory' })).toThrow(TypeError)
        return []
      },
      tools: [
        writeTool({
          name: 'notes.write',
          input: z.strictObject({}),
          output: z.object({ by: z.string() }),
          preview: (_, ctx) => {
            seen.push(factsOf(ctx))
            return { title: 'Write', summary: 'Writes.', confirmLabel: 'Write' }
          },
          run: (_, ctx) => {
            seen.push(factsOf(ctx))
            return { by: ctx.principal.subject }
          },
        }),
      ],
    }
  }
  for (const middleware of [[], [meddles]]) {
    const agent = await agentOf(options(middleware))
    const applied = await confirm(agent, await agent.call('notes_write'))
    expect(applied).toMatchObject({ status: 'applied', data: { result: { by: 'ada' } } })
  }
  expect(seen.slice(2)).toStrictEqual(seen.slice(0, 2))
  expect(seen[3]).toMatchObject({
    principal: { subject: 'ada', claims: { role: 'guest', teams: ['a'] } },
    role: 'guest',
  })
})
