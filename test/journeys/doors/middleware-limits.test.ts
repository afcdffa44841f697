// What middleware cannot do: change who calls or what the tool is given, and hear something else than what the rail says.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  createCountersign,
  type CountersignOptions,
  type Middleware,
  type StageOutcome,
  type ToolContext,
} from '../../../server/index.ts'
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
  const attempts: readonly ((ctx: Omit<ToolContext, 'fail'>) => unknown)[] = [
    ({ principal }) => Object.assign(principal, { subject: 'mallory' }),
    ({ principal }) => Object.assign(principal.claims ?? {}, { role: 'owner' }),
    ({ principal }) => (principal.claims?.['teams'] as string[] | undefined)?.push('admins'),
    ({ request }) => request?.headers.set('x-role', 'admin'),
    ({ locales }) => (locales as string[]).push('xx'),
    ({ guidance }) => Object.assign(guidance, { errors: 'none' }),
    ({ log }) => Object.assign(log, { info: function silent() {} }),
    ({ meta }) => Object.assign(meta, { foo: 1 }),
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

const ran: string[] = []
const odd = writeTool({
  name: 'notes.write',
  input: z.strictObject({ name: z.string() }),
  output: z.looseObject({}),
  run: ({ name }, ctx) => {
    ran.push(name)
    if (name === 'undeclared') return (ctx.fail as (code: string, message: string) => never)('other', 'No.')
    if (name === 'pending') return { later: Promise.resolve(1) }
    return {}
  },
})
const who = { principalOf: () => ({ tenant: 'acme', subject: 'ada' }), tools: [odd] }

test('it hears of an end what the rail makes of it', async () => {
  const heard: StageOutcome[] = []
  const hears: Middleware = async ({ stage }, next) => {
    const outcome = await next()
    if (stage === 'run') heard.push(outcome)
  }
  const agent = await agentOf({ ...who, middleware: [hears] })
  for (const name of ['undeclared', 'pending', 'usual']) await confirm(agent, await agent.call('notes_write', { name }))
  expect(heard).toStrictEqual([{ kind: 'crashed' }, { kind: 'crashed' }, { kind: 'value' }])
})

test('one that waits for longer than a run may take has let nothing begin, and nothing is left in doubt', async () => {
  const [goOn, over] = [Promise.withResolvers<void>(), Promise.withResolvers<StageOutcome>()]
  const waits: Middleware = async ({ stage }, next) => {
    if (stage === 'run') await goOn.promise
    const outcome = await next()
    if (stage === 'run') over.resolve(outcome)
  }
  const agent = await agentOf({ ...who, middleware: [waits], settings: { runTimeoutMs: 1000 } })
  const preview = await agent.call('notes_write', { name: 'late' })
  const answer = await confirm(agent, preview)
  expect(answer).toMatchObject({ status: 'failed', guidance: { error_type: 'not_started' } })
  expect(answer.text).toContain('the run was not begun')
  goOn.resolve()
  expect(await over.promise).toMatchObject({ kind: 'failed' })
  expect((await confirm(agent, preview)).status).not.toBe('applied')
  expect(ran).not.toContain('late')
})

test('one that does not come back after next leaves what was done as it is, and the log says so', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const hangs: Middleware = async ({ stage }, next) => {
    await next()
    if (stage === 'run') await new Promise(() => undefined)
  }
  const agent = await agentOf({ ...who, middleware: [hangs, hangs], settings: { runTimeoutMs: 10_000 } })
  const preview = await agent.call('notes_write', { name: 'hung' })
  const from = performance.now()
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(performance.now() - from).toBeLessThan(5000)
  expect(said.mock.calls.join('')).toContain('It had not come back')
  expect((await confirm(agent, preview)).status).toBe('replayed')
  expect(ran.filter((name) => name === 'hung')).toHaveLength(1)
  said.mockRestore()
})

test.each(['before', 'after'])(
  'one that waits without end %s a transactional tool holds up no other call',
  async (at) => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const never: Promise<void> = new Promise(() => undefined)
    const waits: Middleware = async ({ name, stage }, next) => {
      const isMeant = name === 'notes.keep' && stage === 'run'
      if (isMeant && at === 'before') await never
      await next()
      if (isMeant && at === 'after') await never
    }
    const keep = writeTool({
      name: 'notes.keep',
      input: z.strictObject({ name: z.string() }),
      output: z.looseObject({}),
      transactional: true,
      run: ({ name }) => ({ place: ran.push(name) }),
    })
    const agent = await agentOf({ ...who, tools: [odd, keep], middleware: [waits], settings: { runTimeoutMs: 1000 } })
    const other = await agent.call('notes_write', { name: 'beside' })
    const held = confirm(agent, await agent.call('notes_keep', { name: 'kept' }))
    expect((await confirm(agent, other)).status).toBe('applied')
    const answer = await held
    expect(answer).toMatchObject(
      at === 'after' ? { status: 'applied' } : { status: 'failed', guidance: { error_type: 'not_started' } },
    )
    expect(ran.includes('kept')).toBe(at === 'after')
    ran.length = 0
    said.mockRestore()
  },
)

test('a refusal that is made by hand counts where it is whole', async () => {
  const half = (() => ({ kind: 'refusal', message: 42 })) as unknown as Middleware
  const agent = await agentOf({ ...who, middleware: [half] })
  expect(await agent.call('notes_write', { name: 'x' })).toMatchObject({
    guidance: { error_type: 'middleware_failed' },
  })
})
