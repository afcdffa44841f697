// Operators search a record of a million rows while agents wait for the same process. On SQLite each question runs on the
// thread that serves calls, so beside how long an answer takes stands how long nothing else could run.
import { join } from 'node:path'
import { openStore, wordsIn, type ActivityFilter, type Place, type Store } from '../../server/store/store.ts'
import { fillActivity } from './fill-activity.ts'
import { ms, table } from './figures.ts'
import { withFolder } from './processes.ts'

const limit = 50

const asked = process.argv.find((argument) => argument.startsWith('--rows='))
const rows = asked === undefined ? 1_000_000 : Number(asked.slice('--rows='.length))

const questions: readonly (readonly [string, string, ActivityFilter])[] = [
  ['a word of every row', 'customer', {}],
  ['a letter', 'c', {}],
  ['a word of one old row', '100001', {}],
  ['a word of no row', 'zebra', {}],
  ['a word of every row, for one tenant of twenty', 'customer', { tenants: ['other'] }],
  ['a word of every row, for a tenant without any', 'customer', { tenants: ['nobody'] }],
  ['a word of every row, with a filter that nothing fits', 'customer', { clients: ['nobody'] }],
]

/** Prints how long answers take and the thread is held, on a file. */
export const search = (): Promise<void> =>
  withFolder(async (folder) => {
    const opened = await openStore({
      file: join(folder, 'search.db'),
      secret: 'a secret for benchmarks and nothing else',
    })
    if (!opened.ok) throw new Error(opened.failure.message)
    const store = opened.value
    try {
      await fillActivity(store, rows, 90)
      const made = await watched(() =>
        store.activity.pageRecords({ filter: { search: ['customer'] }, order: 'oldest', limit: 1 }),
      )
      console.log(`search: ${rows.toLocaleString('en')} rows, one SQLite file`)
      console.log(
        `words of all rows: made in ${(made.taken / 1000).toFixed(1)} s, ${ms(made.taken / rows)} a row, thread held ${ms(made.held)}`,
      )
      const lines: string[][] = []
      for (const [name, text, filter] of questions)
        lines.push([name, ...(await measure(store, { ...filter, search: wordsIn(text) }))])
      console.log(table([['', `until ${limit} rows or the end`, 'pages', 'longest page', 'thread held'], ...lines]))
      const counted: string[][] = []
      for (const [name, filter] of [
        ['all rows', {}],
        ['a word of every row', { search: ['customer'] }],
        ['a word of no row', { search: ['zebra'] }],
        ['one tenant of twenty', { tenants: ['other'] }],
      ] as const) {
        const { taken, held } = await watched(() => store.activity.histogram(filter))
        counted.push([name, ms(taken), ms(held)])
      }
      console.log(table([['histogram', 'taken', 'thread held'], ...counted]))
    } finally {
      await store.close()
    }
  })

/** An answer, how long it took, and the longest time that the event loop was held meanwhile, in milliseconds. */
async function watched<T>(
  ask: () => Promise<T>,
): Promise<{ readonly answer: T; readonly taken: number; readonly held: number }> {
  let [last, held] = [performance.now(), 0]
  const look = (): void => {
    const now = performance.now()
    held = Math.max(held, now - last)
    last = now
  }
  const timer = setInterval(look, 1)
  const began = performance.now()
  const answer = await ask()
  const taken = performance.now() - began
  look()
  clearInterval(timer)
  return { answer, taken, held }
}

async function measure(store: Store, filter: ActivityFilter): Promise<readonly string[]> {
  let after: Place | undefined
  let [found, pages, all, longest, held] = [0, 0, 0, 0, 0]
  do {
    const page = await watched(() => store.activity.page({ filter, limit, ...(after === undefined ? {} : { after }) }))
    found += page.answer.calls.length
    after = page.answer.next
    pages += 1
    all += page.taken
    longest = Math.max(longest, page.taken)
    held = Math.max(held, page.held)
  } while (after !== undefined && found < limit)
  return [`${ms(all)} for ${found}`, String(pages), ms(longest), ms(held)]
}
