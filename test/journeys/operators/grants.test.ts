// Grant, as a person gives it and an agent uses it: with real processes, at a terminal, over stdio and HTTP,
// with two servers on one database, and in front of somebody else's server.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { overHttp, waitsForApproval, type Agent, type Arguments } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { officialServer, openReach, realPlace, reachKinds } from '../gateway/reach.ts'
import { agentHere } from '../in-process.ts'
import { startDemo } from '../processes.ts'
import { atTerminal, runCommand } from '../terminal.ts'

let db: string
beforeEach(() => {
  db = freshDatabase()
})

const grants = (...args: readonly string[]) => runCommand(['grants', ...args, '--db', db])
const grantId = (text: string): string => /gr_[0-9a-z]{16}/.exec(text)?.[0] ?? ''

const adjust = (agent: Agent, delta: number, more: Arguments = {}) =>
  agent.call('stock_adjust', { sku: 'DESK-01', delta, reason: `Counted ${delta} more`, preview: false, ...more })

describe('an agent that adjusts the stock again and again', () => {
  test('asks once; "and the next two like this" run by themselves, and the fourth asks again', async () => {
    const agent = await agentHere(['demo', '--stdio', '--db', db, '--as', 'counter'], { cards: false })
    const asked = await adjust(agent, 2)
    expect(asked.data).toStrictEqual(waitsForApproval)
    const approval = String(asked.data['approval_id'])

    const given = await atTerminal(
      ['grants', 'add', '--db', db, '--from', approval, '--times', '2', '--by', 'Grace'].concat([
        '--if',
        'sku == "DESK-01" && delta > 0 && delta < 5',
      ]),
      [['Type yes', 'yes']],
    )
    expect(given).toMatchObject({ code: 0 })
    expect(given.stdout).toContain('stock_adjust')
    const id = grantId(given.stderr)

    const second = await adjust(agent, 3)
    expect(second).toMatchObject({
      status: 'applied',
      isError: false,
      data: { standing_permission: { id, left: 1, times: 2, per: 'total' } },
    })
    expect(second.text).toContain(`Under grant ${id}, 1 of 2 left.`)

    // A call that does not say what it wants is previewed, is told that it may go on, and that very plan is applied.
    const previewed = await adjust(agent, 4, { preview: undefined })
    expect(previewed).toMatchObject({ status: 'previewed', data: { standing_permission: { id, left: 1 } } })
    expect(previewed.text).toContain(`\`ticket="${previewed.planId}"\` and \`preview=false\``)
    expect(await adjust(agent, 4, { ticket: previewed.planId })).toMatchObject({
      status: 'applied',
      planId: previewed.planId,
      data: { standing_permission: { left: 0 } },
    })
    expect((await adjust(agent, 1)).data).toStrictEqual(waitsForApproval)
    expect((await adjust(agent, -1)).data).toStrictEqual(waitsForApproval)

    const shown = await grants('show', id)
    expect(shown.stdout).toMatch(/State: +used-up/)
    expect(shown.stdout).toContain(`by Grace, from ${approval}`)
    expect(shown.stdout).toContain(previewed.planId)
    const log = await runCommand(['activity', 'list', '--db', db, '--grant', id, '-o', 'json'])
    expect(JSON.parse(log.stdout)).toMatchObject([
      { tool: 'stock_adjust', status: 'applied', verdict: `allow:grant:${id}` },
      { tool: 'stock_adjust', status: 'applied', verdict: `allow:grant:${id}` },
    ])
    const story = await runCommand(['activity', 'show', previewed.planId, '--db', db])
    expect(story.stdout).toContain(`allow:grant:${id}`)
    expect(story.stdout).toContain('grant.used')
  })

  test('a person who writes the condition wrong is told by name, and nothing is given', async () => {
    await (await agentHere(['demo', '--stdio', '--db', db])).close()
    const add = ['grants', 'add', '--db', db, '--everyone', '--tool']
    const wrong = await atTerminal([...add, 'stock_adjust', '--if', 'dleta < 5'])
    expect(wrong).toMatchObject({ code: 1 })
    expect(wrong.stderr).toContain('The tool has no argument "dleta". Did you mean delta?')
    const critical = await atTerminal([...add, 'orders_delete', '--if', 'true'])
    expect(critical).toMatchObject({ code: 1 })
    expect(critical.stderr).toContain('orders_delete is critical. Critical calls always take a person.')
    const unknown = await atTerminal([...add, 'stock_adjsut', '--if', 'true'])
    expect(unknown.stderr).toContain('Did you mean stock_adjust?')
    const no = await atTerminal([...add, 'stock_adjust', '--if', 'delta < 5'], [['Type yes', 'no']])
    expect(no).toMatchObject({ code: 1 })
    const piped = await grants('add', '--tool', 'stock_adjust', '--if', 'true', '--everyone')
    expect(piped).toMatchObject({ code: 1 })
    expect(piped.stderr).toContain('interactive terminal')
    expect((await grants('list', '--state', 'all')).stderr).toContain('There are no grants.')
  })

  test('a later rule of two people suspends what the admin token gave: agent and operator are told', async () => {
    const demo = ['demo', '--stdio', '--db', db]
    const before = await agentHere(demo, { cards: false })
    const given = await atTerminal(
      ['grants', 'add', '--db', db, '--everyone', '--tool', 'stock_adjust', '--if', 'delta < 5'],
      [['Type yes', 'yes']],
    )
    const id = grantId(given.stderr)
    expect(await adjust(before, 1)).toMatchObject({ status: 'applied' })
    await before.close()

    const config = `${db}.settings.json`
    writeFileSync(config, JSON.stringify({ policy: { approvals: [{ tools: ['stock_adjust'], approvers: 2 }] } }))
    const after = await agentHere([...demo, '--config', config], { cards: false })
    const asked = await adjust(after, 2)
    expect(asked.data).toStrictEqual(waitsForApproval)
    expect(asked.text).toContain(`Grant ${id} would cover this call, but is suspended`)
    const listed = await grants('list', '--config', config)
    expect(listed.stdout).toContain(
      `${id}: An approval rule now asks for more than one person, and the admin token does not show who gave it.`,
    )
    expect((await grants('show', id, '--config', config)).stdout).toMatch(/State: +suspended: An approval rule/)
    const renewing = await atTerminal(['grants', 'renew', id, '--db', db, '--config', config], [['Type yes', 'yes']])
    expect(renewing).toMatchObject({ code: 1 })
    expect(renewing.stderr).toContain('the admin token does not show who you are')
  })
})

