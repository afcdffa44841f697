// `countersign insights`: how it goes, and what somebody should do about it.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { operatorsTenant } from '../../operators/operator-record.ts'
import { gatherInsights } from '../../http/operators/insight-facts.ts'
import { readTime, timeWords } from '../../http/activity/time-input.ts'
import { databaseCommands, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { insightsText } from './insights-text.ts'
import { withRecords } from './activity-open.ts'
import type { DatabaseOptions } from './activity.ts'
import { type Records } from '../operators/operator.ts'
import { exit, print, printedAs, say } from '../terminal/output.ts'

interface InsightsOptions extends DatabaseOptions, OutputOptions {
  /** Epoch milliseconds. */
  readonly since: number
  readonly tenant?: string
}

const MOST_TENANTS = 200

/** Adds the command. `done` takes the exit code. */
export function addInsights(program: Command, done: Done): void {
  withOutput(databaseCommands(program)('insights'))
    .addOption(
      new Option('--since <time>', 'a date, a time, or so long ago: 24h, 7d, 30d')
        .argParser(since)
        .default(Date.now() - 7 * 86_400_000, '7d'),
    )
    .option('--tenant <name>', 'of this tenant; of each one by itself when left out')
    .action((options: InsightsOptions) => done(withRecords(options, (records) => show(records, options))))
}

function since(text: string): number {
  const at = readTime(text, Date.now())
  if (at === undefined || at > Date.now())
    throw new InvalidArgumentError(at === undefined ? `Write ${timeWords}.` : 'That is still to come.')
  return at
}

async function show(records: Records, options: InsightsOptions): Promise<number> {
  const known = (await records.activity.figures.tenants(MOST_TENANTS)).filter((name) => name !== operatorsTenant)
  const tenants = options.tenant === undefined ? known : [options.tenant]
  const now = Date.now()
  const all = []
  for (const tenant of tenants)
    all.push(await gatherInsights(records, { tenant, since: options.since, now, guidance: () => undefined }))
  const told = options.tenant === undefined ? all : all[0]
  if (await printedAs(options.output, told)) return exit.ok
  if (all.length === 0) say.line('There is no activity yet.')
  else print(all.map(insightsText).join('\n\n'))
  return exit.ok
}
