// A filter that is misread shows somebody the wrong rows, and they will believe them. So what cannot be understood is
// refused by name, whichever door it came through, and never left out.
import { ok, type Result } from '../../errors/result.ts'
import { statuses, type ActivityFilter, type Status } from '../../store/store.ts'
import { readTime, timeWords } from './time-input.ts'
import { operations, risks } from '../../model/risk.ts'

/** What came in, under our own names. */
export type FilterTexts = Readonly<Partial<Record<FilterName, string | undefined>>>
export type FilterName = (typeof filterNames)[number]

export const filterNames = [
  'intent_type',
  'tool',
  'status',
  'verdict',
  'risk',
  'tenant',
  'subject',
  'client',
  'plan',
  'approval',
  'grant',
  'since',
  'until',
] as const

export const verdicts = ['allow', 'preview', 'approve', 'deny'] as const

export interface FilterFailure {
  readonly filter: string
  readonly message: string
  readonly next: string
}

type Parsed<T> = Result<T, FilterFailure>

/**
 * Reads filters. `spelled` says how this door writes a name (`--intent-type`). Lists are separated by commas; times are
 * ISO 8601 or an age like `90m`, `24h`, `7d`.
 */
export function parseFilter(
  texts: FilterTexts,
  now: number,
  spelled: (name: FilterName) => string = (name) => name,
): Parsed<ActivityFilter> {
  const chosen = <T extends string>(name: FilterName, known: readonly T[]): Parsed<readonly T[]> => {
    const words = listOf(texts[name])
    const odd = words.find((word) => !known.includes(word as T))
    if (odd === undefined && (texts[name] === undefined || words.length > 0)) return ok(words as T[])
    return refused(spelled(name), odd ?? '', `Known are: ${known.join(', ')}.`)
  }
  const named = (name: FilterName): Parsed<readonly string[]> => {
    const words = listOf(texts[name])
    return texts[name] === undefined || words.length > 0 ? ok(words) : refused(spelled(name), '', 'Give it a name.')
  }
  const time = (name: FilterName): Parsed<number | undefined> => {
    const text = texts[name]
    if (text === undefined) return ok(undefined)
    const at = readTime(text, now)
    return at !== undefined ? ok(at) : refused(spelled(name), text, `Write ${timeWords}.`)
  }

  const types = chosen('intent_type', operations)
  if (!types.ok) return types
  const wanted = chosen<Status>('status', statuses)
  if (!wanted.ok) return wanted
  const rated = chosen('risk', risks)
  if (!rated.ok) return rated
  const judged = chosen('verdict', verdicts)
  if (!judged.ok) return judged
  const lists: Partial<Record<FilterName, readonly string[]>> = {}
  for (const name of ['tool', 'tenant', 'subject', 'client', 'plan', 'approval', 'grant'] as const) {
    const words = named(name)
    if (!words.ok) return words
    lists[name] = words.value
  }
  const since = time('since')
  if (!since.ok) return since
  const until = time('until')
  if (!until.ok) return until
  if (since.value !== undefined && until.value !== undefined && since.value >= until.value)
    return refused(spelled('until'), texts.until ?? '', `It must be later than ${spelled('since')}.`)
  return ok({
    intentTypes: types.value,
    statuses: wanted.value,
    risks: rated.value,
    verdicts: judged.value,
    tools: lists.tool ?? [],
    tenants: lists.tenant ?? [],
    subjects: lists.subject ?? [],
    clients: lists.client ?? [],
    plans: lists.plan ?? [],
    approvals: lists.approval ?? [],
    grants: lists.grant ?? [],
    ...(since.value === undefined ? {} : { since: since.value }),
    ...(until.value === undefined ? {} : { until: until.value }),
  })
}

const refused = (
  filter: string,
  value: string,
  next: string,
): { readonly ok: false; readonly failure: FilterFailure } => ({
  ok: false,
  failure: { filter, message: `The filter ${filter} cannot be ${JSON.stringify(value.slice(0, 100))}.`, next },
})

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
