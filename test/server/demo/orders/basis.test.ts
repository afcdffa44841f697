import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { command, oneOfEach } from './commands.ts'
import type { TestDesk } from './orders-fixture.ts'
import { hasFailed, withDesk } from './orders-fixture.ts'

const versioned = [
  ['desk_customers', 'name', 'customers'],
  ['desk_suppliers', 'name', 'suppliers'],
  ['desk_products', 'sku', 'products'],
  ['desk_stock', 'sku', 'stock'],
  ['desk_orders', 'id', 'orders'],
  ['desk_purchases', 'id', 'purchases'],
] as const

/** Every row that carries a version, by its name in a basis. */
async function rowsOf({ db }: TestDesk): Promise<{ row: string; move: (by: number) => Promise<void> }[]> {
  const all = []
  for (const [table, key, word] of versioned) {
    // The six tables differ in their key; what they share is all that is touched here.
    const name = table as 'desk_orders'
    const column = key as 'id'
    for (const each of await db.selectFrom(name).select([column, 'version']).execute())
      all.push({
        row: `${word}:${each[column]}`,
        move: async (by: number) => {
          await db
            .updateTable(name)
            .set({ version: each.version + by })
            .where(column, '=', each[column])
            .execute()
        },
      })
  }
  return all
}

test.each(oneOfEach)(
  'the basis of $name moves with every row that its preview read, and with no other',
  async (each) => {
    await withDesk(async (desk) => {
      const basis = await desk.based(each.name, each.input)
      const preview = await desk.preview(each.name, each.input)
      const read = basis.split(' ').map((part) => part.slice(0, part.indexOf('@')))
      expect(read.length).toBeGreaterThan(0)
      for (const { row, move } of await rowsOf(desk)) {
        await move(1)
        expect([row, (await desk.basis(each.name, each.input)) !== basis]).toStrictEqual([row, read.includes(row)])
        await move(0)
      }
      expect(await desk.preview(each.name, each.input)).toStrictEqual(preview)
    })
  },
)

test.each(oneOfEach)('$name writes nothing when any row that it relies on has moved', async ({ name, input }) => {
  await withDesk(async (desk) => {
    const basis = await desk.based(name, input)
    for (const { row, move } of await rowsOf(desk)) {
      if (!basis.split(' ').some((part) => part.startsWith(`${row}@`))) continue
      await move(1)
      const before = await desk.dump()
      expect(await desk.run(name, input, { basis })).toStrictEqual({ kind: 'tool-stale' })
      expect(await desk.dump()).toBe(before)
      await move(0)
    }
    expect(hasFailed(await desk.run(name, input, { basis }))).toBe(false)
  })
})

test.each([
  ['orders.create', 'customers:ACME products:DESK-01 products:LAMP-07 purchases:PO-303 stock:DESK-01 stock:LAMP-07'],
  ['orders.modify', 'customers:ACME orders:SO-1005 products:DESK-01 products:LAMP-07 stock:DESK-01 stock:LAMP-07'],
  ['orders.fulfill', 'orders:SO-1005 stock:DESK-01 stock:LAMP-07'],
  ['orders.delete', 'orders:SO-1005 stock:DESK-01 stock:LAMP-07'],
  ['orders.correct', 'orders:SO-1001 stock:DESK-01'],
  ['purchases.create', 'products:DESK-01 suppliers:Oakworks'],
  // The order that waits for the goods is among them.
  ['purchases.receive', 'orders:SO-1006 purchases:PO-302 stock:DESK-05'],
  ['stock.adjust', 'stock:DESK-01'],
])('%s relies on %s, at version 1 each', async (name, rows) => {
  await withDesk(async (desk) => {
    const input = oneOfEach.find((each) => each.name === name)?.input
    expect((await desk.based(name, input)).replaceAll('@1', '')).toBe(rows)
  })
})

test('whatever happens in between: an unmoved basis means the same preview, a moved one that nothing is written', async () => {
  let moved = 0
  let still = 0
  const desks = { name: 'orders.create', input: { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 1 }] } }
  await fc.assert(
    fc.asyncProperty(command, fc.array(command, { minLength: 1, maxLength: 3 }), (planned, meanwhile) =>
      withDesk(async (desk) => {
        const { name, input } = planned
        const basis = await desk.basis(name, input)
        if (typeof basis !== 'string') return
        const saw = await desk.preview(name, input)
        for (const other of meanwhile) await desk.apply(other.name, other.input)
        const now = await desk.basis(name, input)
        if (now === basis) {
          still += 1
          expect(await desk.preview(name, input)).toStrictEqual(saw)
        } else {
          moved += 1
          const before = await desk.dump()
          expect(await desk.run(name, input, { basis })).toStrictEqual({ kind: 'tool-stale' })
          expect(await desk.dump()).toBe(before)
        }
      }),
    ),
    // Of fifty that come by chance one or two move, and now and then none does.
    {
      numRuns: runsOf(500),
      examples: [
        [desks, [desks]],
        [desks, [{ name: 'orders.delete', input: { id: 'SO-9999' } }]],
      ],
    },
  )
  expect(moved).toBeGreaterThan(0)
  expect(still).toBeGreaterThan(0)
})

test('an order that is gone by the time of the write is stale, not an unknown id', async () => {
  await withDesk(async (desk) => {
    const basis = await desk.based('orders.fulfill', { id: 'SO-1005' })
    await desk.apply('orders.delete', { id: 'SO-1005' })
    expect(await desk.run('orders.fulfill', { id: 'SO-1005' }, { basis })).toStrictEqual({ kind: 'tool-stale' })
  })
})

test('of two writes from one basis the second is stale, and the stock is sold once', async () => {
  await withDesk(async (desk) => {
    const all = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 9 }] }
    const basis = await desk.based('orders.create', all)
    const answers = await Promise.all([
      desk.run('orders.create', all, { basis }),
      desk.run('orders.create', all, { basis }),
    ])
    expect(answers.filter(hasFailed)).toStrictEqual([{ kind: 'tool-stale' }])
    expect(await desk.read('products.search', { query: 'DESK-01' })).toMatchObject({ products: [{ available: 0 }] })
  })
})
