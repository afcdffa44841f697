// Somebody else's MCP Apps server behind Countersign: its view works as if nothing stood in between where it is the only
// server, what changes something is signed on our card and never in its view, and with several servers there are no views.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { getToolUiResourceUri, isToolVisibilityAppOnly } from '@modelcontextprotocol/ext-apps/app-bridge'
import { casesOf } from '../full.ts'
import { confirm, overHttp, type Agent } from '../journeys/agent.ts'
import { freshDatabase } from '../journeys/at-end.ts'
import { gatewayFile, officialServer, type Entry } from '../journeys/gateway/reach.ts'
import { agentHere, webHere } from '../journeys/in-process.ts'
import { fixture } from '../journeys/processes.ts'
import { openBareHost } from './bare-host.ts'
import { sharedBrowser } from './browser.ts'

const boardServer: Entry = {
  command: process.execPath,
  args: fixture('board-server'),
}
const outside = 'ui://upstream/board/board/view.html'
const card = 'ui://countersign/card.html'

const ways = ['wrap', 'gateway'] as const

const open = async (way: (typeof ways)[number], transport: 'stdio' | 'http', cards = true): Promise<Agent> => {
  const before = [way, '--db', freshDatabase(), ...(transport === 'http' ? ['--http', '0'] : [])]
  const behind =
    way === 'gateway'
      ? ['--config', gatewayFile({ board: boardServer })]
      : ['--name', 'board', '--', String(boardServer['command']), ...(boardServer['args'] as string[])]
  const line = [...before, ...behind]
  return transport === 'stdio' ? agentHere(line, { cards }) : overHttp((await webHere(line)).mcp, { cards })
}

const opened = new Map<string, Promise<Agent>>()
/** The agent of those tests after which the server is as it was. */
const shared = (way: (typeof ways)[number], transport: 'stdio' | 'http'): Promise<Agent> => {
  const agent = opened.get(way + transport) ?? open(way, transport)
  opened.set(way + transport, agent)
  return agent
}

const toolNamed = (agent: Agent, name: string): Tool => {
  const found = agent.tools.find((tool) => tool.name === name)
  if (found === undefined) throw new Error(`There is no ${name} among ${agent.tools.map((tool) => tool.name).join()}`)
  return found
}

let browser: Browser
beforeAll(async () => {
  browser = await sharedBrowser()
})

describe.each(ways)('one MCP Apps server behind a %s', (way) => {
  const transports = casesOf(['stdio', 'http'] as const, String, [way === 'wrap' ? 'stdio' : 'http'])
  describe.each(transports)('over %s', (transport) => {
    let agent: Agent
    beforeAll(async () => {
      agent = await shared(way, transport)
    })

    test('every address of its view is the same new one, in both keys, in results and in what is read', async () => {
      for (const name of ['show-board', 'old-board']) {
        const tool = toolNamed(agent, name)
        expect(getToolUiResourceUri(tool), name).toBe(outside)
        expect(tool._meta?.['ui/resourceUri'], name).toBe(outside)
      }
      const read = await agent.client.readResource({ uri: outside })
      expect(read.contents).toMatchObject([{ uri: outside, _meta: { ui: { domain: 'b' } } }])
      const { resources } = await agent.client.listResources()
      expect(resources.map(({ uri }) => uri)).toContain(outside)
      expect(resources.map(({ uri }) => uri)).toContain(card)
      const result =
        way === 'wrap'
          ? (await agent.call('count-cards')).raw
          : (
              await agent.call('call_tool_read', {
                name: 'board:count-cards',
                intent: { operation_type: 'read' },
              })
            ).raw
      expect(result.content.slice(1)).toMatchObject([
        { resource: { uri: outside } },
        { uri: outside },
        { uri: 'board://cards' },
      ])
      expect(result._meta).toEqual({ ui: { resourceUri: outside }, 'ui/resourceUri': outside, kept: true })
    })

    test('what only the view may call is hidden from the model, and needs nothing of ours', async () => {
      const refresh = toolNamed(agent, 'refresh-board')
      expect(isToolVisibilityAppOnly(refresh)).toBe(true)
      const raw = await agent.client.callTool({ name: 'refresh-board', arguments: {} })
      expect(raw).toMatchObject({ structuredContent: { cards: 3 } })
    })

    test('the view draws the result and calls its server; what changes something there waits for an approval', async () => {
      const result = (await agent.call('show-board')).raw
      const [content] = (await agent.client.readResource({ uri: outside })).contents
      const host = await openBareHost(browser, {
        html: (content as { text: string }).text,
        result,
        callTool: async (name, args) => (await agent.client.callTool({ name, arguments: args })) as CallToolResult,
      })
      await host.card.getByText('Spring').waitFor()
      await host.card.getByRole('button', { name: 'Refresh' }).click()
      await host.card.getByText('Cards: 3').waitFor()
      await host.card.getByRole('button', { name: 'Clear' }).click()
      await host.card.getByText('Waits for an approval').waitFor()
      await host.card.getByRole('button', { name: 'Refresh' }).click()
      await host.card.getByText('Cards: 3').waitFor()
      await host.close()
    })

    test('a change is previewed on our card, and its result says where the view of the server is', async () => {
      const tool = toolNamed(agent, 'rename-board')
      expect(tool._meta?.['ui']).toEqual({ resourceUri: card, visibility: ['model'] })
      const preview = await agent.call('rename-board', { name: 'Autumn' })
      expect(preview.status).toBe('previewed')
      expect(JSON.stringify(preview.raw._meta)).not.toContain('ui://upstream')
      const applied = await confirm(agent, preview)
      expect(applied.data).toMatchObject({ status: 'applied', result: { name: 'Autumn' }, name: 'Autumn', cards: 3 })
      expect(applied.raw._meta?.['ui']).toEqual({ resourceUri: outside })
    })

    test('its instructions come after ours, marked as its own', () => {
      const told = agent.client.getInstructions() ?? ''
      expect(told).toMatch(/From the server "board", in its own words:\n> Show the board with show-board\.\n> Names/)
      expect(told.indexOf('Apply:')).toBeLessThan(told.indexOf('From the server'))
    })
  })
})

