import { expect } from 'vitest'
import { eventually } from '../eventually.ts'
import { openStore, type Store } from '../../server/store/store.ts'

type Records = Store['activity']['pageRecords']

/**
 * What the record of calls of a database holds, once every row of it is complete: a server completes the row of a call
 * just after its answer.
 */
export async function recordsIn(
  file: string,
  query: Parameters<Records>[0],
): Promise<Awaited<ReturnType<Records>>['calls']> {
  const opened = await openStore({ file })
  if (!opened.ok) throw new Error(opened.failure.message)
  try {
    return await eventually(async () => {
      const { calls } = await opened.value.activity.pageRecords(query)
      expect(calls.filter(({ status }) => status === 'open')).toStrictEqual([])
      return calls
    })
  } finally {
    await opened.value.close()
  }
}
