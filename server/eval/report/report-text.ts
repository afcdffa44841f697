// The report as a person reads it in a terminal.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { measures, type Share } from '../measures.ts'
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
  ({ passed: 'passed', missed: `missed (${percent(least)})`, unmeasured: 'not measured' })[judgement]

/** So many failures of each measure are shown to people. */
export const shownFailures = 3

/** The first failures of each measure, and how many more there are. */
export function failuresShown(
  report: Report,
): readonly { readonly rows: readonly FailureRow[]; readonly more: number }[] {
  const names = [...new Set(report.failures.map(({ measure }) => measure))]
  return names.map((name) => {
    const all = report.failures.filter(({ measure }) => measure === name)
    return { rows: all.slice(0, shownFailures), more: Math.max(0, all.length - shownFailures) }
  })
}

/** The result in one sentence. */
export function verdictOf({ passed, stopped, measures: rows, model }: Report): string {
  if (stopped !== undefined) return `${model}: not complete, because ${stopped}.`
  if (passed) return `${model} passes.`
  const failed = rows.filter(({ judgement }) => judgement !== 'passed').map(({ title }) => title.toLowerCase())
  return failed.length === 0 ? `${model}: nothing was measured.` : `${model} does not pass: ${failed.join(', ')}.`
}

const table = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The tables, the examples of what went wrong, and the verdict last. */
export function reportText(report: Report): string {
  const { measures: rows, exact_by_size: bySize, waiting_turns: waits, wordings, tokens } = report
  const share = (one: Share): readonly string[] => [countOf(one), rateOf(one), intervalOf(one)]
  return [
    ...table([
      ['measure', 'right', 'share', '95 %', 'result'],
      ...rows.map((row) => [row.title, ...share(row), judged(row)]),
    ]),
    ...(bySize.length < 2
      ? []
      : [
          '',
          ...table([['repeats exactly', 'right', 'share', '95 %'], ...bySize.map((row) => [row.size, ...share(row)])]),
        ]),
    ...(waits.count === 0
      ? []
      : [
          '',
          `After a preview the model says ${waits.characters} characters (${waits.output_tokens} tokens) on average, in ${waits.count} turns.`,
        ]),
    ...(wordings.length < 2
      ? []
      : [
          '',
          ...table([
            ['coaching', 'chats', 'tokens in', 'tokens out', 'exact', 'confirmed', 'cancel', 'injection', 'quiet'],
            ...wordings.map((row) => [
              row.name,
              String(row.chats),
              String(row.input_tokens),
              String(row.output_tokens),
              ...(['exact', 'confirmed', 'cancel', 'injection', 'quiet'] as const).map((name) => {
                const found = row.shares[name]
                return found === undefined ? '—' : countOf(found)
              }),
            ]),
          ]),
          'Tokens are those of one chat, on average, in the cases that every wording has played.',
        ]),
    ...failuresShown(report).flatMap(({ rows: shown, more }) => [
      '',
      `${measures[shown[0]?.measure ?? 'exact'].title}, where it went wrong:`,
      ...shown.flatMap(({ case: name, wording, run, expected, got }) => [
        `  ${name}${wording === 'full' ? '' : ` (${wording})`}, run ${run}`,
        `    expected: ${showInvisible(expected)}`,
        `    got:      ${showInvisible(got)}`,
      ]),
      ...(more === 0 ? [] : [`  and ${more} more (--json has all)`]),
    ]),
    '',
    `${report.chats.played} of ${report.chats.planned} chats, ${report.requests} requests, ${tokens.input} tokens in and ${tokens.output} out.`,
    verdictOf(report),
  ].join('\n')
}