test('a ticket never comes to where a view of somebody else could read it', async () => {
  const agent = await shared('wrap', 'stdio')
  const raw = await agent.client.callTool({ name: 'clear-board', arguments: { preview: true } })
  expect(JSON.stringify(raw)).not.toContain('cs1_')
})

test('a host without views gets no tools that only a view may call, under whatever name', async () => {
  for (const way of ways) {
    const agent = await open(way, 'stdio', false)
    const names = agent.tools.map(({ name }) => name)
    expect(names).not.toContain('refresh-board')
    expect(names.includes('show-board')).toBe(way === 'wrap')
    const raw = await agent.client.callTool({ name: 'refresh-board', arguments: {} })
    expect(raw.isError, way).toBe(true)
  }
})

test('agents do not find what only a view may call', async () => {
  const agent = await shared('gateway', 'stdio')
  const found = await agent.call('retrieve_tools', { query: 'refresh-board' })
  const { tools } = found.data as { tools: { name: string }[] }
  expect(tools.map(({ name }) => name)).not.toContain('board:refresh-board')
  const called = await agent.call('call_tool_read', {
    name: 'board:refresh-board',
    intent: { operation_type: 'read' },
  })
  expect(called.guidance?.error_type).toBe('unknown_tool')
})

test('with several servers no view is shown and nothing points to one, and the tools work', async () => {
  const file = gatewayFile({ board: boardServer, memory: officialServer('memory') })
  const agent = await agentHere(['gateway', '--config', file, '--db', freshDatabase()])
  expect(agent.tools.map(({ name }) => name)).not.toContain('show-board')
  const { resources } = await agent.client.listResources()
  expect(resources.map(({ uri }) => uri).filter((uri) => uri.startsWith('ui://'))).toEqual([card])
  await expect(agent.client.readResource({ uri: outside })).rejects.toThrow('There is no resource')
  await expect(agent.client.readResource({ uri: 'ui://board/view.html' })).rejects.toThrow('There is no resource')
  const found = await agent.call('retrieve_tools', { query: 'show the board' })
  expect(JSON.stringify(found.raw)).not.toContain('ui://board')
  const read = { intent: { operation_type: 'read' } }
  const counted = await agent.call('call_tool_read', { name: 'board:count-cards', ...read })
  expect(counted.raw.content[0]).toMatchObject({ text: '3' })
  expect(JSON.stringify(counted.raw)).not.toContain('ui://')
  expect(counted.raw._meta).toEqual({ kept: true })
  const shown = await agent.call('call_tool_read', { name: 'board:show-board', ...read })
  expect(shown.data).toEqual({ name: 'Spring', cards: 3 })
})
