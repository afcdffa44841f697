// The gallery and what a development host needs beyond one conversation, in the browser, on the pages that `npm start`
// serves.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { examples } from '../../../ui/playground/gallery/examples.ts'
import { casesOf, isFull } from '../../full.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openDesk, openPlayground, type Desk, type Playground } from '../playground-page.ts'

/** One of each group: what else is drawn of a card is asked of the card itself, in `test/hosts`. */
const drawn = casesOf(
  examples.map(({ id }) => id),
  String,
  ['critical', 'applied', 'cancelled', 'error', 'table', 'hostile'],
)
/** One that the card speaks, written from right to left, and one that it does not. */
const spoken = casesOf(
  [
    ['de-DE', 'Abbrechen', 'ltr'],
    ['es-ES', 'Cancelar', 'ltr'],
    ['ja-JP', 'キャンセル', 'ltr'],
    ['ar-EG', 'إلغاء', 'rtl'],
    ['tlh', 'Cancel', 'ltr'],
  ] as const,
  ([language]) => language,
  ['ar-EG', 'tlh'],
)

let browser: Browser
let desk: Desk
beforeAll(async () => {
  browser = await sharedBrowser()
  desk = await openDesk()
})
afterAll(() => desk.close())

describe('the gallery', () => {
  let page: Page
  let complaints: string[]

  const open = async (hash = ''): Promise<void> => {
    const context = await browser.newContext({ viewport: { width: 1600, height: 1000 } })
    page = await context.newPage()
    complaints = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
    await page.goto(`${desk.door.playgroundUrl}/gallery${hash}`)
    await page.locator('.example').first().waitFor()
  }
  const card = (id: string) =>
    page.locator(`.example[id="${id}"] iframe`).first().contentFrame().locator('iframe').contentFrame()
  afterEach(async () => {
    await page.context().close()
    expect(complaints).toEqual([])
  })

  test('draws every example in the real frame, none of them blank', async () => {
    // All at once where all are asked for; otherwise one after another in one page, as its addresses lead from one to the next.
    await open(isFull() ? '' : `#only=${drawn[0]}`)
    for (const id of drawn) {
      if (!isFull()) await page.evaluate((only) => void (location.hash = `only=${only}`), id)
      await card(id).locator('h1').first().waitFor()
      const said = { applied: /Applied/, cancelled: /Cancelled/ }[id]
      if (said !== undefined) await card(id).getByText(said).first().waitFor()
    }
  })

  test('a setting is in the address, and changes what the cards are told', async () => {
    await open('#only=medium')
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByLabel('Host').selectOption('no-meta')
    await expect.poll(() => page.url()).toContain('theme=dark')
    await card('medium').getByText('Create a sales order for ACME').first().waitFor()
    expect(await card('medium').getByRole('button', { name: 'Create order' }).count()).toBe(0)
    expect(await page.locator('.example').count()).toBe(1)
  })

  test('every language is there, each written in its own direction', async () => {
    await open('#only=medium')
    for (const [language, cancel, direction] of spoken) {
      await page.getByLabel('Language').selectOption(language)
      await card('medium').getByRole('button', { name: cancel, exact: true }).waitFor()
      expect(await card('medium').locator('html').getAttribute('dir')).toBe(direction)
    }
  })

  test('a list that is longer than its card is read on and its rows are opened, in the real frame', async () => {
    await open('#only=pages')
    const inside = card('pages')
    await inside.getByText('and 4,801 more').waitFor()
    await inside.getByRole('button', { name: 'Show more' }).click()
    await inside.getByText('and 4,701 more').waitFor()
    const row = inside.getByRole('button', { name: 'Aylin Krüger' }).first()
    await row.click()
    await inside.getByText('Hello Aylin Krüger,').waitFor()
    expect(await row.getAttribute('aria-expanded')).toBe('true')
    expect(await inside.getByRole('textbox').isEnabled()).toBe(true)
  })

  test('a success that goes on is followed until it is through', async () => {
    await open('#only=follow')
    await card('follow').getByRole('button', { name: 'Stop…' }).waitFor()
    await card('follow').getByRole('heading', { name: 'Sent "Autumn news"' }).waitFor()
    await card('follow').getByText('4,809 / 4,809').waitFor()
    expect(await card('follow').getByRole('button').count()).toBe(0)
  })

  test('a click does here what it does in a host that refuses', async () => {
    await open('#only=medium&profile=refuse')
    await card('medium').getByRole('button', { name: 'Create order' }).click()
    await card('medium').getByText('Not sent', { exact: true }).waitFor()
  })
})

