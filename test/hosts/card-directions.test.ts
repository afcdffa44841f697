// Text of one direction in a card of the other keeps its order: where each word stands is asked of the browser's layout.
import { describe, expect, test } from 'vitest'
import { errorCard } from '../../server/cards/builders.ts'
import { cardWords, quotation } from '../../server/cards/card-words.ts'
import type { Card } from '../../server/model/card.ts'
import type { BareHost } from './bare-host.ts'
import { createOrder } from './cards.ts'
import { inLanguage, useCards } from './open-card.ts'

const open = useCards()

const showing = (...blocks: Card['blocks']): Card => ({ ...createOrder, blocks })

const read = async (card: Card, locale: string): Promise<BareHost> =>
  open({ card: inLanguage(card, locale), width: 900, context: { theme: 'light', locale, timeZone: 'UTC' } })

/** Left edges, in pixels, of the first place of each of these words; all of them must stand on one line. */
const leftOf = (host: BareHost, words: readonly string[]): Promise<readonly number[]> =>
  host.card.locator('main').evaluate((card, wanted) => {
    const places = wanted.map((word) => {
      const walk = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        const at = node.nodeValue?.indexOf(word) ?? -1
        if (at < 0 || node.parentElement?.closest('.sr')) continue
        const range = document.createRange()
        range.setStart(node, at)
        range.setEnd(node, at + word.length)
        return range.getBoundingClientRect()
      }
      throw new Error(`The card does not say ${word}.`)
    })
    if (places.some((place) => Math.abs(place.top - (places[0]?.top ?? 0)) > 12)) throw new Error('Not on one line.')
    return places.map(({ left }) => left)
  }, words)

const rises = (numbers: readonly number[]): boolean =>
  numbers.every((one, at) => at === 0 || one > (numbers[at - 1] ?? 0))

describe('a card in Arabic', () => {
  test('leaves an English warning in its order: what is wrong, then what it means', async () => {
    const title = 'Twelve percent is above ten.'
    const host = await read(
      showing({ kind: 'alert', severity: 'warning', title, text: 'Somebody must release `SO-1042` (Tuesday).' }),
      'ar',
    )
    await host.card.getByText(title).waitFor()
    expect(await host.card.locator('html').getAttribute('dir')).toBe('rtl')
    expect(rises(await leftOf(host, ['Twelve', 'above', 'Somebody', 'SO-1042', 'Tuesday']))).toBe(true)
  })

  test('says from the left at which place a card is broken', async () => {
    const broken = { ...createOrder, title: 3 } as unknown as Card
    const host = await read(broken, 'ar')
    await host.card.locator('.fault').waitFor()
    expect(rises(await leftOf(host, ['/', 'title']))).toBe(true)
  })

  test('leaves Latin values, their units and code in their order', async () => {
    const host = await read(
      showing(
        {
          kind: 'fields',
          fields: [
            { label: 'Disk', value: { kind: 'number', value: '512', unit: 'GB' } },
            { label: 'Path', value: { kind: 'code', text: '/srv/مجلد/notes.txt' } },
          ],
        },
        { kind: 'code', text: 'const total = price // ثمن' },
      ),
      'ar-u-nu-latn',
    )
    await host.card.getByText('GB').first().waitFor()
    expect(rises(await leftOf(host, ['512', 'GB']))).toBe(true)
    expect(rises(await leftOf(host, ['/srv', 'notes']))).toBe(true)
    expect(rises(await leftOf(host, ['const', 'total', 'price', 'ثمن']))).toBe(true)
  })

  test('of an error reads from the right, and leaves what the tool has said in its order', async () => {
    const failed = errorCard({
      tool: 'orders_modify',
      language: 'ar',
      source: 'desk',
      title: 'تعديل أمر البيع SO-1002: لم يُنفَّذ',
      subtitle: cardWords('ar').$nothingChanged,
      code: 'not_open',
      message: 'لم يعد أمر البيع مفتوحًا ولا يمكن تغييره.',
      said: [
        {
          label: cardWords('ar').answer,
          value: { kind: 'text', text: quotation('ar', 'Order SO-1002 is fulfilled and cannot be changed.') },
        },
      ],
      next: [],
      fields: [{ pointer: '/id', received: 'SO-1002', allowed: quotation('ar', 'an open order') }],
      state: 'failed',
      at: '2026-11-28T09:00:00Z',
    })
    const host = await read(failed, 'ar')
    await host.card.getByText('Order SO-1002').waitFor()
    expect(rises(await leftOf(host, ['Order', 'fulfilled', 'changed', 'الرد']))).toBe(true)
    expect(rises(await leftOf(host, ['تغييره', 'مفتوحًا', 'لم يعد']))).toBe(true)
    expect(rises(await leftOf(host, ['an open', 'order', cardWords('ar').allowed]))).toBe(true)
  })

  test('reads an Arabic sentence from the right, also where it begins with an order number', async () => {
    const host = await read(showing({ kind: 'effects', effects: ['SO-1042 تجاوز الحد المتفق عليه'] }), 'ar')
    await host.card.getByText('SO-1042').waitFor()
    expect(rises(await leftOf(host, ['عليه', 'الحد', 'تجاوز', 'SO-1042']))).toBe(true)
  })
})

describe('a card in English', () => {
  test.each([
    ['Arabic', 'تجاوز الطلب الحد.', 'يجب أن يوافق المدير على SO-1042.', ['المدير', 'يجب', 'الحد', 'تجاوز']],
    ['Hebrew', 'ההזמנה חורגת.', 'המנהל חייב לאשר את SO-1042.', ['SO-1042', 'המנהל', 'חורגת', 'ההזמנה']],
  ])('leaves a warning in %s in its order', async (_, title, text, fromLeft) => {
    const host = await read(showing({ kind: 'alert', severity: 'warning', title, text }), 'en-GB')
    await host.card.getByText(title).waitFor()
    expect(rises(await leftOf(host, fromLeft))).toBe(true)
  })

  test('a value in Hebrew does not move what stands beside it', async () => {
    const host = await read(
      showing({
        kind: 'diff',
        changes: [
          {
            pointer: '/name',
            label: 'Name',
            before: { kind: 'text', text: 'שלום (1)' },
            after: { kind: 'text', text: 'Hello (2)' },
          },
        ],
      }),
      'en-GB',
    )
    await host.card.getByText('Hello (2)').waitFor()
    expect(rises(await leftOf(host, ['Name', 'שלום', '→', 'Hello']))).toBe(true)
  })
})
