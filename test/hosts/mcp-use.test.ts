// The Inspector of mcp-use is a host with a chat: its own loop asks a model, draws the card of each result, and puts what the
// card says into the chat as the person's words. The model is scripted; the host asks for its words as a stream.
import { join } from 'node:path'
import type { Browser, FrameLocator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseMessage } from '../../server/confirm/message.ts'
import { freePort } from '../free-port.ts'
import { longest } from '../longest.ts'
import { overHttp, rationale } from '../journeys/agent.ts'
import { checkInstalled, clients } from '../journeys/clients/packages.ts'
import { openDesk, type Desk } from '../journeys/playground-page.ts'
import { start } from '../journeys/processes.ts'
import { sharedBrowser } from './browser.ts'

interface Asked {
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

const model = { provider: 'openai-compatible', apiKey: 'none', model: 'scripted', baseUrl: 'http://model.test/v1' }

const wish = 'Order two DESK-01 for ACME'
const twoDesks = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }], rationale }

const call = (name: string, args: object): object => ({
  tool_calls: [{ index: 0, id: `call_${name}`, function: { name, arguments: JSON.stringify(args) } }],
})

/** The model's turn: it ends it after a result, and repeats what the person's own message says. */
function turnOf({ messages }: Asked): object {
  const { role, content } = messages.at(-1) ?? { role: 'user', content: '' }
  if (role === 'tool') return { content: String(content).startsWith('Applied.') ? 'It is done.' : 'It is on the card.' }
  if (content === wish) return call('orders_create', twoDesks)
  const message = parseMessage(String(content))
  if (message.ok && message.value.kind === 'apply') return call(message.value.tool, message.value.args)
  return { content: 'I do not understand.' }
}

/** Starts it, to be ended with this file. Answers its address. @throws with what it has printed, where it does not start. */
async function startInspector(): Promise<string> {
  const cli = join(clients, 'node_modules', '@mcp-use', 'inspector', 'dist', 'cli.js')
  const running = start([cli, '--no-open', '--port', String(await freePort())], {
    env: { MCP_USE_ANONYMIZED_TELEMETRY: 'false' },
  })
  const late = setTimeout(() => running.child.kill('SIGKILL'), longest / 2)
  const failed = running.ended.then(({ code }): never => {
    throw new Error(`The Inspector of mcp-use ended with ${code}: ${running.stdout()}${running.stderr()}`)
  })
  // It also ends with this file, when nobody listens any more.
  failed.catch(() => undefined)
  const started = new Promise<string>((resolve) => {
    running.child.stdout?.on('data', () => {
      const [, found] = /started at (http:\S+)\s/.exec(running.stdout()) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const url = await Promise.race([started, failed])
  clearTimeout(late)
  return url
}

describe('the Inspector of mcp-use', () => {
  let browser: Browser
  let desk: Desk | undefined
  let inspector: string
  let page: Page | undefined
  const asked: Asked[] = []

  const answer = (route: Route): Promise<void> => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers })
    const body = route.request().postDataJSON() as Asked
    // It also asks for a title of the chat, without tools.
    if (body.tools !== undefined) asked.push(body)
    const delta = turnOf(body)
    const events = [{ delta }, { delta: {}, finish_reason: 'tool_calls' in delta ? 'tool_calls' : 'stop' }]
    const stream = events.map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
    return route.fulfill({
      headers: { ...headers, 'content-type': 'text/event-stream' },
      body: `${stream.join('')}data: [DONE]\n\n`,
    })
  }

  beforeAll(async () => {
    checkInstalled()
    browser = await sharedBrowser()
    inspector = await startInspector()
    desk = await openDesk()
    page = await browser.newPage({ viewport: { width: 1500, height: 1200 } })
    // It would load fonts and send figures.
    await page.route(/^https:/, (route) => route.abort())
    await page.route(`${model.baseUrl}/**`, answer)
    await page.addInitScript((settings) => {
      localStorage.setItem('mcp-inspector-llm-config', JSON.stringify(settings))
      localStorage.setItem('mcp-inspector-base-urls', JSON.stringify({ [settings.provider]: settings.baseUrl }))
    }, model)
  })

  afterAll(async () => {
    await page?.close()
    await desk?.close()
  })

  const card = (page: Page, at: number): FrameLocator =>
    page.locator('iframe').nth(at).contentFrame().frameLocator('iframe')

  test('draws the card in its chat, and its agent repeats the call once the person has pressed the button', async () => {
    if (page === undefined || desk === undefined) throw new Error('Nothing was started.')
    const { door } = desk
    await page.goto(`${inspector}?${new URLSearchParams({ autoConnect: door.mcpUrl, tab: 'chat' }).toString()}`)
    const box = page.locator('textarea').first()
    await box.fill(wish)
    await box.press('Enter')
    await card(page, 0).getByRole('heading', { name: 'Create a sales order for ACME' }).waitFor()
    const agent = await overHttp(new URL(door.mcpUrl))
    const orders = async (): Promise<unknown> => (await agent.call('orders_list')).data['orders']
    expect(await orders()).toHaveLength(8)

    await card(page, 0).getByRole('button', { name: 'Create order' }).click()
    await card(page, 1).getByRole('heading', { name: 'Order SO-1009 created' }).waitFor()
    await card(page, 0).getByText('Applied').first().waitFor()
    await page.getByText('It is done.').waitFor()
    expect(await orders()).toHaveLength(9)
  })

  test('gives its model neither the tools of cards nor, before the person has pressed, the ticket', () => {
    const names = asked.flatMap(({ tools = [] }) => tools.map((tool) => tool.function.name))
    expect(names).toContain('orders_create')
    expect(names.filter((name) => name.startsWith('countersign_'))).toStrictEqual([])
    const isApply = ({ content }: Asked['messages'][number]): boolean => parseMessage(String(content)).ok
    const before = asked.filter(({ messages }) => !messages.some(isApply))
    expect(before.length).toBeGreaterThan(1)
    expect(JSON.stringify(before)).not.toContain('cs1_')
    const results = asked.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'))
    expect(results.length).toBeGreaterThan(before.length)
    expect(JSON.stringify(results)).not.toContain('cs1_')
  })
})
