// What a tool result means to a view. Mostly it brings a card; a host that drops `_meta` leaves only the envelope, and
// some hosts also report the card's own calls of the app-only tools as results, which are nobody's card at all.
import type { ToolResult } from '../bridge/host.ts'
import { isRecord, textOf } from '../bridge/record.ts'
import type { Card, CardChange } from '../../server/model/card.ts'
import { planStates, type PlanState } from '../../server/model/plan-store.ts'
import { learn } from '../parts/words.ts'
import { isChange, readCard } from './read-card.ts'

export const CARD_META = 'countersign/card'
export const WORDS_META = 'countersign/words'

/** The answer of the three app-only tools. */
export interface PlanStatus {
  readonly planId: string
  readonly state: PlanState
  /** ISO 8601. */
  readonly changedAt: string
  readonly expiresInMs: number | undefined
  readonly clicked: boolean
  /** Why an operator took it back. */
  readonly reason?: string | undefined
  /** For how many milliseconds it runs by now. */
  readonly runningMs?: number | undefined
  readonly progress?: CallProgress | undefined
  readonly cancel?: 'possible' | 'asked' | undefined
}

/** How far a running call has got, as its tool says. */
export interface CallProgress {
  readonly done: number
  readonly total?: number | undefined
  readonly label: string
}

/** A result without its card, as far as it can be read. It never leads to a Confirm. */
export interface PlainResult {
  readonly planId: string | undefined
  readonly status: string | undefined
  readonly title: string | undefined
  readonly isError: boolean
  readonly summary: string | undefined
  readonly error: { readonly message: string } | undefined
  readonly changes: readonly CardChange[]
  readonly warnings: readonly string[]
  readonly guidance: readonly string[]
  readonly content: string
}

export type Reading =
  | {
      readonly kind: 'card'
      readonly card: Card
      /** The plan that this result answers for, where it says so. */
      readonly answersFor: string | undefined
    }
  | { readonly kind: 'malformed'; readonly at: string; readonly content: string }
  | { readonly kind: 'plain'; readonly result: PlainResult }
  | { readonly kind: 'status' }

/** Reads the answer of an app-only tool; nothing where it is none. */
export const readPlanStatus = (result: ToolResult): PlanStatus | undefined => {
  const given = result.structuredContent ?? {}
  const planId = textOf(given['plan_id'])
  const state = planStates.find((known) => known === given['state'])
  if (result.isError || !planId || !state) return undefined
  return {
    planId,
    state,
    changedAt: textOf(given['changed_at']) ?? '',
    expiresInMs: amountOf(given['expires_in_ms']),
    clicked: given['clicked'] === true,
    reason: textOf(given['reason']),
    runningMs: amountOf(given['running_ms']),
    progress: readProgress(result.meta['countersign/progress']),
    cancel: (['possible', 'asked'] as const).find((known) => known === given['cancel']),
  }
}

const amountOf = (given: unknown): number | undefined =>
  typeof given === 'number' && Number.isFinite(given) ? Math.max(0, given) : undefined

const readProgress = (given: unknown): CallProgress | undefined => {
  const { done, total, message } = isRecord(given) ? given : {}
  const amount = amountOf(done)
  return amount === undefined ? undefined : { done: amount, total: amountOf(total), label: textOf(message) ?? '' }
}

const strings = (given: unknown): readonly string[] => {
  const items: readonly unknown[] = Array.isArray(given) ? given : []
  return items.flatMap((item) => {
    if (typeof item === 'string') return [item]
    if (!isRecord(item)) return []
    const said = [textOf(item['title']), textOf(item['text']) ?? textOf(item['message'])].filter(Boolean).join(' ')
    return said ? [said] : []
  })
}

const contentText = (result: ToolResult): string =>
  result.content
    .map((block) => (isRecord(block) && block['type'] === 'text' ? textOf(block['text']) : undefined))
    .filter(Boolean)
    .join('\n\n')

const readPlain = (result: ToolResult): PlainResult => {
  const given = result.structuredContent ?? {}
  const error = isRecord(given['error']) ? given['error'] : undefined
  const guidance = isRecord(given['error_guidance']) ? given['error_guidance'] : {}
  const changes: readonly unknown[] = Array.isArray(given['changes']) ? given['changes'] : []
  const message = error && (textOf(error['message']) ?? textOf(guidance['message']))
  return {
    planId: textOf(given['plan_id']),
    status: textOf(given['status']),
    title: textOf(given['title']),
    isError: result.isError,
    summary: textOf(given['summary']),
    error: message === undefined ? undefined : { message },
    changes: changes.filter((item): item is CardChange => isChange(item)),
    warnings: strings(given['warnings']),
    guidance: strings(guidance['actionable_guidance']),
    content: contentText(result),
  }
}

/** Reads a tool result. Never throws, whatever the host sent. */
export const readResult = (result: ToolResult): Reading => {
  const document = result.meta[CARD_META]
  if (document !== undefined) {
    const read = readCard(document)
    if (read.kind === 'malformed') return { kind: 'malformed', at: read.at, content: contentText(result) }
    const planId = textOf(result.structuredContent?.['plan_id'])
    const words = textOf(result.meta[WORDS_META])
    if (words && read.card.language) learn(read.card.language, words)
    return { kind: 'card', card: read.card, answersFor: read.card.plan_id ?? read.card.plan?.id ?? planId }
  }
  return readPlanStatus(result) ? { kind: 'status' } : { kind: 'plain', result: readPlain(result) }
}
