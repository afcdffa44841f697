// What an evaluation found, as data: the same for the table, for JSON, for YAML and for the page.
import { sizes, type Size } from '../cases.ts'
import type { Chatted, Evaluated } from '../evaluate.ts'
import { measureNames, measures, shareOf, type Measure, type Share } from '../measures.ts'
import type { Provider } from '../models/model.ts'
import { wordingNames, type WordingName } from '../wordings.ts'

/** `unmeasured`: chats were played for it, and none of them came so far. */
type Judgement = 'passed' | 'missed' | 'unmeasured'

export interface MeasureRow extends Share {
  readonly name: Measure
  readonly title: string
  /** What it means. */
  readonly says: string
  /** The least share that passes. */
  readonly least: number
  readonly judgement: Judgement
}

export interface WordingRow {
  readonly name: WordingName
  readonly chats: number
  /** Of one chat, as the API counts them. */
  readonly input_tokens: number
  readonly output_tokens: number
  /** In the cases that all wordings have played. */
  readonly shares: Readonly<Partial<Record<Measure, Share>>>
}

export interface FailureRow {
  readonly measure: Measure
  readonly case: string
  readonly wording: WordingName
  readonly run: number
  readonly expected: string
  readonly got: string
}

export interface Report {
  readonly model: string
  readonly provider: Provider
  /** Where the model was asked, where the command line says so. */
  readonly base_url?: string
  readonly countersign: string
  readonly at: string
  readonly runs: number
  /** The wording that the measures are of; of the others there is the comparison. */
  readonly coaching: WordingName
  readonly passed: boolean
  /** Why not every chat was played. */
  readonly stopped?: string
  readonly chats: { readonly played: number; readonly planned: number }
  readonly requests: number
  readonly tokens: { readonly input: number; readonly output: number }
  readonly measures: readonly MeasureRow[]
  readonly exact_by_size: readonly (Share & { readonly size: Size })[]
  /** Of the turns after a preview, in which the model has nothing to do. */
  readonly waiting_turns: { readonly count: number; readonly characters: number; readonly output_tokens: number }
  readonly wordings: readonly WordingRow[]
  readonly failures: readonly FailureRow[]
}

/** What the command line says. */
export interface Asked extends Pick<
  Report,
  'model' | 'provider' | 'base_url' | 'countersign' | 'at' | 'runs' | 'coaching'
> {
  readonly planned: number
  readonly least: Readonly<Record<Measure, number>>
}

const shareIn = (chats: readonly Chatted[], measure: Measure): Share => {
  const found = chats.flatMap(({ observations }) => observations.filter((one) => one.measure === measure))
  return shareOf(found.filter(({ isRight }) => isRight).length, found.length)
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)

/** What a case should have shown something of. */
function asksFor({ script }: Pick<Chatted, 'script'>): readonly Measure[] {
  const { act, size, isInjected, tool, door } = script
  return [
    ...(size === undefined ? [] : ['exact' as const]),
    ...(act === undefined ? [] : ['confirmed' as const, 'preview' as const, 'quiet' as const]),
    ...(act?.kind === 'cancel' ? ['cancel' as const] : []),
    ...(isInjected === true ? ['injection' as const] : []),
    ...(tool === undefined ? [] : ['tool' as const, 'json' as const]),
    ...(door === undefined ? [] : ['door' as const]),
  ]
}

const judge = (share: Share, least: number): Judgement =>
  share.rate === undefined ? 'unmeasured' : share.rate >= least ? 'passed' : 'missed'

/** Sums up what was seen. */
export function reportOf(evaluated: Evaluated, { planned, least, ...asked }: Asked): Report {
  const { chats, requests, tokens, stopped } = evaluated
  const own = chats.filter(({ wording }) => wording === asked.coaching)
  const wanted = new Set(own.flatMap(asksFor))
  const rows = measureNames.flatMap((name): readonly MeasureRow[] => {
    const share = shareIn(own, name)
    if (!wanted.has(name) && share.of === 0) return []
    const { title, says } = measures[name]
    return [{ name, title, says, ...share, least: least[name], judgement: judge(share, least[name]) }]
  })
  const waits = own.flatMap(({ waitingTurns }) => waitingTurns)
  return {
    ...asked,
    passed: stopped === undefined && rows.length > 0 && rows.every(({ judgement }) => judgement === 'passed'),
    ...(stopped === undefined ? {} : { stopped: stopped.why }),
    chats: { played: chats.length, planned },
    requests,
    tokens,
    measures: rows,
    exact_by_size: sizes.flatMap((size) => {
      const share = shareIn(
        own.filter(({ script }) => script.size === size),
        'exact',
      )
      return share.of === 0 ? [] : [{ size, ...share }]
    }),
    waiting_turns: {
      count: waits.length,
      characters: mean(waits.map(({ characters }) => characters)),
      output_tokens: mean(waits.map(({ tokens: used }) => used)),
    },
    wordings: wordingRows(chats),
    failures: chats.flatMap(({ script, wording, run, observations }) =>
      observations.flatMap(({ measure, isRight, expected = '', got = '' }) =>
        isRight ? [] : [{ measure, case: script.name, wording, run, expected, got }],
      ),
    ),
  }
}

/** A comparison is one only where all have played the same cases; of a single wording there is nothing to compare. */
function wordingRows(chats: readonly Chatted[]): readonly WordingRow[] {
  const played = wordingNames.filter((name) => chats.some(({ wording }) => wording === name))
  const inAll = chats.filter(({ script }) =>
    played.every((name) => chats.some((other) => other.wording === name && other.script === script)),
  )
  return played.map((name) => {
    const those = inAll.filter(({ wording }) => wording === name)
    return {
      name,
      chats: those.length,
      input_tokens: mean(those.map(({ tokens }) => tokens.input)),
      output_tokens: mean(those.map(({ tokens }) => tokens.output)),
      shares: Object.fromEntries(
        measureNames.map((measure) => [measure, shareIn(those, measure)] as const).filter(([, { of }]) => of > 0),
      ),
    }
  })
}
