// The report of an evaluation as a person reads it in a terminal: tables, examples of what went wrong, and the verdict last.
import { measures, type Share } from '../../eval/measures.ts'
import type { Report } from '../../eval/report/report.ts'
import {
  comparedIn,
  countOf,
  failuresShown,
  intervalOf,
  judged,
  rateOf,
  verdictOf,
} from '../../eval/report/report-words.ts'
import { columns } from '../terminal/output.ts'

const shareHead = ['right', 'share', '95 %'] as const

const share = (one: Share): readonly string[] => [countOf(one), rateOf(one), intervalOf(one)]

const compared = ['exact', 'confirmed', 'cancel', 'injection', 'quiet'] as const

/** Parts of the report with a blank line between them; those that have nothing to say are left out. */
export const evalText = (report: Report): string =>
  [
    columns([
      ['measure', ...shareHead, 'result'],
      ...report.measures.map((row) => [row.title, ...share(row), judged(row)]),
    ]),
    bySize(report),
    waiting(report),
    byWording(report),
    ...failureTexts(report),
    `${report.chats.played} of ${report.chats.planned} chats, ${report.requests} requests, ${report.tokens.input} tokens in and ${report.tokens.output} out.\n${verdictOf(report)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')

function bySize({ exact_by_size: rows }: Report): string {
  return rows.length < 2
    ? ''
    : columns([['repeats exactly', ...shareHead], ...rows.map((row) => [row.size, ...share(row)])])
}

function waiting({ waiting_turns: { count, characters, output_tokens: tokens } }: Report): string {
  return count === 0
    ? ''
    : `After a preview the model says ${characters} characters (${tokens} tokens) on average, in ${count} turns.`
}

function byWording({ wordings }: Report): string {
  if (wordings.length < 2) return ''
  const rows = wordings.map((row) => [
    row.name,
    String(row.chats),
    String(row.input_tokens),
    String(row.output_tokens),
    ...compared.map((name) => {
      const found = row.shares[name]
      return found === undefined ? '—' : countOf(found)
    }),
  ])
  return `${columns([['coaching', 'chats', 'tokens in', 'tokens out', ...compared], ...rows])}\n${comparedIn}`
}

const failureTexts = (report: Report): readonly string[] =>
  failuresShown(report).map(({ measure, rows, more }) =>
    [
      `${measures[measure].title}, where it went wrong:`,
      ...rows.flatMap(({ case: name, run, expected, got }) => [
        `  ${name}, run ${run}`,
        `    expected: ${oneLine(expected)}`,
        `    got:      ${oneLine(got)}`,
      ]),
      ...(more === 0 ? [] : [`  and ${more} more (--json has all)`]),
    ].join('\n'),
  )

/** What a model wrote may have several lines. */
const oneLine = (text: string): string => text.replaceAll('\n', '⏎')
