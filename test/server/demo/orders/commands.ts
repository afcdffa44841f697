// Arbitrary calls of the desk's write tools: mostly sensible ones, so that histories get somewhere, and some that must
// fail.
import * as fc from 'fast-check'

export interface Command {
  readonly name: string
  readonly input: Record<string, unknown>
}

const skus = ['DESK-01', 'DESK-05', 'LAMP-07', 'CHAIR-03', 'CABLE-08', 'SCREEN-06']
const sku = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...skus) },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 8 }) },
)
const quantity = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 10_000 }) },
)
const lines = fc.uniqueArray(fc.record({ sku, quantity }), {
  minLength: 1,
  maxLength: 4,
  selector: (line) => line.sku,
})
const orderId = fc.integer({ min: 1000, max: 1014 }).map((number) => `SO-${number}`)
const fulfilledId = fc.oneof(fc.constantFrom('SO-1001', 'SO-1002', 'SO-1004'), orderId)
const purchaseId = fc.integer({ min: 300, max: 308 }).map((number) => `PO-${number}`)
const day = fc.constantFrom('2026-11-22', '2026-11-25', '2026-12-24', '2027-02-28', '2020-01-01')
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((each) => !/[\p{Cc}\p{Cs}]/u.test(each))
const reason = fc.constantFrom('counted again', 'one came back', 'broken in the warehouse')
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

/** Leaves out what is undefined, as JSON does. */
const call = (name: string, input: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Command> =>
  input.map((each) => ({
    name,
    input: Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined)),
  }))

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: call(
      'orders.create',
      fc.record({
        customer: fc.constantFrom('ACME', 'Globex', 'Nobody'),
        lines,
        delivery_date: maybe(day),
        contact: maybe(text),
        note: maybe(text),
      }),
    ),
  },
  {
    weight: 5,
    arbitrary: call(
      'orders.modify',
      fc.record({
        id: orderId,
        lines: maybe(lines),
        discount_percent: maybe(fc.integer({ min: 0, max: 100 })),
        delivery_date: maybe(fc.option(day)),
        contact: maybe(fc.option(text)),
        note: maybe(fc.option(text)),
      }),
    ),
  },
  { weight: 4, arbitrary: call('orders.fulfill', fc.record({ id: orderId })) },
  { weight: 3, arbitrary: call('orders.delete', fc.record({ id: orderId })) },
  {
    weight: 3,
    arbitrary: call(
      'orders.correct',
      fc.record({
        id: fulfilledId,
        lines: fc.uniqueArray(fc.record({ sku, quantity: fc.integer({ min: 0, max: 12 }) }), {
          minLength: 1,
          maxLength: 2,
          selector: (line) => line.sku,
        }),
        reason,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: call(
      'purchases.create',
      fc.record({ supplier: fc.constantFrom('Oakworks', 'SitWell', 'Nobody'), lines, expected_date: maybe(day) }),
    ),
  },
  { weight: 4, arbitrary: call('purchases.receive', fc.record({ id: purchaseId })) },
  {
    weight: 3,
    arbitrary: call(
      'stock.adjust',
      fc.record({ sku, delta: fc.integer({ min: -12, max: 12 }).filter((each) => each !== 0), reason }),
    ),
  },
  { weight: 1, arbitrary: call('cache.rebuild', fc.record({ sku: maybe(sku) })) },
)

/** One sensible call of each write tool on a fresh desk, none of which is blocked. */
export const oneOfEach: readonly Command[] = [
  {
    name: 'orders.create',
    input: {
      customer: 'ACME',
      lines: [
        { sku: 'DESK-01', quantity: 2 },
        { sku: 'LAMP-07', quantity: 4 },
      ],
    },
  },
  { name: 'orders.modify', input: { id: 'SO-1005', discount_percent: 12, lines: [{ sku: 'DESK-01', quantity: 3 }] } },
  { name: 'orders.fulfill', input: { id: 'SO-1005' } },
  { name: 'orders.delete', input: { id: 'SO-1005' } },
  {
    name: 'orders.correct',
    input: { id: 'SO-1001', lines: [{ sku: 'DESK-01', quantity: 1 }], reason: 'one came back' },
  },
  { name: 'purchases.create', input: { supplier: 'Oakworks', lines: [{ sku: 'DESK-01', quantity: 5 }] } },
  { name: 'purchases.receive', input: { id: 'PO-302' } },
  { name: 'stock.adjust', input: { sku: 'DESK-01', delta: -2, reason: 'two are broken' } },
  { name: 'cache.rebuild', input: {} },
]
