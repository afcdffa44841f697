// Every browser test of the card opens it the same way, and ends with the same question: did the browser complain?
import type { Browser, Locator } from 'playwright-core'
import { afterEach, beforeAll, expect } from 'vitest'
import { packedWords } from '../../server/cards/card-words.ts'
import type { Card } from '../../server/model/card.ts'
import { type BareHost, type BareHostOptions, openBareHost } from './bare-host.ts'
import { sharedBrowser } from './browser.ts'
import { createOrder, resultOf } from './cards.ts'

export type Open = (options?: BareHostOptions & { readonly card?: Card }) => Promise<BareHost>

/** For the top of a test file: one browser for all its tests, and `open` for a host with a card in it. */
export const useCards = (): Open => {
  let browser: Browser
  const opened: BareHost[] = []

  beforeAll(async () => {
    browser = await sharedBrowser()
  })

  afterEach(async () => {
    const complaints = opened.flatMap((host) => host.complaints)
    await Promise.all(opened.splice(0).map((host) => host.close()))
    // No policy violation and no uncaught error, in any host whatsoever.
    expect(complaints).toEqual([])
  })

  return async ({ card = createOrder, ...rest } = {}) => {
    const context = { theme: 'light', locale: 'en-GB', timeZone: 'UTC' }
    const host = await openBareHost(browser, { result: resultOf(card), context, ...rest })
    opened.push(host)
    return host
  }
}

/** The card as its tool writes it for this reader; of a language that no card speaks, as it is. */
export const inLanguage = (card: Card, locale: string): Card =>
  packedWords(locale.slice(0, 2)) === undefined ? card : { ...card, language: locale.slice(0, 2) }

export const button = (host: BareHost, name: string): Locator => host.card.getByRole('button', { name, exact: true })

/** Waits until the pill says it. */
export const pill = (host: BareHost, text: string): Promise<void> =>
  host.card.locator('.pill').getByText(text, { exact: true }).waitFor()

/** Waits until the card says it, anywhere. */
export const says = (host: BareHost, text: string | RegExp): Promise<void> =>
  host.card.getByText(text).first().waitFor()

let asked = 0

/** Waits until the card has dealt with all that it was given before, and all that it sent on that has arrived. */
export const answered = async (host: BareHost): Promise<void> => {
  const id = `answered-${(asked += 1)}`
  await host.post({ jsonrpc: '2.0', id, method: 'ping' })
  const isAnswer = async (): Promise<boolean> =>
    (await host.wire()).some(({ from, message }) => from === 'card' && 'id' in message && message.id === id)
  await expect.poll(isAnswer).toBe(true)
  // What it draws and does on it comes with the next frame.
  await host.card
    .locator('html')
    .evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
}

/** Longer than a decision must be in sight before it can be made. Milliseconds. */
const MOMENT = 600

/**
 * Lets the moment pass that a decision must be in sight, as the browser and the card's own clock tell it. The host was
 * opened with `clock`, and the decision has been scrolled to.
 */
export const inSightForAMoment = async (host: BareHost): Promise<void> => {
  await host.card.locator('footer').evaluate(
    (foot) =>
      new Promise<void>((resolve) => {
        const observer = new IntersectionObserver((entries) => {
          if (!entries.at(-1)?.isIntersecting) return
          observer.disconnect()
          resolve()
        })
        observer.observe(foot)
      }),
  )
  await host.page.clock.runFor(MOMENT)
}

/** Scrolls a long table to the end of its rows, as often as more of them appear. */
export const scrollThrough = async (host: BareHost): Promise<void> => {
  const box = host.card.locator('.tall')
  const end = (): Promise<number> =>
    box.evaluate((element) => {
      element.scrollTo(0, element.scrollHeight)
      return element.scrollHeight
    })
  for (let height = -1, next = await end(); next !== height; next = await end()) {
    height = next
    await answered(host)
  }
}
