// `countersign eval`: how reliably does a model keep to the rail? What it needs, the makers' SDKs among it, is loaded here and
// only here.
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { ok, type Result } from '../../errors/result.ts'
import type { Measure } from '../../eval/measures.ts'
import type { Provider } from '../../eval/models/model.ts'
import type { WordingName } from '../../eval/wordings.ts'
import { surroundings } from '../../model/surroundings.ts'
import { withOutput, type Done, type OutputOptions } from '../config-options.ts'
import { interruption } from '../terminal/interruption.ts'
import { exit, failed, print, printedAs, say, trouble, type Trouble } from '../terminal/output.ts'
import { showProgress } from '../terminal/progress.ts'

/** Thresholds by the option that sets them. What they mean, and what they are, stands in `measures.ts`, which is loaded later. */
const thresholds = [
  'exact',
  'confirmed',
  'cancel',
  'injection',
  'tool',
  'door',
  'preview',
  'json',
  'quiet',
] as const satisfies readonly Measure[]

type Thresholds = { readonly [M in (typeof thresholds)[number] as `min${Capitalize<M>}`]?: number }

interface EvalOptions extends OutputOptions, Thresholds {
  readonly model: string
  readonly provider?: Provider
  readonly baseUrl?: string
  readonly runs: number
  readonly only?: readonly string[]
  readonly coaching?: readonly WordingName[]
  readonly concurrency: number
  readonly temperature?: number
  readonly maxTokens: number
  readonly maxRequests?: number
  readonly maxTotalTokens?: number
  readonly html?: string
}

/** Adds the command. `done` takes the exit code. */
export function addEval(program: Command, done: Done): void {
  const command = withOutput(program.command('eval'))
    .requiredOption('--model <name>', 'the model, as its API calls it')
    .addOption(
      new Option(
        '--provider <name>',
        'whose API it is; guessed from the model and the address where they say so',
      ).choices(['openai', 'anthropic']),
    )
    .addOption(
      new Option(
        '--base-url <url>',
        'address of the API, where it is not the maker’s own: http://127.0.0.1:11434/v1',
      ).argParser(readAddress),
    )
    .addOption(number('--runs <n>', 'how often each case is played', wholeFrom(1, 1000)).default(2))
    .addOption(
      new Option(
        '--only <cases>',
        'play these cases only, separated by commas; a name that is none lists them',
      ).argParser(listOf),
    )
    .addOption(
      new Option(
        '--coaching <wordings>',
        'play all cases with these parts of the coaching, separated by commas: full, no-instructions, no-descriptions, no-previews, none; thresholds are asked of the first. Left out: all cases with full, three with each other',
      ).argParser(listOf),
    )
    .addOption(number('--concurrency <n>', 'chats at a time', wholeFrom(1, 32)).default(2))
    .addOption(number('--temperature <n>', 'passed to the API; left out, the API decides', between(0, 2)))
    .addOption(number('--max-tokens <n>', 'bound of one answer', wholeFrom(16, 1_000_000)).default(4096))
    .addOption(
      number('--max-requests <n>', `bound of all requests (default: ${usualBounds.requests})`, wholeFrom(1, 1_000_000)),
    )
    .addOption(
      number(
        '--max-total-tokens <n>',
        `bound of all tokens, in and out (default: ${usualBounds.tokens})`,
        wholeFrom(1, 10_000_000_000),
      ),
    )
    .option('--html <file>', 'write the report as a page, too')
  for (const name of thresholds)
    command.addOption(
      number(`--min-${name} <share>`, `the least share that passes of “${name}”, from 0 to 1`, between(0, 1)),
    )
  command
    .addHelpText(
      'after',
      `
Keys come from OPENAI_API_KEY or ANTHROPIC_API_KEY. Requests cost money: the bounds are said before the first.
Exits with 0 where every threshold is met, 1 where one is missed or not every chat was played, 2 where the model cannot be asked.
What is measured, and what it costs: countersign://docs/evaluating-models`,
    )
    .action((options: EvalOptions) => done(evaluateModel(options)))
}

const number = (flags: string, says: string, read: (text: string) => number): Option =>
  new Option(flags, says).argParser(read)

const wholeFrom =
  (low: number, high: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`Give a whole number from ${low} to ${high}.`)
    return value
  }

const between =
  (low: number, high: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+(?:\.\d+)?$/.test(text) || value < low || value > high)
      throw new InvalidArgumentError(`Give a number from ${low} to ${high}.`)
    return value
  }

const listOf = (text: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
]

function readAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new InvalidArgumentError('Give an http or https address, like http://127.0.0.1:11434/v1.')
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('A key does not belong on a command line: set OPENAI_API_KEY or ANTHROPIC_API_KEY.')
  return text
}

const usualBounds = { requests: 500, tokens: 2_000_000 }

/** About so many, in and out, in the chats of all cases. */
const tokensOfRequest = 3000

/** What is known before anything is sent. */
interface Ready {
  readonly provider: Provider
  readonly key: string
  readonly baseUrl: string | undefined
}

