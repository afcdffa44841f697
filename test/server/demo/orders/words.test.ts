// That all languages have the same words, the compiler knows (`DeskWords`). Here: that every card speaks its own language alone,
// with the same figures, and that numbers choose the forms that a language has for them.
import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { languages, wordsIn } from '../../../../server/demo/orders/words.ts'
import type { Preview } from '../../../../server/tools/contract.ts'
import { spokenNumber } from '../../../../server/toolsets/say.ts'
import { oneOfEach, type Command } from './commands.ts'
import { shown, withDesk, type TestDesk } from './orders-fixture.ts'
import { besideEnglish, listen, shapeOf, textsIn, type Texts } from '../../../kit/languages.ts'
import { ada, failed } from '../../../kit/toolset.ts'
import { parsed as parsedBy } from '../../../kit/schemas.ts'

interface Scene extends Command {
  /** What happened on the desk before it. */
  readonly before?: (desk: TestDesk) => Promise<unknown>
}

const line = (sku: string, quantity = 1) => ({ sku, quantity })
const acme = (...lines: readonly object[]) => ({ customer: 'ACME', lines })

/** Calls whose cards, taken together, use every word of the desk; that they do is a test of its own. */
const scenes: readonly Scene[] = [
  ...oneOfEach,
  {
    name: 'orders.create',
    input: {
      ...acme(line('LAMP-07', 400), line('SCREEN-06'), line('DESK-01'), line('MAT-02')),
      delivery_date: '2026-11-25',
      contact: 'j.doe@acme.example',
      note: 'Ring twice',
    },
  },
  {
    name: 'orders.create',
    input: acme(line('LAMP-07', 3)),
    before: (desk) => desk.db.updateTable('desk_purchases').set({ expected_date: null }).execute(),
  },
  {
    name: 'orders.modify',
    input: {
      id: 'SO-1005',
      delivery_date: null,
      contact: 'j.doe@acme.example',
      note: 'Ring twice',
      lines: [line('DESK-01', 2), line('LAMP-07', 5), line('CHAIR-04')],
    },
  },
  { name: 'orders.modify', input: { id: 'SO-1005', lines: [line('DESK-01', 2)] } },
  { name: 'orders.fulfill', input: { id: 'SO-1006' } },
  {
    name: 'orders.fulfill',
    input: { id: 'SO-1009' },
    before: (desk) => desk.apply('orders.create', acme(line('SCREEN-06', 2), line('DESK-01'))),
  },
  { name: 'orders.delete', input: { id: 'SO-1001' } },
  { name: 'orders.correct', input: { id: 'SO-1002', lines: [line('CHAIR-03', 900)], reason: 'counted again' } },
  { name: 'purchases.create', input: { supplier: 'Lumen Supply', lines: [line('DESK-01', 500)] } },
  {
    name: 'purchases.receive',
    input: { id: 'PO-305' },
    before: async (desk) => {
      await desk.apply('orders.create', acme(line('SCREEN-06', 9)))
      await desk.apply('purchases.create', { supplier: 'Metalform', lines: [line('SCREEN-06', 4)] })
    },
  },
  { name: 'stock.adjust', input: { sku: 'DESK-05', delta: 30, reason: 'counted again' } },
  { name: 'stock.adjust', input: { sku: 'DESK-05', delta: -12, reason: 'counted again' } },
  { name: 'stock.adjust', input: { sku: 'DESK-01', delta: -10, reason: 'counted again' } },
  {
    name: 'cache.rebuild',
    input: {},
    before: async ({ db }) => {
      const at = '2026-11-22T12:00:00.000Z'
      const lost = { run: 'pl_lost', sku: 'DESK-01', quantity: -10, kind: 'sale', reference: 'SO-1', at }
      await db.insertInto('desk_movements').values(lost).execute()
      await db.updateTable('desk_stock').set({ reserved: 1 }).where('sku', '=', 'LAMP-07').execute()
    },
  },
]

