// `npm run bench [-- [--save] rail|card|gate|activity [--rows=N]|scale|gateway|guidance [--data=DIR] [--seed=N]|insights [--rows=N]|listing|load|mail|memory|playground|rating [--data=DIR]|retrieval [--data=DIR]|sandbox|search [--rows=N]|secrets|shell [--statements=DIR]|sql [--statements=DIR]|sizes [--largest]|stalls]`: prints what is measured and asserts
// nothing. Numbers of a shared machine are worth comparing within one run only, so everything is compared within one; last comes
// one table of what is aimed at, beside what `--save` has kept of an earlier commit.
import { loadavg } from 'node:os'
import { activity } from './activity.ts'
import { printAims, type Aim } from './aims.ts'
import { card } from './card.ts'
import { gate } from './gate.ts'
import { gateway } from './gateway.ts'
import { guidance } from './guidance.ts'
import { insights } from './insights.ts'
import { listing } from './listing.ts'
import { load } from './load.ts'
import { mail } from './mail.ts'
import { memory } from './memory.ts'
import { playground } from './playground.ts'
import { rail } from './rail.ts'
import { rating } from './rating.ts'
import { lastResults, saveResults } from './results.ts'
import { retrieval } from './retrieval.ts'
import { sandbox } from './sandbox/sandbox.ts'
import { scale } from './scale.ts'
import { search } from './search.ts'
import { secrets } from './secrets.ts'
import { shell } from './shell.ts'
import { sizes } from './sizes.ts'
import { sql } from './sql.ts'
import { stalls } from './stalls.ts'

/** Benchmarks that only print. */
const withoutAims = (bench: () => Promise<void>) => async (): Promise<readonly Aim[]> => {
  await bench()
  return []
}

const benches: Readonly<Record<string, () => Promise<readonly Aim[]>>> = {
  rail,
  card,
  gate: withoutAims(gate),
  activity,
  gateway,
  guidance,
  insights: withoutAims(insights),
  listing: withoutAims(listing),
  load,
  mail,
  memory: withoutAims(memory),
  playground,
  rating,
  retrieval,
  sandbox,
  scale,
  search: withoutAims(search),
  secrets: withoutAims(secrets),
  shell: withoutAims(shell),
  sizes,
  sql: withoutAims(sql),
  stalls,
}

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = asked.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join('", "')}". Known are: ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
const chosen = Object.keys(benches).filter((name) => asked.length === 0 || asked.includes(name))
const loadBefore = loadavg()[0] ?? 0
const last = lastResults()
const aims: Aim[] = []
for (const name of chosen) {
  aims.push(...((await benches[name]?.()) ?? []))
  console.log()
}
printAims(aims, loadBefore, last)
if (process.argv.includes('--save')) console.log(`\nSaved: ${saveResults(aims, loadBefore)}`)
