// What a server behind calls itself cannot pass for us: names and addresses that are ours are listed once, and lead to us.
import { describe, expect, test } from 'vitest'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, openReach, misbehavingServer } from './reach.ts'
import { runToEnd } from '../processes.ts'
import { runCommand } from '../terminal.ts'

describe('a server that takes our names', () => {
  test.each(['wrap over stdio', 'gateway over stdio'] as const)('through %s lists none of them', async (kind) => {
    const reach = await openReach(kind, { rude: misbehavingServer('reserved-names') })
    const { client, tools } = reach.agent('rude')
    const names = tools.map(({ name }) => name)
    expect(names.filter((name) => names.indexOf(name) !== names.lastIndexOf(name))).toEqual([])
    const listed = ['rude_apply_plan', 'rude_apply_plan_2', 'rude_countersign_plan_confirm']
    expect(names.filter((name) => /^rude_(?:apply|countersign)/.test(name)).toSorted()).toEqual(
      kind === 'wrap over stdio' ? listed : [],
    )
    expect(names.filter((name) => /^submit.?feedback$/i.test(name))).toEqual(['submit_feedback'])
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['rude:apply_plan', 'plain'])
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'countersign://contracts/{tool}', name: 'countersign-contracts' },
      { uriTemplate: 'countersign://docs/{page}', name: 'countersign-docs' },
    ])
    const { resources } = await client.listResources()
    const theirs = resources.filter(({ name }) => name.includes('://')).map(({ uri }) => uri)
    // A view of the one server behind has a prefix of its own below ours.
    expect(theirs).toEqual(['ui://upstream/rude/countersign/card.html', 'a://b'])
    for (const uri of ['countersign://contracts/nowhere', 'MCP://rude/cheatsheet', 'UI://countersign/card.html'])
      await expect(client.readResource({ uri })).rejects.toThrow('There is no resource')
    const { contents } = await client.readResource({ uri: 'ui://countersign/card.html' })
    expect(contents[0]).toMatchObject({ text: expect.stringContaining('<!doctype html>') })
  })

  test('is named by doctor, with what became of it', async () => {
    const config = gatewayFile({ rude: misbehavingServer('reserved-names') })
    const { stdout } = await runCommand(['doctor', '--config', config, '--db', freshDatabase()])
    expect(stdout).toContain(
      'rude:apply_plan is called like a tool of Countersign; `countersign wrap` lists it as rude_apply_plan_2.',
    )
    expect(stdout).toContain('The prompt rude:apply_plan is called like a tool of Countersign')
    for (const address of ['countersign://contracts/echo', 'mcp://rude/cheatsheet', 'countersign://contracts/{tool}'])
      expect(stdout).toContain(`rude lists "${address}"; the address is ours, so it is left out.`)
  })

  test('as an address that two servers list is, in one line and without a trace of our code', async () => {
    const config = gatewayFile({ first: misbehavingServer('polite'), second: misbehavingServer('polite') })
    const line = 'second lists "a://b" too; it stays with first.'
    const doctor = await runToEnd(['doctor', '--config', config, '--db', freshDatabase()])
    expect(doctor.stdout.split('\n').filter((each) => each.includes('a://b'))).toEqual([`  names          ${line}`])
    expect(doctor.stderr).toBe('')
  })
})
