// A page that is opened over a slow network: what draws it comes first, the client of MCP, which is most of it, behind.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { letIn } from '../processes.ts'

let browser: Browser
let address: string
beforeAll(async () => {
  browser = await sharedBrowser()
  address = letIn('/playground', (await demoHere(freshDatabase())).mcp).href
})

async function blankPage(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB' })
  onTestFinished(() => context.close())
  return context.newPage()
}

const client = /\/assets\/mcp-[^/]*\.js$/

test('the page is drawn before its client of MCP has arrived, and connects with it', async () => {
  const page = await blankPage()
  const held = Promise.withResolvers<void>()
  await page.route(client, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(address, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Settings' }).waitFor()
  expect(await page.getByText(/^Connected to/).count()).toBe(0)
  held.resolve()
  await page.getByText(/^Connected to/).waitFor()
})

test('the tools are asked for once, with the secret of the page, before the client has arrived, and the view before the first card', async () => {
  const page = await blankPage()
  const asked: (readonly [method: string, hasSecret: boolean])[] = []
  const listed = Promise.withResolvers<void>()
  page.on('request', (request) => {
    if (!request.url().endsWith('/mcp')) return
    const { method = '' } = JSON.parse(request.postData() ?? '{}') as { readonly method?: string }
    asked.push([method, request.headers()['x-countersign-page'] !== undefined])
    if (method === 'tools/list') listed.resolve()
  })
  // The page's secret is parsed only after this script: what asks must wait for it, as an `async` script would not.
  const arrived = page.waitForResponse(/\/asked-early-/).then((response) => response.finished())
  await page.route(/\/theme-[^/]*\.js$/, async (route) => {
    await arrived
    await route.continue()
  })
  await page.route(client, async (route) => {
    await listed.promise
    await route.continue()
  })
  await page.goto(address)
  await page.getByText(/^Connected to/).waitFor()
  const methods = ['initialize', 'notifications/initialized', 'tools/list', 'resources/read']
  await expect.poll(() => asked).toEqual(methods.map((method) => [method, true]))
  await page.getByRole('button', { name: /^Create an order for ACME/ }).click()
  const card = page.frameLocator('.card-frame.shown iframe').frameLocator('iframe')
  await card.getByRole('button', { name: 'Create order', exact: true }).waitFor()
  expect(asked.filter(([method]) => methods.includes(method))).toHaveLength(methods.length)
})

test('a part of the page that does not arrive is said to be missing, with what to do', async () => {
  const page = await blankPage()
  await page.route(client, (route) => route.abort())
  await page.goto(address)
  await page.getByText('A part of this page did not arrive.').waitFor()
  await page.unroute(client)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.getByText(/^Connected to/).waitFor()
})

test('nor is the gallery a blank page where it does not arrive', async () => {
  const page = await blankPage()
  const gallery = /\/assets\/gallery-[^/]*\.js$/
  await page.route(gallery, (route) => route.abort())
  // The address lets a browser in, and leads to the playground.
  await page.goto(address)
  await page.goto(new URL('/playground/gallery', address).href)
  await page.getByText('A part of this page did not arrive.').waitFor()
  await page.unroute(gallery)
  await page.getByRole('button', { name: 'Reload' }).click()
  await page.locator('.example').first().waitFor()
})
