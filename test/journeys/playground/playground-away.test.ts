// A page that goes on saying "Connected" while nobody is at the other end lets a person wait for nothing.
import { expect, test } from 'vitest'
import { playgroundAssets } from '../../../server/compose/package-files.ts'
import { openWebDoor } from '../../../server/http/playground/web-door.ts'
import { createStdioBridge } from '../../../server/testing/stdio-bridge.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openDesk, openPlayground } from '../playground-page.ts'
import { fixture } from '../processes.ts'

test('a server that goes away while the page is open is not shown as connected', async () => {
  const desk = await openDesk()
  const browser = await sharedBrowser()
  const { page } = await openPlayground(browser, desk.door)
  await page.getByRole('heading', { name: 'Nothing happens until you sign.' }).waitFor()
  await desk.close()
  await page.getByRole('status').getByText('does not answer').waitFor()
  expect(await page.getByText(/^Connected to/).count()).toBe(0)
})

test('a command that ends behind the playground is not shown as connected', async () => {
  const bridge = createStdioBridge(process.execPath, fixture('third-party-server'))
  const web = await openWebDoor({
    mcp: (request) => bridge.handle(request),
    port: 0,
    playground: { assets: playgroundAssets() },
  })
  if (!web.ok) throw new Error(web.failure.message)
  const browser = await sharedBrowser()
  try {
    const page = await browser.newPage()
    await page.goto(web.value.playgroundUrl ?? '')
    await page.getByText('Connected to Afternoon 1').waitFor()
    // Its input ends, and so does it; the process that serves the page goes on answering.
    await bridge.close()
    await page.getByRole('status').getByText('does not answer').waitFor()
    expect(await page.getByText(/^Connected to/).count()).toBe(0)
  } finally {
    await web.value.close()
  }
})
