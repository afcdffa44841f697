// A person has confirmed a call, and its server wants a login meanwhile: what was confirmed is not used up by a call that
// was never made, and whoever reads the answer knows what to do.
import { expect, test } from 'vitest'
import { ticketOf, type Arguments } from '../agent.ts'
import { logInHere, loginScene } from './scene.ts'
import { agentHere } from '../in-process.ts'

async function scene(door: 'gateway' | 'wrap', operation: 'write' | 'destructive') {
  const rated = { risk: 'medium', operation }
  const { server, config } = await loginScene({ tools: { write_issue: rated, read_archive: rated } })
  const logIn = async (...more: readonly string[]): Promise<void> =>
    expect((await logInHere(['tracker', '--config', config, ...more])).code).toBe(0)
  await logIn()
  const agent = await agentHere([door, '--config', config])
  const write = (more: Arguments, tool = 'write_issue') =>
    door === 'wrap'
      ? agent.call(tool, { id: '7', ...more })
      : agent.call('call_tool_destructive', {
          name: `tracker:${tool}`,
          args_json: '{"id":"7"}',
          intent: { operation_type: 'destructive' },
          ...more,
        })
  return { server, config, logIn, write, agent }
}

test.each([
  ['gateway', 'destructive'],
  ['wrap', 'destructive'],
  ['wrap', 'write'],
] as const)(
  '%s: a %s call that was confirmed before its login ended is made after the next one, with the same confirmation',
  async (door, operation) => {
    const { server, config, logIn, write } = await scene(door, operation)
    const plan = await write({})
    expect(plan.status).toBe('previewed')
    await server.revoke()
    const confirmed = { ticket: plan.planId, preview: false }
    const refused = await write(confirmed)
    expect(refused.guidance).toMatchObject({ error_type: 'upstream_login_required', retryable: 'after_wait' })
    expect(refused.text).toContain(`countersign login tracker --config ${config}`)
    expect(refused.text).toContain('a confirmation that the call brings stays valid')
    expect(server.ran).toEqual([])
    await logIn()
    expect((await write(confirmed)).status).toBe('applied')
    expect((await write(confirmed)).status).toBe('replayed')
    expect(server.ran).toEqual(['wrote 7'])
  },
)

test.each(['gateway', 'wrap'] as const)(
  '%s: a plan that is applied by its name alone asks the server first, too',
  async (door) => {
    const { server, logIn, write, agent } = await scene(door, 'destructive')
    const plan = await write({})
    const tool = door === 'wrap' ? 'write_issue' : 'tracker:write_issue'
    const apply = () => agent.call('apply_plan', { tool, ticket: ticketOf(plan), preview: false })
    await server.revoke()
    const refused = await apply()
    expect(refused.guidance).toMatchObject({ error_type: 'upstream_login_required', retryable: 'after_wait' })
    expect(refused.status).toBe('refused')
    await logIn()
    expect((await apply()).status).toBe('applied')
    expect((await apply()).status).toBe('replayed')
    expect(server.ran).toEqual(['wrote 7'])
  },
)

test('a token that has ended costs no confirmation: it is renewed before the call is made', async () => {
  const { server, write } = await scene('gateway', 'destructive')
  const plan = await write({})
  await server.expire()
  expect((await write({ ticket: plan.planId, preview: false })).status).toBe('applied')
  expect(server.ran).toEqual(['wrote 7'])
})

test('a confirmed call that needs another scope says which command helps, and what the agent does after it', async () => {
  const { server, config, logIn, write } = await scene('wrap', 'destructive')
  const plan = await write({}, 'read_archive')
  const refused = await write({ ticket: plan.planId, preview: false }, 'read_archive')
  expect(refused).toMatchObject({ status: 'failed', guidance: { error_type: 'upstream_login_required' } })
  expect(refused.text).toContain(`countersign login tracker --scope issues:admin --config ${config}`)
  expect(refused.text).toContain('preview it again')
  expect(server.ran).toEqual([])
  await logIn('--scope', 'issues:admin')
  const again = await write({}, 'read_archive')
  expect(again.status).toBe('previewed')
  expect((await write({ ticket: again.planId, preview: false }, 'read_archive')).status).toBe('applied')
  expect(server.ran).toEqual(['archive 7'])
})
