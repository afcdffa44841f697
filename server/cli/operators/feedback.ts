// `countersign feedback`: where agents got stuck, and what the operators made of it.
import { byOption, databaseCommands, withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { feedbackView } from '../../http/operators/feedback-api.ts'
import { readTime, timeWords } from '../../http/activity/time-input.ts'
import { asOperator, operatorName, type OperatorOptions, type Records } from './operator.ts'
import { severities } from '../../model/feedback.ts'
import { exit, print, printedAs, say, trouble } from '../terminal/output.ts'

type Filter = Parameters<Records['feedback']['list']>[0]
type Item = Awaited<ReturnType<Records['feedback']['list']>>[number]

interface ListOptions extends OperatorOptions, OutputOptions, Pick<Filter, 'since' | 'severity' | 'state'> {}

interface SetOptions extends OperatorOptions {
  readonly state?: Item['state']
  readonly note?: string
  readonly by?: string
}

/** Adds the commands. `done` takes the exit code. */
export function addFeedback(program: Command, done: Done): void {
  const command = databaseCommands(program.command('feedback'))
  withOutput(command('list', 'lists it, newest first'))
    .addOption(new Option('--since <time>', 'a date, a time, or so long ago: 90m, 24h, 7d').argParser(since))
    .addOption(new Option('--severity <severity>', 'of this severity').choices(severities))
    .addOption(new Option('--state <state>', 'in this state').choices(['new', 'seen', 'done']))
    .action((options: ListOptions) => done(asOperator(options, (records) => list(records, options))))
  command('set <id>', 'marks it, or adds a note')
    .addOption(new Option('--state <state>', 'its new state').choices(['new', 'seen', 'done']))
    .option('--note <text>', 'a note for other operators')
    .addOption(byOption())
    .action((id: string, options: SetOptions) => done(asOperator(options, (records) => set(records, id, options))))
}

function since(text: string): number {
  const at = readTime(text, Date.now())
  if (at === undefined) throw new InvalidArgumentError(`Write ${timeWords}.`)
  return at
}

async function list({ feedback }: Records, options: ListOptions): Promise<number> {
  const { since, severity, state } = options
  const found = await feedback.list({ since, severity, state, limit: 200 })
  if (await printedAs(options.output, found.map(feedbackView))) return exit.ok
  if (found.length === 0) say.line('No feedback matches.')
  else print(found.map(itemText).join('\n\n'))
  return exit.ok
}

const itemText = (item: Item): string =>
  [
    `${item.id}  ${item.severity}  ${item.state}  ${new Date(item.createdAt).toISOString()}  ${item.principal.subject}`,
    `  tried     ${indented(item.attemptedAction)}`,
    `  expected  ${indented(item.expectedOutcome)}`,
    `  happened  ${indented(item.actualOutcome)}`,
    ...(item.toolCalled === undefined ? [] : [`  tool      ${indented(item.toolCalled)}`]),
    ...(item.errorSeen === undefined ? [] : [`  error     ${indented(item.errorSeen)}`]),
    ...(item.note === undefined ? [] : [`  note      ${indented(item.note)} (${item.changedBy ?? 'unknown'})`]),
  ].join('\n')

const indented = (text: string): string => text.replaceAll('\n', '\n            ')

async function set({ feedback }: Records, id: string, { state, note, by }: SetOptions): Promise<number> {
  if (state === undefined && note === undefined)
    return trouble({ message: 'No change was named.', next: 'Give --state, --note, or both.' })
  const item = await feedback.set(id, { state, note, by: operatorName(by) })
  if (item === undefined)
    return trouble({
      message: `There is no feedback ${JSON.stringify(id.slice(0, 40))}.`,
      next: '`countersign feedback list` shows what there is.',
    })
  say.line(`${item.id} is ${item.state}.`)
  return 0
}