test('two servers on one database count together, and a revocation at one is seen at the other', async () => {
  const [one, two] = [await startDemo(db), await startDemo(db)]
  const agents = [await overHttp(one.mcp, { cards: false }), await overHttp(two.mcp, { cards: false })]
  const token = readFileSync(`${db}.admin-token`, 'utf8').trim()
  const office = async (server: URL, method: string, path: string, body?: object) => {
    const response = await fetch(new URL(`/api/v1${path}`, server), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { readonly grant: { readonly id: string; readonly used: number } }
  }
  const terms = { tool: 'stock_adjust', condition: 'delta > 0 && delta < 100', per: 'hour', until: '30d' }
  const { grant } = await office(one.mcp, 'POST', '/grants', { ...terms, times: 4 })
  const calls = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => (await adjust(agents[at % 2] as Agent, at + 1)).status),
  )
  // Nobody's basis moved in between for certain: two that count the same stock may be stale, which uses nothing up.
  const applied = calls.filter((status) => status === 'applied').length
  expect(applied).toBeLessThanOrEqual(4)
  expect(await office(two.mcp, 'GET', `/grants/${grant.id}`)).toMatchObject({ used: applied })

  const roomy = await office(one.mcp, 'POST', '/grants', { ...terms, times: 100 })
  for (const agent of agents) expect(await adjust(agent, 1)).toMatchObject({ status: 'applied' })
  await office(one.mcp, 'DELETE', `/grants/${grant.id}`)
  await office(one.mcp, 'DELETE', `/grants/${roomy.grant.id}`)
  for (const agent of agents) expect((await adjust(agent, 2)).data).toStrictEqual(waitsForApproval)
})

describe.each(casesOf(reachKinds, String, ['wrap over stdio']))('in front of somebody else’s server, a %s', (kind) => {
  test('writes below one folder need nobody; elsewhere they do', async () => {
    const folder = realPlace()
    const reach = await openReach(kind, { files: officialServer('filesystem', [folder]) }, { cards: false })
    const tool = kind === 'wrap over stdio' ? 'write_file' : 'files:write_file'
    const given = await atTerminal(
      ['grants', 'add', '--db', reach.db, '--everyone', '--tool', tool, '--times', '5', '--per', 'day'].concat([
        '--if',
        `path.startsWith(${JSON.stringify(join(folder, 'notes-'))})`,
      ]),
      [['Type yes', 'yes']],
    )
    expect(given).toMatchObject({ code: 0 })
    const agent = reach.agent('files')
    const write = (name: string) => {
      const args = { path: join(folder, name), content: 'hello' }
      if (kind === 'wrap over stdio') return agent.call('write_file', { ...args, preview: false })
      return agent.call('call_tool_destructive', {
        name: tool,
        args_json: JSON.stringify(args),
        intent: { operation_type: 'destructive' },
        preview: false,
      })
    }
    writeFileSync(join(folder, 'other.txt'), 'before')
    const allowed = await write('notes-1.txt')
    expect(allowed.status).toBe('applied')
    expect(allowed.text).toContain('4 of 5 left in a day')
    expect(readFileSync(join(folder, 'notes-1.txt'), 'utf8')).toBe('hello')
    expect((await write('other.txt')).data).toStrictEqual(waitsForApproval)
    expect(readFileSync(join(folder, 'other.txt'), 'utf8')).toBe('before')
  })
})
