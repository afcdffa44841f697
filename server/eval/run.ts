// An evaluation as it is asked for: which chats are played, with which model, and the report of it.
import { packageVersion } from '../compose/package-files.ts'
import { cases, usualRequests, type Case } from './cases.ts'
import { evaluate, type Bounds, type Chatted, type Evaluated, type Planned } from './evaluate.ts'
import type { Measure } from './measures.ts'
import { shownAddress } from './models/failures.ts'
import type { ModelOptions, Provider } from './models/model.ts'
import { reportOf, type Report } from './report/report.ts'
import { wordingNames, type WordingName } from './wordings.ts'

export interface RunOptions extends Omit<ModelOptions, 'signal'> {
  readonly provider: Provider
  readonly runs: number
  readonly concurrency: number
  readonly bounds: Bounds
  readonly least: Readonly<Record<Measure, number>>
  readonly signal: AbortSignal
}

/** Which chats are played: all of these cases in the first wording; in the others, where nobody has named them, those that compare. */
export function planOf(
  only: readonly Case[],
  runs: number,
  named: readonly WordingName[] | undefined,
): readonly Planned[] {
  const wanted = [...new Set(named ?? wordingNames)]
  return wanted.flatMap((wording, at) =>
    only
      .filter(({ isCompared }) => at === 0 || named !== undefined || isCompared === true)
      .flatMap((script) => Array.from({ length: runs }, (_, run) => ({ script, wording, run: run + 1 }))),
  )
}

/** How many requests a plan takes where the model does all right, and at the most. */
export const requestsOf = (plan: readonly Planned[]): { readonly usual: number; readonly most: number } => ({
  usual: plan.reduce((sum, { script }) => sum + usualRequests(script), 0),
  most: plan.reduce((sum, { script }) => sum + script.requests, 0),
})

/** The cases of these names; the first name that is none. */
export const casesNamed = (
  names: readonly string[] | undefined,
): { readonly cases: readonly Case[]; readonly unknown: string | undefined } => ({
  cases: names === undefined ? cases : cases.filter(({ name }) => names.includes(name)),
  unknown: names?.find((name) => !cases.some((one) => one.name === name)),
})

const load = {
  openai: async () => (await import('./models/openai.ts')).openaiModel,
  anthropic: async () => (await import('./models/anthropic.ts')).anthropicModel,
} as const satisfies Readonly<Record<Provider, unknown>>

/** Plays the chats and sums them up. */
export async function run(
  plan: readonly Planned[],
  options: RunOptions,
  onChat: (played: number, chat: Chatted) => void,
): Promise<{ readonly report: Report; readonly failure: NonNullable<Evaluated['stopped']>['failure'] }> {
  const { provider, runs, concurrency, bounds, least, signal, name, baseUrl } = options
  const at = new Date().toISOString()
  const evaluated = await evaluate({
    model: async (ends) => (await load[provider]())({ ...options, signal: ends }),
    plan,
    concurrency,
    bounds,
    signal,
    onChat,
  })
  const report = reportOf(evaluated, {
    model: name,
    provider,
    ...(baseUrl === undefined ? {} : { base_url: shownAddress(baseUrl) }),
    countersign: packageVersion(),
    at,
    runs,
    planned: plan.length,
    least,
    coaching: plan[0]?.wording ?? 'full',
  })
  return { report, failure: evaluated.stopped?.failure }
}
