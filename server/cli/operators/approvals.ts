// `countersign approvals`: what agents want to do and may not do unasked, and the decision about it.
import { byOption, databaseCommands, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { Option } from 'commander'
import { approvalText, approvalWord } from '../../operators/approval-text.ts'
import { needsSecondFactor } from '../../operators/approval-factor.ts'
import { plainSentence } from '../../cards/figures.ts'
import { rightTo } from '../../operators/approval-rights.ts'
import { decideApproval, missingVotes, type DecisionResult } from '../../operators/decide-approval.ts'
import type { Approval } from '../../model/approvals.ts'
import { approvalView } from '../../http/operators/approval-view.ts'
import { approverParts } from '../../http/operators/approver.ts'
import { asDecider, asPersonDeciding, decideElsewhere, type ActOptions, type AtRecords } from './act-as.ts'
import type { Terminal } from '../terminal/ask.ts'
import { asOperator, type OperatorOptions, type Records } from './operator.ts'
import { cell, exit, minute, print, printedAs, printList, say, thereIsNo, trouble } from '../terminal/output.ts'

interface ListOptions extends OperatorOptions, OutputOptions {
  readonly state?: Approval['state'] | 'all'
  readonly tenant?: string
}

interface DecideOptions extends OperatorOptions, ActOptions {
  readonly for?: string
}

interface RejectOptions extends DecideOptions {
  readonly reason?: string
}

/** Adds the commands. `done` takes the exit code. */
export function addApprovals(program: Command, done: Done): void {
  const command = databaseCommands(program.command('approvals'))
  withOutput(command('list', 'lists approvals, newest first'))
    .addOption(
      new Option('--state <state>', 'those in this state')
        .choices(['pending', 'approved', 'rejected', 'expired', 'all'])
        .default('pending'),
    )
    .option('--tenant <name>', 'those of this tenant')
    .action((options: ListOptions) => done(asOperator(options, (records) => list(records, options))))
  withOutput(command('show <id>', 'shows the card that the decision is about')).action(
    (id: string, options: ListOptions) => done(asOperator(options, (records) => show(records, id, options))),
  )
  command('approve <id>', 'lets the call happen, once; asks at the terminal')
    .addOption(byOption())
    .option('--account <name>', 'decide as this account: with its password, its roles and its one vote')
    .option('--for <name>', 'in the right of this account, which has delegated it')
    .action((id: string, options: DecideOptions) => done(approve(id, options)))
  command('reject <id>', 'closes it; the agent is told so')
    .option('--reason <text>', 'what the agent is told of why')
    .addOption(byOption())
    .option('--account <name>', 'decide as this account: with its password and its roles')
    .option('--for <name>', 'in the right of this account, which has delegated it')
    .action((id: string, options: RejectOptions) => done(reject(id, options)))
}

async function list(records: Records, { state, tenant, output }: ListOptions): Promise<number> {
  const found = await records.approvals.list({
    ...(state === 'all' ? {} : { state }),
    ...(tenant === undefined ? {} : { tenant }),
    limit: 200,
  })
  return printList(output, {
    value: found.map(approvalView),
    head: ['ID', 'STATE', 'RISK', 'TOOL', 'ASKED BY', 'UNTIL (UTC)', 'WHAT'],
    rows: found.map((each) => [
      each.id,
      each.state,
      each.risk,
      cell(each.tool, 40),
      cell(each.principal.subject, 30),
      minute(each.expiresAt),
      cell(plainSentence(each.summary)),
    ]),
    none: state === 'all' ? 'There are no approvals.' : `No approval is ${state}.`,
  })
}

async function show(records: Records, id: string, { output }: ListOptions): Promise<number> {
  const approval = await records.approvals.find(id)
  if (approval === undefined) return trouble(unknown(id))
  const whole = { ...approvalView(approval), card: JSON.parse(approval.card) as unknown }
  if (!(await printedAs(output, whole))) print(approvalText(approval))
  return exit.ok
}

const unknown = (id: string) => thereIsNo('approval', id, 'approvals list --state all')

const reject = (id: string, options: RejectOptions): Promise<number> =>
  asDecider(options, async ({ records, by }) => {
    const { reason, for: onBehalfOf } = options
    const parts = approverParts(records, { id: by.person })
    const result = await decideApproval(parts, id, { decision: 'rejected', by, reason, onBehalfOf })
    if (result.kind === 'refused') return trouble(result)
    say.line(`Rejected ${id}.`)
    return 0
  })

const approve = (id: string, options: DecideOptions): Promise<number> =>
  asPersonDeciding(options, decideElsewhere, (at) => approveAt(at, id, options.for))

async function approveAt(
  { terminal, records, by }: AtRecords<Terminal>,
  id: string,
  onBehalfOf: string | undefined,
): Promise<number> {
  const approval = await records.approvals.find(id)
  if (approval === undefined) return trouble(unknown(id))
  const parts = approverParts(records, { id: by.person })
  const decide = (code?: string): Promise<DecisionResult> =>
    decideApproval(parts, id, { decision: 'approved', by, code, onBehalfOf })
  const right = rightTo(approval, { decision: 'approved', by, onBehalfOf }, await parts.delegatedTo?.(by.person))
  const enrolled = await parts.secondFactor.enrolled()
  const factor = needsSecondFactor(approval, enrolled)
  if (approval.state !== 'pending' || (factor && !enrolled) || right.kind === 'none' || right.kind === 'unseen')
    // The shared steps refuse it, in their own words, before anyone is asked anything.
    return ended(records, await decide())
  print(approvalText(approval))
  say.line()
  const whose = right.kind === 'delegated' ? `${by.name} for ${right.behalf.name}` : by.name
  say.line(`Approving as ${whose}. An agent with a shell under your OS user could type here too; tools alone cannot.`)
  const word = approvalWord(approval)
  if ((await terminal.ask(`Type ${word} to let it happen: `)).trim() !== word) {
    say.line('Nothing was decided; it still waits.')
    return 1
  }
  if (!factor) return ended(records, await decide())
  for (;;) {
    const code = await terminal.ask('Code of your authenticator: ')
    if (code === '') {
      say.line('Nothing was decided; it still waits.')
      return 1
    }
    const result = await decide(code)
    if (result.kind !== 'refused' || result.code !== 'second-factor-wrong') return ended(records, result)
    trouble(result)
  }
}

/** How long a terminal waits for the process that serves the tool. */
const patienceMs = 5000

async function ended(records: Records, result: DecisionResult): Promise<number> {
  if (result.kind === 'refused') return trouble(result)
  const { approval } = result
  if (result.kind === 'waiting') {
    const missing = missingVotes(approval)
    say.line(
      `Your vote counts. ${approval.id} waits for ${missing} more: ${missing === 1 ? 'another person' : 'other people'}.`,
    )
    return 0
  }
  say.line(`Approved ${approval.id}.`)
  const deadline = performance.now() + patienceMs
  for (;;) {
    const plan = await records.plans.find({ by: 'id', id: approval.planId })
    if (plan !== undefined && plan.state !== 'open' && plan.state !== 'applying') {
      const failure =
        plan.ending?.kind === 'failed' || plan.ending?.kind === 'unknown' ? plan.ending.failure : undefined
      say.line(`The call is ${plan.state}${failure === undefined ? '.' : `: ${failure.message}`}`)
      return plan.state === 'applied' ? 0 : 1
    }
    if (performance.now() > deadline) {
      say.line(
        plan?.state === 'applying'
          ? 'The call is running.'
          : `No running server has taken it yet. It happens when one that serves ${approval.tool} is up, or when the agent repeats its call.`,
      )
      return 0
    }
    await wait(100)
  }
}
