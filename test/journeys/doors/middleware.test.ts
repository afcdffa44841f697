// Middleware around the functions of tools: what it sees, that it can refuse, and that it can do nothing else.
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createCountersign, type Middleware, type StageOutcome } from '../../../server/index.ts'
import { confirm, connect, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { readTool, writeTool } from '../../kit/tools.ts'

const ran: string[] = []
const steps: string[] = []
beforeEach(() => {
  ran.length = 0
  steps.length = 0
})

const write = writeTool({
  name: 'notes.write',
  risk: 'high',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ name: z.string() }),
  basis: () => 'unchanged',
  run: ({ name }, ctx) => {
    ran.push(name)
    return name === 'locked' ? ctx.fail('locked', 'It is locked.') : { name }
  },
})
const read = readTool({
  name: 'notes.read',
  input: z.strictObject({}),
  output: z.object({ all: z.array(z.string()) }),
  run: () => ({ all: ran }),
})

async function agentWith(...middleware: readonly Middleware[]): Promise<Agent> {
  const server = createCountersign({
    store: join(place(), 'notes.db'),
    tools: [write, read],
    middleware,
    principalOf: () => ({ tenant: 'default', subject: 'ada', claims: { plan: 'free' } }),
  })
  atEnd(() => server.close())
  return connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
      fetch: (address, init) => server.fetch(new Request(address, init)),
    }),
  )
}

test('it surrounds each function of a tool, the first one outermost, and hears how it ended', async () => {
  const named =
    (name: string): Middleware =>
    async ({ name: tool, stage, input, ctx }, next) => {
      steps.push(`${name} before ${stage} of ${tool} ${JSON.stringify(input)} for ${ctx.principal.subject}`)
      const outcome = await next()
      steps.push(`${name} after ${stage}: ${outcome.kind}`)
    }
  const agent = await agentWith(named('outer'), named('inner'))
  await agent.call('notes_read')
  expect(steps).toStrictEqual([
    'outer before read of notes.read {} for ada',
    'inner before read of notes.read {} for ada',
    'inner after read: value',
    'outer after read: value',
  ])
  steps.length = 0
  await confirm(agent, await agent.call('notes_write', { name: 'plan' }))
  expect(steps.filter((step) => step.startsWith('outer before'))).toStrictEqual(
    ['basis', 'preview', 'basis', 'run'].map((stage) => `outer before ${stage} of notes.write {"name":"plan"} for ada`),
  )
})

test('what it refuses does not begin, and the agent is told why and what to do', async () => {
  const free: Middleware = ({ stage, ctx, refuse }, next) =>
    stage === 'run' && ctx.principal.claims?.['plan'] === 'free'
      ? refuse('The free plan only previews.', 'Tell the person to upgrade.')
      : next()
  const agent = await agentWith(free)
  const preview = await agent.call('notes_write', { name: 'plan' })
  expect(preview.status).toBe('previewed')
  const refused = await confirm(agent, preview)
  expect(refused).toMatchObject({ status: 'refused', isError: true, guidance: { error_type: 'refused' } })
  expect(refused.text).toContain('The free plan only previews.')
  expect(JSON.stringify(refused.guidance)).toContain('Tell the person to upgrade.')
  expect((await confirm(agent, preview)).status).not.toBe('applied')
  expect(ran).toStrictEqual([])
})

test('it cannot change what was confirmed, nor what came of it', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const meddles: Middleware = async ({ input, refuse, stage }, next) => {
    Object.assign(input as object, { name: 'another' })
    await next()
    await next()
    if (stage === 'run') throw new Error('too late')
    return refuse('No.', 'Give up.')
  }
  const agent = await agentWith(meddles)
  const applied = await confirm(agent, await agent.call('notes_write', { name: 'plan' }))
  expect(applied).toMatchObject({ status: 'applied', data: { result: { name: 'plan' } } })
  expect(ran).toStrictEqual(['plan'])
  expect(said.mock.calls.join('')).toContain('too late')
  expect(said.mock.calls.join('')).toContain('after it had called next')
  said.mockRestore()
})

test('one that breaks, or forgets to go on, lets nothing through, and nothing is left in doubt', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const breaks: Middleware = ({ stage }, next) => {
    if (stage === 'run') throw new Error('the password is hunter2')
    return next()
  }
  const forgets: Middleware = ({ stage }, next) => (stage === 'run' ? undefined : next())
  for (const middleware of [breaks, forgets]) {
    const agent = await agentWith(middleware)
    const failed = await confirm(agent, await agent.call('notes_write', { name: 'plan' }))
    expect(failed).toMatchObject({ status: 'failed', guidance: { error_type: 'middleware_failed' } })
    expect(JSON.stringify(failed.raw)).not.toContain('hunter2')
    expect(JSON.stringify(failed.raw)).toMatch(/incident in_\w+/)
  }
  expect(said.mock.calls.join('')).toContain('neither called next')
  expect(ran).toStrictEqual([])
  said.mockRestore()
})

test('what it lets go on too late does not begin any more', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const late: Promise<StageOutcome>[] = []
  const leaves: Middleware = ({ stage }, next) => {
    if (stage !== 'run') return next()
    late.push(new Promise((resolve) => setTimeout(resolve, 0)).then(next))
    return undefined
  }
  const agent = await agentWith(leaves)
  expect((await confirm(agent, await agent.call('notes_write', { name: 'plan' }))).status).toBe('failed')
  expect(await Promise.all(late)).toStrictEqual([{ kind: 'failed', code: 'too_late' }])
  expect(ran).toStrictEqual([])
  said.mockRestore()
})

test('it hears of a failure that the contract declares', async () => {
  const outcomes: StageOutcome[] = []
  const hears: Middleware = async ({ stage }, next) => {
    const outcome = await next()
    if (stage === 'run') outcomes.push(outcome)
    return outcome
  }
  const agent = await agentWith(hears)
  expect((await confirm(agent, await agent.call('notes_write', { name: 'locked' }))).status).toBe('failed')
  expect(outcomes).toStrictEqual([{ kind: 'failed', code: 'locked' }])
})
