// How a report is said to people, in the terminal and on the page.
import { measureNames, type Share } from '../measures.ts'
import type { FailureRow, MeasureRow, Report } from './report.ts'

/** "97 %"; a share that is nearly whole is never rounded to the whole. */
export function percent(rate: number): string {
  const rounded = Math.round(rate * 100)
  if (rounded === 100 && rate < 1) return '>99 %'
  return rounded === 0 && rate > 0 ? '<1 %' : `${rounded} %`
}

/** "47/48". */
export const countOf = ({ right, of }: Share): string => `${right}/${of}`

/** "98 %". */
export const rateOf = ({ rate }: Share): string => (rate === undefined ? '—' : percent(rate))

/** "89–99 %". */
export const intervalOf = ({ low, high }: Share): string =>
  low === undefined || high === undefined ? '—' : `${percent(low).replace(' %', '')}–${percent(high)}`

/** How it was judged, in words. */
export const judged = ({ judgement, least }: Pick<MeasureRow, 'judgement' | 'least'>): string =>
  ({ passed: 'passed', missed: `below ${percent(least)}`, unmeasured: 'not measured' })[judgement]

/** So many failures of each measure are shown to people. */
const shownFailures = 3

interface ShownFailures {
  readonly measure: FailureRow['measure']
  readonly rows: readonly FailureRow[]
  /** How many there are beside these. */
  readonly more: number
}

/** The first failures of each measure, in the wording that is judged; of the others there are only counts. */
export function failuresShown({ failures, coaching }: Report): readonly ShownFailures[] {
  const own = failures.filter(({ wording }) => wording === coaching)
  return measureNames.flatMap((measure) => {
    const all = own.filter((one) => one.measure === measure)
    if (all.length === 0) return []
    return [{ measure, rows: all.slice(0, shownFailures), more: Math.max(0, all.length - shownFailures) }]
  })
}

/** The result in one sentence. */
export function verdictOf({ passed, stopped, measures, model }: Report): string {
  if (stopped !== undefined) return `${model}: not complete, because ${stopped}.`
  if (passed) return `${model} passes.`
  const failed = measures.filter(({ judgement }) => judgement !== 'passed').map(({ title }) => `“${title}”`)
  return failed.length === 0 ? `${model}: nothing was measured.` : `${model} does not pass: ${failed.join(', ')}.`
}

/** What the tokens of the table of wordings are. */
export const comparedIn =
  'Tokens of one chat on average, as the API counts them, in the cases that every wording has played; and in how many of them the model did right.'
