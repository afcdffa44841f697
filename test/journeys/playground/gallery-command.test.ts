// A server that speaks stdio, started by a command, in the playground as somebody who writes it would have it.
import { expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { binary, fixture, letIn, startWeb } from '../processes.ts'

test("somebody else's command is tried in the playground, and its view confirms", async () => {
  const command = [process.execPath, ...fixture('third-party-server')]
  const web = await startWeb([...binary, 'playground', '--port', '0', '--', ...command])
  const browser = await sharedBrowser()
  const page = await browser.newPage()
  await page.goto(letIn('/playground', web.mcp).href)
  await page.getByRole('heading', { name: 'This server decides what a call does.' }).waitFor()
  expect(await page.getByText('Nothing happens until you sign').count()).toBe(0)
  await page.goto(letIn('/playground#tool=note&args={"text":"Hello"}', web.mcp).href)
  await page.getByText('Connected to Afternoon 1').waitFor()
  await page.getByRole('button', { name: 'Let the agent call it' }).click()
  const view = (index: number) =>
    page.locator('.card-frame.shown iframe').nth(index).contentFrame().locator('iframe').contentFrame()
  await view(0).getByText('The note would be written.').waitFor()
  await view(0).getByRole('button', { name: 'Confirm note' }).click()
  await view(1).getByText('The note is written.').waitFor()
  expect(await page.locator('.said.person').textContent()).toContain('Apply: call note(text="Hello", preview=False)')
})
