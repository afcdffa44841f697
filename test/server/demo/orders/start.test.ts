import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createOrders } from '../../../../server/demo/orders/orders.ts'
import { locate } from '../../../postgres.ts'
import { place } from '../../store/store-fixture.ts'
import { openDesk, withDesk } from './orders-fixture.ts'

test('a second start finds the desk as it is, and does not bring back what was deleted', async () => {
  const file = join(place(), 'desk.db')
  const first = await openDesk(file)
  await first.apply('orders.delete', { id: 'SO-1005' })
  const left = await first.dump()
  await first.close()
  const second = await openDesk(file)
  onTestFinished(() => second.close())
  expect(await second.dump()).toBe(left)
})

test('opening the desk twice on one connection adds nothing', async () => {
  await withDesk(async (desk) => {
    const before = await desk.dump()
    await createOrders(desk.store.db)
    expect(await desk.dump()).toBe(before)
  })
})

test('a desk that is started over is as it came but for its counters, and no row has a version that it had', async () => {
  await withDesk(async (desk) => {
    const orders = await createOrders(desk.store.db, { now: desk.store.now })
    const rows = async () => {
      const all = await desk.db.selectFrom('desk_orders').select(['id', 'version']).orderBy('id').execute()
      return { ids: all.map(({ id }) => id), versions: all.map(({ version }) => version) }
    }
    const before = await rows()
    await desk.apply('orders.create', { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 1 }] })
    await desk.apply('orders.delete', { id: 'SO-1005' })
    await desk.apply('orders.modify', { id: 'SO-1007', note: 'Ring twice' })
    await orders.startOver()
    const after = await rows()
    expect(after.ids).toStrictEqual(before.ids)
    expect(Math.min(...after.versions)).toBeGreaterThan(1000)
    expect(await desk.read('orders.get', { id: 'SO-1007' })).not.toMatchObject({ order: { note: 'Ring twice' } })
    const next = await desk.apply('orders.create', { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 1 }] })
    expect(JSON.stringify(next)).toContain('SO-1010')
  })
})

test('a desk is seeded the same on any day, but for its dates', async () => {
  const later = await openDesk(':memory:', () => Date.UTC(2028, 1, 29, 23, 59))
  onTestFinished(() => later.close())
  expect(await later.read('orders.get', { id: 'SO-1005' })).toMatchObject({
    order: { created_at: '2028-02-23T23:59:00.000Z', delivery_date: '2028-03-06', total: { amount: '948.10' } },
  })
})

/** One process that opens a desk on the file and says so. */
const start = async (file: string): Promise<{ code: number | null; said: string }> => {
  const database = await locate(file)
  return await new Promise((resolve) => {
    const process_ = spawn(process.execPath, [fileURLToPath(new URL('start-desk.ts', import.meta.url)), database])
    let said = ''
    process_.stdout.on('data', (data: Buffer) => (said += data.toString()))
    process_.stderr.on('data', (data: Buffer) => (said += data.toString()))
    process_.on('close', (code) => resolve({ code, said }))
  })
}

test('processes that start at once on a new file all succeed, and fill it once', async () => {
  const file = join(place(), 'desk.db')
  await locate(file, 'new')
  const ends = await Promise.all([start(file), start(file), start(file), start(file)])
  expect(ends).toStrictEqual(ends.map(() => ({ code: 0, said: '8 orders\n' })))
  const desk = await openDesk(file)
  onTestFinished(() => desk.close())
  const counted = await desk.db.selectFrom('desk_orders').select('id').execute()
  expect(counted.map(({ id }) => id).sort()).toStrictEqual(Array.from({ length: 8 }, (_, at) => `SO-${1001 + at}`))
})
