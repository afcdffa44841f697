// `countersign activity`: what agents did, why, and who let them, read from the database itself, so that it works
// whether or not a server is running.
import { byOption, databaseCommands, withOutput, type ConfigOptions, type Done } from '../config-options.ts'
import { Option, type Command } from 'commander'
import { exportFormats, type ExportFormat } from '../../http/activity/activity-export.ts'
import { filterNames, type FilterName } from '../../http/activity/activity-filter.ts'
import { acceptOlder } from './activity-accept.ts'
import { anchorTo, erase, verify } from './activity-keep.ts'
import { exportActivity, list, show, watch } from './activity-read.ts'
import { retain } from './activity-retain.ts'

/** The filters by their options: `--intent-type` gives `intentType`, and the others are one word. */
export type FilterOptions = Readonly<Partial<Record<Exclude<FilterName, 'intent_type'> | 'intentType', string>>>

export type DatabaseOptions = Pick<ConfigOptions, 'config' | 'db'>

const filterHelp: Readonly<Record<FilterName, string>> = {
  intent_type: 'read, write, destructive (several with commas)',
  tool: 'name of a tool',
  status: 'ok, previewed, applied, refused, failed, open, unknown …',
  verdict: 'allow, preview, approve, deny',
  risk: 'low, medium, high, critical, forbidden',
  tenant: 'name of a tenant',
  subject: 'who called, or the pseudonym after an erasure',
  client: 'name that the client gives itself',
  source: 'mcp, rest, cli, approval (calls); operator, later (what happened beside them)',
  plan: 'id of a plan (pl_…)',
  approval: 'id of an approval (ap_…)',
  grant: 'id of a grant (gr_…): what ran under it',
  search: 'words that all occur in its texts, each as the beginning of one',
  since: 'a time (2026-01-31T12:00:00Z) or an age (24h)',
  until: 'a time or an age; what happened before it',
}

/** Adds the commands. `done` gets the exit code. */
export function addActivity(program: Command, done: Done): void {
  const command = databaseCommands(program.command('activity'))

  withOutput(filtered(command('list', 'lists calls, newest first')))
    .addOption(noIcons())
    .option('--limit <n>', 'how many', '50')
    .action((options: Parameters<typeof list>[0]) => done(list(options)))
  withOutput(command('show', 'tells the whole story of a call, a plan or an approval'))
    .argument('<id>', 'ac_…, pl_… or ap_…')
    .addOption(noIcons())
    .action((id: string, options: Parameters<typeof show>[1]) => done(show(id, options)))
  filtered(command('export', 'prints everything that matches, oldest first'))
    .addOption(new Option('--format <format>', 'of the document').choices(exportFormats).default('json'))
    .action((options: Parameters<typeof exportActivity>[0] & { readonly format: ExportFormat }) =>
      done(exportActivity(options)),
    )
  withOutput(filtered(command('watch', 'prints calls as they come and end')))
    .addOption(noIcons())
    .action((options: Parameters<typeof watch>[0]) => done(watch(options)))
  command('verify', 'checks that nothing was changed, removed or inserted')
    .option(
      '--anchor <file>',
      'heads that were exported earlier (the configured file when left out): finds a cut end, a chain written anew',
    )
    .action((options: Parameters<typeof verify>[0]) => done(verify(options)))
  command('anchor', 'appends the heads of the chains to a file outside the database')
    .argument('<file>')
    .action((file: string, options: DatabaseOptions) => done(anchorTo(file, options)))
  command('accept', 'goes on with a database that is older than its anchors')
    .requiredOption('--reason <text>', 'why, for the record')
    .addOption(byOption())
    .action((options: Parameters<typeof acceptOlder>[0]) => done(acceptOlder(options)))
  command('erase', "removes a person's texts and name; the chain stays whole")
    .requiredOption('--subject <name>', 'whose calls')
    .option('--tenant <name>', 'in which tenant', 'default')
    .option('--yes', 'really do it: it cannot be taken back')
    .action((options: Parameters<typeof erase>[0]) => done(erase(options)))
  command('retain', 'removes old calls with a signed cut')
    .option('--days <n>', 'keep this many days')
    .option('--rows <n>', 'keep this many calls of each tenant')
    .option('--bytes <n>', 'keep this many bytes of texts of each tenant')
    .option(
      '--yes',
      "this machine's clock is right: count age by it from now on, however far ahead of the database's time it is",
    )
    .option('--by <name>', 'with --yes: your name for the record (your user name when left out)')
    .action((options: Parameters<typeof retain>[0]) => done(retain(options)))
}

const noIcons = (): Option => new Option('--no-icons', 'words instead of icons (as does NO_COLOR)')

const filtered = (command: Command): Command =>
  filterNames.reduce((added, name) => added.option(`--${name.replace('_', '-')} <value>`, filterHelp[name]), command)
