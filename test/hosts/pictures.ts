// The pictures of the README and of the guides, made from the running product so that they cannot show what it does not do:
// `node test/hosts/pictures.ts` writes those of both desks into docs, as card.png, stale.png, playground.png and mail-….png.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { freshDatabase } from '../journeys/at-end.ts'
import { demoHere } from '../journeys/in-process.ts'
import { openDesk, openPlayground, otherClient, type Desk } from '../journeys/playground-page.ts'
import { letIn } from '../journeys/processes.ts'
import { launchBrowser } from './browser.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
mkdirSync(docs, { recursive: true })
const file = (name: string): string => join(docs, `${name}.png`)

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

/** Both ends of a card that is too long to be looked at in one piece. */
const shootEnds = async (page: Page, index: number, name: string): Promise<void> => {
  await page.setViewportSize({ width: 1280, height: 4000 })
  await settle(page)
  const box = await page.locator('.card-frame.shown').nth(index).boundingBox()
  if (box === null) throw new Error(`The card for ${name} is not in sight.`)
  const [top, foot] = [1165, 440]
  await page.screenshot({ path: file(name), clip: { ...box, height: top } })
  await page.screenshot({ path: file(`${name}-foot`), clip: { ...box, y: box.y + box.height - foot, height: foot } })
}

async function orders(desk: Desk): Promise<void> {
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
}

async function mail(playgroundUrl: string): Promise<void> {
  const { page, suggest, next, card } = await openPlayground(browser, { playgroundUrl })

  await suggest('Send the proposal to Northwind')
  await card(0).getByText('Proposal Northwind.pdf', { exact: true }).waitFor()
  await shootCard(page, 0, 'mail-card')
  await card(0).getByRole('button', { name: 'Send mail' }).click()
  await card(1).getByText('Mail sent', { exact: true }).waitFor()

  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Mailbox' }).click()
  const mailbox = await opened
  await mailbox.setViewportSize({ width: 640, height: 640 })
  await mailbox.getByRole('link', { name: /^Our proposal/ }).click()
  await mailbox.getByText('Attachments').waitFor()
  await mailbox.screenshot({ path: file('mail-delivered') })
  await mailbox.close()

  await next('Send the newsletter')
  await card(2).getByText('12 email addresses are marked as undeliverable and will be skipped.').waitFor()
  await shootEnds(page, 2, 'mail-campaign')
  await card(2).getByRole('textbox').fill('4809')
  await card(2).getByRole('button', { name: 'Send 4,809 emails' }).click()
  await card(3).getByRole('progressbar').waitFor()
  await page.setViewportSize({ width: 1280, height: 1600 })
  await page
    .locator('.card-frame.shown')
    .nth(3)
    .screenshot({ path: file('mail-progress') })
}

const desk = await openDesk()
const agency = await demoHere(freshDatabase(), '--desk', 'mail')
try {
  await orders(desk)
  await mail(letIn('/playground', agency.mcp).href)
} finally {
  await browser.close()
  await desk.close()
  await agency.end()
}
