// Rows that an older version wrote say nothing of their order in the chain. They verify as they were written, and on
// PostgreSQL a process of that version that still runs goes on writing beside a newer one.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createChain, digestOf } from '../../../../server/store/activity/chain/chain.ts'
import type { Store } from '../../../../server/store/store.ts'
import { present } from '../../../postgres.ts'
import { opened, place } from '../store-fixture.ts'
import { completion, entry, meddle, record, verdictOf } from './rows.ts'

const secret = 'the same for each of these stores'
const at = Date.UTC(2026, 0, 1)

/** The chain's end as an older version finds it, and what it would write there. */
const olderVersion = async (file: string, store: Store) => {
  const chain = createChain(store.deriveKey('activity chain'))
  const [head] = (await store.activity.heads()).filter(({ tenant }) => tenant === 'default')
  let { seq, link } = head ?? { seq: 0, link: chain.genesis('default') }
  const moveHead = async () => {
    await meddle(file, `delete from countersign_activity_heads where tenant = 'default'`)
    await meddle(
      file,
      `insert into countersign_activity_heads (tenant, seq, link, calls, bytes) values ('default', ?, ?, 9, 0)`,
      seq,
      link,
    )
  }
  return {
    begin: async (id: string) => {
      const pseudonym = chain.pseudonym('default', 'ada')
      const digest = digestOf('salt', 'begin', 'ada', null, null, '{}', null)
      const said = ['old chat', 'mcp', 'orders_list', null, null, null, 'low', null, digest] as const
      link = chain.link(link, ['begin', 'default', ++seq, id, at, pseudonym, ...said])
      await meddle(
        file,
        `insert into countersign_activity (id, change, at, tenant, subject, pseudonym, client, source, tool, declared_risk,
         risk, outcome, args, salt, begin_seq, begin_digest, begin_link)
         values (?, (select coalesce(max(change), 0) + 1 from countersign_activity), ?, 'default', 'ada', ?, 'old chat', 'mcp',
         'orders_list', 'low', 'low', 'open', '{}', 'salt', ?, ?, ?)`,
        id,
        at,
        pseudonym,
        seq,
        digest,
        link,
      )
      await moveHead()
    },
    end: async (id: string, salt: string) => {
      const digest = digestOf(salt, 'end', '[]', null)
      link = chain.link(link, ['end', 'default', ++seq, id, at, 'ok', null, 'low', null, null, 3, null, digest])
      await meddle(
        file,
        `update countersign_activity set outcome = 'ok', verdict = null, risk = 'low', ended_at = ?, duration_ms = 3,
         result = '[]', end_seq = ?, end_digest = ?, end_link = ?,
         change = (select max(change) + 1 from countersign_activity) where id = ?`,
        at,
        seq,
        digest,
        link,
        id,
      )
      await moveHead()
    },
  }
}

/** Makes the database what the version before knew. */
const setBack = async (file: string) => {
  await meddle(file, 'drop table if exists countersign_activity_recent')
  if (present === 'sqlite')
    await meddle(file, 'alter table countersign_chain_heads rename to countersign_activity_heads')
  await meddle(file, 'alter table countersign_activity drop column begin_format')
  await meddle(file, 'alter table countersign_activity drop column end_format')
  await meddle(file, 'alter table countersign_grants drop column giver')
  for (const index of ['errors', 'sessions']) await meddle(file, `drop index countersign_activity_${index}`)
  for (const column of ['session', 'told', 'ended', 'error_type', 'error_rule', 'fingerprint', 'error_sample'])
    await meddle(file, `alter table countersign_activity drop column ${column}`)
  for (const column of ['credential', 'name'])
    await meddle(file, `alter table countersign_sessions drop column ${column}`)
  for (const table of ['logins', 'activity_sums', 'activity_summed', 'sign_in_links', 'activity_words'])
    await meddle(file, `drop table countersign_${table}`)
  await meddle(file, 'drop index countersign_plans_revised')
  await meddle(file, 'alter table countersign_plans drop column revised_digest')
  await meddle(file, `delete from countersign_migration where name >= '0010'`)
}

const whole = async (file: string, write: (store: Store) => Promise<unknown>) => {
  const store = await opened({ file, secret })
  await write(store)
  expect(await verdictOf(store)).toBeUndefined()
  return store
}

test('a database of the version before opens, its chain is whole, and what comes next is protected', async () => {
  const file = join(place(), 'older.db')
  const first = await opened({ file, secret })
  const older = await olderVersion(file, first)
  await setBack(file)
  for (const id of ['ac_1', 'ac_2', 'ac_3']) await older.begin(id)
  for (const id of ['ac_1', 'ac_2']) await older.end(id, 'salt')
  await first.close()

  const store = await whole(file, (opening) => opening.activityLog.complete('ac_3', completion()))
  const next = await record(store)
  expect(await store.activity.verify()).toMatchObject([{ entries: 8, problem: undefined }])
  expect((await store.activity.page({ limit: 9 })).calls.map(({ id }) => id)[0]).toBe(next)

  await meddle(file, `update countersign_activity set tool = 'orders_delete' where id = 'ac_2'`)
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: 'ac_2' })
  await meddle(file, `update countersign_activity set tool = 'orders_list' where id = 'ac_2'`)
  // Its end is of this version.
  await meddle(file, `update countersign_activity set change = 1000000 where id = 'ac_3'`)
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: 'ac_3' })
})

test('calls of the version before begin and end between those of a newer one', async () => {
  const file = join(place(), 'beside.db')
  const store = await whole(file, (opening) => record(opening))
  await (await olderVersion(file, store)).begin('ac_old')
  await store.activityLog.complete('ac_old', completion())
  await (await olderVersion(file, store)).begin('ac_older')
  await record(store)
  await (await olderVersion(file, store)).end('ac_older', 'salt')
  await store.activityLog.begin(entry())
  expect(await store.activity.verify()).toMatchObject([{ entries: 9, problem: undefined }])
})

test('erasure and retention take rows of both versions', async () => {
  const file = join(place(), 'both.db')
  const store = await whole(file, async (opening) => {
    await (await olderVersion(file, opening)).begin('ac_old')
    await record(opening)
    await (await olderVersion(file, opening)).end('ac_old', 'salt')
    await record(opening)
  })
  await store.activity.erase({ tenant: 'default', subject: 'ada' })
  expect(await verdictOf(store)).toBeUndefined()
  await store.activity.retain({ rows: 1 })
  expect(await verdictOf(store)).toBeUndefined()
})

test('a row of this version does not pass for an older one', async () => {
  const file = join(place(), 'passes.db')
  const store = await whole(file, (opening) => record(opening))
  await meddle(file, 'update countersign_activity set begin_format = 1, position = 1')
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed', seq: 1 })
  await meddle(file, 'update countersign_activity set begin_format = 2, end_format = null')
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed' })
})

test('a running call does not say in which format it ended', async () => {
  const file = join(place(), 'runs.db')
  const store = await whole(file, (opening) => opening.activityLog.begin(entry()))
  await meddle(file, 'update countersign_activity set end_format = 2')
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed', seq: 1 })
})
