// The desk of the agency may lie on any database: what is not the demo's stays.
import { expect, onTestFinished, test } from 'vitest'
import { agency } from '../../../../server/demo/agency/agency.ts'
import type { MailDatabase } from '../../../../server/toolsets/mail/schema.ts'
import { partsOf } from '../../../kit/toolset.ts'
import { opened } from '../../store/store-fixture.ts'

test('a desk is started over again and again, and never where a server has data older than the demo’s, or of others', async () => {
  const store = await opened({ file: ':memory:' })
  const desk = await agency(partsOf(store))
  onTestFinished(() => desk.close?.())
  const db = store.db as unknown as MailDatabase
  const names = async () =>
    (await db.selectFrom('mail_templates').select('name').orderBy('name').execute()).map(({ name }) => name)
  await db.deleteFrom('mail_templates').where('name', '=', 'Invitation').execute()
  expect(await desk.startOver?.()).toMatchObject({ ok: true })
  expect(await names()).toStrictEqual(['Invitation', 'Newsletter'])

  const refused = { ok: false, failure: { message: expect.stringContaining('nothing was deleted') } }
  const [one] = await db.selectFrom('mail_templates').selectAll().where('name', '=', 'Invitation').execute()
  if (one === undefined) throw new Error('There is no template.')
  for (const change of [{ created_at: '2020-01-01T00:00:00.000Z' }, { tenant: 'acme' }]) {
    await db
      .insertInto('mail_templates')
      .values({ ...one, id: 'tp_real', name: 'Invoice', ...change })
      .execute()
    expect(await desk.startOver?.()).toMatchObject(refused)
    expect(await names()).toContain('Invoice')
    await db.deleteFrom('mail_templates').where('id', '=', 'tp_real').execute()
  }
  expect(await desk.startOver?.()).toMatchObject({ ok: true })
})
