// The built card in Chromium: calling it off, what else can be done with it, and how it looks.
import { describe, expect, test } from 'vitest'
import { casesOf } from '../full.ts'
import { type BareHost, readCardHtml } from './bare-host.ts'
import * as cards from './cards.ts'
import { button, pill, says, useCards } from './open-card.ts'
import { scriptedPlan } from './scripted-plan.ts'

const { APPLY, CANCEL, changeOrder, createOrder, orderChanged, orderFailed } = cards

const open = useCards()

describe('cancelling', () => {
  test('revokes the plan and tells the chat', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool })
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelled')
    await says(host, 'This preview can no longer be applied.')
    await expect.poll(() => host.messages).toEqual([CANCEL])
    expect(plan.state).toBe('cancelled')
  })

  test('is possible after sending, until the apply starts', async () => {
    const plan = scriptedPlan()
    const host = await open({ callTool: plan.callTool, message: 'prefill' })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelled')
    // The card is drawn first; the server is told right after.
    await expect.poll(() => plan.state).toBe('cancelled')
  })

  test('too late, it says what happened instead and sends nothing', async () => {
    const plan = scriptedPlan()
    const host = await open({
      callTool: (name, args) => {
        // Before it, the card could see by itself that the plan was applied, and take the button away.
        if (name === 'countersign_plan_cancel') plan.state = 'applied'
        return plan.callTool(name, args)
      },
    })
    await button(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    await button(host, 'Cancel').click()
    await pill(host, 'Applied 12:03')
    expect(host.messages).toEqual([APPLY])
  })

  test('without server tools and with a chat that refuses, the text can be taken along', async () => {
    const host = await open({ message: 'refuse' })
    await button(host, 'Cancel').click()
    await pill(host, 'Cancelled')
    expect(await host.card.getByLabel('Message for the chat').inputValue()).toBe(CANCEL)
  })
})

describe('other things to do', () => {
  test('a link is opened by the host; where it refuses, the address can be copied', async () => {
    const host = await open({ card: orderChanged })
    await host.card.getByRole('link', { name: 'Open SO-1042' }).click()
    await expect.poll(() => host.links).toEqual(['https://orders.example/SO-1042'])
    await host.remount({ links: false })
    await host.card.getByRole('link', { name: 'Open SO-1042' }).click()
    await says(host, 'The host did not open the link.')
    expect(await host.card.getByLabel('Address').inputValue()).toBe('https://orders.example/SO-1042')
  })

  test('the details of an error are copied, or shown selected where copying is blocked', async () => {
    const host = await open({ card: orderFailed })
    // The word is gone after a while, which may be over where the machine is busy.
    const copied = host.card.locator('.when').getByText('Copied').waitFor()
    await Promise.all([copied, button(host, 'Copy details').click()])
    await host.remount()
    await host.card.locator('body').evaluate(() => {
      document.execCommand = () => false
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
    })
    await button(host, 'Copy details').click()
    const area = host.card.getByLabel('Copying is blocked here.')
    await area.waitFor()
    expect(await area.inputValue()).toContain('Field: lines[0].sku\nTry: Search')
    expect(await area.inputValue()).toContain('code: unknown_sku')
    expect(await area.evaluate((element: HTMLTextAreaElement) => element.selectionEnd)).toBeGreaterThan(50)
  })
})

