// Who downloaded what a link gives is in the activity log, in the story of the call that made the link: one row for each
// download that begins, in the transaction that counts it, and a sum of those that come too thick for that.
import { join } from 'node:path'
import { sql } from 'kysely'
import { asyncProperty, assert, array, constantFrom, property, integer } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headTable } from '../../../../../server/store/activity/call-tables.ts'
import type { Tables } from '../../../../../server/store/tables.ts'
import { files } from '../../../../../server/index.ts'
import { afterDownload, rowsPerHour, type HourOfLink } from '../../../../../server/toolsets/files/links/hour-of-link.ts'
import { migrate, type FilesDatabase } from '../../../../../server/toolsets/files/tables.ts'
import { confirm, overHttp } from '../../../../journeys/agent.ts'
import { HOUR, createClock } from '../../../../kit/clock.ts'
import { openDesk } from '../../../http/auth/serve-protected.ts'
import { place } from '../../../store/store-fixture.ts'
import { ada, openShelf, type Link, type Shelf, type Uploaded } from '../files-fixture.ts'

const create = 'files.create_download_link'

async function shared(shelf: Shelf, key = 'pl_link', content = 'hello') {
  const { fileId } = await shelf.upload('a.txt', content)
  const input = { fileId, expiresAt: shelf.inHours(100) }
  return { fileId, link: (await shelf.run(create, input, { idempotencyKey: key })) as Link }
}

/** The rows of downloads, oldest first; their chain is whole. */
async function onRecord({ activity }: Pick<Shelf, 'activity'>) {
  const { calls } = await activity.pageRecords({ filter: { sources: ['later'] }, order: 'oldest', limit: 5000 })
  expect((await activity.verify()).every(({ problem }) => problem === undefined)).toBe(true)
  return calls.map(({ tool, subject, planId, status, args, at }) => ({
    tool,
    subject,
    planId,
    status,
    at,
    details: JSON.parse(args ?? '{}') as Readonly<Record<string, unknown>>,
  }))
}

const counted = async (shelf: Shelf): Promise<number> =>
  (await shelf.db.selectFrom('files_links').select('downloads').executeTakeFirstOrThrow()).downloads

test('an operator sees in the story of the call that made a link who downloaded the file, whole or from its beginning', async () => {
  const desk = await openDesk({ access: { mode: 'open' } }, { toolsets: [files({ folder: join(place(), 'files') })] })
  const form = new FormData()
  form.append('file', new File(['hello, world'], 'Plan für Q3.txt'))
  const sent = await fetch(`${desk.web.url}/api/v1/files${new URL(desk.web.mcpUrl).search}`, {
    method: 'POST',
    body: form,
  })
  const { fileId, version } = ((await sent.json()) as { file: Uploaded }).file
  const agent = await overHttp(new URL(desk.web.mcpUrl))
  const expiresAt = new Date(Date.now() + HOUR).toISOString()
  const applied = await confirm(agent, await agent.call('files_create_download_link', { fileId, expiresAt }))
  const { url, linkId } = applied.data['result'] as Link
  const token = url.split('/').at(-1) ?? ''

  const get = async (headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const answer = await fetch(url, { method, headers: { 'user-agent': 'Reader/1.0', ...headers } })
    return { status: answer.status, text: await answer.text(), etag: answer.headers.get('etag') ?? '' }
  }
  const { etag } = await get({}, 'HEAD')
  const asked = [
    await get(),
    await get({ range: 'bytes=0-4', 'user-agent': `${'x'.repeat(150)} ${url} ${'y'.repeat(500)}` }),
    await get({ range: 'bytes=5-8' }),
    await get({ range: 'bytes=99-' }),
    await get({ 'if-none-match': etag }),
    await get(),
  ]
  expect(asked.map(({ status, text }) => [status, status < 400 ? text : ''])).toStrictEqual([
    [200, 'hello, world'],
    [206, 'hello'],
    [206, ', wo'],
    [416, ''],
    [304, ''],
    [200, 'hello, world'],
  ])

  const told = await desk.admin('GET', `/api/v1/activity?source=later&plan=${applied.planId}`)
  const facts = { tool: 'file.downloaded', audit_event: 'file.downloaded', source: 'later', plan_id: applied.planId }
  expect(told.body['activity'], told.text).toMatchObject([facts, facts, facts])
  const story = await desk.admin('GET', `/api/v1/activity/${applied.planId}/story`)
  const rows = (story.body['story'] as readonly Record<string, unknown>[]).filter(({ source }) => source === 'later')
  const details = {
    fileId,
    fileName: 'Plan für Q3.txt',
    version,
    bytes: 12,
    linkId,
    address: '127.0.0.1',
    userAgent: 'Reader/1.0',
  }
  expect(rows.map((row) => row['arguments'])).toStrictEqual([
    details,
    { ...details, userAgent: expect.stringMatching(/^(?=.{200}$)x{150} http\S+\[redacted\] y+$/), range: '0-4' },
    details,
  ])
  const [call] = (story.body['story'] as readonly Record<string, unknown>[]).filter(
    ({ status }) => status === 'applied',
  )
  for (const row of rows) expect(row).toMatchObject({ ...facts, subject: call?.['subject'], status: 'applied' })
  for (const { text } of [told, story]) expect(text).not.toContain(token)
  const links = await desk.call('files_list_download_links')
  expect(links.body).toMatchObject({ links: [{ linkId, downloads: 3 }] })
})

