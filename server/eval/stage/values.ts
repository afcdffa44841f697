// What the wishes ask for, in growing size. The values are those that models copy badly: numbers that can be written in several
// ways, null and nothing, empty lists, quotes and line breaks in texts, characters outside of ASCII, and texts that are long.
// Whole numbers beyond 2^53 are not among them, because the rail refuses them (docs/DESIGN.md, section 2).

/** Named arguments of a call. */
export type Values = Readonly<Record<string, unknown>>

/** Lines of which no two are the same, so that one left out or repeated is seen. */
const similarLines = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) =>
      `${at + 1}. Shelf ${(at * 37) % 101} of aisle ${(at * 7) % 13}: ${(at * 911) % 1000} pieces, checked at ${String(at % 24).padStart(2, '0')}:${String((at * 17) % 60).padStart(2, '0')}.`,
  ).join('\n')

/** One short text. */
export const oneField: Values = { text: 'Call the carrier about pallet 7' }

/** Several members of one level. */
export const flat: Values = {
  name: 'Zoë “Zed” O’Connor-Łukasiewicz',
  email: 'zoe+orders@example.com',
  phone: null,
  note: 'Said: "call after 5",\nnot before.\tAsk for Jürgen \\ Ana.',
  discount: 0.1,
  credit: 0,
  tags: [],
  newsletter: false,
}

/** A list of objects that look alike. */
export const list: Values = {
  customer: 'ACME GmbH & Co. KG',
  lines: [
    { sku: 'DESK-01', quantity: 2, price: '199.90', note: null },
    { sku: 'DESK-10', quantity: 12, price: '199.09', note: 'left-handed' },
    { sku: 'DESK-01', quantity: 21, price: '19.99', note: '' },
    { sku: 'CHAIR-01', quantity: 1, price: '1999.00', note: 'colour "RAL 5010"' },
    { sku: 'LAMP-0001', quantity: 100, price: '0.10', note: null },
  ],
}

/** Lists in objects in lists, five levels deep, with numbers that have more than one spelling. */
export const nested: Values = {
  title: 'Überprüfung 検査 🧪 — café',
  steps: [
    {
      name: 'warm\u00A0up',
      limits: { low: -0.000001, high: 1.5e-21, factor: 0.30000000000000004 },
      checks: [
        { at: '2026-11-28T08:05:00Z', expect: [null, true, false, 'null', '0', 0], tags: [] },
        { at: '2026-11-28T08:05:00+01:00', expect: [[], [[]], {}], tags: ['a', 'a', 'A'] },
      ],
    },
    {
      name: 'C:\\data\\new\n"quoted" {not: json}, preview=False)',
      limits: { low: 6.02e-23, high: 9007199254740991, factor: 100 },
      checks: [],
    },
  ],
  owner: null,
  options: { 'key with blanks': '', ключ: { deep: { deeper: { deepest: [1, 1.5, 1e-7] } } }, empty: {} },
}

/** One text of 3,400 characters in sixty lines that look alike. */
export const long: Values = { path: 'reports/2026/stock count.md', text: similarLines(60) }
