// The MCP Inspector is a host that nobody here wrote, with a sandbox, a bridge and a form of its own. It has no model:
// a person plays the agent, and repeats the call that the card's message asks for.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseMessage } from '../../server/confirm/message.ts'
import { freePort } from '../free-port.ts'
import { openDesk, type Desk } from '../journeys/playground-page.ts'
import { sharedBrowser } from './browser.ts'

const root = dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json')))
const token = 'a-token-of-this-test'

/** Its web client and backend, with a home of its own: it keeps servers and secrets there. */
async function startInspector(home: string): Promise<{ readonly process: ChildProcess; readonly url: string }> {
  const port = await freePort()
  const process_ = spawn(process.execPath, [join(root, 'clients', 'launcher', 'build', 'index.js'), '--web'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      HOST: '127.0.0.1',
      CLIENT_PORT: String(port),
      MCP_SANDBOX_PORT: '0',
      MCP_APP_ORIGIN_PORT: '0',
      MCP_AUTO_OPEN_ENABLED: 'false',
      MCP_INSPECTOR_API_TOKEN: token,
    },
  })
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      if (chunk.includes(`:${port}`)) resolve()
    }
    process_.stdout.on('data', hear)
    process_.stderr.on('data', hear)
    process_.once('exit', (code) => reject(new Error(`The Inspector ended with ${code}.`)))
  })
  return { process: process_, url: `http://127.0.0.1:${port}/` }
}

describe('the MCP Inspector', () => {
  let browser: Browser
  let desk: Desk
  let inspector: Awaited<ReturnType<typeof startInspector>>
  let home: string
  let page: Page

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'countersign-inspector-'))
    ;[browser, desk, inspector] = await Promise.all([sharedBrowser(), openDesk(), startInspector(home)])
    page = await browser.newPage({ viewport: { width: 1500, height: 1200 } })
  })

  afterAll(async () => {
    await page.close()
    const ended = new Promise((resolve) => inspector.process.once('exit', resolve))
    inspector.process.kill()
    await ended
    await desk.close()
    await rm(home, { recursive: true, force: true })
  })

  /** Fills the tool's form by the Inspector's own deep link, and runs it as a person does. Answers the view. */
  const open = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<FrameLocator> => {
    const query = new URLSearchParams({
      serverUrl: desk.door.mcpUrl,
      transport: 'http',
      autoConnect: token,
      openApp: tool,
      appArgs: Buffer.from(JSON.stringify(args)).toString('base64url'),
    })
    await page.goto(`${inspector.url}?${query.toString()}`)
    await page.getByRole('button', { name: 'Open App' }).click()
    return page.frameLocator('iframe').frameLocator('iframe')
  }

  /** The last call that the view has asked for in the chat, as the Inspector shows it. */
  const sent = async (kind: 'Apply' | 'Preview') => {
    const shown = page.getByText(new RegExp(`^${kind}: call `)).last()
    await shown.waitFor()
    const text = (await shown.innerText()).trim()
    const message = parseMessage(text)
    if (!message.ok || message.value.kind === 'cancel') throw new Error(`The Inspector shows another message: ${text}`)
    return message.value
  }

  test('draws the card, takes its message, and shows the success card when the call is repeated', async () => {
    const args = {
      customer: 'ACME',
      lines: [{ sku: 'DESK-01', quantity: 2 }],
      rationale: 'ACME asked for two desks by phone.',
    }
    const preview = await open('orders_create', args)
    await preview.getByRole('heading', { name: 'Create a sales order for ACME' }).waitFor()
    await preview.getByRole('button', { name: 'Create order' }).click()
    await preview.getByText('Sent to the chat').first().waitFor()

    const message = await sent('Apply')
    expect(message).toMatchObject({ tool: 'orders_create', args: { ...args, preview: false } })

    const applied = await open('orders_create', message.args)
    await applied
      .getByText(/Order SO-\d+ created/)
      .first()
      .waitFor()
  })

  test('a critical card stays unarmed until the number that it shows is typed', async () => {
    const preview = await open('orders_delete', {
      id: 'SO-1005',
      rationale: 'The customer withdrew this order in writing.',
    })
    const confirm = preview.getByRole('button', { name: /^Delete/ })
    await confirm.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    await preview.getByRole('textbox').fill('SO-1005')
    await confirm.click()
    expect(await sent('Apply')).toMatchObject({ tool: 'orders_delete' })
  })

  test('values are changed on the card, and the call with them is previewed anew', async () => {
    const args = { customer: 'Globex', lines: [{ sku: 'CHAIR-04', quantity: 40 }], rationale: 'Globex wants chairs.' }
    const preview = await open('orders_create', args)
    await preview.getByRole('button', { name: 'Edit values', exact: true }).click()
    await preview.getByLabel('Quantity').fill('4')
    await preview.getByRole('button', { name: 'Preview changes' }).click()
    const message = await sent('Preview')
    expect(message.args).toMatchObject({ ...args, lines: [{ sku: 'CHAIR-04', quantity: 4 }] })
    const changed = await open('orders_create', message.args)
    await changed.getByText('Changed on the card').waitFor()
    await changed.getByRole('button', { name: 'Create order' }).click()
    expect(await sent('Apply')).toMatchObject({ args: { lines: [{ sku: 'CHAIR-04', quantity: 4 }] } })
  })

  test('two changes are opened and signed as one, and the card of the result tells of both', async () => {
    const preview = await open('plan_bundle', {
      plans: [
        { tool: 'orders_modify', arguments: { id: 'SO-1007', note: 'Ring at the back door' } },
        { tool: 'stock_adjust', arguments: { sku: 'MAT-02', delta: -2, reason: 'two broken in the warehouse' } },
      ],
      title: 'What came up in the call',
      rationale: 'The warehouse called about a driver and two broken mats.',
    })
    const confirm = preview.getByRole('button', { name: 'Confirm 2 changes' })
    await confirm.waitFor()
    expect(await confirm.isDisabled()).toBe(true)
    for (const step of await preview.locator('details.must > summary').all()) await step.click()
    await confirm.click()
    const message = await sent('Apply')
    expect(message.tool).toBe('apply_bundle')
    const applied = await open(message.tool, message.args)
    await applied.getByText('2 changes made').first().waitFor()
    await applied.getByText('Order SO-1007 changed').first().waitFor()
  })
})