test('a download of a link that another call asked for again is of the call that made it', async () => {
  const shelf = await openShelf()
  const { fileId, link } = await shared(shelf, 'pl_first')
  const input = { fileId, expiresAt: link.expiresAt }
  const again = await shelf.run(create, input, { idempotencyKey: 'pl_again' }, { ...ada, subject: 'bob' })
  expect(again).toMatchObject({ linkId: link.linkId, repeated: true })
  await shelf.get(link.url)
  expect(await onRecord(shelf)).toMatchObject([{ subject: 'ada', planId: 'pl_first', status: 'applied' }])
})

test('a download without an agent that says its name, or from elsewhere, is on record with what is known', async () => {
  const shelf = await openShelf()
  const { link, fileId } = await shared(shelf)
  await shelf.get(link.url, {}, 'GET', '2001:db8:1:2::/64')
  expect(await onRecord(shelf)).toStrictEqual([
    {
      tool: 'file.downloaded',
      subject: 'ada',
      planId: 'pl_link',
      status: 'applied',
      at: shelf.clock.now(),
      details: {
        fileId,
        fileName: 'a.txt',
        version: 1,
        bytes: 5,
        linkId: link.linkId,
        address: '2001:db8:1:2::/64',
      },
    },
  ])
})

describe('without a row no content is given:', () => {
  test('where the log does not take one, nothing is counted either, and it works again with the log', async () => {
    const shelf = await openShelf()
    const { link } = await shared(shelf)
    const rename = (from: string, to: string) => sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`
    const heads = headTable(shelf.db.$extendTables<Tables>())
    await rename(heads, 'away').execute(shelf.db)
    const refused = await shelf.get(link.url)
    expect([refused.status, refused.headers.get('retry-after')]).toStrictEqual([503, '60'])
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect(await refused.text()).not.toMatch(/hello|countersign/)
    expect(shelf.reported).toHaveLength(1)
    await rename('away', heads).execute(shelf.db)
    expect(await counted(shelf)).toBe(0)
    expect(await onRecord(shelf)).toStrictEqual([])
    // A reader that got nothing takes no place.
    for (let at = 0; at < 20; at += 1) expect((await shelf.get(link.url)).status).toBe(200)
    expect([await counted(shelf), (await onRecord(shelf)).length]).toStrictEqual([20, 20])
  })

  test('a link that is revoked at that moment gives nothing any more', async () => {
    const during: { revoke?: () => Promise<unknown> } = {}
    const shelf = await openShelf({ beforeRecord: async () => during.revoke?.() })
    const { link } = await shared(shelf)
    during.revoke = () => shelf.apply('files.revoke_download_link', { linkId: link.linkId })
    expect((await shelf.get(link.url)).status).toBe(404)
    expect([await counted(shelf), await onRecord(shelf)]).toStrictEqual([0, []])
  })
})

describe('a link that was made before downloads were on record', () => {
  /** Sets the tables back to what they were, with what is in them. */
  async function setBack(db: FilesDatabase): Promise<void> {
    await db
      .deleteFrom('files_migration' as 'files_runs')
      .where('name' as 'tool', '=', '003-record')
      .execute()
    for (const column of ['run', 'record_hour', 'record_rows', 'record_more'])
      await db.schema.alterTable('files_links').dropColumn(column).execute()
  }

  test('is told with the call that made it, which is known from what that answered', async () => {
    const shelf = await openShelf()
    const { fileId, link } = await shared(shelf, 'pl_before')
    await shelf.run(create, { fileId, expiresAt: link.expiresAt }, { idempotencyKey: 'pl_again' })
    await setBack(shelf.db)
    await migrate(shelf.db)
    await shelf.get(link.url)
    expect(await onRecord(shelf)).toMatchObject([{ subject: 'ada', planId: 'pl_before' }])
  })

  test('is told without a plan where nobody knows its call', async () => {
    const shelf = await openShelf()
    const { link } = await shared(shelf)
    await setBack(shelf.db)
    await shelf.db.deleteFrom('files_runs').execute()
    await migrate(shelf.db)
    await shelf.get(link.url)
    expect(await onRecord(shelf)).toMatchObject([{ subject: 'ada', planId: undefined }])
    const [row] = (await shelf.activity.page({ limit: 1 })).calls
    expect(await shelf.activity.story(row?.id ?? '')).toHaveLength(1)
  })
})

test('an erasure of whoever made the link takes with it where its downloads went', async () => {
  const shelf = await openShelf()
  const { link } = await shared(shelf)
  await shelf.get(link.url, { 'user-agent': 'Reader/1.0' }, 'GET', '203.0.113.7')
  await shelf.activity.erase(ada)
  const { calls } = await shelf.activity.pageRecords({ limit: 10 })
  expect(calls).toMatchObject([{ tool: 'file.downloaded', erased: true, args: undefined }])
  expect(JSON.stringify(calls)).not.toMatch(/203\.0\.113\.7|Reader/)
})

describe('of more downloads than a link has rows for in an hour', () => {
  const all = { downloadsPerMinute: 10_000 }
  const many = async (shelf: Shelf, url: string, times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) await (await shelf.get(url)).text()
  }
  const at = (hour: string): string => `${hour}:00:00.000Z`

  test('those that have none are summed up with the first one of a later hour', async () => {
    const shelf = await openShelf(all)
    const { link, fileId } = await shared(shelf)
    const hour = new Date(shelf.clock.now()).toISOString().slice(0, 13)
    await many(shelf, link.url, rowsPerHour + 7)
    expect(await onRecord(shelf)).toHaveLength(rowsPerHour)
    shelf.clock.pass(2 * HOUR)
    await many(shelf, link.url, 1)
    const rows = await onRecord(shelf)
    expect(rows.slice(rowsPerHour)).toMatchObject([
      {
        tool: 'file.downloaded',
        planId: 'pl_link',
        details: { fileId, fileName: 'a.txt', version: 1, linkId: link.linkId, downloads: 7, hour: at(hour) },
      },
      { details: { address: '192.0.2.1' } },
    ])
    expect(rows[rowsPerHour]?.details).not.toHaveProperty('address')
    expect(await counted(shelf)).toBe(rowsPerHour + 8)
  })

  test('or when the hour is over and nobody downloads any more, once, however many processes look', async () => {
    const clock = createClock()
    const shelf = await openShelf({ ...all, clock })
    const { link } = await shared(shelf)
    await many(shelf, link.url, rowsPerHour + 3)
    // Opening sweeps.
    await (await shelf.open()).close()
    expect(await onRecord(shelf)).toHaveLength(rowsPerHour)
    clock.pass(HOUR)
    const two = await Promise.all([shelf.open(), shelf.open()])
    await Promise.all(two.map(({ close }) => close()))
    expect((await onRecord(shelf)).slice(rowsPerHour)).toMatchObject([{ details: { downloads: 3 } }])
    await many(shelf, link.url, 1)
    expect(await onRecord(shelf)).toHaveLength(rowsPerHour + 2)
  })

  test('the sum is on record before a file that was deleted is gone for good', async () => {
    const shelf = await openShelf(all)
    const { link, fileId } = await shared(shelf)
    await many(shelf, link.url, rowsPerHour + 1)
    await shelf.apply('files.delete', { fileId })
    shelf.clock.pass(31 * 24 * HOUR)
    await (await shelf.open()).close()
    expect(await shelf.db.selectFrom('files_links').select('id').execute()).toStrictEqual([])
    expect((await onRecord(shelf)).slice(rowsPerHour)).toMatchObject([{ details: { downloads: 1 } }])
  })

  test('every one is in a row or in a sum, whatever the order of hours, and no hour has more rows', () => {
    assert(
      property(array(integer({ min: 0, max: 3 }), { maxLength: 600 }), (hours) => {
        let state: HourOfLink = { hour: null, rows: 0, more: 0 }
        let inRows = 0
        const inHour = new Map<string, number>()
        for (const each of hours) {
          const hour = `2026-01-01T0${each}`
          const isNewHour = hour !== state.hour
          const { next, ownRow, sum } = afterDownload(state, hour)
          expect(sum === undefined).toBe(!isNewHour || state.more === 0)
          if (isNewHour) inHour.set(hour, 0)
          if (ownRow) inHour.set(hour, (inHour.get(hour) ?? 0) + 1)
          expect(inHour.get(hour)).toBeLessThanOrEqual(rowsPerHour)
          inRows += (ownRow ? 1 : 0) + (sum?.downloads ?? 0)
          state = next
        }
        expect(inRows + state.more).toBe(hours.length)
      }),
    )
  })

  test('at once the count of the link is that of its rows', async () => {
    await assert(
      asyncProperty(array(constantFrom('get', 'part', 'head', 'hour'), { maxLength: 12 }), async (steps) => {
        const shelf = await openShelf(all)
        const { link } = await shared(shelf)
        for (const step of steps) {
          if (step === 'hour') shelf.clock.pass(HOUR)
          else
            await Promise.all(
              [1, 2].map(() =>
                shelf.get(link.url, step === 'part' ? { range: 'bytes=2-' } : {}, step === 'head' ? 'HEAD' : 'GET'),
              ),
            )
        }
        const begun = steps.filter((step) => step === 'get').length * 2
        expect([await counted(shelf), (await onRecord(shelf)).length]).toStrictEqual([begun, begun])
        await shelf.close()
      }),
      { numRuns: 5 },
    )
  })
})
