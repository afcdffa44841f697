// Somebody changes what was recorded. A server finds out by itself, on a thread of its own, and tells: the log, the
// figures, and whoever is to be told.
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../../eventually.ts'
import { call } from '../../../../server/rail/call.ts'
import { verifyApart } from '../../../../server/store/activity/chain/verify-apart.ts'
import { locate, testSecret } from '../../../postgres.ts'
import { opened, place } from '../../store/store-fixture.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { composed } from '../../../kit/composed.ts'
import { openReceiver } from './receiver.ts'

const open = (file: string, more: object = {}) => composed({ file, secret: testSecret, ...more })

test('a record that was tampered with is found, told once a day, and counted', async () => {
  const receiver = await openReceiver()
  const file = await locate(join(place(), 'record.db'))
  const before = await open(file)
  for (let i = 0; i < 3; i++)
    await call(before.parts.engine, requestOf('nothing', {}, caller({ principal: { tenant: 'acme', subject: 'ada' } })))
  await before.close()
  expect(await verifyApart({ file, secret: testSecret }, new AbortController().signal)).toMatchObject([
    { tenant: 'acme', problem: undefined },
  ])

  const store = await opened({ file, secret: testSecret })
  const changed = await store.db
    .$extendTables<{ countersign_activity: { id: string; outcome: string; tenant: string } }>()
    .updateTable('countersign_activity')
    .set({ outcome: 'ok' })
    .where('tenant', '=', 'acme')
    .executeTakeFirst()
  expect(Number(changed.numUpdatedRows)).toBe(3)

  const said: string[] = []
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  onTestFinished(() => stderr.mockRestore())
  const webhook = { url: receiver.url, events: ['record.tampered'], privateNetwork: true }
  const server = await open(file, { webhooks: [webhook], verifyAfterMs: 1 })
  // Another process on the same database leaves it to the first one.
  const other = await open(file, { webhooks: [webhook], verifyAfterMs: 1 })
  const [told] = await receiver.until(1)
  expect(told?.body).toMatchObject({
    type: 'record.tampered',
    data: { tenant: 'acme', kind: 'changed', activity_id: expect.stringMatching(/./) },
  })
  expect(said.join('')).toContain('The record of calls is not what was written')
  for (const one of [server, other])
    await eventually(async () =>
      expect((await (await one.count()).exposition()).text).toMatch(/^countersign_record_problems 1$/m),
    )
  expect(receiver.got).toHaveLength(1)
})

test('a check that is broken off, or cannot be made, says so', async () => {
  const file = await locate(join(place(), 'record.db'))
  await (await open(file)).close()
  const ending = new AbortController()
  const broken = verifyApart({ file, secret: testSecret }, ending.signal)
  ending.abort()
  await expect(broken).rejects.toThrow()
  await expect(
    verifyApart({ file, secret: 'another secret, not the one' }, new AbortController().signal),
  ).rejects.toThrow(/secret|key/i)
})
