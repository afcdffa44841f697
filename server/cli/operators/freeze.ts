// `countersign freeze`: one command that stops every change by every agent, and one that lets them go on.
import { freezeChanges } from '../../operators/freeze.ts'
import { staysFrozen } from '../../rail/record/record-doubt.ts'
import { doubtOf } from '../../compose/records/activity.ts'
import { anchorFileOf } from '../activity/activity-open.ts'
import { byOption, databaseCommands, type Done } from '../config-options.ts'
import type { Command } from 'commander'
import { asOperator, beginHere, operatorName, type OperatorOptions } from './operator.ts'
import { say, trouble } from '../terminal/output.ts'

interface FreezeOptions extends OperatorOptions {
  readonly tenant?: string
  readonly by?: string
}

/** Adds the commands. `done` takes the exit code. */
export function addFreeze(program: Command, done: Done): void {
  const command = databaseCommands(program)
  command('freeze')
    .requiredOption('--reason <text>', 'what agents and cards are told')
    .option('--tenant <name>', 'of this tenant only')
    .addOption(byOption())
    .action((options: FreezeOptions & { readonly reason: string }) =>
      done(
        asOperator(options, async ({ switches, activityLog }) => {
          const { tenant, reason } = options
          const end = await beginHere({ activityLog }, 'operator.froze', options, { tenant: tenant ?? null, reason })
          const { revoked } = await freezeChanges(switches, { tenant, reason, by: operatorName(options.by) })
          await end({ done: true, result: { revoked_plans: revoked } })
          say.line(
            `Frozen: ${whose(tenant)} may change nothing. ${revoked} open ${revoked === 1 ? 'preview was' : 'previews were'} revoked.`,
          )
          say.line(`\`countersign unfreeze${tenant === undefined ? '' : ` --tenant ${tenant}`}\` lifts the freeze.`)
          return 0
        }),
      ),
    )
  command('unfreeze')
    .option('--tenant <name>', 'of this tenant only')
    .addOption(byOption())
    .action((options: FreezeOptions) =>
      done(
        asOperator(options, async (records) => {
          const { switches } = records
          const end = await beginHere(records, 'operator.unfroze', options, { tenant: options.tenant ?? null })
          const file = options.tenant === undefined ? anchorFileOf(options) : undefined
          const doubt = await doubtOf(records, file)
          if (doubt !== undefined) {
            const refusal = staysFrozen(doubt)
            await end({ done: false, error: refusal })
            return trouble(refusal)
          }
          const lifted = await switches.unfreeze(options.tenant)
          await end({ done: lifted })
          if (!lifted) return notFrozen(options.tenant, await switches.list())
          const others = await switches.list()
          say.line(`Lifted: ${whose(options.tenant)} may ask for changes again.`)
          for (const { tenant, reason } of others) say.line(`Still frozen: ${whose(tenant)} (${reason})`)
          return 0
        }),
      ),
    )
}

const whose = (tenant: string | undefined): string =>
  tenant === undefined ? 'agents of every tenant' : `agents of tenant ${tenant}`

const notFrozen = (tenant: string | undefined, others: readonly { readonly tenant: string | undefined }[]): number =>
  trouble({
    message: `There is no freeze of ${whose(tenant)}.`,
    next:
      others.length === 0 ? 'Nothing is frozen.' : `Frozen are ${others.map((each) => whose(each.tenant)).join(', ')}.`,
  })
