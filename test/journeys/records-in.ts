import { openStore, type Store } from '../../server/store/store.ts'

type Records = Store['activity']['pageRecords']

/** What the record of calls of a database holds. */
export async function recordsIn(
  file: string,
  query: Parameters<Records>[0],
): Promise<Awaited<ReturnType<Records>>['calls']> {
  const opened = await openStore({ file })
  if (!opened.ok) throw new Error(opened.failure.message)
  const { calls } = await opened.value.activity.pageRecords(query)
  await opened.value.close()
  return calls
}
