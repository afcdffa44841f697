import { expect, test } from 'vitest'
import { failed, withDesk } from './orders-fixture.ts'
import { issuesWith } from '../../../kit/schemas.ts'

const line = (sku: string, quantity = 1) => ({ sku, quantity })
const acme = (lines: unknown) => ({ customer: 'ACME', lines })

test.each([
  ['orders.create', { customer: 'Acme', lines: [line('DESK-01')] }, 'unknown_customer', 'Did you mean ACME?'],
  ['orders.create', acme([line('DESK-1')]), 'unknown_sku', 'Did you mean DESK-01 (Oak desk 160)'],
  ['orders.create', acme([line('Ж'.repeat(40))]), 'unknown_sku', 'does not exist'],
  ['orders.create', { ...acme([line('DESK-01')]), delivery_date: '2026-11-21' }, 'date_in_past', '2026-11-21 is in'],
  ['orders.modify', { id: 'SO-105', note: 'x' }, 'unknown_order', 'Did you mean SO-1005'],
  ['orders.modify', { id: 'SO-1001', note: 'x' }, 'not_open', 'SO-1001 is fulfilled'],
  ['orders.modify', { id: 'SO-1003', note: 'x' }, 'not_open', 'SO-1003 is cancelled'],
  ['orders.modify', { id: 'SO-1005' }, 'nothing_to_change', 'SO-1005 already is as asked'],
  ['orders.modify', { id: 'SO-1005', discount_percent: 5, contact: null }, 'nothing_to_change', 'already is as asked'],
  ['orders.modify', { id: 'SO-1005', lines: [line('DESK-01', 2), line('LAMP-70')] }, 'unknown_sku', 'LAMP-07'],
  ['orders.modify', { id: 'SO-1005', delivery_date: '2020-01-01' }, 'date_in_past', '2020-01-01 is in the past'],
  ['orders.fulfill', { id: 'SO-9999' }, 'unknown_order', 'SO-9999 does not exist'],
  ['orders.fulfill', { id: 'SO-1003' }, 'not_open', 'cancelled'],
  ['orders.delete', { id: "SO-1' OR 1=1 --" }, 'unknown_order', 'does not exist'],
  ['orders.correct', { id: 'SO-1005', lines: [line('DESK-01')], reason: 'wrong' }, 'not_fulfilled', 'is open'],
  ['orders.correct', { id: 'SO-1001', lines: [line('CAB-21')], reason: 'wrong' }, 'line_not_on_order', 'no CAB-21'],
  [
    'orders.correct',
    { id: 'SO-1001', lines: [line('DESK-01', 2)], reason: 'same' },
    'nothing_to_change',
    'already has',
  ],
  ['purchases.create', { supplier: 'Oakwork', lines: [line('DESK-01')] }, 'unknown_supplier', 'Did you mean Oakworks?'],
  ['purchases.create', { supplier: 'Oakworks', lines: [line('desk-01')] }, 'unknown_sku', 'DESK-01'],
  ['purchases.receive', { id: 'PO-30' }, 'unknown_purchase', 'Did you mean PO-302'],
  ['purchases.receive', { id: 'PO-301' }, 'already_received', 'received already'],
  ['stock.adjust', { sku: 'LAMP07', delta: 1, reason: 'counted' }, 'unknown_sku', 'LAMP-07'],
  ['cache.rebuild', { sku: 'NONE' }, 'unknown_sku', 'NONE does not exist'],
  ['cache.rebuild', { sku: 'DESK-01' }, 'nothing_to_change', 'agree with the movements'],
])('%s %j fails as %s and writes nothing', async (name, input, code, says) => {
  await withDesk(async (desk) => {
    const before = await desk.dump()
    const preview = failed(await desk.preview(name, input))
    expect(preview).toMatchObject({ code, message: expect.stringContaining(says) as unknown })
    expect(await desk.basis(name, input)).toStrictEqual(preview)
    expect(await desk.run(name, input)).toStrictEqual(preview)
    expect(await desk.dump()).toBe(before)
    expect(desk.tool(name).failures[code]).toMatchObject({ effect: 'none' })
    // A suggested call must be one that its tool takes, and one that helps: it answers.
    if (preview.suggest !== undefined) {
      const suggested = desk.tools.find((tool) => tool.name.replace('.', '_') === preview.suggest?.tool)
      expect(await desk.read(suggested?.name ?? '', preview.suggest.arguments)).not.toHaveProperty('code')
    }
  })
})

