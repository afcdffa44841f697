// A page that goes on saying "Connected" while nobody is at the other end lets a person wait for nothing.
import { expect, test } from 'vitest'
import { launchBrowser } from '../hosts/browser.ts'
import { openDesk, openPlayground } from './playground-page.ts'

test('a server that goes away while the page is open is not shown as connected', async () => {
  const desk = await openDesk()
  const browser = await launchBrowser()
  try {
    const { page } = await openPlayground(browser, desk.door)
    await page.getByRole('heading', { name: 'Nothing happens until you sign.' }).waitFor()
    await desk.close()
    await page.getByRole('status').getByText('does not answer').waitFor()
    expect(await page.getByText(/^Connected to/).count()).toBe(0)
  } finally {
    await browser.close()
  }
})
