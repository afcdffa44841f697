// What the page filters by beyond the first few: who, with what, by which verdict, and one plan or approval.
import { describe, expect, test } from 'vitest'
import type { ActivityFilter } from '../../../../server/store/store.ts'
import { opened } from '../store-fixture.ts'
import { record } from './rows.ts'

describe('the log is asked', () => {
  test.each<[string, ActivityFilter, readonly number[]]>([
    ['by the gate’s verdict, whatever rule gave it', { verdicts: ['allow'] }, [0, 3]],
    ['by several verdicts', { verdicts: ['approve', 'preview'] }, [1, 2]],
    ['by a verdict that is the beginning of none', { verdicts: ['all'] }, []],
    ['by who called', { subjects: ['eve'] }, [2]],
    ['by the client', { clients: ['Other chat', 'No chat'] }, [1]],
    ['by a plan', { plans: ['pl_1'] }, [1, 3]],
    ['by an approval', { approvals: ['ap_1'] }, [2]],
    ['by a plan and who called', { plans: ['pl_1'], subjects: ['eve'] }, []],
  ])('%s', async (_, filter, wanted) => {
    const store = await opened({ file: ':memory:' })
    const change = await store.activity.newestChange()
    const ids = [
      await record(store, {}, { verdict: 'allow:read' }),
      await record(store, { client: 'Other chat' }, { verdict: 'preview:asked', planId: 'pl_1' }),
      await record(
        store,
        { principal: { tenant: 'default', subject: 'eve' } },
        { verdict: 'approve:proof', approvalId: 'ap_1' },
      ),
      await record(store, {}, { verdict: 'allow:proof', planId: 'pl_1' }),
    ]
    const expected = wanted.map((at) => ids[at])
    const page = await store.activity.page({ filter, limit: 10, order: 'oldest' })
    expect(page.calls.map(({ id }) => id)).toStrictEqual(expected)
    const live = await store.activity.changesSince({ change, filter, limit: 100 })
    expect(live.calls.map(({ id }) => id)).toStrictEqual(expected)
  })
})
