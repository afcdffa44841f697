// Nobody signs what is cut off. In Chromium, at the widths that chats give to a frame, each text of each kind of block
// lies inside the frame; what needs more room than there is wraps or stacks. Rows below a table's edge and pages that
// were not turned to count as unread.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../server/model/card.ts'
import { anyCard } from '../ui/arbitrary-card.ts'
import { casesOf, runsOf } from '../full.ts'
import { answered, button, inLanguage, useCards } from './open-card.ts'
import { manyLines, resultOf } from './cards.ts'
import { cutOff, widen } from './in-sight.ts'
import { staleAddress, wideCards } from './wide-cards.ts'

const nameOf = ([name]: (typeof wideCards)[number]): string => name
/** The longest words for every kind of block, and the two that have columns also in the other directions of reading. */
const widest = wideCards.map(nameOf).filter((name) => name.endsWith(', de') || /^(?:lines|table),/.test(name))
/** Of cards of any content, in each language; in every run from right to left, with Latin texts in between. */
const numRuns = runsOf(12)

const widths = [320, 480, 640]
const open = useCards()

const readAtAll = async (card: Card, locale: string): Promise<void> => {
  const host = await open({
    card: inLanguage(card, locale),
    width: 320,
    context: { theme: 'light', locale, timeZone: 'UTC' },
  })
  await host.card.locator('h1').waitFor()
  for (const width of widths) {
    await widen(host, width)
    expect(await cutOff(host), `at ${width} pixels`).toEqual([])
  }
}

describe('at 320, 480 and 640 pixels nothing that is signed is cut off', () => {
  test.each(casesOf(wideCards, nameOf, widest))('the card: %s', async (name, card) => {
    await readAtAll(card, name.slice(-2))
  })

  test('a new mail address on the card of a preview that came too late', async () => {
    await readAtAll(staleAddress, 'en-GB')
  })

  test.each(casesOf(['en-GB', 'de', 'ar'], String, ['ar']))('cards of any content, read in %s', async (locale) => {
    for (const card of fc.sample(anyCard, { seed: 20261122, numRuns })) await readAtAll(card, locale)
  })
})

describe('a table is wide where there is room, and stacked where there is none', () => {
  test('every cell of a stacked row has the name of its column beside it, and the table comes back', async () => {
    const [, card] = wideCards.find(([name]) => name === 'lines, en') ?? []
    const host = await open({
      card: { ...(card as Card), blocks: [{ ...(manyLines(2).blocks[0] as Card['blocks'][0]) }] },
      width: 640,
    })
    const table = host.card.locator('table')
    await table.waitFor()
    await widen(host, 200)
    await table.waitFor({ state: 'detached' })
    const row = ['Item', 'Qty', 'Price', 'From']
    expect(await host.card.locator('.stacked dt').allInnerTexts()).toEqual([...row, ...row, 'Total'])
    await widen(host, 640)
    await table.waitFor()
  })
})

describe('rows that were never in sight are unread', () => {
  test('a long table is read to its end before it can be confirmed', async () => {
    const host = await open({ card: manyLines(40) })
    await host.card.locator('.unread').waitFor()
    const confirm = button(host, 'Create order')
    expect(await confirm.isDisabled()).toBe(true)
    await host.card.locator('.tall').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await host.card.locator('.unread').waitFor({ state: 'detached' })
    await confirm.and(host.card.locator(':enabled')).waitFor()
  })

  test('one that is longer says how many rows are left, and what was read stays read however it is sorted', async () => {
    const host = await open({ card: manyLines(120) })
    const toEnd = (): Promise<void> => host.card.locator('.tall').evaluate((box) => box.scrollTo(0, box.scrollHeight))
    for (const left of ['and 70 more', 'and 20 more']) {
      await host.card.getByText(left).waitFor()
      await toEnd()
    }
    await host.card.locator('.left').waitFor({ state: 'detached' })
    expect(await host.card.locator('.unread').count()).toBe(1)
    await toEnd()
    await host.card.locator('.unread').waitFor({ state: 'detached' })
    await button(host, 'Qty').click()
    await answered(host)
    expect(await host.card.locator('.unread').count()).toBe(0)
  })

  test('the keyboard alone reaches them all', async () => {
    const host = await open({ card: manyLines(120) })
    await host.card.getByText('and 70 more').waitFor()
    await host.card.locator('.tall').focus()
    await host.page.keyboard.press('End')
    await host.card.getByText('and 20 more').waitFor()
    await host.page.keyboard.press('End')
    await host.card.locator('.left').waitFor({ state: 'detached' })
    await host.page.keyboard.press('End')
    await host.card.locator('.unread').waitFor({ state: 'detached' })
  })

  test('what lies out of sight on a result that nobody signs is nobody’s duty', async () => {
    const { plan: _, ...card } = manyLines(120)
    const host = await open({
      card: { ...card, kind: 'success', state: 'applied', actions: [] },
      result: resultOf({ ...card, kind: 'success', state: 'applied', actions: [] }),
    })
    await host.card.getByText('and 70 more').waitFor()
    expect(await host.card.locator('.unread').count()).toBe(0)
  })
})
