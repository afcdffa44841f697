// The playground in front of a server that somebody is writing: it has the wrong name, crashes, and is saved again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { playgroundAssets } from '../../../server/compose/package-files.ts'
import { openWebDoor } from '../../../server/http/playground/web-door.ts'
import { createStdioBridge } from '../../../server/testing/stdio-bridge.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violations } from '../../kit/axe.ts'
import { atEnd, place } from '../at-end.ts'
import { webHere } from '../in-process.ts'
import { letIn } from '../processes.ts'
import { runCommand } from '../terminal.ts'

let browser: Browser

beforeAll(async () => {
  browser = await sharedBrowser()
})

/** A server without a library: it has these tools, writes to stderr what one called `crash` is given, and ends. */
const source = (...tools: readonly string[]): string => `
import { createInterface } from 'node:readline'
const tools = ${JSON.stringify(
  tools.map((name) => ({
    name,
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    ...(name.startsWith('read') ? { annotations: { readOnlyHint: true } } : {}),
  })),
)}
const results = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'Draft', version: '1' } }),
  'tools/list': () => ({ tools }),
  'tools/call': ({ name, arguments: { text } }) => {
    if (name === 'crash') { console.error(text); process.exit(3) }
    return { content: [{ type: 'text', text: 'done' }] }
  },
  ping: () => ({}),
}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method](params) }))
}
`

const open = async (address: string): Promise<Page> => {
  // Colours that still fade from one theme to the other have no contrast to speak of.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(address)
  return page
}

test.each([
  ['a command that is not there', 'no-such-command', [], 'There is no command "no-such-command" here.'],
  ['a path that is wrong', process.execPath, ['nowhere/server.mjs'], /There is no file \S+nowhere\/server\.mjs\./],
  [
    'a command that says nothing',
    process.execPath,
    ['-e', '0'],
    'ended before it answered as an MCP server. It said nothing',
  ],
])('%s is said in the page, with what to do next', async (_what, command, args, said) => {
  const bridge = createStdioBridge(command, args, { onStderr: () => undefined })
  const web = await openWebDoor({ mcp: bridge.handle, port: 0, playground: { assets: playgroundAssets() } })
  if (!web.ok) throw new Error(web.failure.message)
  atEnd(() => web.value.close())
  const page = await open(web.value.playgroundUrl ?? '')
  const alert = page.getByRole('alert')
  await alert.getByText(said).waitFor()
  await alert.getByRole('button', { name: 'Connect again' }).waitFor()
  await page.getByRole('status').getByText('Not connected').waitFor()
})

test('a server is started anew when it is saved, its tools are listed anew, and a crash comes with its last words', async () => {
  const file = join(place(), 'server.mjs')
  writeFileSync(file, 'throw new Error("half written")\n')
  const web = await webHere(['playground', '--port', '0', '--watch', '--', process.execPath, file])
  const page = await open(letIn('/playground', web.mcp).href)
  const alert = page.getByRole('alert')
  const tools = page.getByRole('complementary', { name: 'Tools' })
  await alert.getByText('ended before it answered').waitFor()
  await alert.getByText('half written').first().waitFor()
  for (const theme of ['dark', 'light']) {
    await page.getByRole('button', { name: `Use the ${theme} theme` }).click()
    for (const width of [360, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      expect([theme, width, await violations(page)]).toEqual([theme, width, []])
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    }
  }

  writeFileSync(file, source('orders_list', 'orders_get', 'read_file', 'crash'))
  await page.getByText('Connected to Draft 1').waitFor()
  await page.getByText('The server was started anew.').waitFor()
  await page.getByRole('heading', { name: 'This server decides what a call does.' }).waitFor()
  expect(await tools.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(['Orders', 'Other tools'])
  await page.goto(
    `${page.url()}#tool=crash&args={"text":"\\u001b[31mthe cache\\u001b[0m is gone DB_PASSWORD=correct-horse-battery"}`,
  )
  await page.getByRole('button', { name: 'Let the agent call it' }).click()
  await alert.getByText('has ended.').first().waitFor()
  await alert.getByText('the cache is gone').first().waitFor()
  expect((await alert.allInnerTexts()).join()).not.toContain('correct-horse-battery')
  await page.getByRole('status').getByText('does not answer').waitFor()
  await page.getByRole('button', { name: 'Connect again' }).click()
  await page.getByText('Connected to Draft 1').waitFor()

  writeFileSync(file, source('read_file'))
  await page.getByText('The server was started anew.').waitFor()
  await page.getByText('Connected to Draft 1').waitFor()
  await tools.getByRole('button', { name: 'Read file' }).waitFor()
  expect(await tools.getByRole('button', { name: 'Crash' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Clear chat' }).click()
  await page.getByRole('heading', { name: 'This server says that it only reads.' }).waitFor()
})

test('there is nothing to watch where neither the command nor the person names a file', async () => {
  const { code, stderr } = await runCommand(['playground', '--watch', '--', 'npx', 'my-server'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('the command names no file')])
})
