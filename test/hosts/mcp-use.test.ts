// The Inspector of mcp-use is a host with a chat: its own loop asks a model, draws the card of each result, and puts what the
// card says into the chat as the person's words. The model is scripted; the host asks for its words as a stream.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Browser, FrameLocator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseMessage } from '../../server/confirm/message.ts'
import { freePort } from '../free-port.ts'
import { overHttp, rationale } from '../journeys/agent.ts'
import { checkInstalled, clients } from '../journeys/clients/packages.ts'
import { openDesk, type Desk } from '../journeys/playground-page.ts'
import { environment } from '../journeys/processes.ts'
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

async function startInspector(): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const port = await freePort()
  const cli = join(clients, 'node_modules', '@mcp-use', 'inspector', 'dist', 'cli.js')
  const started = spawn(process.execPath, [cli, '--no-open', '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment({ MCP_USE_ANONYMIZED_TELEMETRY: 'false' }),
  })
  const url = await new Promise<string>((resolve, reject) => {
    started.stdout.on('data', (chunk: Buffer) => {
      const [, found] = /started at (http:\S+)/.exec(String(chunk)) ?? []
      if (found !== undefined) resolve(found)
    })
    started.once('exit', (code) => reject(new Error(`The Inspector of mcp-use ended with ${code}.`)))
  })
  return { process: started, url }
}

describe('the Inspector of mcp-use', () => {
  let browser: Browser
  let desk: Desk
  let inspector: Awaited<ReturnType<typeof startInspector>>
  let page: Page
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
    ;[browser, desk, inspector] = await Promise.all([sharedBrowser(), openDesk(), startInspector()])
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
    await page.close()
    const ended = new Promise((resolve) => inspector.process.once('exit', resolve))
    inspector.process.kill()
    await ended
    await desk.close()
  })

  const card = (at: number): FrameLocator => page.locator('iframe').nth(at).contentFrame().frameLocator('iframe')

  test('draws the card in its chat, and its agent repeats the call once the person has pressed the button', async () => {
    await page.goto(
      `${inspector.url}?${new URLSearchParams({ autoConnect: desk.door.mcpUrl, tab: 'chat' }).toString()}`,
    )
    const box = page.locator('textarea').first()
    await box.fill(wish)
    await box.press('Enter')
    await card(0).getByRole('heading', { name: 'Create a sales order for ACME' }).waitFor()
    const agent = await overHttp(new URL(desk.door.mcpUrl))
    const orders = async (): Promise<unknown> => (await agent.call('orders_list')).data['orders']
    expect(await orders()).toHaveLength(8)

    await card(0).getByRole('button', { name: 'Create order' }).click()
    await card(1).getByRole('heading', { name: 'Order SO-1009 created' }).waitFor()
    await card(0).getByText('Applied').first().waitFor()
    await page.getByText('It is done.').waitFor()
    expect(await orders()).toHaveLength(9)
  })

  test('gives its model neither the tools of cards nor, before the person has pressed, the ticket', () => {
    const names = asked.flatMap(({ tools = [] }) => tools.map((tool) => tool.function.name))
    expect(names).toContain('orders_create')
    expect(names.filter((name) => name.startsWith('countersign_'))).toStrictEqual([])
    const told = asked.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'))
    expect(told.length).toBeGreaterThan(1)
    expect(JSON.stringify(told)).not.toContain('cs1_')
  })
})