/** Names of the desk and what its callers wrote: the same in every language. */
// oxfmt-ignore
const data = [
  'Oak desk 160', 'Standing desk 160', 'Desk lamp', 'Visitor chair', 'Task chair', 'Desk screen 160', 'Desk mat', 'Cable tray',
  'ACME', 'Northwind', 'Oakworks', 'Lumen Supply', 'Metalform', 'j.doe@acme.example', 'b.olsen@northwind.example', 'Ring twice',
  'one came back', 'two are broken', 'counted again', 'purchases_create',
]
const named = new RegExp([...data, '(?:SO|PO|[A-Z]+)-\\d+'].join('|').replaceAll('.', '\\.'), 'g')

/** Words that a language shares with English where it says the same thing. */
const shared: Readonly<Record<string, readonly string[]>> = {
  de: [],
  fr: ['contact', 'correction', 'note', 'stock', 'total'],
  es: ['no', 'stock', 'subtotal', 'total'],
  ja: [],
  ar: [],
  pt: ['as', 'subtotal', 'total'],
}

/** All that people read of a call: its preview, and where it can be made, what its success card says and offers. */
async function cardsOf(desk: TestDesk, { name, input }: Command): Promise<Record<string, unknown>> {
  const contract = desk.write(name)
  const previews: [string, Omit<Preview, 'details'>][] = []
  for (const language of languages) {
    const { details: _, ...preview } = shown(await desk.preview(name, input, ada, language))
    previews.push([language, preview])
  }
  const isBlocked = previews.some(([, preview]) => preview.blocked !== undefined)
  const parsed = parsedBy(contract.input, input)
  const output = isBlocked ? undefined : await desk.apply(name, input)
  return Object.fromEntries(
    previews.map(([language, preview]) => {
      if (isBlocked) return [language, { preview }]
      const { label, arguments: { reason } = {} } = contract.undo?.(parsed, output, { language }) ?? {}
      return [language, { preview, success: contract.cards?.success?.(parsed, output, { language }), label, reason }]
    }),
  )
}

async function makeCards() {
  // English is listened to, so that no word can be forgotten in the scenes.
  const spoken = listen(wordsIn('en'))
  const cards: { name: string; texts: ReadonlyMap<string, Texts> }[] = []
  for (const scene of scenes)
    await withDesk(async (desk) => {
      await scene.before?.(desk)
      const all = Object.entries(await cardsOf(desk, scene))
      cards.push({ name: scene.name, texts: new Map(all.map(([language, card]) => [language, textsIn(card)])) })
    })
  vi.restoreAllMocks()
  return { cards, unspoken: spoken.filter(({ calls }) => calls() === 0).map(({ at }) => at) }
}

let made: ReturnType<typeof makeCards> | undefined
const everyCard = (): ReturnType<typeof makeCards> => (made ??= makeCards())

test('the desk speaks seven languages, which say the same things, and English where somebody reads another one', () => {
  expect(languages).toStrictEqual(['en', 'de', 'fr', 'es', 'ja', 'ar', 'pt'])
  for (const language of languages) expect(shapeOf(wordsIn(language))).toStrictEqual(shapeOf(wordsIn('en')))
  for (const other of ['it', '__proto__']) expect(wordsIn(other)).toBe(wordsIn('en'))
})

test('every tool that writes names the languages, and reads, which have no cards, name none', () =>
  withDesk(async ({ tools }) => {
    for (const tool of tools) expect(tool.languages).toStrictEqual(tool.operation === 'read' ? undefined : languages)
  }))

test('the calls below say every word that the desk has', async () => {
  const { cards, unspoken } = await everyCard()
  const said = new Set(cards.flatMap(({ texts }) => [...(texts.get('en')?.values() ?? [])]))
  const { labels } = wordsIn('en')
  expect(unspoken).toStrictEqual([])
  expect(Object.values(labels).filter((label) => !said.has(label))).toStrictEqual([])
})

