// `countersign admin`: the approvers' second factor, and who still calls without a rationale.
import { configOption, dbOption } from './config-options.ts'
import { hostname } from 'node:os'
import type { Command } from 'commander'
import { needsTerminal, openTerminal, type Terminal } from './ask.ts'
import {
  asOperator,
  cell,
  columns,
  minute,
  operatorName,
  print,
  printJson,
  trouble,
  type OperatorOptions,
  type Records,
} from './operator.ts'
import { say } from './say.ts'

/** Adds the commands. `done` takes the exit code. */
export function addAdmin(program: Command, done: (code: number) => void): void {
  const admin = program.command('admin').description('what operators set up')
  admin
    .command('totp')
    .description("enrols an authenticator as the approvers' second factor, or replaces it")
    .addOption(dbOption())
    .addOption(configOption())
    .action(async (options: OperatorOptions) => done(await totp(options)))
  admin
    .command('grace')
    .description('lists REST callers that still send no rationale')
    .option('--json', 'as JSON')
    .addOption(dbOption())
    .addOption(configOption())
    .action(async (options: OperatorOptions & { readonly json?: true }) =>
      done(await asOperator(options, (records) => grace(records, options.json === true))),
    )
}

async function totp(options: OperatorOptions): Promise<number> {
  const terminal = openTerminal()
  if (terminal === undefined) return trouble({ ...needsTerminal, next: 'Run it in a terminal.' })
  try {
    return await asOperator(options, (records) => enrol(terminal, records))
  } finally {
    terminal.close()
  }
}

async function enrol(terminal: Terminal, { secondFactor }: Records): Promise<number> {
  if (await secondFactor.enrolled()) {
    say.line('An authenticator is enrolled. A new one takes its place; that needs a code of the old one.')
    const check = await secondFactor.check(await terminal.ask('Code of the enrolled authenticator: '))
    if (check.kind === 'paused')
      return trouble({
        message: 'There were five wrong codes; no code is accepted now.',
        next: `Try again after ${new Date(check.until).toISOString()}.`,
      })
    if (check.kind !== 'right')
      return trouble({ message: 'This code is wrong or was used already.', next: 'Nothing was changed. Try again.' })
  }
  const { uri, secret } = await secondFactor.begin(`${operatorName(undefined)}@${hostname()}`)
  say.line('Add this to your authenticator; it is shown once:')
  say.line()
  say.line(`  ${uri}`)
  say.line()
  say.line(`  or type the secret  ${secret}`)
  say.line()
  for (let tries = 0; tries < 3; tries++) {
    const code = await terminal.ask('Code that it shows now: ')
    if (code === '') break
    if (await secondFactor.confirm(code)) {
      say.line('Enrolled. Approvals of critical calls, and those that ask for it, now need a code.')
      return 0
    }
    say.line('That is not its code.')
  }
  return trouble({
    message: 'Nothing was enrolled.',
    next: 'Run `countersign admin totp` again; it makes a new secret.',
  })
}

async function grace({ grace: records }: Records, json: boolean): Promise<number> {
  const callers = await records.callers()
  if (json) printJson(callers)
  else if (callers.length === 0) say.line('No caller has left out the rationale.')
  else
    print(
      columns([
        ['CALLER', 'TENANT', 'CLIENT', 'TOOL', 'CALLS', 'LAST (UTC)'],
        ...callers.map((each) => [
          cell(each.principal.subject, 40),
          cell(each.principal.tenant, 30),
          cell(each.client, 40),
          cell(each.tool, 40),
          String(each.calls),
          minute(each.lastAt),
        ]),
      ]),
    )
  return 0
}