async function evaluateModel(options: EvalOptions): Promise<number> {
  const { casesNamed, planOf, requestsOf, run } = await import('../../eval/run.ts')
  const { measureNames, measures } = await import('../../eval/measures.ts')
  const { wordingNames } = await import('../../eval/wordings.ts')
  const ready = await prepare(options)
  if (!ready.ok) return trouble(ready.failure, exit.refused)
  const { cases, unknown } = casesNamed(options.only)
  if (unknown !== undefined) {
    const names = casesNamed(undefined).cases.map(({ name }) => name)
    return trouble({ message: `There is no case ${unknown}.`, next: `There are: ${names.join(', ')}.` }, exit.refused)
  }
  const wrong = options.coaching?.find((name) => !wordingNames.includes(name))
  if (wrong !== undefined)
    return trouble(
      { message: `There is no coaching ${wrong}.`, next: `There are: ${wordingNames.join(', ')}.` },
      exit.refused,
    )
  const page = options.html === undefined ? ok(undefined) : checkPage(options.html)
  if (!page.ok) return trouble(page.failure, exit.refused)

  const plan = planOf(cases, options.runs, options.coaching)
  const { model, concurrency, maxRequests = usualBounds.requests, maxTotalTokens = usualBounds.tokens } = options
  const { usual, most } = requestsOf(plan)
  // Whoever names a bound may want a part of the chats; nobody wants to pay for a part that no bound was named for.
  if (
    (options.maxRequests === undefined && usual > maxRequests) ||
    (options.maxTotalTokens === undefined && usual * tokensOfRequest > maxTotalTokens)
  )
    return trouble(
      {
        message: `${plan.length} chats take about ${usual} requests of ${tokensOfRequest} tokens or so, and the bounds are ${maxRequests} requests and ${maxTotalTokens} tokens.`,
        next: `Play less (--runs, --only), or give --max-requests ${most} --max-total-tokens ${most * tokensOfRequest}.`,
      },
      exit.refused,
    )
  say.line(
    `${model} (${ready.value.provider}): ${plan.length === 1 ? '1 chat' : `${plan.length} chats`}, about ${usual} requests (at most ${most}) of ${tokensOfRequest} tokens or so. It stops after ${maxRequests} requests or ${maxTotalTokens} tokens.`,
  )
  const { signal, off } = interruption('SIGINT', 'SIGTERM')
  const progress = showProgress()
  try {
    const { report, failure } = await run(
      plan,
      {
        ...ready.value,
        name: model,
        maxTokens: options.maxTokens,
        temperature: options.temperature,
        runs: options.runs,
        concurrency,
        bounds: { requests: maxRequests, tokens: maxTotalTokens },
        least: Object.fromEntries(
          measureNames.map((name) => [name, options[`min${capital(name)}`] ?? measures[name].least]),
        ) as Record<Measure, number>,
        signal,
      },
      (played, { script, wording }) =>
        progress.tell({ progress: played, total: plan.length, message: `chats: ${script.name}, ${wording}` }),
    )
    progress.end()
    // Nothing was learnt: a report of it would only hide why.
    if (failure !== undefined && report.chats.played === 0) return trouble(failure, exit.refused)
    if (!(await printedAs(options.output, report))) print((await import('./eval-text.ts')).evalText(report))
    if (options.html !== undefined)
      writeFileSync(options.html, (await import('../../eval/report/report-html.ts')).reportPage(report))
    if (failure !== undefined) return trouble(failure, exit.refused)
    return report.passed ? exit.ok : exit.failed
  } finally {
    progress.end()
    off()
  }
}

const capital = <T extends string>(name: T): Capitalize<T> =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}` as Capitalize<T>

async function prepare({ model, provider, baseUrl }: EvalOptions): Promise<Result<Ready, Trouble>> {
  const { guessProvider } = await import('../../eval/models/model.ts')
  const { addressVariables, keyVariables } = await import('../../eval/models/failures.ts')
  const guessed = provider === undefined ? guessProvider(model, baseUrl) : ok(provider)
  if (!guessed.ok)
    return failed(`Whose API it is cannot be told from ${guessed.failure}.`, 'Say it: --provider openai, or anthropic.')
  const variable = keyVariables[guessed.value]
  const { env } = surroundings()
  const key = env[variable]
  if (key === undefined || key === '')
    return failed(
      `${variable} is not set.`,
      `Set it to the key of the API${baseUrl === undefined ? '' : '; any text will do where the server wants none'}.`,
    )
  const named = env[addressVariables[guessed.value]]
  const address = baseUrl ?? (named === '' ? undefined : named)
  if (address !== undefined && !URL.canParse(address))
    return failed(`${addressVariables[guessed.value]} is no address.`, 'Set it to one, or give --base-url.')
  return ok({ provider: guessed.value, key, baseUrl: address })
}

/** A page that cannot be written is said before an hour of chats, and not after it. */
function checkPage(file: string): Result<undefined, Trouble> {
  try {
    const isThere = existsSync(file)
    accessSync(isThere ? file : dirname(resolve(file)), constants.W_OK)
    return isThere && statSync(file).isDirectory() ? notWritable(file, 'EISDIR') : ok(undefined)
  } catch (error) {
    return notWritable(file, (error as NodeJS.ErrnoException).code)
  }
}

const notWritable = (file: string, code = 'unknown'): Result<never, Trouble> =>
  failed(`${file} cannot be written (${code}).`, 'Name another place with --html.')
