// Whether it helps agents to be told what to do about an error, counted by what the same session did next. An error is judged
// once, as the first of a row of the same errors; where the session made no further call of that tool within 30 minutes,
// nobody knows, and it is counted apart.
import { docsUri } from '../../model/docs.ts'
import { callsOf, isAgentsCall } from './call-figures.ts'
import type { CallSum, Facts, MetError, UnexplainedSum } from './facts.ts'
import { differenceOf } from './interval.ts'
import { percentOf } from './percent.ts'

const TYPES = 50
const TOOLS = 10

/** What operators read of guidance. */
export function guidanceFigures({
  slices,
  met,
  mostMet,
  unexplained,
}: Pick<Facts, 'slices' | 'met' | 'mostMet' | 'unexplained'>) {
  const sums = slices.flatMap((slice) => slice.sums)
  const explained = met.filter((error) => error.explained)
  const told = explained.filter((error) => error.told === 'all' || error.told === 'with')
  return {
    /** Errors that their session was told what to do about. */
    resolution: resolutionOf(told),
    /** Only the newest so many errors were looked at; `null` where there are not more. */
    newest: met.length < mostMet ? null : mostMet,
    ...typeFigures(sums, told),
    /** The sessions that are told and those that are not, where `guidance.sample` compares them; else `null`. */
    halves: halvesOf(explained),
    budgets: budgetFigures(sums),
    tool_choice: toolChoice(sums),
    /** The fifty most frequent kinds of errors that no rule explains. */
    unexplained: unexplained.map(unexplainedView),
  }
}

/** What became of errors. `share_percent` is of those that the session's next call of the tool judges. */
function resolutionOf(errors: readonly MetError[]) {
  const count = (became: MetError['became']): number => errors.filter((error) => error.became === became).length
  const [resolved, another, repeated] = [count('resolved'), count('another'), count('repeated')]
  return {
    /** The next call met no error, another error, or the same one. */
    resolved,
    another,
    repeated,
    /** There was no next call within 30 minutes. */
    left: count('left'),
    /** Errors that only repeat the one before. */
    again: count('again'),
    /** Errors that are judged: `resolved`, `another` and `repeated` together. */
    judged: resolved + another + repeated,
    share_percent: percentOf(resolved, resolved + another + repeated),
    /** In how many sessions. */
    sessions: new Set(errors.map(({ session }) => session)).size,
  }
}

/** Errors by what they are called, the most frequent first. */
function typeFigures(sums: readonly CallSum[], told: readonly MetError[]) {
  const met = Map.groupBy(told, ({ errorType }) => errorType)
  const types = [...Map.groupBy(sums, ({ errorType }) => errorType)]
    .flatMap(([type, of]) => (type === undefined ? [] : [{ type, errors: callsOf(of) }]))
    .toSorted((one, other) => other.errors - one.errors || (one.type < other.type ? -1 : 1))
  return {
    /** The fifty most frequent. */
    types: types.slice(0, TYPES).map(({ type, errors }) => {
      const those = met.get(type) ?? []
      const { judged, resolved, share_percent } = resolutionOf(those)
      return { error_type: type, errors, judged, resolved, share_percent, median_attempts: medianAttempts(those) }
    }),
    /** Errors of other types than these. */
    other_types: types.slice(TYPES).reduce((total, { errors }) => total + errors, 0),
  }
}

/** How many calls half of them needed at most until one met no error; `null` where none ever did. */
function medianAttempts(errors: readonly MetError[]): number | null {
  const attempts = errors
    .flatMap((error) => (error.became === 'again' ? [] : (error.attempts ?? [])))
    .toSorted((one, other) => one - other)
  return attempts[Math.floor((attempts.length - 1) / 2)] ?? null
}

function halvesOf(explained: readonly MetError[]) {
  const [told, untold] = (['with', 'without'] as const).map((half) =>
    explained.filter((error) => error.told === half),
  ) as [MetError[], MetError[]]
  if (told.length + untold.length === 0) return null
  const [having, lacking] = [resolutionOf(told), resolutionOf(untold)]
  const found = differenceOf(
    { hits: having.resolved, of: having.judged },
    { hits: lacking.resolved, of: lacking.judged },
  )
  return {
    with: having,
    without: lacking,
    /**
     * By how many percentage points more are resolved with guidance, and between what that lies in 95 of 100 cases;
     * `null` while one half has nothing to judge.
     */
    difference:
      found === undefined
        ? null
        : { points: points(found.difference), low: points(found.low), high: points(found.high) },
  }
}

