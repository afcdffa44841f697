import * as fc from 'fast-check'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createCatalog } from '../../../../server/tools/catalog.ts'
import { command, oneOfEach } from './commands.ts'
import { hasFailed, shown, withDesk } from './orders-fixture.ts'
import { parsed as parsedBy } from '../../../kit/schemas.ts'

test('offers the tools of the desk with their risks, and the forbidden one to nobody', async () => {
  await withDesk(async ({ tools }) => {
    const catalog = createCatalog(tools)
    expect(catalog.tools.map(({ wireName, contract }) => [wireName, contract.operation, contract.risk])).toStrictEqual([
      ['orders_list', 'read', 'low'],
      ['orders_get', 'read', 'low'],
      ['products_search', 'read', 'low'],
      ['orders_create', 'write', 'medium'],
      ['orders_modify', 'destructive', 'high'],
      ['orders_fulfill', 'destructive', 'high'],
      ['purchases_create', 'write', 'high'],
      ['purchases_receive', 'destructive', 'high'],
      ['stock_adjust', 'destructive', 'high'],
      ['orders_correct', 'destructive', 'high'],
      ['orders_delete', 'destructive', 'critical'],
      ['cache_rebuild', 'destructive', 'high'],
    ])
    expect(catalog.find('payments_read_card_token')?.contract.risk).toBe('forbidden')
  })
})

test('every tool points to a cheatsheet that is there', async () => {
  await withDesk(async ({ tools }) => {
    expect(new Set(tools.map((tool) => tool.cheatsheet))).toStrictEqual(new Set(['orders', undefined]))
    expect(existsSync(new URL('../../../../cheatsheets/orders.md', import.meta.url))).toBe(true)
  })
})

test('parsing what was parsed changes nothing', async () => {
  await withDesk((desk) =>
    fc.assert(
      fc.asyncProperty(command, ({ name, input }) => {
        const schema = desk.tool(name).input
        const once = parsedBy(schema, input)
        expect(parsedBy(schema, once)).toStrictEqual(once)
        expect(parsedBy(schema, JSON.parse(JSON.stringify(once)))).toStrictEqual(once)
        return Promise.resolve()
      }),
    ),
  )
})

test('lists the newest orders first, by customer and state, and says when there are more', async () => {
  await withDesk(async (desk) => {
    expect(await desk.read('orders.list', { limit: 2 })).toMatchObject({
      orders: [{ id: 'SO-1008' }, { id: 'SO-1007', customer: 'Globex', total: { amount: '1487.20', currency: 'EUR' } }],
      more: true,
    })
    expect(await desk.read('orders.list', { customer: 'ACME', state: 'open' })).toMatchObject({
      orders: [{ id: 'SO-1005', state: 'open', delivery_date: '2026-11-28', version: 1 }],
      more: false,
    })
    expect(await desk.read('orders.list', { customer: 'AMCE' })).toMatchObject({ code: 'unknown_customer' })
  })
})

test('reads answer what their contract promises, in JSON', async () => {
  await withDesk(async (desk) => {
    for (const [name, input] of [
      ['orders.list', {}],
      ['orders.get', { id: 'SO-1006' }],
      ['products.search', { query: 'oak 160' }],
    ] as const) {
      const answer = await desk.read(name, input)
      expect(parsedBy(desk.tool(name).output, answer)).toStrictEqual(answer)
      expect(JSON.parse(JSON.stringify(answer))).toStrictEqual(answer)
    }
    expect(await desk.read('products.search', { query: 'oak 160' })).toStrictEqual({
      products: [
        {
          sku: 'DESK-01',
          name: 'Oak desk 160',
          price: { amount: '420.00', currency: 'EUR' },
          on_hand: 11,
          available: 9,
        },
      ],
    })
  })
})

test.each(oneOfEach)('what $name offers as undo is a call that can be previewed', async ({ name, input }) => {
  await withDesk(async (desk) => {
    const contract = desk.write(name)
    const parsed = parsedBy(contract.input, input)
    const undo = contract.undo?.(parsed, await desk.apply(name, parsed), { language: 'en' })
    if (undo === undefined) return
    const back = desk.tools.find((tool) => tool.name.replace('.', '_') === undo.tool)?.name ?? ''
    expect(shown(await desk.preview(back, undo.arguments)).blocked).toBeUndefined()
  })
})

test('an undo takes a change back: fields, lines, reservations and stock are as they were', async () => {
  await withDesk(async (desk) => {
    const facts = async () => {
      const { order } = (await desk.read('orders.get', { id: 'SO-1005' })) as { order: object }
      return { order: { ...order, version: 0 }, products: await desk.read('products.search', {}) }
    }
    const before = await facts()
    for (const each of oneOfEach.filter(({ name }) =>
      ['orders.modify', 'stock.adjust', 'orders.correct'].includes(name),
    )) {
      const contract = desk.write(each.name)
      const input = parsedBy(contract.input, each.input)
      const undo = contract.undo?.(input, await desk.apply(each.name, input), { language: 'en' })
      expect(await facts()).not.toStrictEqual(before)
      expect(hasFailed(await desk.apply(each.name, undo?.arguments))).toBe(false)
      expect(await facts()).toStrictEqual(before)
    }
  })
})

test('a number is never used twice, even when its order is gone', async () => {
  await withDesk(async (desk) => {
    const create = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }
    expect(await desk.apply('orders.create', create)).toMatchObject({ order: { id: 'SO-1009' } })
    await desk.apply('orders.delete', { id: 'SO-1009' })
    expect(await desk.apply('orders.create', create)).toMatchObject({ order: { id: 'SO-1010' } })
  })
})
