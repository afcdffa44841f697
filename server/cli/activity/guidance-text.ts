// How it reads on a terminal whether guidance helps: the figures first, then the errors, then what nothing explains.
import { cell, minute } from '../terminal/output.ts'
import type { Insights } from './insights-text.ts'

type Guidance = Insights['guidance']
type Rows = readonly (readonly string[])[]

/** What became of errors, of budgets and of the choice of tools; one line each, and none where there was nothing. */
export const guidanceLines = ({ resolution, newest, halves, budgets, tool_choice: choice }: Guidance): Rows => [
  ...(resolution.judged + resolution.left === 0
    ? []
    : [
        [
          'resolved at the first attempt',
          share(resolution.resolved, resolution.judged, resolution.share_percent),
          `${resolution.repeated} the same error again, ${resolution.another} another error; no further call after ${resolution.left}${newest === null ? '' : `; of the newest ${newest} errors`}`,
        ],
      ]),
  ...(halves === null ? [] : [['with guidance / without', halfShares(halves), differenceWords(halves.difference)]]),
  ...(budgets.calls === 0
    ? []
    : [
        [
          'budget used up',
          share(budgets.exhausted, budgets.calls, budgets.share_percent),
          budgets.tools.map(({ tool, exhausted }) => `${cell(tool, 60)} ${exhausted}`).join(', '),
        ],
      ]),
  ...(choice.calls === 0
    ? []
    : [
        [
          'sent to another tool',
          share(
            choice.other_call_tool + choice.unknown_tool + choice.other_tool_of_server,
            choice.calls,
            choice.share_percent,
          ),
          [
            [choice.other_call_tool, 'another of the call tools'],
            [choice.unknown_tool, 'no such tool'],
            [choice.other_tool_of_server, 'said by the server behind'],
          ]
            .flatMap(([count, words]) => (count === 0 ? [] : `${words} ${count}`))
            .join(', '),
        ],
      ]),
]

const percent = (value: number | null): string => (value === null ? '-' : `${value} %`)

const share = (part: number, whole: number, value: number | null): string => `${percent(value)} (${part} of ${whole})`

const halfShares = (halves: NonNullable<Guidance['halves']>): string =>
  [halves.with, halves.without].map((half) => share(half.resolved, half.judged, half.share_percent)).join(' / ')

const differenceWords = (difference: NonNullable<Guidance['halves']>['difference']): string =>
  difference === null
    ? 'nothing to compare yet'
    : `${signed(difference.points)} points, in 95 of 100 cases between ${signed(difference.low)} and ${signed(difference.high)}${difference.low <= 0 && difference.high >= 0 ? ': may be chance' : ''}`

const signed = (points: number): string => (points > 0 ? `+${points}` : String(points))

/** Errors by what they are called. */
export const typeRows = ({ types, other_types: others }: Guidance): Rows => [
  ['ERROR', 'TIMES', 'RESOLVED AT THE FIRST ATTEMPT', 'CALLS UNTIL IT WENT WELL (MEDIAN)'],
  ...types.map((of) => [
    cell(of.error_type, 60),
    String(of.errors),
    of.judged === 0 ? '-' : share(of.resolved, of.judged, of.share_percent),
    of.median_attempts === null ? '-' : String(of.median_attempts),
  ]),
  ...(others > 0 ? [['(other errors)', String(others), '', '']] : []),
]

/** Errors that no rule explains. */
export const unexplainedRows = ({ unexplained }: Guidance): Rows => [
  ['TIMES', 'SESSIONS', 'FINGERPRINT', 'FIRST', 'LAST', 'TOOL', 'TEXT', 'HOW TO EXPLAIN IT'],
  ...unexplained.map((of) => [
    String(of.errors),
    String(of.sessions),
    of.fingerprint,
    minute(of.first_at),
    minute(of.last_at),
    of.tool === null ? '(no such tool)' : cell(of.tool, 60),
    cell(of.text, 100),
    of.next,
  ]),
]
