// How many recipients of a tenant may get mail within an hour and within a day, in any span of that length. A mail that is to
// go out at once is refused where there is no room; campaigns, and mails that go out later or again, wait until there is.
import { spokenMoment, spokenNumber } from '../say.ts'
import { quotaUsage, type QuotaUse } from './quota-usage.ts'
import type { MailSettings } from './options.ts'
import type { Obstacle } from './policy.ts'
import type { MailDatabase } from './schema.ts'
import { wordsIn, type MailWords } from './words.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export type Period = 'hour' | 'day'

interface Quota {
  readonly most: number
  /** In milliseconds. */
  readonly span: number
  readonly within: Period
}

export const quotasOf = ({ policy }: Pick<MailSettings, 'policy'>): readonly Quota[] => [
  { within: 'hour', most: policy.recipientsPerHour, span: hourMs },
  { within: 'day', most: policy.recipientsPerDay, span: 24 * hourMs },
]

/** So many recipients one mail may have by all quotas. */
export const largestMail = (settings: Pick<MailSettings, 'policy'>): number =>
  Math.min(...quotasOf(settings).map(({ most }) => most))

/** "100 within an hour and 1,000 within a day". */
export const quotasInWords = (settings: Pick<MailSettings, 'policy'>, { quota } = wordsIn('en')): string =>
  quota.limits(quotasOf(settings))

/** The quota that so many recipients never keep to, whenever they get mail at once. */
export function neverHeld(
  settings: Pick<MailSettings, 'policy'>,
  recipients: number,
  { quota } = wordsIn('en'),
): Obstacle<'rate_limit_exceeded'> | undefined {
  const [least] = quotasOf(settings).toSorted((one, other) => one.most - other.most)
  if (least === undefined || recipients <= least.most) return undefined
  return {
    code: 'rate_limit_exceeded',
    title: quota.never(recipients, least.within),
    text: quota.fewer(spokenNumber(least.most)),
  }
}

/** Whose room it is. */
interface Asked {
  readonly tenant: string
  readonly now: number
  /** A mail that does not count: it is the one that is asked for. */
  readonly except?: string | undefined
}

interface Room {
  /** So many recipients may get mail at this moment. */
  readonly left: number
  /** The first moment at which there is room for those who were asked for, where there is none now. */
  readonly from: number | undefined
}

/** Whether so many recipients may get mail at this moment, and when else. */
export async function roomFor(
  db: MailDatabase,
  settings: Pick<MailSettings, 'policy'>,
  { at, recipients, ...asked }: Asked & { readonly at: number; readonly recipients: number },
): Promise<Room & { readonly full?: Quota & { readonly fullest: number } }> {
  let left = Infinity
  let from: number | undefined
  let full: (Quota & { readonly fullest: number }) | undefined
  for (const quota of quotasOf(settings)) {
    const usage = await quotaUsage(db, { ...asked, at, span: quota.span, largest: largestMail(settings) })
    const fullest = fullestSpan(usage, at, quota.span)
    left = Math.min(left, Math.max(0, quota.most - fullest))
    if (fullest + recipients <= quota.most) continue
    full ??= { ...quota, fullest }
    from = Math.max(from ?? 0, roomFrom(usage, at, quota, recipients))
  }
  return { left, from, ...(full === undefined ? {} : { full }) }
}

/** Room comes when a departure falls out of the span; one that is still to come may stand in the way longer than is known here. */
function roomFrom(usage: readonly QuotaUse[], at: number, { most, span }: Quota, recipients: number): number {
  const moments = usage.map((each) => each.at + span).filter((moment) => moment > at)
  const from = moments.find((moment) => fullestSpan(usage, moment, span) + recipients <= most) ?? at + span
  return Math.ceil(from / minuteMs) * minuteMs
}

/** The quota that a mail to so many recipients at this moment would break. */
export async function overQuota(
  db: MailDatabase,
  settings: Pick<MailSettings, 'policy'>,
  asked: Asked & { readonly at: number; readonly recipients: number },
  { quota }: MailWords,
): Promise<Obstacle<'rate_limit_exceeded'> | undefined> {
  const { full, from } = await roomFor(db, settings, asked)
  if (full === undefined) return undefined
  const { within, fullest } = full
  const most = spokenNumber(full.most)
  return {
    code: 'rate_limit_exceeded',
    title: quota.over(fullest + asked.recipients, within),
    text:
      asked.recipients > full.most || from === undefined
        ? quota.fewer(most)
        : quota.later(most, spokenMoment(new Date(from).toISOString())),
  }
}

/** The longest that a campaign may take for its quota, in milliseconds. */
const longestMs = 7 * 24 * hourMs

export interface Pace {
  /** About so long its quota makes a campaign take, in milliseconds. */
  readonly ms: number
  readonly obstacle: Obstacle<'rate_limit_exceeded'> | undefined
}

/** How long so many mails take that go out as quotas let them. */
export async function paceOf(
  db: MailDatabase,
  settings: Pick<MailSettings, 'policy'>,
  { at, mails, ...asked }: Asked & { readonly at: number; readonly mails: number },
  words = wordsIn('en'),
): Promise<Pace> {
  let ms = 0
  let slowest: Quota | undefined
  for (const quota of quotasOf(settings)) {
    const usage = await quotaUsage(db, { ...asked, at, span: quota.span, largest: largestMail(settings) })
    const takes =
      Math.ceil(Math.max(0, fullestSpan(usage, at, quota.span) + mails - quota.most) / quota.most) * quota.span
    if (takes <= ms) continue
    ms = takes
    slowest = quota
  }
  if (slowest === undefined || ms <= longestMs) return { ms, obstacle: undefined }
  return {
    ms,
    obstacle: {
      code: 'rate_limit_exceeded',
      title: words.quota.slow.title(mails, Math.round(ms / (24 * hourMs))),
      text: words.quota.slow.text(spokenNumber(slowest.most), slowest.within),
    },
  }
}

/** "The quota of this server lets 100 within an hour … get mail: the last goes out about 2 days after the first". */
export const pacedInWords = (settings: Pick<MailSettings, 'policy'>, ms: number, words: MailWords): string =>
  words.quota.paced(quotasInWords(settings, words), spanOf(ms))

/** A span as a person says it. */
export interface Span {
  readonly number: number
  readonly unit: 'minutes' | 'hours' | 'days'
}

/** Nothing where it is less than a minute. */
export function spanOf(ms: number): Span | undefined {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return undefined
  if (minutes < 120) return { number: minutes, unit: 'minutes' }
  const hours = Math.round(minutes / 60)
  return hours < 72 ? { number: hours, unit: 'hours' } : { number: Math.round(hours / 24), unit: 'days' }
}

/** Recipients in the fullest span in which this moment lies: it begins at this moment or at a departure before it. */
function fullestSpan(usage: readonly QuotaUse[], at: number, span: number): number {
  const within = usage.filter((each) => each.at > at - span && each.at < at + span)
  const before = within.filter((each) => each.at <= at)
  const inOrder = within.values()
  let [next, inside, fullest] = [inOrder.next(), 0, 0]
  for (const begin of [...before, { at, recipients: 0 }]) {
    for (; next.done !== true && next.value.at < begin.at + span; next = inOrder.next()) inside += next.value.recipients
    fullest = Math.max(fullest, inside)
    inside -= begin.recipients
  }
  return fullest
}
