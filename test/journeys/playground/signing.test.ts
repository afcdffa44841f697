// The further ways to a signature, in the playground that `npm start` serves: several changes at once, values that are changed on
// the card, somebody else who was faster, a page that was loaded anew.
import type { Browser } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openDesk, openPlayground, otherClient, type Desk, type Playground } from '../playground-page.ts'

let browser: Browser
let desk: Desk
let playground: Playground

beforeAll(async () => {
  browser = await sharedBrowser()
})

const open = async (): Promise<void> => {
  desk = await openDesk()
  playground = await openPlayground(browser, desk.door)
}
const close = async (): Promise<void> => {
  await playground.page.context().close()
  await desk.close()
}

const orders = () => playground.page.getByRole('region', { name: 'Orders' }).last()
const quiet = () => expect(playground.complaints).toEqual([])

beforeEach(open)
afterEach(close)

test('three changes are opened and signed as one, each is told of, and all of them can be taken back as one', async () => {
  const { card, suggest } = playground
  await suggest('Three changes, one signature')
  const confirm = card(0).getByRole('button', { name: 'Confirm 3 changes' })
  await card(0).getByText('Stock of DESK-01 goes from').waitFor()
  expect(await confirm.isEnabled()).toBe(false)
  for (const step of await card(0).locator('details.must > summary').all()) await step.click()
  await confirm.click()
  await card(1).getByText('3 changes made').first().waitFor()
  await card(1).getByText('Order SO-1007 changed').first().waitFor()
  await card(1).getByRole('button', { name: 'Undo all…' }).click()
  await card(2).getByText('3 changes: “Undo: What came up').first().waitFor()
  // The order goes last that came first, and its name is typed as on its own card.
  await card(2)
    .getByText(/^3\. Delete order SO-\d+/)
    .waitFor()
  await card(2)
    .getByText(/^To confirm, type SO-\d+$/)
    .waitFor()
  quiet()
})

test('an order that is almost right is changed on its card, previewed anew, and confirmed as it is then', async () => {
  const { card, suggest, call, personLines } = playground
  await suggest('Create an order for ACME')
  await card(0).getByRole('button', { name: 'Edit values', exact: true }).click()
  const [quantity] = await card(0).getByLabel('Quantity').all()
  await quantity?.fill('0')
  await card(0).getByText('Allowed: a number of at least 1').waitFor()
  await quantity?.fill('3')
  await card(0).getByLabel('Delivery date').fill('2020-01-31')
  await card(0)
    .getByText(/^Allowed: \d{4}-\d\d-\d\d or later$/)
    .waitFor()
  await card(0).getByLabel('Delivery date').fill('')
  await card(0).getByRole('button', { name: 'Preview changes' }).click()
  await card(1).getByText('Changed on the card').waitFor()
  expect(await personLines.first().textContent()).toContain('Preview: call orders_create(customer="ACME", lines=[')
  await card(0).getByText('Replaced', { exact: true }).waitFor()
  await card(1).getByRole('button', { name: 'Create order' }).click()
  await card(2)
    .getByText(/^Order SO-\d+ created$/)
    .waitFor()
  await call('List sales orders')
  await orders().getByText('ACME').first().waitFor()
  quiet()
})

test('an order that somebody else changed meanwhile is not changed, but shown anew', async () => {
  const { card, call } = playground
  await call('Change a sales order', { ID: 'SO-1007', Note: 'Deliver to the back door' })
  await card(0)
    .getByRole('button', { name: /^Change/ })
    .waitFor()

  const other = await otherClient(desk.door)
  const args = { id: 'SO-1007', note: 'Ring twice', rationale: 'The customer called about the bell.' }
  const preview = await other.callTool({ name: 'orders_modify', arguments: args })
  const shown = preview._meta?.['countersign/card'] as { plan: { ticket: string } } | undefined
  const ticket = shown?.plan.ticket
  const applied = await other.callTool({ name: 'orders_modify', arguments: { ...args, ticket, preview: false } })
  expect(applied.structuredContent).toMatchObject({ status: 'applied' })
  await other.close()

  await card(0)
    .getByRole('button', { name: /^Change/ })
    .click()
  await card(1).getByText('Ring twice').first().waitFor()
  await card(1)
    .getByRole('button', { name: /^Change/ })
    .click()
  await card(2)
    .getByText(/^Applied/)
    .waitFor()
  quiet()
})

test('after a reload the old cards are back, none that was used can be confirmed again, and a critical delete needs the click that only this page can record', async () => {
  const { page, card, suggest, call } = playground
  await suggest('Create an order for ACME')
  await card(0).getByRole('button', { name: 'Create order' }).click()
  await card(1)
    .getByText(/^Order SO-\d+ created$/)
    .waitFor()
  await call('Delete a sales order', { ID: 'SO-1006' })
  await card(2).getByRole('button', { name: 'Delete order' }).waitFor()

  await page.reload()
  await card(0)
    .getByText(/^Applied/)
    .waitFor()
  expect(await card(0).getByRole('button', { name: 'Create order' }).count()).toBe(0)
  await card(2).getByRole('textbox').fill('SO-1006')
  await card(2).getByRole('button', { name: 'Delete order' }).click()
  await card(3).getByText('Order SO-1006 deleted', { exact: true }).waitFor()
  await call('List sales orders')
  await orders().getByText('SO-1008').waitFor()
  expect(await orders().getByText('SO-1006').count()).toBe(0)
  quiet()
})
