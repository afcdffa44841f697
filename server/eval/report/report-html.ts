// The report as one page, to be kept or sent: no scripts, nothing from elsewhere, and what models wrote only ever as text.
import { showInvisible } from '../../cards/invisible-characters.ts'
import { measures, type Measure, type Share } from '../measures.ts'
import type { MeasureRow, Report, WordingRow } from './report.ts'
import { style } from './report-style.ts'
import { comparedIn, countOf, failuresShown, intervalOf, judged, rateOf, verdictOf } from './report-words.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as HTML; what cannot be seen is shown. */
const html = (text: string): string => showInvisible(text).replace(/[&<>"']/g, (found) => entities[found] ?? found)

const grouped = (value: number): string => value.toLocaleString('en-GB')

/** The share, its interval and the least that passes, on a line from 0 to 1. Beside it stands the same in words. */
function bar({ rate, low, high }: Share, least?: number): string {
  if (rate === undefined || low === undefined || high === undefined) return ''
  const at = (value: number): string => (value * 120).toFixed(1)
  return [
    '<svg viewBox="0 0 120 22" aria-hidden="true"><rect class="track" y="9" width="120" height="4" rx="2"/>',
    `<rect class="interval" x="${at(low)}" y="9" width="${at(high - low)}" height="4" rx="2"/>`,
    least === undefined ? '' : `<line class="least" x1="${at(least)}" x2="${at(least)}" y1="2" y2="20"/>`,
    `<circle class="point" cx="${at(rate)}" cy="11" r="4.5"/></svg>`,
  ].join('')
}

interface Column {
  readonly name: string
  /** `wide`: it takes more room where a row is a list. */
  readonly kind?: 'number' | 'wide'
}

/** A table whose rows become lists on a narrow screen. The first cell of a row is its head. */
function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const kind = (at: number): string => {
    const name = columns[at]?.kind
    return name === undefined ? '' : ` class="${name}"`
  }
  const head = columns.map(({ name }, at) => `<th scope="col"${kind(at)}>${name}</th>`).join('')
  const body = rows.map(
    ([first = '', ...rest]) =>
      `<tr><th scope="row">${first}</th>${rest
        .map((cell, at) => `<td${kind(at + 1)} data-label="${columns[at + 1]?.name ?? ''}">${cell}</td>`)
        .join('')}</tr>`,
  )
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`
}

const section = (title: string, about: string, content: string): string =>
  `<section><h2>${title}</h2><p class="minor">${about}</p>${content}</section>`

const measureCells = (row: MeasureRow): readonly string[] => [
  `${row.title}<span class="minor">${html(row.says)}</span>`,
  countOf(row),
  rateOf(row),
  intervalOf(row),
  bar(row, row.least),
  `<span class="tag ${row.judgement}">${judged(row)}</span>`,
]

const shareColumns: readonly Column[] = [
  { name: 'Right', kind: 'number' },
  { name: 'Share', kind: 'number' },
  { name: '95 %', kind: 'number' },
]

const compared = ['exact', 'confirmed', 'cancel', 'injection', 'quiet'] as const satisfies readonly Measure[]

const wordingCells = ({
  name,
  chats,
  input_tokens: input,
  output_tokens: output,
  shares,
}: WordingRow): readonly string[] => [
  name,
  String(chats),
  grouped(input),
  grouped(output),
  ...compared.map((measure) => {
    const share = shares[measure]
    return share === undefined ? '—' : countOf(share)
  }),
]

const failureSections = (report: Report): string =>
  failuresShown(report)
    .map(({ measure, rows, more }) => {
      const items = rows.map(
        ({ case: name, run, expected, got }) =>
          `<div class="failure"><p class="minor">${html(name)}, run ${run}</p><dl><dt>Expected</dt><dd><code>${html(expected)}</code></dd><dt>Came</dt><dd><code>${html(got)}</code></dd></dl></div>`,
      )
      const rest = more === 0 ? '' : `<p class="minor">And ${more} more; <code>--json</code> has all of them.</p>`
      return `<h3>${measures[measure].title}</h3>${items.join('')}${rest}`
    })
    .join('')

const facts = (report: Report): readonly (readonly [name: string, value: string])[] => [
  ['API', report.base_url ?? report.provider],
  ['Played', report.at.slice(0, 16).replace('T', ' ') + ' UTC'],
  ['Countersign', report.countersign],
  ['Chats', `${report.chats.played} of ${report.chats.planned} (${report.runs} of each case)`],
  ['Requests', grouped(report.requests)],
  ['Tokens', `${grouped(report.tokens.input)} in, ${grouped(report.tokens.output)} out`],
]

/** The page. */
export function reportPage(report: Report): string {
  const { measures: rows, exact_by_size: bySize, waiting_turns: waits, wordings } = report
  const parts = [
    `<header><h1>${html(report.model)}</h1><p class="minor">How reliably this model keeps to the rail of Countersign: a preview, a person’s Confirm, and the same call once more.</p><p class="verdict ${report.passed ? 'passed' : 'missed'}">${html(verdictOf(report))}</p><dl>${facts(
      report,
    )
      .map(([name, value]) => `<div><dt>${name}</dt><dd>${html(value)}</dd></div>`)
      .join('')}</dl></header>`,
    section(
      'What was measured',
      'The share of chats (of turns, where it is about narration) in which the model did right, and where that share lies in 95 of 100 such evaluations (Wilson). The dashed line is the least that passes.',
      table(
        [{ name: 'Measure' }, ...shareColumns, { name: 'From 0 to 1', kind: 'wide' }, { name: 'Result' }],
        rows.map(measureCells),
      ),
    ),
    ...(bySize.length === 0
      ? []
      : [
          section(
            'Exact repeats by size',
            'The same for each class of arguments, from small to large.',
            table(
              [{ name: 'Arguments' }, ...shareColumns, { name: 'From 0 to 1', kind: 'wide' }],
              bySize.map((row) => [row.size, countOf(row), rateOf(row), intervalOf(row), bar(row)]),
            ),
          ),
        ]),
    ...(waits.count === 0
      ? []
      : [
          section(
            'While the card waits',
            `After a preview the model says ${grouped(waits.characters)} characters on average, in ${grouped(waits.output_tokens)} tokens (${grouped(waits.count)} turns). The card says it all, so every word is one too many.`,
            '',
          ),
        ]),
    ...(wordings.length < 2
      ? []
      : [
          section(
            'What the coaching costs',
            comparedIn,
            table(
              [
                { name: 'Coaching' },
                ...['Chats', 'Tokens in', 'Tokens out', 'Exact', 'Confirmed', 'Cancel', 'Injection', 'Quiet'].map(
                  (name): Column => ({ name, kind: 'number' }),
                ),
              ],
              wordings.map(wordingCells),
            ),
          ),
        ]),
    ...(failuresShown(report).length === 0
      ? []
      : [section('What went wrong', 'Up to three examples of each measure.', failureSections(report))]),
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(report.model)}: evaluation by Countersign</title>
<style>${style}</style>
</head>
<body>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`
}
