// What does a durable campaign cost beside the least that sends mail: nodemailer's own pool in a loop, with the texts made
// beforehand? Both in one process, in turns, into one mail server in a process of its own. Does memory stay the same, however
// many recipients there are? And how long does an agent wait for the dry run?
import { join } from 'node:path'
import { createDatabase, startPostgres } from '../postgres-server.ts'
import { median, ms, table, times } from './figures.ts'
import { start, withFolder, type Served } from './processes.ts'

const mails = 2000
const rounds = 5
const audience = 100_000

type How = 'pool' | 'campaign' | 'dry-run'
type Figures = readonly [perSecond: number, cpuMs: number, peakBytes: number]

const send = async (sender: Served, how: How, many: number): Promise<Figures> =>
  (await sender.ask(`${how} ${many}`)) as unknown as Figures

const mb = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** Prints mails a second of both, and the memory of campaigns of two sizes. */
export async function mail(): Promise<void> {
  const server = await start('serve-smtp.ts', '')
  try {
    await withFolder(async (folder) => {
      const sender = await start('send-mails.ts', server.url, join(folder, 'mail.db'))
      const runs: { readonly pool: Figures; readonly campaign: Figures }[] = []
      // The first round warms both up.
      for (let round = 0; round <= rounds; round += 1) {
        const pool = await send(sender, 'pool', mails)
        const campaign = await send(sender, 'campaign', mails)
        if (round > 0) runs.push({ pool, campaign })
      }
      await sender.stop()
      const row = (name: 'pool' | 'campaign', words: string) => [
        words,
        `${Math.round(median(runs.map((run) => run[name][0])))}`,
        ms(median(runs.map((run) => run[name][1]))),
      ]
      console.log(`Mails into a mail server on this machine, ${rounds} rounds of ${mails}, medians`)
      console.log(
        table([
          ['', 'mails/s', 'CPU a mail'],
          row('pool', "nodemailer's pool, texts made beforehand"),
          row('campaign', 'a campaign: made, marked, sent, written down, on record'),
          [
            'the same, as a ratio of each round',
            times(median(runs.map(({ pool, campaign }) => campaign[0] / pool[0]))),
            times(median(runs.map(({ pool, campaign }) => pool[1] / campaign[1]))),
          ],
        ]),
      )
    })
    const sizes: string[][] = [['Memory of a campaign', 'mails/s', 'peak']]
    for (const many of [10_000, 100_000])
      await withFolder(async (folder) => {
        const sender = await start('send-mails.ts', server.url, join(folder, 'mail.db'))
        const [perSecond, , peak] = await send(sender, 'campaign', many)
        await sender.stop()
        sizes.push([`${many.toLocaleString('en')} recipients`, String(Math.round(perSecond)), mb(peak)])
      })
    console.log(`\n${table(sizes)}`)
    console.log(`\nDry run of ${audience.toLocaleString('en')} recipients, fingerprint and preview, ${rounds} rounds`)
    const dryRuns = [['', 'median', 'longest', 'processor of this process']]
    await withFolder(async (folder) => {
      dryRuns.push(await dryRun('one SQLite file', server.url, join(folder, 'mail.db')))
    })
    dryRuns.push(await onPostgres((database) => dryRun('PostgreSQL on this machine', server.url, database)))
    console.log(table(dryRuns))
  } finally {
    await server.stop()
  }
}

async function dryRun(name: string, url: string, database: string): Promise<string[]> {
  const sender = await start('send-mails.ts', url, database)
  const runs: Figures[] = []
  for (let round = 0; round < rounds; round += 1) runs.push(await send(sender, 'dry-run', audience))
  await sender.stop()
  const walls = runs.map(([perSecond]) => (audience / perSecond) * 1000)
  return [name, ms(median(walls)), ms(Math.max(...walls)), ms(median(runs.map((run) => run[1] * audience)))]
}

/** On COUNTERSIGN_TEST_POSTGRES, or a server that is started here with its own defaults. */
async function onPostgres<T>(use: (database: string) => Promise<T>): Promise<T> {
  const named = process.env['COUNTERSIGN_TEST_POSTGRES']
  const server = named === undefined ? await startPostgres({ durable: true }) : undefined
  try {
    const database = await createDatabase(named ?? server?.url ?? '')
    const answer = await use(database.url)
    await database.drop()
    return answer
  } finally {
    await server?.stop()
  }
}
