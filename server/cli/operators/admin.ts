// `countersign admin`: a link to the operators' pages, the approvers' second factor, and who still calls without a rationale.
import { byOption, databaseCommands, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { hostname } from 'node:os'
import type { Command } from 'commander'
import { recordAct } from '../../operators/operator-record.ts'
import { atTerminal } from '../terminal/ask.ts'
import { enrol, reset } from './enrol.ts'
import { open, type OpenOptions } from './open-pages.ts'
import { asOperator, operatorName, type OperatorOptions, type Records } from './operator.ts'
import { cell, minute, printList } from '../terminal/output.ts'

/** Adds the commands. `done` takes the exit code. */
export function addAdmin(program: Command, done: Done): void {
  const command = databaseCommands(program.command('admin'))
  command('totp', 'enrols an authenticator as the second factor of the admin token, or replaces it')
    .option('--reset', 'take a lost one away')
    .action((options: OperatorOptions & { readonly reset?: true }) => done(totp(options)))
  command('open', 'prints a link that signs you in once at the operators’ pages')
    .addOption(byOption())
    .option('--url <address>', 'where the server is reached, if it is not found by itself')
    .action((options: OpenOptions) => done(open(options)))
  withOutput(command('grace', 'lists REST callers that still send no rationale')).action(
    (options: OperatorOptions & OutputOptions) => done(asOperator(options, (records) => grace(records, options))),
  )
}

const totp = (options: OperatorOptions & { readonly reset?: true }): Promise<number> =>
  atTerminal((terminal) =>
    asOperator(options, async (records) => {
      const enrolling = {
        factor: records.secondFactor,
        label: `${operatorName(undefined)}@${hostname()}`,
        command: 'countersign admin totp',
        purpose: 'Approvals of critical calls, and those that ask for it, need a code of whoever has the admin token.',
      }
      const code = await (options.reset === true ? reset : enrol)(terminal, enrolling)
      if (code === 0)
        await recordAct(records.activityLog, {
          who: operatorName(undefined),
          tenant: undefined,
          via: 'terminal',
          act: options.reset === true ? 'operator.totp_reset' : 'operator.totp_enrolled',
          done: true,
          details: { of: 'the admin token' },
        })
      return code
    }),
  )

async function grace({ grace: records }: Records, { output }: OutputOptions): Promise<number> {
  const callers = await records.callers()
  return printList(output, {
    value: callers,
    head: ['CALLER', 'TENANT', 'CLIENT', 'TOOL', 'CALLS', 'LAST (UTC)'],
    rows: callers.map((each) => [
      cell(each.principal.subject, 40),
      cell(each.principal.tenant, 30),
      cell(each.client, 40),
      cell(each.tool, 40),
      String(each.calls),
      minute(each.lastAt),
    ]),
    none: 'No caller has left out the rationale.',
  })
}
