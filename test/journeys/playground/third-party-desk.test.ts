// The third desk of the demo: a real server from npm that knows nothing of previews, behind a signature, one click away.
import { beforeAll, expect, test } from 'vitest'
import type { Browser } from 'playwright-core'
import { sharedBrowser } from '../../hosts/browser.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'
import { openPlayground } from '../playground-page.ts'
import { letIn } from '../processes.ts'

let browser: Browser

beforeAll(async () => {
  browser = await sharedBrowser()
})

test("somebody else's server asks before it remembers and before it forgets, and the demo puts it back to knowing nothing", async () => {
  const desk = await demoHere(freshDatabase())
  const { page, card, suggest, next, complaints } = await openPlayground(browser, {
    playgroundUrl: letIn('/playground', desk.mcp).href,
  })
  await page.getByRole('navigation', { name: 'Desks' }).getByRole('link', { name: 'Third party' }).click()
  await page.getByText('Connected to Memory server').waitFor()
  const remembering = async (first: number): Promise<void> => {
    await card(first).getByText('Delivers on Tuesdays').first().waitFor()
    await card(first).getByRole('button', { name: 'Remember' }).click()
    await card(first + 1)
      .getByText('They are in the graph', { exact: true })
      .waitFor()
  }
  await suggest('Remember a supplier')
  await remembering(0)
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('region', { name: 'Start over' }).getByRole('button', { name: 'Start over' }).click()
  await suggest('Read what is remembered')
  await page
    .locator('dl')
    .filter({ hasText: /Entities\s*none/ })
    .waitFor()

  await next('Remember a supplier')
  await remembering(0)
  await next('Forget the supplier')
  await card(2).getByText('Delivers on Tuesdays').first().waitFor()
  await card(2).getByRole('textbox').fill('delete_entities')
  await card(2).getByRole('button', { name: 'Forget' }).click()
  await card(3).getByText('Northwind are forgotten', { exact: true }).waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
  await desk.end()
})

test('where its server cannot be started, the desk is not opened and says what to do', async () => {
  const args = ['demo', '--desk', 'memory', '--port', '0', '--db', freshDatabase()]
  const { code, stderr } = await runCommand(args, { env: { PATH: '/nowhere' } })
  expect(code).toBe(1)
  expect(stderr).toMatch(/The third-party server did not start\.[^]*see that this machine reaches npm/)
})
