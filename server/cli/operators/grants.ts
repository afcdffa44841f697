// `countersign grants`: what agents may do without asking each time, so that nobody approves the same harmless thing forty times.
import { randomBytes } from 'node:crypto'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { renewGrant, revokeGrant } from '../../operators/end-grant.ts'
import { checkTerms, giveGrant, type Given, type GivingParts, type GrantTerms } from '../../operators/give-grant.ts'
import { approverFrom } from '../../rail/authorize/approver-of.ts'
import { proposeGrant } from '../../operators/propose-grant.ts'
import { grantStates } from '../../operators/grant-state.ts'
import { engineSettingsOf } from '../../compose/settings/config.ts'
import { readUntil, untilWords } from '../../http/activity/time-input.ts'
import { grantView, useView } from '../../http/operators/grants-view.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { asDecider, asPersonDeciding, type ActOptions, type AtRecords } from './act-as.ts'
import type { Terminal } from '../terminal/ask.ts'
import { byOption, databaseCommands, settingsOf, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { grantTable, grantText, timesText, whoText } from './grants-text.ts'
import { asOperator, type OperatorOptions, type Records } from './operator.ts'
import { exit, failed, minute, print, printedAs, say, thereIsNo, trouble, type Trouble } from '../terminal/output.ts'

interface ListOptions extends OperatorOptions, OutputOptions {
  readonly state: 'active' | 'ended' | 'all'
  readonly tenant?: string
  readonly tool?: string
}

interface AddOptions extends OperatorOptions, ActOptions {
  readonly from?: string
  readonly tool?: string
  readonly if?: string
  readonly times: number
  readonly per: GrantTerms['per']
  readonly until: string
  readonly for?: string
  readonly everyone?: true
  readonly tenant?: string
  readonly note?: string
}

/** Adds the commands. `done` takes the exit code. */
export function addGrants(program: Command, done: Done): void {
  const command = databaseCommands(program.command('grants'))
  const acting = (one: Command): Command =>
    one.addOption(byOption()).option('--account <name>', 'act as this account: with its password and its roles')
  acting(command('add', 'gives one; shows it and asks at the terminal'))
    .option('--from <approval>', 'like the call of this approval (ap_…): its tool, who asked, and a proposed condition')
    .option('--tool <name>', 'the tool, as agents call it; "server:tool" on a gateway')
    .option('--if <condition>', 'on the arguments, in CEL: \'customer == "ACME" && total < 500\'; `true` for any')
    .addOption(new Option('--times <n>', 'at most so often').argParser(count).default(20))
    .addOption(new Option('--per <time>', '… in this time').choices(['hour', 'day', 'total']).default('total'))
    .option('--until <when>', untilWords, '30d')
    .option('--for <subject>', 'whose calls it covers')
    .option('--everyone', 'it covers the calls of everyone of the tenant')
    .option('--tenant <name>', 'of which tenant ("default" when left out)')
    .option('--note <text>', 'why, for whoever looks at it later')
    .action((options: AddOptions) => done(asPersonDeciding(options, giveElsewhere, (at) => add(at, options))))
  withOutput(command('list', 'lists them, newest first'))
    .addOption(new Option('--state <state>', 'those').choices(['active', 'ended', 'all']).default('active'))
    .option('--tenant <name>', 'those of this tenant')
    .option('--tool <name>', 'those for this tool')
    .action((options: ListOptions) => done(asOperator(options, (records) => list(records, options))))
  withOutput(command('show <id>', 'shows one with its last uses')).action((id: string, options: ListOptions) =>
    done(asOperator(options, (records) => show(records, id, options))),
  )
  acting(command('revoke <id>', 'ends one at once, in every server')).action(
    (id: string, options: OperatorOptions & ActOptions) => done(revoke(id, options)),
  )
  acting(command('renew <id>', 'gives one again that a changed tool has suspended; asks at the terminal')).action(
    (id: string, options: OperatorOptions & ActOptions) =>
      done(asPersonDeciding(options, giveElsewhere, (at) => renew(at, id, options))),
  )
}

function count(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('A whole number from 1 to 10000.')
  return Number(text)
}

/** What giving rests on, for this database and these settings. */
function partsOf(records: Records, options: OperatorOptions): GivingParts {
  const settings = settingsOf(options)
  const { approvals = [], riskOf } = settings.ok ? engineSettingsOf(settings.value.server) : {}
  return {
    grants: records.grants,
    activityLog: records.activityLog,
    rules: approvals,
    riskOf,
    approverOf: approverFrom(records.operators.accounts),
    now: Date.now,
    random: randomBytes,
  }
}

const giveElsewhere = 'Run it in a terminal. Programs send POST /api/v1/grants, with the admin token.'

async function add({ terminal, records, by }: AtRecords<Terminal>, options: AddOptions): Promise<number> {
  const parts = partsOf(records, options)
  const read = await termsOf(parts, records, options)
  if (!read.ok) return trouble(read.failure)
  const { terms, free } = read.value
  const checked = await checkTerms(parts, by, terms)
  if (checked.kind === 'refused') return trouble(checked.refusal)
  print(`${terms.tool} (${checked.tool.title}) will run without a person, up to risk ${checked.risk},`)
  print(`  if       ${checked.condition}`)
  print(`  for      ${whoText({ ...terms, subject: terms.subject })}`)
  print(`  at most  ${timesText(terms)}, until ${minute(terms.until)} UTC.`)
  if (free.length > 0) print(`Not limited: ${free.join(', ')}.`)
  say.line(`Given as ${by.name}. An agent with a shell under your OS user could type here too; tools alone cannot.`)
  if ((await terminal.ask('Type yes to give it: ')) !== 'yes') {
    say.line('Nothing was given.')
    return 1
  }
  return sayGiven(await giveGrant(parts, by, terms), 'Given')
}

type ReadTerms = Result<{ readonly terms: GrantTerms; readonly free: readonly string[] }, Trouble>

async function termsOf(parts: GivingParts, records: Records, options: AddOptions): Promise<ReadTerms> {
  const until = readUntil(options.until, Date.now())
  if (until === undefined) return failed(`--until cannot be ${JSON.stringify(options.until)}.`, `Write ${untilWords}.`)
  const approval = options.from === undefined ? undefined : await records.approvals.find(options.from)
  if (options.from !== undefined && approval === undefined)
    return fail(thereIsNo('approval', options.from, 'approvals list --state all'))
  let condition = options.if
  let free: readonly string[] = []
  if (condition === undefined && approval !== undefined) {
    const proposed = await proposeGrant(parts, approval, await records.plans.find({ by: 'id', id: approval.planId }))
    if (proposed.kind === 'refused') return fail(proposed.refusal)
    condition = proposed.proposal.condition
    free = proposed.proposal.free
  }
  const tool = options.tool ?? approval?.tool
  if (tool === undefined || condition === undefined)
    return failed('A grant needs a tool and a condition.', 'Give --tool and --if, or --from with an approval.')
  const subject = options.everyone === true ? undefined : (options.for ?? approval?.principal.subject)
  if (subject === undefined && options.everyone !== true)
    return failed(
      'A grant needs to know whose calls it covers.',
      'Give --for with a name from the activity log, or --everyone.',
    )
  const { times, per, note } = options
  const tenant = options.tenant ?? approval?.principal.tenant ?? 'default'
  if (approval !== undefined && (approval.tool !== tool || approval.principal.tenant !== tenant))
    return failed(
      `${approval.id} is an approval of another tool or tenant.`,
      'Leave out --from, or --tool and --tenant.',
    )
  return ok({ terms: { tool, tenant, subject, condition, times, per, until, note, approvalId: approval?.id }, free })
}

function sayGiven(given: Given, how: string): number {
  if (given.kind === 'refused') return trouble(given.refusal)
  const { grant } = given
  say.line(`${how} ${grant.id}: ${grant.tool} for ${whoText(grant)}, ${timesText(grant)}.`)
  return 0
}

async function list(records: Records, options: ListOptions): Promise<number> {
  const { state, tenant, tool, output } = options
  const found = await records.grants.list({ tenant, tool, ...(state === 'all' ? {} : { state }), limit: 200 })
  const withStates = await grantStates(partsOf(records, options), found)
  const views = withStates.map(([grant, each]) => grantView(grant, each))
  if (await printedAs(output, views)) return exit.ok
  if (found.length === 0) say.line(state === 'all' ? 'There are no grants.' : `No grant is ${state}.`)
  else print(grantTable(withStates))
  return 0
}

async function show(records: Records, id: string, options: OperatorOptions & OutputOptions): Promise<number> {
  const grant = await records.grants.find(id)
  const [withState] = grant === undefined ? [] : await grantStates(partsOf(records, options), [grant])
  if (withState === undefined) return trouble(thereIsNo('grant', id, 'grants list --state all'))
  const uses = await records.grants.uses(id, 50)
  if (await printedAs(options.output, { ...grantView(...withState), uses: uses.map(useView) })) return exit.ok
  print(grantText(...withState, uses))
  say.line(`\`countersign activity list --grant ${id}\` shows the calls.`)
  return exit.ok
}

const revoke = (id: string, options: OperatorOptions & ActOptions): Promise<number> =>
  asDecider(options, async ({ records, by }) =>
    sayGiven(await revokeGrant(partsOf(records, options), by, id), 'Revoked'),
  )

async function renew(
  { terminal, records, by }: AtRecords<Terminal>,
  id: string,
  options: OperatorOptions & ActOptions,
): Promise<number> {
  const parts = partsOf(records, options)
  const grant = await records.grants.find(id)
  const [withState] = grant === undefined ? [] : await grantStates(parts, [grant])
  if (withState !== undefined) {
    print(grantText(...withState, []))
    if ((await terminal.ask('Type yes to give it again, for the tool as it is now: ')) !== 'yes') {
      say.line('Nothing was changed.')
      return 1
    }
  }
  return sayGiven(await renewGrant(parts, by, id), 'Renewed')
}