/** Percentage points, with one decimal. */
const points = (share: number): number => Math.round(share * 1000) / 10

/** How programs and budgets end that were used up. */
const exhaustedWords: ReadonlySet<string> = new Set(['budget_exhausted', 'out_of_fuel'])

function budgetFigures(sums: readonly CallSum[]) {
  const budgeted = sums.filter(({ ended }) => ended !== undefined)
  const figures = (of: readonly CallSum[]) => {
    const calls = callsOf(of)
    const exhausted = callsOf(of.filter(({ ended }) => exhaustedWords.has(ended ?? '')))
    return { calls, exhausted, share_percent: percentOf(exhausted, calls) }
  }
  return {
    /** Calls of tools with a budget that got as far as using it, and programs that were run. */
    ...figures(budgeted),
    /** The ten tools that use theirs up most often. */
    tools: [...Map.groupBy(budgeted, ({ tool }) => tool)]
      .flatMap(([tool, of]) => (tool === undefined ? [] : [{ tool, ...figures(of) }]))
      .filter(({ exhausted }) => exhausted > 0)
      .toSorted((one, other) => other.exhausted - one.exhausted || (one.tool < other.tool ? -1 : 1))
      .slice(0, TOOLS),
  }
}

/** Errors that say "use another tool". */
const anotherTool = {
  call_tool: ['intent_mismatch', 'annotation_mismatch', 'wrong_door'],
  unknown_tool: ['unknown_tool'],
  server: ['upstream_use_other_tool', 'upstream_unknown_tool'],
} as const satisfies Readonly<Record<string, readonly string[]>>

function toolChoice(sums: readonly CallSum[]) {
  const made = sums.filter(isAgentsCall)
  const count = (types: readonly string[]): number =>
    callsOf(made.filter(({ errorType }) => errorType !== undefined && types.includes(errorType)))
  const [calls, callTool, unknown, server] = [
    callsOf(made),
    count(anotherTool.call_tool),
    count(anotherTool.unknown_tool),
    count(anotherTool.server),
  ]
  return {
    calls,
    /** Refused because another of the gateway's call tools fits, … */
    other_call_tool: callTool,
    /** … because no tool has that name, … */
    unknown_tool: unknown,
    /** … and because the server behind names another tool. */
    other_tool_of_server: server,
    /** Of all calls of tools, those that an approval ran and those over REST and at the terminal among them. */
    share_percent: percentOf(callTool + unknown + server, calls),
  }
}

const unexplainedView = ({ tool, rule, sample, first, last, ...of }: UnexplainedSum) => ({
  fingerprint: of.fingerprint,
  /** `null`: a name that no tool has. */
  tool: tool ?? null,
  /** The server behind that the tool is of; `null` for a tool of this server, and behind `wrap`. */
  server: tool !== undefined && tool.includes(':') ? tool.slice(0, tool.indexOf(':')) : null,
  error_type: of.errorType,
  rule,
  /** Redacted, with marks in the place of values. */
  text: sample,
  errors: of.times,
  sessions: of.sessions,
  first_at: new Date(first).toISOString(),
  last_at: new Date(last).toISOString(),
  /** How to have it explained. */
  next: explainBy(rule),
  docs: `${docsUri}errors#errors-that-nothing-explains`,
})

/** Where the explanation of an error belongs that this rule has found. */
function explainBy(rule: string): string {
  if (rule.startsWith('tool.'))
    return 'The tool threw it. Mend the tool, or declare the failure in its contract and end the call with that.'
  if (rule === 'server.internal')
    return 'A fault of Countersign: please report it, with the incident in the server’s log.'
  if (rule.startsWith('upstream.') || rule.startsWith('failures.'))
    return 'Add a line to the errors in the profile of its server: what to look for, what it means, what to do.'
  return 'A program raised it. Please report the text, or add a rule for its language.'
}