describe('looks', () => {
  const background = (host: BareHost): Promise<string> =>
    host.card.locator('.card').evaluate((element) => getComputedStyle(element).backgroundColor)

  test('takes the theme from the host, changes with it, and falls back to what the browser prefers', async () => {
    const host = await open({ context: { theme: 'dark' } })
    await button(host, 'Create order').waitFor()
    expect(await background(host)).toBe('rgb(29, 30, 32)')
    await host.changeContext({ theme: 'light' })
    await expect.poll(() => background(host)).toBe('rgb(255, 255, 255)')
    const silent = await open({ context: {}, browserContext: { colorScheme: 'dark' } })
    await button(silent, 'Create order').waitFor()
    expect(await background(silent)).toBe('rgb(29, 30, 32)')
  })

  test("takes the host's colours where they can be read, and its own where they cannot", async () => {
    const variables = {
      '--color-background-primary': 'light-dark(#fffaf0, #101010)',
      '--color-text-primary': '#222',
      '--color-text-secondary': '#fdf6e3',
    }
    const host = await open({ context: { theme: 'light', styles: { variables } } })
    await button(host, 'Create order').waitFor()
    expect(await background(host)).toBe('rgb(255, 250, 240)')
    const sub = await host.card.locator('.sub').evaluate((element) => getComputedStyle(element).color)
    expect(sub).toBe('rgb(85, 89, 95)')
  })

  test("does not take a host's text that is hardly there on its ground, and takes one that only looks so", async () => {
    const variables = {
      '--color-text-primary': 'rgb(0 0 0 / 0.12)',
      '--color-text-secondary': 'rgb(0 0 0 / 0.7)',
    }
    const host = await open({ context: { theme: 'light', styles: { variables } } })
    await button(host, 'Create order').waitFor()
    const color = (selector: string): Promise<string> =>
      host.card.locator(selector).evaluate((element) => getComputedStyle(element).color)
    expect(await color('h1')).toBe('rgb(27, 28, 30)')
    expect(await color('.sub')).toBe('rgba(0, 0, 0, 0.7)')
  })

  test("does not round its corners so far that a host's radius cuts its text", async () => {
    const styles = { variables: { '--border-radius-lg': '400px' } }
    const host = await open({ context: { theme: 'light', styles } })
    await button(host, 'Create order').waitFor()
    const radius = await host.card.locator('.card').evaluate((card) => parseFloat(getComputedStyle(card).borderRadius))
    expect(radius).toBeLessThanOrEqual(16)
  })

  test('has no foot where nothing stands in it', async () => {
    const { plan: _, claim: __, ...card } = createOrder
    const host = await open({ card: { ...card, kind: 'info', state: 'info', actions: [] } })
    await pill(host, 'Info')
    expect(await host.card.locator('footer').isVisible()).toBe(false)
  })

  test('keeps the words of a label whole beside a long figure, on a phone', async () => {
    const block = { kind: 'progress', label: 'Delivery address', done: 1234567890123, total: 9007199254740991 } as const
    const host = await open({ card: { ...createOrder, blocks: [block] }, width: 320 })
    const label = host.card.locator('.progress > :first-child')
    await label.waitFor()
    const lines = await label.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    })
    expect(lines).toBe(1)
  })

  const drawn = Object.entries(cards).flatMap(([name, card]) =>
    typeof card === 'object' ? [[name, card] as const] : [],
  )
  /** A preview, a mistake, code, what is typed, a table and steps; each card in full runs. */
  const some = ['createOrder', 'orderFailed', 'editFile', 'deleteOrder', 'table120', 'plannedSteps']
  test.each(casesOf(drawn, ([name]) => name, some))(
    '%s fits into 320 pixels, and the frame is as high as the card',
    async (_, card) => {
      const host = await open({ card, width: 320 })
      await host.card.locator('footer').waitFor()
      const page = host.card.locator('html')
      expect(await page.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0)
      await expect
        .poll(() => page.evaluate((element) => Math.abs(element.scrollHeight - window.innerHeight)))
        .toBeLessThanOrEqual(1)
    },
  )

  test('the first rows of a long list are painted before the others are drawn', async () => {
    const painted = `new MutationObserver((_, observer) => {
      if (document.querySelector('tbody') === null) return
      observer.disconnect()
      requestAnimationFrame(() => (document.body.dataset.painted = document.querySelectorAll('tbody tr').length))
    }).observe(document, { childList: true, subtree: true })`
    const html = (await readCardHtml()).replace('<head>', () => `<head><script>${painted}</script>`)
    const host = await open({ card: cards.manyLines(50), html })
    expect(await host.card.locator('body[data-painted]').getAttribute('data-painted')).toBe('16')
    await host.card.locator('tbody tr').nth(49).waitFor()
  })

  test('fingers get targets of 44 pixels', async () => {
    const host = await open({ card: changeOrder, browserContext: { hasTouch: true, isMobile: true } })
    await button(host, 'Change 3 fields').waitFor()
    const heights = await host.card
      .locator('button, summary')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().height))
    for (const height of heights) expect(height).toBeGreaterThanOrEqual(44)
  })

  test('hostile text stays text', async () => {
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202E'
    const host = await open({
      card: {
        ...createOrder,
        title: `Pay ${evil}`,
        claim: evil,
        blocks: [{ kind: 'fields', fields: [{ label: evil, value: { kind: 'text', text: evil } }] }],
      },
    })
    await button(host, 'Create order').waitFor()
    expect(await host.card.locator('img, script:not([type])').count()).toBe(0)
    expect(await host.card.locator('.mark').allInnerTexts()).toEqual(['U+202E', 'U+202E', 'U+202E', 'U+202E'])
  })

  test('an invisible character at the beginning of a line of code is told whole', async () => {
    const code = { kind: 'code', language: 'diff', text: '-\u202Eexe.txt' } as const
    const host = await open({ card: { ...createOrder, blocks: [code] } })
    const mark = host.card.locator('.mark')
    await mark.waitFor()
    const [box, letters] = await mark.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return [element.getBoundingClientRect().left, range.getBoundingClientRect().left]
    })
    expect(letters).toBeGreaterThanOrEqual(box ?? Infinity)
  })
})
