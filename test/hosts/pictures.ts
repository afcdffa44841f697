// The README's pictures, made from the running product so that they cannot show what it does not do:
// `node test/hosts/pictures.ts` writes docs/card.png, docs/stale.png and docs/playground.png.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDesk, openPlayground, otherClient } from '../journeys/playground-page.ts'
import { launchBrowser } from './browser.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
mkdirSync(docs, { recursive: true })
const file = (name: string): string => join(docs, `${name}.png`)

const desk = await openDesk()
const browser = await launchBrowser()

/** A frame reports its height a moment after it has drawn itself; a picture in between would be cut. Waits until two are alike. */
const settle = async (page: Page): Promise<void> => {
  let before = await page.screenshot()
  let now = await page.screenshot()
  while (!now.equals(before)) [before, now] = [now, await page.screenshot()]
}

const shootCard = async (page: Page, index: number, name: string): Promise<void> => {
  await page.setViewportSize({ width: 1280, height: 1600 })
  await settle(page)
  await page
    .locator('.card-frame.shown')
    .nth(index)
    .screenshot({ path: file(name) })
}

try {
  const { page, suggest, call, card } = await openPlayground(browser, desk.door)

  await suggest('Create an order for ACME')
  await card(0).getByRole('button', { name: 'Create order' }).waitFor()
  await shootCard(page, 0, 'card')

  await page.setViewportSize({ width: 1280, height: 860 })
  await card(0).getByRole('button', { name: 'Create order' }).click()
  await card(1)
    .getByText(/^Order SO-\d+ created$/)
    .waitFor()
  await settle(page)
  await page.screenshot({ path: file('playground') })

  await call('Change a sales order', { ID: 'SO-1007', Note: 'Deliver to the back door', 'Discount percent': '12' })
  await card(2)
    .getByRole('button', { name: /^Change/ })
    .waitFor()
  const other = await otherClient(desk.door)
  const args = {
    id: 'SO-1007',
    note: 'Ring twice',
    discount_percent: 5,
    rationale: 'The customer called about the bell.',
  }
  const preview = await other.callTool({ name: 'orders_modify', arguments: args })
  const ticket = (preview._meta?.['countersign/card'] as { readonly plan: { readonly ticket: string } } | undefined)
    ?.plan.ticket
  await other.callTool({ name: 'orders_modify', arguments: { ...args, ticket, preview: false } })
  await other.close()
  await card(2)
    .getByRole('button', { name: /^Change/ })
    .click()
  await card(3).getByText('Ring twice').first().waitFor()
  await shootCard(page, 3, 'stale')
} finally {
  await browser.close()
  await desk.close()
}
