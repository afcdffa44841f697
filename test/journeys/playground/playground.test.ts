// The main job, as a new user does it: see what would change, sign it, see that it happened. In Chromium, through the
// playground that `npm start` serves.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { playgroundOfTests } from '../playground-page.ts'

const { open, close, desk, playground, orders, quiet } = playgroundOfTests()

describe('signing in the playground', () => {
  beforeEach(open)
  afterEach(close)

  test('an order is previewed, confirmed in the card, re-issued by the agent, and then exists', async () => {
    const { page, card, suggest, call, personLines } = playground()
    await suggest('Create an order for ACME')
    await card(0).getByRole('button', { name: 'Create order' }).click()
    await card(1)
      .getByText(/^Order SO-\d+ created$/)
      .waitFor()

    expect(await personLines.count()).toBe(1)
    expect(await personLines.textContent()).toContain('Apply: call orders_create(customer="ACME", lines=[')
    await page.getByText('Agent re-issues the call').waitFor()
    const title = await card(1)
      .getByText(/^Order SO-\d+ created$/)
      .textContent()
    const id = /SO-\d+/.exec(title ?? '')?.[0] ?? 'no id'
    await call('List sales orders')
    await orders().getByText(id).waitFor()
    // The card that was signed finds out by itself how it ended.
    await card(0)
      .getByText(/^Applied/)
      .waitFor()
    quiet()
  })

  test('two quick clicks on Confirm create one order, and the same message pasted by hand gives its recorded result', async () => {
    const { page, card, suggest, personLines, cards, call } = playground()
    await suggest('Create an order for ACME')
    await card(0).getByRole('button', { name: 'Create order' }).dblclick()
    await card(1)
      .getByText(/^Order SO-\d+ created$/)
      .waitFor()
    expect([await personLines.count(), await cards.count()]).toEqual([1, 2])
    await personLines.getByRole('button', { name: /^Show all/ }).click()
    const text = (await personLines.locator('p').textContent()) ?? ''
    await page.getByLabel('Message to the agent').fill(`  ${text}\n`)
    await page.getByLabel('Message to the agent').press('Enter')
    await card(2)
      .getByText(/SO-\d+/)
      .first()
      .waitFor()
    await call('List sales orders')
    await orders().getByText('SO-1009').waitFor()
    expect(await orders().getByText('SO-1010').count()).toBe(0)
    quiet()
  })

  test('a cancelled delete changes nothing, and the agent only acknowledges it', async () => {
    const { page, card, suggest, call, cards } = playground()
    await suggest('Delete order SO-1005')
    await card(0).getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Understood. I do not apply').waitFor()
    await expect.poll(() => card(0).getByRole('button', { name: 'Delete order' }).count()).toBe(0)
    expect(await cards.count()).toBe(1)
    await call('List sales orders')
    await orders().getByText('SO-1005').waitFor()
    quiet()
  })
})

describe('the playground as a host', () => {
  beforeEach(open)
  afterEach(close)

  test('shows every message that crosses the frame, and forgets them when asked', async () => {
    const { page, card, suggest } = playground()
    await suggest('Create an order for ACME')
    await card(0).getByRole('button', { name: 'Create order' }).click()
    await card(1)
      .getByText(/^Order SO-\d+ created$/)
      .waitFor()
    await page.getByRole('button', { name: /^Wire/ }).first().click()
    const wire = page.getByRole('complementary', { name: 'Wire' })
    for (const method of ['ui/initialize', 'ui/message', 'ui/notifications/tool-result', 'tools/call'])
      await wire.getByText(method, { exact: true }).first().waitFor()
    await wire.getByText('ui/message', { exact: true }).first().click()
    await wire.getByText('"role": "user"').waitFor()
    await page.getByRole('complementary', { name: 'Wire' }).getByRole('button', { name: 'Server' }).click()
    expect(await wire.getByText('ui/message', { exact: true }).count()).toBe(0)
    // What crosses the frame after it is shown again: the cards may not have said all by now.
    await eventually(async () => {
      await wire.getByRole('button', { name: 'Clear' }).click()
      expect(await wire.getByText('No messages yet.').isVisible()).toBe(true)
    })
    quiet()
  })

  test('answers what is not a card’s message with what it can do, and a damaged one with what is wrong', async () => {
    const { page, cards } = playground()
    const composer = page.getByLabel('Message to the agent')
    for (const [line, answer] of [
      ['please delete everything', 'I am a script, not a model'],
      ['Apply: call orders_delete(id="SO-1006")', 'I did not call anything'],
      ['Apply: call rm_rf(path="/", preview=False)', 'I have no tool called'],
    ] as const) {
      await composer.fill(line)
      await composer.press('Enter')
      await page.getByText(answer).waitFor()
    }
    expect(await cards.count()).toBe(0)
    quiet()
  })

  test('says what to do when the server is gone', async () => {
    const { page, call } = playground()
    await page.getByRole('button', { name: 'List sales orders' }).waitFor()
    await desk().door.close()
    await call('List sales orders')
    await page.getByText('The server does not answer.').first().waitFor()
    await page.getByText('npm start').first().waitFor()
  })
})

describe('the playground around one card', () => {
  beforeAll(async () => {
    await open()
    await playground().page.setViewportSize({ width: 380, height: 720 })
    await playground().suggest('Create an order for ACME')
    await playground().card(0).getByRole('button', { name: 'Create order' }).waitFor()
  })
  afterAll(close)

  test('works at 380 pixels without anything being cut', async () => {
    const { page } = playground()
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(await overflow()).toBe(0)
    for (const pane of ['Tools', 'Wire', 'Chat']) {
      await page.getByRole('navigation').getByRole('button', { name: pane }).click()
      expect([pane, await overflow()]).toEqual([pane, 0])
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    quiet()
  })

  test('hands its theme to the cards, and again when it changes', async () => {
    const { page, card } = playground()
    const scheme = () =>
      card(0)
        .locator('html')
        .evaluate((root) => getComputedStyle(root).colorScheme)
    expect(await scheme()).toContain('light')
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await expect.poll(scheme).toContain('dark')
    quiet()
  })

  test('lets a card call what is open to cards, and nothing that is the agent’s', async () => {
    const { view } = playground()
    const answer = await (
      await view(0)
    ).evaluate(
      (params) =>
        new Promise<string>((resolve) => {
          addEventListener('message', (event: MessageEvent<{ id?: unknown; error?: { message: string } }>) => {
            if (event.data.id === 'mine') resolve(event.data.error?.message ?? 'it ran')
          })
          parent.postMessage({ jsonrpc: '2.0', id: 'mine', method: 'tools/call', params }, '*')
        }),
      { name: 'orders_create', arguments: {} },
    )
    expect(answer).toContain('not open to views')
  })

  test('keeps a card away from the network, the page around it, and storage', async () => {
    const { view, page } = playground()
    const reached = await (
      await view(0)
    ).evaluate(async (url) => {
      const tries: Record<string, () => unknown> = {
        network: () => fetch(url),
        page: () => parent.parent.document.body,
        sandbox: () => parent.document.body,
        storage: () => localStorage.length,
      }
      const through: string[] = []
      for (const [name, attempt] of Object.entries(tries))
        await Promise.resolve()
          .then(attempt)
          .then(
            () => through.push(name),
            () => undefined,
          )
      return through
    }, desk().door.mcpUrl)
    expect(reached).toEqual([])
    expect(page.url()).toBe(desk().door.playgroundUrl)
  })
})