describe('the playground as a development host', () => {
  let playground: Playground
  beforeEach(async () => {
    playground = await openPlayground(browser, desk.door)
  })
  afterEach(() => playground.page.context().close())

  const settings = async (change: (panel: ReturnType<Page['getByRole']>) => Promise<unknown>): Promise<void> => {
    const { page } = playground
    await page.getByRole('button', { name: 'Settings' }).click()
    await change(page.getByRole('region', { name: 'Settings' }))
    const open = page.getByRole('button', { name: 'Settings', expanded: true })
    if ((await open.count()) > 0) await open.click()
    await page.getByText(/^Connected to/).waitFor()
  }

  test('a host that only fills the message box leaves the last step to the person', async () => {
    const { page, card, suggest, personLines } = playground
    await settings((panel) => panel.getByLabel('Host').selectOption('prefill'))
    await suggest('Create an order for ACME')
    await card(0).getByRole('button', { name: 'Create order' }).click()
    const composer = page.getByLabel('Message to the agent')
    await expect.poll(() => composer.inputValue()).toContain('Apply: call orders_create(')
    expect(await personLines.count()).toBe(0)
    await composer.press('Enter')
    await card(1)
      .getByText(/^Order SO-\d+ created$/)
      .waitFor()
  })

  test('a host without MCP Apps shows the text and no card', async () => {
    const { page, suggest, cards } = playground
    await settings((panel) => panel.getByLabel('Host').selectOption('no-apps'))
    await suggest('Create an order for ACME')
    await page.getByText('Nothing has happened yet.').first().waitFor()
    expect(await cards.count()).toBe(0)
  })

  test('language and time zone reach the card, and the phone frame makes it narrow', async () => {
    const { page, card, suggest } = playground
    await settings(async (panel) => {
      await panel.getByLabel('Language').fill('de-DE')
      await panel.getByLabel('Time zone').selectOption('Asia/Tokyo')
      await panel.getByLabel('Phone frame').check()
    })
    await suggest('Create an order for ACME')
    await card(0)
      .getByText(/840,00\s€/)
      .first()
      .waitFor()
    expect((await page.locator('.card-frame.shown').boundingBox())?.width).toBe(340)
  })

  test('sessions keep to themselves, and come back after a reload', async () => {
    const { page, suggest, card } = playground
    await suggest('Create an order for ACME')
    await card(0).getByRole('button', { name: 'Create order' }).waitFor()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'New session' }).click()
    await page.getByRole('heading', { name: 'Nothing happens until you sign.' }).waitFor()
    await page.getByLabel('Session', { exact: true }).selectOption('1')
    await card(0).getByRole('button', { name: 'Create order' }).waitFor()
    await page.reload()
    await card(0).getByRole('button', { name: 'Create order' }).waitFor()
    expect(await page.getByLabel('Session', { exact: true }).locator('option').count()).toBe(2)
  })

  test('a link opens a form and calls nothing', async () => {
    const { page, cards } = playground
    const args = JSON.stringify({ id: 'SO-1006' })
    await page.goto(`${desk.door.playgroundUrl}#tool=orders_delete&args=${encodeURIComponent(args)}`)
    await page.getByRole('heading', { name: 'Delete a sales order' }).waitFor()
    expect(await page.getByLabel('ID').inputValue()).toBe('SO-1006')
    expect(await cards.count()).toBe(0)
    expect(await page.locator('.call').count()).toBe(0)
  })

  test("somebody else's server is reached by its address, and a wrong address says so", async () => {
    const other = await openDesk()
    const { page, call } = playground
    await settings(async (panel) => {
      await panel.getByRole('textbox', { name: 'Server' }).fill(other.door.mcpUrl)
      await panel.getByRole('button', { name: 'Connect' }).click()
    })
    await call('List sales orders')
    await page.getByRole('region', { name: 'Orders' }).last().getByText('SO-1008').waitFor()
    await other.close()
    await page.reload()
    await page.getByText(/Nobody answers at http/).waitFor()
  })
})

test('the way to other addresses is open to the page only', async () => {
  const headers = { 'x-countersign-target': desk.door.mcpUrl, 'content-type': 'application/json' }
  const plain = await fetch(`${desk.door.playgroundUrl}/relay`, { method: 'POST', headers, body: '{}' })
  expect(plain.status).toBe(403)
  const guessed = await fetch(`${desk.door.playgroundUrl}/relay`, {
    method: 'POST',
    headers: { ...headers, 'x-countersign-page': 'guess' },
    body: '{}',
  })
  expect(guessed.status).toBe(403)
})
