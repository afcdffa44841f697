// `countersign account`: accounts, their roles, and delegations between them. Everything here takes the admin
// token and is written down with the name of who did it.
import type { Command } from 'commander'
import { delegate, revokeDelegation } from '../../operators/delegation.ts'
import { accountView, delegationView } from '../../http/operators/accounts-api.ts'
import { readUntil, untilWords } from '../../http/activity/time-input.ts'
import {
  addAccount,
  changeState,
  changeRoles,
  removeAccount,
  setPassword,
  totp,
  type AddOptions,
  type RoleChange,
} from './account-work.ts'
import { withRoleOptions } from './account-input.ts'
import { databaseCommands, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { adminHere } from './act-as.ts'
import { asOperator, type OperatorOptions, type Records } from './operator.ts'
import { cell, minute, printList, say, trouble } from '../terminal/output.ts'

interface ListOptions extends OperatorOptions, OutputOptions {}

/** Adds the commands. `done` takes the exit code. */
export function addAccounts(program: Command, done: Done): void {
  const command = databaseCommands(program.command('account'))

  withRoleOptions(command('add <name>', 'adds an account; asks for its password, or makes one and shows it once'))
    .option('--tenant <name>', 'sees and decides what is of this tenant; of all when left out')
    .option(
      '--subject <subjects...>',
      "principals that are the same person, like 'ada/*': never approve what these ask",
    )
    .option('--generate', 'make the password')
    .action((name: string, options: AddOptions) => done(addAccount(name, options)))
  withOutput(command('list', 'lists accounts')).action((options: ListOptions) =>
    done(asOperator(options, (records) => list(records, options))),
  )
  command('disable <name>', 'signs it out everywhere and lets it in no more').action(
    (name: string, options: OperatorOptions) => done(changeState(name, 'disabled', options)),
  )
  command('enable <name>', 'lets a disabled account in again').action((name: string, options: OperatorOptions) =>
    done(changeState(name, 'active', options)),
  )
  command('password <name>', 'sets another password and signs the account out everywhere')
    .option('--generate', 'make the password')
    .action((name: string, options: AddOptions) => done(setPassword(name, options)))
  command('totp <name>', 'enrols an authenticator for the account, or replaces it')
    .option('--reset', 'take a lost one away')
    .action((name: string, options: OperatorOptions & { readonly reset?: true }) => done(totp(name, options)))
  withRoleOptions(command('role <name>', 'gives the account another role'))
    .option('--add', 'beside those that it has')
    .option('--subject <subjects...>', 'instead of its subjects')
    .action((name: string, options: RoleChange) => done(changeRoles(name, options)))
  command('remove <name>', 'removes the account; its name stays where it was recorded').action(
    (name: string, options: OperatorOptions) => done(removeAccount(name, options)),
  )
  command('delegate <from> <to>', "lends one account's right to approve to another, until a date")
    .requiredOption('--until <date>', untilWords)
    .option('--tools <globs...>', "for these tools only, like 'orders_*'")
    .action((from: string, to: string, options: DelegateOptions) =>
      done(asOperator(options, (records) => delegateRight(records, from, to, options))),
    )
  withOutput(command('delegations', 'lists who stands in for whom')).action((options: ListOptions) =>
    done(asOperator(options, (records) => listDelegations(records, options))),
  )
  command('undelegate <id>', 'takes a delegation back').action((id: string, options: OperatorOptions) =>
    done(asOperator(options, (records) => undelegate(records, id))),
  )
}

async function list({ operators }: Records, { output }: ListOptions): Promise<number> {
  const { accounts } = operators
  const all = await accounts.list()
  const withFactor = await Promise.all(
    all.map(async (each) => ({ ...accountView(each), totp: await accounts.factor(each.id).enrolled() })),
  )
  return printList(output, {
    value: withFactor,
    head: ['NAME', 'STATE', 'TENANT', 'ROLES', 'SIGN-IN', 'LAST SIGN-IN (UTC)'],
    rows: all.map((each, at) => [
      cell(each.name, 40),
      each.state,
      cell(each.tenant ?? '(all)', 30),
      cell(each.roles.map(roleText).join('; '), 80),
      `${each.signIn}${withFactor[at]?.totp === true ? ' + code' : ''}`,
      each.seenAt === undefined ? 'never' : minute(each.seenAt),
    ]),
    none: 'There are no accounts; `countersign account add` makes one.',
  })
}

function roleText(
  role: Awaited<ReturnType<Records['operators']['accounts']['list']>>[number]['roles'][number],
): string {
  if (role.kind !== 'approver') return role.kind
  const { tools, maxAmount } = role
  const most = maxAmount === undefined ? '' : ` up to ${maxAmount.value} ${maxAmount.currency}`
  return `approver of ${tools.join(', ')}${most}`
}

interface DelegateOptions extends OperatorOptions {
  readonly until: string
  readonly tools?: readonly string[]
}

const delegationParts = ({ operators, activityLog }: Records) => ({ ...operators, activityLog, now: Date.now })

async function delegateRight(
  records: Records,
  from: string,
  to: string,
  { until, tools }: DelegateOptions,
): Promise<number> {
  const ends = readUntil(until, Date.now())
  if (ends === undefined)
    return trouble({ message: `The date ${JSON.stringify(until)} cannot be read.`, next: `Write ${untilWords}.` })
  const globs = tools?.flatMap((text) => text.split(',')).map((text) => text.trim())
  const delegated = await delegate(delegationParts(records), adminHere(), { from, to, tools: globs, until: ends })
  if (delegated.kind === 'refused') return trouble(delegated.refusal)
  const { id, from: giver, to: taker } = delegated.delegation
  say.line(`${taker.name} may approve for ${giver.name} until ${new Date(ends).toISOString()} (${id}).`)
  return 0
}

async function listDelegations({ operators }: Records, { output }: ListOptions): Promise<number> {
  const all = await operators.delegations.list()
  return printList(output, {
    value: all.map(delegationView),
    head: ['ID', 'FROM', 'TO', 'TOOLS', 'UNTIL (UTC)', 'STATE'],
    rows: all.map(({ id, from, to, tools, until, revoked }) => [
      id,
      cell(from.name, 40),
      cell(to.name, 40),
      cell(tools.join(', '), 60),
      minute(until),
      revoked !== undefined ? `taken back by ${revoked.by}` : until <= Date.now() ? 'ended' : 'holds',
    ]),
    none: 'There are no delegations.',
  })
}

async function undelegate(records: Records, id: string): Promise<number> {
  const ended = await revokeDelegation(delegationParts(records), adminHere(), id)
  if (ended.kind === 'refused') return trouble(ended.refusal)
  const { from, to } = ended.delegation
  say.line(`${to.name} may no longer approve for ${from.name}.`)
  return 0
}
