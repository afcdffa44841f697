// Every browser test of the card opens it the same way, and ends with the same question: did the browser complain?
import { readFile } from 'node:fs/promises'
import type { Browser, Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { cardView } from '../../server/cards/card-view.ts'
import type { Card } from '../../server/cards/card.ts'
import { type BareHost, type BareHostOptions, openBareHost, readCardHtml } from './bare-host.ts'
import { launchBrowser } from './browser.ts'
import { createOrder, resultOf } from './cards.ts'

export type Open = (options?: BareHostOptions & { readonly card?: Card }) => Promise<BareHost>

/** For the top of a test file: one browser for all its tests, and `open` for a host with a card in it. */
export const useCards = (): Open => {
  let browser: Browser
  const opened: BareHost[] = []

  beforeAll(async () => {
    browser = await launchBrowser()
  })

  afterAll(() => browser.close())

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

/** The view as a server hands it to a reader of this language. */
export const cardIn = async (language: string): Promise<string> => {
  const words: unknown = JSON.parse(await readFile(new URL('../../dist/ui/card/words.json', import.meta.url), 'utf8'))
  return cardView(await readCardHtml(), words as Readonly<Record<string, string>>, [language])
}

export const button = (host: BareHost, name: string): Locator => host.card.getByRole('button', { name, exact: true })

/** Waits until the pill says it. */
export const pill = (host: BareHost, text: string): Promise<void> =>
  host.card.locator('.pill').getByText(text, { exact: true }).waitFor()

/** Waits until the card says it, anywhere. */
export const says = (host: BareHost, text: string | RegExp): Promise<void> =>
  host.card.getByText(text).first().waitFor()
