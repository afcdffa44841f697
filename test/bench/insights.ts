// The page that people look at while agents wait must not read a million rows for each look. One record is asked for the
// same page twice: as it is after an upgrade, when every row is read, and once its hours are summed up.
import { join } from 'node:path'
import { gatherInsights } from '../../server/http/operators/insight-facts.ts'
import { openStore, type Store } from '../../server/store/store.ts'
import { median, ms, table, times } from './figures.ts'
import { fillActivity } from './fill-activity.ts'
import { withFolder, withPostgres } from './processes.ts'

const secret = 'a secret for benchmarks and nothing else'
const DAY = 86_400_000
const days = 30
const looks = 3

const asked = process.argv.find((argument) => argument.startsWith('--rows='))
const sizes = asked === undefined ? [100_000, 1_000_000] : [Number(asked.slice('--rows='.length))]

/** Measures and prints, on a file and on PostgreSQL (COUNTERSIGN_TEST_POSTGRES, or one that is started here). */
export async function insights(): Promise<void> {
  console.log(`insights: the page of one tenant over ${days} days, median of ${looks} looks`)
  for (const rows of sizes)
    await withFolder(async (folder) => await measureOn('one SQLite file', join(folder, 'insights.db'), rows))
  await withPostgres(async (database) => {
    for (const rows of sizes) await measureOn('PostgreSQL on this machine', await database(), rows)
  })
}

interface Taken {
  readonly wall: number
  /** Of this process, which is not all of it on PostgreSQL. */
  readonly processor: number
}

async function measureOn(name: string, file: string, rows: number): Promise<void> {
  const opened = await openStore({ file, secret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  try {
    await fillActivity(store, rows, days)
    // Of one time: while it is summed up, calls would fall out of the month.
    const now = store.now()
    const before = await look(store, now)
    const steps = [await taken(() => store.activity.sumUp())]
    while (steps.at(-1)?.answer === true) steps.push(await taken(() => store.activity.sumUp()))
    const after = await look(store, now)
    if (before.counted !== after.counted) throw new Error(`${before.counted} calls are counted as ${after.counted}.`)
    console.log()
    console.log(`  ${rows.toLocaleString('en')} rows, ${name}`)
    console.log(
      table([
        ['', 'every row is read', 'by kept sums', 'of it'],
        ...(['calls', 'page'] as const).flatMap((what) =>
          (['wall', 'processor'] as const).map((kind) => [
            `${what === 'calls' ? 'sums of calls' : 'the whole page'}, ${kind === 'wall' ? 'until it is there' : 'processor time here'}`,
            ms(before[what][kind]),
            ms(after[what][kind]),
            times(after[what][kind] / before[what][kind]),
          ]),
        ),
      ]),
    )
    const spent = steps.reduce((sum, { processor }) => sum + processor, 0)
    console.log(
      `  summing up: ${steps.length} steps, the longest ${ms(Math.max(...steps.map(({ wall }) => wall)))}; ${((spent * 1000) / rows).toFixed(1)} µs of processor time here for each call`,
    )
  } finally {
    await store.close()
  }
}

async function taken<T>(work: () => Promise<T>): Promise<Taken & { readonly answer: T }> {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  const answer = await work()
  const { user, system } = process.cpuUsage(used)
  return { wall: performance.now() - begun, processor: (user + system) / 1000, answer }
}

/** What a look takes, of which the sums of calls; `counted`: how many calls the page says. */
async function look(
  store: Store,
  now: number,
): Promise<{ readonly page: Taken; readonly calls: Taken; readonly counted: number }> {
  const pages: Taken[] = []
  const sums: Taken[] = []
  let counted = 0
  for (let turn = 0; turn < looks; turn++) {
    const slice = { tenant: 'default', since: now - days * DAY, until: now }
    const page = await taken(() => gatherInsights(store, { ...slice, now, guidance: () => undefined }))
    counted = page.answer.calls.total
    pages.push(page)
    sums.push(await taken(() => store.activity.figures.calls(slice)))
  }
  const middle = (of: readonly Taken[]): Taken => ({
    wall: median(of.map(({ wall }) => wall)),
    processor: median(of.map(({ processor }) => processor)),
  })
  return { page: middle(pages), calls: middle(sums), counted }
}