test.each([
  ['stock.adjust', { sku: 'DESK-01', delta: -10, reason: 'lost' }, 'stock_promised', 'SO-1005 holds 2'],
  ['stock.adjust', { sku: 'DESK-01', delta: -12, reason: 'lost' }, 'not_that_many', 'Take away 11 at most'],
  ['orders.fulfill', { id: 'SO-1006' }, 'no_stock', 'Receive PO-302 first'],
  ['orders.delete', { id: 'SO-1001' }, 'already_fulfilled', 'stays on the books'],
  ['orders.correct', { id: 'SO-1001', lines: [line('DESK-01', 50)], reason: 'more' }, 'no_stock', '9 are free'],
])('%s %j is blocked with the way out, and a run of it fails as %s', async (name, input, code, says) => {
  await withDesk(async (desk) => {
    const before = await desk.dump()
    expect(await desk.preview(name, input)).toMatchObject({
      effects: [],
      blocked: { text: expect.stringContaining(says) as unknown },
    })
    const basis = await desk.based(name, input)
    expect(await desk.run(name, input, { basis })).toMatchObject({ kind: 'tool-failed', code })
    expect(await desk.dump()).toBe(before)
  })
})

test('every unknown SKU of a call is blamed where it stands', async () => {
  await withDesk(async (desk) => {
    const input = acme([line('DESK-1'), line('LAMP-07'), line('LMAP-09')])
    expect(failed(await desk.preview('orders.create', input)).fields).toMatchObject([
      { pointer: '/lines/0/sku', received: 'DESK-1' },
      { pointer: '/lines/2/sku', received: 'LMAP-09', allowed: expect.stringContaining('LAMP-09') as unknown },
    ])
  })
})

test.each([
  ['orders.create', { customer: 'ACME' }, ['lines']],
  ['orders.create', acme([]), ['lines']],
  ['orders.create', acme([line('DESK-01', 0)]), ['lines', 0, 'quantity']],
  ['orders.create', acme([line('DESK-01', 1.5)]), ['lines', 0, 'quantity']],
  ['orders.create', acme([line('DESK-01', 2 ** 53)]), ['lines', 0, 'quantity']],
  ['orders.create', acme([{ ...line('DESK-01'), price: '1.00' }]), ['lines', 0]],
  ['orders.create', acme([line('DESK-01'), line('DESK-01', 2)]), ['lines', 1, 'sku']],
  ['orders.create', { ...acme([line('DESK-01')]), delivery_date: '28.11.2026' }, ['delivery_date']],
  ['orders.create', { ...acme([line('DESK-01')]), delivery_date: '2026-02-30' }, ['delivery_date']],
  ['orders.create', { ...acme([line('DESK-01')]), note: 'a\u0000b' }, ['note']],
  ['orders.create', { ...acme([line('DESK-01')]), discount: 5 }, []],
  ['orders.modify', { id: 'SO-1005', discount_percent: 101 }, ['discount_percent']],
  ['orders.modify', { id: 'SO-1005', discount_percent: '12' }, ['discount_percent']],
  ['orders.fulfill', { id: 1005 }, ['id']],
  ['orders.delete', { id: '' }, ['id']],
  ['stock.adjust', { sku: 'DESK-01', delta: 0, reason: 'none' }, ['delta']],
  ['orders.list', { limit: 1000 }, ['limit']],
])('%s refuses %j at %j', async (name, input, path) => {
  await withDesk(async (desk) => {
    const paths = new Set(issuesWith(desk.tool(name).input, input).map((issue) => JSON.stringify(issue.path)))
    expect([...paths]).toStrictEqual([JSON.stringify(path)])
  })
})