test.each(languages.slice(1))(
  'no word of English is left on any card in %s, and the figures are the same',
  async (language) => {
    const used = new Set<string>()
    for (const { name, texts } of (await everyCard()).cards) {
      const english = texts.get('en') ?? new Map<string, string>()
      const own = texts.get(language) ?? new Map<string, string>()
      expect([name, ...own.keys()]).toStrictEqual([name, ...english.keys()])
      for (const { at, text, left, figures, asked } of besideEnglish(english, own, named)) {
        left.forEach((word) => used.add(word))
        expect([name, at, text, left.filter((word) => !shared[language]?.includes(word))]).toStrictEqual([
          name,
          at,
          text,
          [],
        ])
        expect([name, at, text, figures]).toStrictEqual([name, at, text, asked])
      }
    }
    expect([...used].sort()).toStrictEqual(shared[language])
  },
)

test('people read of every failure in each language what has happened, in words of that language', () =>
  withDesk(async ({ tools }) => {
    const said = tools.flatMap(({ operation, failures }) => (operation === 'read' ? [] : Object.entries(failures)))
    const { failures } = wordsIn('en')
    for (const [code, { says = {} }] of said) {
      expect([code, ...Object.keys(says)]).toStrictEqual([code, ...languages.slice(1)])
      const english = textsIn([failures[code as keyof typeof failures]])
      for (const [language, sentence] of Object.entries(says))
        for (const { left } of besideEnglish(english, textsIn([sentence]), named))
          expect([sentence, left.filter((word) => !shared[language]?.includes(word))]).toStrictEqual([sentence, []])
    }
    expect(new Set(said.map(([code]) => code))).toStrictEqual(new Set(Object.keys(failures)))
  }))

test('of an order that is not open, which may be cancelled, nobody reads that it is done', () => {
  expect(wordsIn('ja').failures.not_open).not.toContain('完了')
})

test('what a blocked call fails with when it is made all the same is in English, as all failures are', () =>
  withDesk(async (desk) => {
    const blocked = shown(await desk.preview('orders.delete', { id: 'SO-1001' }, ada, 'de')).blocked
    expect(blocked?.title).toBe('SO-1001 hat das Lager schon verlassen.')
    expect(failed(await desk.run('orders.delete', { id: 'SO-1001' }, { language: 'de' })).message).toMatch(
      /^SO-1001 has left the warehouse\./,
    )
  }))

/** Which form a language has for a number, by its grammar, and that form of "line". */
const lineIn: Readonly<Record<string, (number: number, spoken: string) => string>> = {
  en: (number, spoken) => `${spoken} ${number === 1 ? 'line' : 'lines'}`,
  de: (number, spoken) => `${spoken} ${number === 1 ? 'Position' : 'Positionen'}`,
  fr: (number, spoken) =>
    number < 2 ? `${spoken} ligne` : `${spoken} ${number % 1_000_000 === 0 ? 'de lignes' : 'lignes'}`,
  es: (number, spoken) =>
    number === 1 ? `${spoken} línea` : `${spoken} ${number > 0 && number % 1_000_000 === 0 ? 'de líneas' : 'líneas'}`,
  ja: (_number, spoken) => `明細 ${spoken} 行`,
  pt: (number, spoken) =>
    number < 2 ? `${spoken} linha` : `${spoken} ${number % 1_000_000 === 0 ? 'de linhas' : 'linhas'}`,
  ar: (number, spoken) => {
    const last = number % 100
    if (number === 1) return 'بند واحد'
    if (number === 2) return 'بندان'
    return `${spoken} ${last >= 3 && last <= 10 ? 'بنود' : last >= 11 ? 'بندًا' : 'بند'}`
  },
}

test.each(languages)('a number of lines has in %s the form that its grammar asks for', (language) => {
  const expected = lineIn[language] ?? (() => '')
  fc.assert(
    fc.property(fc.oneof(fc.nat(120), fc.nat(3_000_000), fc.constant(1_000_000)), (number) => {
      expect(wordsIn(language).lines(number)).toBe(expected(number, spokenNumber(number)))
    }),
  )
})
