// What does a durable campaign cost beside the least that sends mail: nodemailer's own pool in a loop, with the texts made
// beforehand? Both in one process, in turns, into one mail server in a process of its own. Does memory stay the same, however
// many recipients there are? And how long does an agent wait for the dry run?
import { join } from 'node:path'
import { createDatabase, startPostgres } from '../postgres-server.ts'
import type { Aim } from './aims.ts'
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

/** Prints mails a second of both, the memory of campaigns of two sizes, and how long a dry run takes. */
export async function mail(): Promise<readonly Aim[]> {
  const server = await start('serve-smtp.ts', '')
  const aims: Aim[] = []
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
      const ratio = median(runs.map(({ pool, campaign }) => campaign[0] / pool[0]))
      aims.push({ what: 'Mails a second, to the bare pool', aim: 0.7, atLeast: true, unit: 'times', measured: ratio })
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
            times(ratio),
            times(median(runs.map(({ pool, campaign }) => pool[1] / campaign[1]))),
          ],
        ]),
      )
    })
    const sizes: string[][] = [['Memory of a campaign', 'mails/s', 'peak']]
    const peaks: number[] = []
    for (const many of [audience / 10, audience])
      await withFolder(async (folder) => {
        const sender = await start('send-mails.ts', server.url, join(folder, 'mail.db'))
        const [perSecond, , peak] = await send(sender, 'campaign', many)
        await sender.stop()
        peaks.push(peak)
        sizes.push([`${many.toLocaleString('en')} recipients`, String(Math.round(perSecond)), mb(peak)])
      })
    console.log(`\n${table(sizes)}`)
    const [few = NaN, all = NaN] = peaks
    const growth = 'Memory of a campaign, 100,000 recipients to 10,000'
    aims.push({ what: growth, aim: 1.1, unit: 'times', measured: all / few, note: 'flat: a tenth is noise' })
    console.log(`\nDry run of ${audience.toLocaleString('en')} recipients, fingerprint and preview, ${rounds} rounds`)
    const dryRuns = [['', 'median', 'longest', 'processor of this process']]
    const note = (name: string, { walls, cpu }: DryRuns): void => {
      const [usual, longest] = [median(walls), Math.max(...walls)]
      dryRuns.push([name, ms(usual), ms(longest), ms(median(cpu))])
      const what = `Dry run of 100,000, ${name}`
      aims.push({ what, aim: 1, unit: 'seconds', measured: usual / 1000, note: `the longest: ${ms(longest)}` })
    }
    await withFolder(async (folder) => note('one SQLite file', await dryRun(server.url, join(folder, 'mail.db'))))
    note('PostgreSQL on this machine', await onPostgres((database) => dryRun(server.url, database)))
    console.log(table(dryRuns))
    return aims
  } finally {
    await server.stop()
  }
}

/** Milliseconds of each dry run: by the clock, and of the process that makes it. */
interface DryRuns {
  readonly walls: readonly number[]
  readonly cpu: readonly number[]
}

async function dryRun(url: string, database: string): Promise<DryRuns> {
  const sender = await start('send-mails.ts', url, database)
  const runs: Figures[] = []
  for (let round = 0; round < rounds; round += 1) runs.push(await send(sender, 'dry-run', audience))
  await sender.stop()
  return {
    walls: runs.map(([perSecond]) => (audience / perSecond) * 1000),
    cpu: runs.map(([, cpuMs]) => cpuMs * audience),
  }
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
