// The first five minutes of a new user: each step is one click, says what to do next and what was seen, and all of it can be
// started over.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violations } from '../../kit/axe.ts'
import { overHttp } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { openPlayground, type Playground } from '../playground-page.ts'
import { letIn } from '../processes.ts'
import { runCommand } from '../terminal.ts'

const db = freshDatabase()
let browser: Browser
let desk: Awaited<ReturnType<typeof demoHere>>
let playground: Playground

beforeAll(async () => {
  browser = await sharedBrowser()
  desk = await demoHere(db)
  playground = await openPlayground(browser, { playgroundUrl: letIn('/playground', desk.mcp).href })
})
afterAll(async () => {
  await playground.page.context().close()
  await desk.end()
})

const progress = () => playground.page.getByRole('button', { name: / of \d+ steps$/ })
const guide = () => playground.page.locator('.guide')

/** What is wrong with the page as it stands, by axe and where something is cut, in both themes, narrow and wide. */
const wrongs = async (): Promise<readonly unknown[]> => {
  const { page } = playground
  const found: unknown[] = []
  // Colours that glide from one theme to the other are those of none.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [theme, width] of [
    ['dark', 1440],
    ['light', 1440],
    ['light', 360],
  ] as const) {
    // Not by its button: a press outside closes the panel that is looked at.
    await page.evaluate((name) => void (document.documentElement.dataset['theme'] = name), theme)
    await page.setViewportSize({ width, height: 900 })
    const cut = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    found.push(...(await violations(page, { rules: theme === 'dark' ? 'colours' : 'all' })))
    if (cut !== 0) found.push(`${width}: ${cut} too wide`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  return found
}

/** How far the foot of the last card is below what can be seen of the conversation. */
const footBelow = () =>
  playground.page.evaluate(() => {
    const cards = document.querySelectorAll('.card-frame.shown')
    const foot = cards[cards.length - 1]?.getBoundingClientRect().bottom ?? Infinity
    return Math.max(0, foot - (document.querySelector('.scroller')?.getBoundingClientRect().bottom ?? 0))
  })

test('a press on a first step is the call, its card stands with Confirm in sight on a small screen, and the step is ticked when it is over', async () => {
  const { page, card, suggest, complaints } = playground
  expect(await wrongs()).toEqual([])
  await page.setViewportSize({ width: 360, height: 560 })
  await suggest('Create an order for ACME')
  await card(0).getByRole('button', { name: 'Create order' }).waitFor()
  await guide().getByText('Until then nothing has happened.').waitFor()
  await expect.poll(footBelow).toBe(0)
  expect(await progress().innerText()).toMatch(/^0 of /)
  await card(0).getByRole('button', { name: 'Create order' }).click()
  await guide().getByText('The order exists.').waitFor()
  await expect.poll(() => progress().innerText()).toMatch(/^1 of /)
  await expect.poll(footBelow).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  expect(complaints).toEqual([])
})

test('whoever has scrolled up to read is left there while the conversation grows', async () => {
  const { page } = playground
  await page.setViewportSize({ width: 360, height: 560 })
  await page.locator('.scroller').hover()
  await page.mouse.wheel(0, -2000)
  const above = (): Promise<number> =>
    page.evaluate(() => {
      const tops = ['.conversation', '.scroller'].map((one) => document.querySelector(one)?.getBoundingClientRect().top)
      // Layout knows parts of a pixel; scrolling need not.
      return Math.trunc((tops[0] ?? NaN) - (tops[1] ?? NaN)) + 0
    })
  await expect.poll(above).toBe(0)
  await page
    .locator('.call-line')
    .last()
    .evaluate((line: HTMLDetailsElement) => (line.open = true))
  await page.waitForTimeout(100)
  expect(await above()).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
})

test('somebody else changes the order between preview and Confirm, and the card says what has moved', async () => {
  const { page, card, next } = playground
  await next('Somebody else is faster')
  await card(2)
    .getByRole('button', { name: /^Change 1/ })
    .waitFor()
  await page.getByRole('button', { name: 'Let somebody else change the order' }).click()
  await page.getByText('Meanwhile somebody else has changed order SO-1006').waitFor()
  await guide().getByText('no longer what it was').waitFor()
  await card(2)
    .getByRole('button', { name: /^Change 1/ })
    .click()
  await card(3).getByText('Ring twice').first().waitFor()
  await guide().getByText('Nothing was changed.').waitFor()
  // The older card has become shorter; the decision of the new one stands in sight all the same.
  const decision = card(3).getByRole('button', { name: /^Change 1/ })
  const isInSight = async (): Promise<boolean> => {
    const [button, room] = [await decision.boundingBox(), await page.locator('.scroller').boundingBox()]
    return button !== null && room !== null && button.y + button.height <= room.y + room.height && button.y >= room.y
  }
  await expect.poll(isInSight).toBe(true)
})

test('an agent that does not wait gets nothing but an approval, which leads to the operators’ page', async () => {
  const { page, next } = playground
  await next('The agent does not wait for you')
  await page.getByText('Agent repeats the call').waitFor()
  await guide().getByText('waits until an operator decides').waitFor()
  const opened = page.context().waitForEvent('page')
  await guide().getByRole('button', { name: 'Decide as an operator' }).click()
  const tab = await opened
  // Signed in by a link that works once, of which nothing is left in the address.
  await tab.getByRole('article', { name: 'What the agent asks for' }).waitFor()
  expect(new URL(tab.url())).toMatchObject({
    pathname: expect.stringMatching(/^\/admin\/approvals\/ap_\w+$/),
    hash: '',
  })
  await tab.close()
  await page.getByRole('button', { name: 'Have the agent ask again' }).click()
  await expect.poll(() => page.getByText('Agent repeats the call').count()).toBe(2)
  expect(await wrongs()).toEqual([])
})

test('all steps are in a list with ticks, which closes on Escape and on a press outside, and “Change first” opens the form', async () => {
  const { page } = playground
  const list = page.getByRole('list', { name: 'First steps' })
  await progress().click()
  expect(await list.getByRole('img', { name: 'Done:' }).count()).toBe(3)
  expect(await wrongs()).toEqual([])
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  expect(await progress().evaluate((button) => button === document.activeElement)).toBe(true)
  await progress().click()
  await page.locator('.conversation').click({ position: { x: 5, y: 5 } })
  await list.waitFor({ state: 'detached' })
  await progress().click()
  await list.getByRole('button', { name: 'Change first: Delete order SO-1005' }).click()
  await page.getByRole('heading', { name: 'Delete a sales order' }).waitFor()
  expect(await page.getByLabel('ID').inputValue()).toBe('SO-1005')
})

test('the imitated host stands in the header, is explained when it is chosen, and its panel closes on Escape', async () => {
  const { page } = playground
  const panel = page.getByRole('region', { name: 'Settings' })
  await page.getByRole('button', { name: 'Host: Standard' }).click()
  await panel.getByLabel('Host').selectOption({ label: 'Fills the message box' })
  await panel.getByText('The card says to press Enter').waitFor()
  await page.getByRole('button', { name: 'Host: Fills the message box' }).waitFor()
  await page.getByText(/^Connected to/).waitFor()
  for (const [name, path] of [
    ['Gallery', '/playground/gallery'],
    ['Operators', '/admin'],
    ['Docs', '/docs/'],
  ] as const)
    expect(await panel.getByRole('link', { name }).getAttribute('href')).toBe(path)
  expect(await wrongs()).toEqual([])
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Settings' }).click()
  await panel.getByLabel('Host').selectOption('turn')
  await page.locator('.conversation').click({ position: { x: 5, y: 5 } })
  await panel.waitFor({ state: 'detached' })
})

test('starting over asks first, then the desk is as it came, the chat is empty, and the activity log is kept', async () => {
  const { page, suggest, card } = playground
  await page.getByText(/^Connected to/).waitFor()
  await page.getByRole('button', { name: 'Start over' }).click()
  const question = page.getByRole('region', { name: 'Start over' })
  expect(await wrongs()).toEqual([])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Start over' }).click()
  await question.getByRole('button', { name: 'Start over' }).click()
  await page.getByText('The activity log keeps what was done').waitFor()
  await page.getByRole('heading', { name: 'Nothing happens until you sign.' }).waitFor()
  expect(await page.getByRole('img', { name: 'Done:' }).count()).toBe(0)
  const { stdout } = await runCommand(['activity', 'list', '--db', db, '--output', 'json', '--limit', '1'])
  expect(JSON.parse(stdout)).toMatchObject([
    { tool: 'demo.started_over', subject: 'Visitor of the demo', status: 'ok' },
  ])
  const agent = await overHttp(desk.mcp)
  const { data } = await agent.call('orders_list')
  expect(
    (data['orders'] as readonly { readonly id: string }[])
      .map(({ id }) => id)
      .sort()
      .at(-1),
  ).toBe('SO-1008')
  // The number of an order that is gone is not given again.
  await suggest('Create an order for ACME')
  await card(0).getByRole('button', { name: 'Create order' }).click()
  await card(1).getByText('Order SO-1010 created', { exact: true }).waitFor()
})

test('only the page itself starts the demo over', async () => {
  for (const headers of [{}, { 'x-countersign-page': 'guessed' }]) {
    const answer = await fetch(new URL('/playground/start-over', desk.mcp), { method: 'POST', headers })
    expect(answer.status).toBe(403)
  }
})
