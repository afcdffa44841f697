// The main job of the gateway: servers that nobody here wrote, and every write asks first. Each journey is made in each
// way in which people put Countersign in front of a server.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyCall, confirm, ticketOf, waitsForApproval, type Reply } from '../agent.ts'
import { openReach, officialServer, someReachKinds, realPlace, type Reach } from './reach.ts'
import { parseMessage } from '../../../server/confirm/message.ts'
import { recordsIn } from '../records-in.ts'

const codeOf = (reply: Reply): unknown => reply.card?.blocks.filter((block) => block.kind === 'code')

describe.each(someReachKinds)('the official servers through a %s', (kind) => {
  const folder = realPlaceLater()
  let reach: Reach

  beforeAll(async () => {
    reach = await openReach(
      kind,
      {
        files: officialServer('filesystem', [folder()]),
        memory: officialServer('memory', [], { env: { MEMORY_FILE_PATH: join(folder(), 'memory.json') } }),
      },
      { options: ['--trusted-host'] },
    )
  })

  test('an edit shows the diff of the dry run, and the file changes once it is confirmed', async () => {
    const path = join(folder(), 'notes.txt')
    writeFileSync(path, 'one\ntwo\nthree\n')
    const edit = { path, edits: [{ oldText: 'two', newText: 'TWO' }] }
    const preview = await reach.call('files', 'destructive', 'edit_file', edit)
    expect(preview).toMatchObject({ status: 'previewed', card: { risk: 'high', title: 'Edit notes.txt' } })
    expect(codeOf(preview)).toMatchObject([{ language: 'diff', text: expect.stringContaining('-two\n+TWO') }])
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')

    const applied = await confirm(reach.agent('files'), preview)
    expect(applied).toMatchObject({ status: 'applied', isError: false })
    expect(readFileSync(path, 'utf8')).toBe('one\nTWO\nthree\n')
    expect(await confirm(reach.agent('files'), preview)).toMatchObject({ status: 'replayed' })
  })

  test('other arguments than the confirmed ones change nothing', async () => {
    const path = join(folder(), 'safe.txt')
    const preview = await reach.call('files', 'destructive', 'write_file', { path, content: 'harmless' })
    const args = { ...applyCall(preview).args }
    const changed =
      kind === 'wrap over stdio' ? { content: 'harmful' } : { args_json: JSON.stringify({ path, content: 'harmful' }) }
    const refused = await reach.agent('files').call(applyCall(preview).tool, { ...args, ...changed })
    expect(refused).toMatchObject({ status: 'mismatch', isError: true })
    expect(existsSync(path)).toBe(false)
  })

  test('a write and a move show what will be sent, and happen once they are confirmed', async () => {
    const [path, destination] = [join(folder(), 'new.txt'), join(folder(), 'moved.txt')]
    const content = 'a line\n\tand "another", ünïcode ✓\n'
    const write = await reach.call('files', 'destructive', 'write_file', { path, content })
    expect(codeOf(write)).toMatchObject([{ label: 'Content', text: content }])
    expect(await confirm(reach.agent('files'), write)).toMatchObject({ status: 'applied' })
    expect(readFileSync(path, 'utf8')).toBe(content)

    const move = await reach.call('files', 'destructive', 'move_file', { source: path, destination })
    expect(move).toMatchObject({ status: 'previewed', card: { risk: 'high' } })
    expect(existsSync(destination)).toBe(false)
    expect(await confirm(reach.agent('files'), move)).toMatchObject({ status: 'applied' })
    expect(readFileSync(destination, 'utf8')).toBe(content)
  })

  test('entities are created with the plan, and deleted only with a recorded click', async () => {
    const agent = reach.agent('memory')
    const ada = { name: 'Ada', entityType: 'person', observations: ['likes engines'] }
    const create = await reach.call('memory', 'write', 'create_entities', { entities: [ada] })
    expect(create).toMatchObject({ status: 'previewed', card: { risk: 'medium' } })
    const { tool, args } = applyCall(create)
    expect(await agent.call(tool, { ...args, ticket: create.planId })).toMatchObject({ status: 'applied' })
    expect((await reach.call('memory', 'read', 'read_graph')).text).toContain('likes engines')

    const remove = { entityNames: ['Ada'] }
    const unclicked = await reach.call('memory', 'destructive', 'delete_entities', remove)
    expect(unclicked).toMatchObject({ status: 'previewed', card: { risk: 'critical' } })
    expect((await confirm(agent, unclicked)).data).toStrictEqual(waitsForApproval)
    expect((await reach.call('memory', 'read', 'read_graph')).text).toContain('likes engines')

    const clicked = await reach.call('memory', 'destructive', 'delete_entities', remove)
    await agent.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(clicked) } })
    expect(await confirm(agent, clicked)).toMatchObject({ status: 'applied' })
    expect((await reach.call('memory', 'read', 'read_graph')).text).not.toContain('likes engines')
  })

  test('a person changes what would be written on the card, and that is what the server gets', async () => {
    const agent = reach.agent('memory')
    const entity = (name: string) => ({ name, entityType: 'person', observations: [] })
    const preview = await reach.call('memory', 'write', 'create_entities', {
      entities: [entity('Bob'), entity('Cleo')],
    })
    expect(preview.card?.edits?.lists[0]?.members.map(({ label }) => label)).toStrictEqual(['Bob', 'Cleo'])
    const changed = await agent.client.callTool({
      name: 'countersign_plan_revise',
      arguments: {
        ticket: ticketOf(preview),
        set: { '/entities/1/entityType': 'robot' },
        leave_out: ['/entities/0'],
        send: true,
      },
    })
    const { message } = Object(changed._meta?.['countersign/revision']) as { readonly message: string }
    const parsed = parseMessage(message)
    if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error(message)
    const second = await agent.call(parsed.value.tool, parsed.value.args)
    expect(second).toMatchObject({ status: 'previewed' })
    expect(second.text).toContain('Changed on the card')
    expect(await confirm(agent, preview)).toMatchObject({ status: 'refused' })
    expect(await confirm(agent, second)).toMatchObject({ status: 'applied' })
    const graph = (await reach.call('memory', 'read', 'read_graph')).text
    expect(graph).toContain('robot')
    expect(graph).not.toContain('Bob')
  })

  test('every call is in the activity log, with its intent and its door where there is one', async () => {
    const calls = await recordsIn(reach.db, { filter: { intentTypes: ['destructive'] }, limit: 50 })
    expect(calls.length).toBeGreaterThan(5)
    expect(calls.every((call) => call.operation === 'destructive')).toBe(true)
    expect(new Set(calls.map((call) => call.status))).toEqual(
      new Set(['previewed', 'applied', 'replayed', 'mismatch', 'awaiting_approval']),
    )
    if (kind === 'wrap over stdio') return
    expect(calls).toMatchObject(
      calls.map(() => ({
        variant: 'call_tool_destructive',
        operationSource: 'declared',
        intent: { operation_type: 'destructive' },
      })),
    )
  })
})

/** A folder that is made when the first test needs it. */
function realPlaceLater(): () => string {
  let made: string | undefined
  return () => (made ??= realPlace())
}
