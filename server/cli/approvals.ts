// `countersign approvals`: what agents want to do and may not do unasked, and the decision about it.
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { Option } from 'commander'
import { approvalText } from '../call/approval-text.ts'
import { decideApproval, needsSecondFactor, type DecisionResult } from '../call/decide-approval.ts'
import type { Approval } from '../call/approvals.ts'
import { approvalView } from '../http/approvals-api.ts'
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

interface ListOptions extends OperatorOptions {
  readonly state?: Approval['state'] | 'all'
  readonly tenant?: string
  readonly json?: true
}

/** Adds the commands. `done` takes the exit code. */
export function addApprovals(program: Command, done: (code: number) => void): void {
  const approvals = program.command('approvals').description('decides what agents may not do by themselves')
  const db = ['--db <file>', 'database file (COUNTERSIGN_DB, else a file in your data directory)'] as const
  approvals
    .command('list')
    .description('lists approvals, newest first')
    .addOption(
      new Option('--state <state>', 'those in this state')
        .choices(['pending', 'approved', 'rejected', 'expired', 'all'])
        .default('pending'),
    )
    .option('--tenant <name>', 'those of this tenant')
    .option('--json', 'as JSON')
    .option(...db)
    .action(async (options: ListOptions) => done(await asOperator(options, (records) => list(records, options))))
  approvals
    .command('show <id>')
    .description('shows the card that the decision is about')
    .option('--json', 'as JSON')
    .option(...db)
    .action(async (id: string, options: ListOptions) =>
      done(await asOperator(options, (records) => show(records, id, options.json === true))),
    )
  approvals
    .command('approve <id>')
    .description('lets the call happen, once; asks at the terminal')
    .option('--by <name>', 'your name for the record (your user name when left out)')
    .option(...db)
    .action(async (id: string, options: OperatorOptions & { readonly by?: string }) => done(await approve(id, options)))
  approvals
    .command('reject <id>')
    .description('closes it; the agent is told why')
    .requiredOption('--reason <text>', 'what the agent is told')
    .option('--by <name>', 'your name for the record (your user name when left out)')
    .option(...db)
    .action(async (id: string, options: OperatorOptions & { readonly by?: string; readonly reason: string }) =>
      done(
        await asOperator(options, async (records) => {
          const { reason } = options
          const by = operatorName(options.by)
          const result = await decideApproval(records, id, { decision: 'rejected', by, reason })
          if (result.kind === 'refused') return trouble(result)
          say.line(`Rejected ${id}.`)
          return 0
        }),
      ),
    )
}

async function list(records: Records, { state, tenant, json }: ListOptions): Promise<number> {
  const found = await records.approvals.list({
    ...(state === 'all' ? {} : { state }),
    ...(tenant === undefined ? {} : { tenant }),
    limit: 200,
  })
  if (json === true) printJson(found.map(approvalView))
  else if (found.length === 0) say.line(state === 'all' ? 'There are no approvals.' : `No approval is ${state}.`)
  else
    print(
      columns([
        ['ID', 'STATE', 'RISK', 'TOOL', 'ASKED BY', 'UNTIL (UTC)', 'WHAT'],
        ...found.map((each) => [
          each.id,
          each.state,
          each.risk,
          cell(each.tool, 40),
          cell(each.principal.subject, 30),
          minute(each.expiresAt),
          cell(each.summary),
        ]),
      ]),
    )
  return 0
}

async function show(records: Records, id: string, json: boolean): Promise<number> {
  const approval = await records.approvals.find(id)
  if (approval === undefined) return trouble(unknown(id))
  if (json) printJson({ ...approvalView(approval), card: JSON.parse(approval.card) as unknown })
  else print(approvalText(approval))
  return 0
}

const unknown = (id: string) => ({
  message: `There is no approval ${JSON.stringify(id.slice(0, 40))}.`,
  next: '`countersign approvals list --state all` shows those that there are.',
})

async function approve(id: string, options: OperatorOptions & { readonly by?: string }): Promise<number> {
  const terminal = openTerminal()
  if (terminal === undefined) return trouble(needsTerminal)
  try {
    return await asOperator(options, (records) => approveAt(terminal, records, id, operatorName(options.by)))
  } finally {
    terminal.close()
  }
}

async function approveAt(terminal: Terminal, records: Records, id: string, by: string): Promise<number> {
  const approval = await records.approvals.find(id)
  if (approval === undefined) return trouble(unknown(id))
  const enrolled = await records.secondFactor.enrolled()
  const factor = needsSecondFactor(approval, enrolled)
  if (approval.state !== 'pending' || (factor && !enrolled))
    // The shared steps refuse it, in their own words, before anyone is asked anything.
    return ended(records, await decideApproval(records, id, { decision: 'approved', by }))
  print(approvalText(approval))
  say.line()
  say.line(`Approving as ${by}. An agent with a shell under your OS user could type here too; tools alone cannot.`)
  if ((await terminal.ask('Type yes to let it happen: ')) !== 'yes') {
    say.line('Nothing was decided; it still waits.')
    return 1
  }
  if (!factor) return ended(records, await decideApproval(records, id, { decision: 'approved', by }))
  for (;;) {
    const code = await terminal.ask('Code of your authenticator: ')
    if (code === '') {
      say.line('Nothing was decided; it still waits.')
      return 1
    }
    const result = await decideApproval(records, id, { decision: 'approved', by, code })
    if (result.kind !== 'refused' || result.code !== 'second-factor-wrong') return ended(records, result)
    trouble(result)
  }
}

/** How long a terminal waits for the process that serves the tool. */
const patienceMs = 5000

async function ended(records: Records, result: DecisionResult): Promise<number> {
  if (result.kind === 'refused') return trouble(result)
  const { approval } = result
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
