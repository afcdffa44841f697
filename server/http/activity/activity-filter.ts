// A filter that is misread shows somebody the wrong rows, and they will believe them. So what cannot be understood is
// refused by name, whichever door it came through, and never left out.
import { fail, ok, type Result } from '../../errors/result.ts'
import { mostWords, statuses, wordsIn, type ActivityFilter } from '../../store/store.ts'
import { readTime, timeWords } from './time-input.ts'
import { callSources } from '../../model/activity.ts'
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
  'source',
  'plan',
  'approval',
  'grant',
  'search',
  'since',
  'until',
] as const

const verdicts = ['allow', 'preview', 'approve', 'deny'] as const

export interface FilterFailure {
  readonly filter: string
  readonly message: string
  readonly next: string
}

type Parsed<T> = Result<T, FilterFailure>
type ListName = Exclude<keyof ActivityFilter, 'search' | 'since' | 'until'>

interface ListFilter {
  readonly name: FilterName
  /** All that it can be; anything when absent. */
  readonly known?: readonly string[]
}

/** The filters that take several values, in the order in which they are read. */
const listFilters: Readonly<Record<ListName, ListFilter>> = {
  intentTypes: { name: 'intent_type', known: operations },
  statuses: { name: 'status', known: statuses },
  risks: { name: 'risk', known: risks },
  verdicts: { name: 'verdict', known: verdicts },
  tools: { name: 'tool' },
  tenants: { name: 'tenant' },
  subjects: { name: 'subject' },
  clients: { name: 'client' },
  sources: { name: 'source', known: callSources },
  plans: { name: 'plan' },
  approvals: { name: 'approval' },
  grants: { name: 'grant' },
}

/**
 * Reads filters. `spelled` says how this door writes a name (`--intent-type`). Lists are separated by commas; times are
 * ISO 8601 or an age like `90m`, `24h`, `7d`.
 */
export function parseFilter(
  texts: FilterTexts,
  now: number,
  spelled: (name: FilterName) => string = (name) => name,
): Parsed<ActivityFilter> {
  const time = (name: FilterName): Parsed<number | undefined> => {
    const text = texts[name]
    if (text === undefined) return ok(undefined)
    const at = readTime(text, now)
    return at !== undefined ? ok(at) : refused(spelled(name), text, `Write ${timeWords}.`)
  }

  const lists: Partial<Record<ListName, readonly string[]>> = {}
  for (const [filter, { name, known }] of Object.entries(listFilters) as [ListName, ListFilter][]) {
    const words = listOf(texts[name])
    const odd = known && words.find((word) => !known.includes(word))
    if (odd !== undefined || (texts[name] !== undefined && words.length === 0))
      return refused(spelled(name), odd ?? '', known ? `Known are: ${known.join(', ')}.` : 'Give it a name.')
    lists[filter] = words
  }
  const search = texts.search === undefined ? [] : wordsIn(texts.search)
  if (texts.search !== undefined && (search.length === 0 || search.length > mostWords))
    return refused(spelled('search'), texts.search, `Write one to ${mostWords} words of letters or figures.`)
  const since = time('since')
  if (!since.ok) return since
  const until = time('until')
  if (!until.ok) return until
  if (since.value !== undefined && until.value !== undefined && since.value >= until.value)
    return refused(spelled('until'), texts.until ?? '', `It must be later than ${spelled('since')}.`)
  return ok({
    // Values of lists that know all theirs were checked above, so the narrower types hold.
    ...(lists as Pick<ActivityFilter, ListName>),
    ...(search.length === 0 ? {} : { search }),
    ...(since.value === undefined ? {} : { since: since.value }),
    ...(until.value === undefined ? {} : { until: until.value }),
  })
}

const refused = (filter: string, value: string, next: string): Parsed<never> =>
  fail({ filter, message: `The filter ${filter} cannot be ${JSON.stringify(value.slice(0, 100))}.`, next })

const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
