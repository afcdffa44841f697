import { expect, test } from 'vitest'
import { oneOfEach } from './commands.ts'
import { hasFailed, withDesk } from './orders-fixture.ts'

test.each(oneOfEach)('$name: a run whose answer was lost is found, with the answer it had', async ({ name, input }) => {
  await withDesk(async (desk) => {
    expect(await desk.reconcile(name, input, 'pl_1')).toStrictEqual({ kind: 'not-applied' })
    const answer = await desk.apply(name, input, 'pl_1')
    expect(await desk.reconcile(name, input, 'pl_1')).toStrictEqual({ kind: 'applied', result: answer })
    expect(await desk.reconcile(name, input, 'pl_2')).toStrictEqual({ kind: 'not-applied' })
  })
})

test.each(oneOfEach)('$name: a run that broke off before its end has left nothing', async ({ name, input }) => {
  await withDesk(async (desk) => {
    const before = await desk.dump()
    const basis = await desk.based(name, input)
    // The signal is looked at after the last write and before the commit: the worst moment to stop.
    const run = desk.run(name, input, { basis, key: 'pl_1', signal: AbortSignal.abort(new Error('gave up')) })
    await expect(run).rejects.toThrow('gave up')
    expect(await desk.dump()).toBe(before)
    expect(await desk.reconcile(name, input, 'pl_1')).toStrictEqual({ kind: 'not-applied' })
  })
})

test.each(oneOfEach)('$name: the same key runs once and answers the same', async ({ name, input }) => {
  await withDesk(async (desk) => {
    const basis = await desk.based(name, input)
    const first = await desk.run(name, input, { basis, key: 'pl_1' })
    const after = await desk.dump()
    expect(hasFailed(first)).toBe(false)
    expect(await desk.run(name, input, { basis, key: 'pl_1' })).toStrictEqual(first)
    expect(await desk.dump()).toBe(after)
  })
})

test('a stale or failed run leaves no trace of its key', async () => {
  await withDesk(async (desk) => {
    const input = { id: 'SO-1005' }
    await desk.run('orders.fulfill', input, { basis: 'orders:SO-1005@0', key: 'pl_1' })
    await desk.run('orders.fulfill', { id: 'SO-1006' }, { key: 'pl_2' })
    expect(await desk.reconcile('orders.fulfill', input, 'pl_1')).toStrictEqual({ kind: 'not-applied' })
    expect(await desk.reconcile('orders.fulfill', { id: 'SO-1006' }, 'pl_2')).toStrictEqual({ kind: 'not-applied' })
  })
})
