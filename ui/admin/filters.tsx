// Filters live in the address, so that a filtered list can be kept, sent and gone back to. A choice counts at once, a
// text when it is finished: every key a request would be forty answers that nobody reads.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { SelectField } from '../parts/select-field.tsx'
import type { AdminContext } from './context.ts'
import type { Route } from './route.ts'

export type Filter =
  | {
      readonly kind: 'choice'
      readonly name: string
      readonly label: string
      /** Value and words; the empty value is "all" and comes first by itself. */
      readonly options: readonly (readonly [value: string, words: string])[]
      /** Words for no choice; "Any" when absent. */
      readonly any?: string
    }
  | { readonly kind: 'text'; readonly name: string; readonly label: string; readonly hint?: string }

/** What the filters say: those with a value. */
export const readFilters = (filters: readonly Filter[], route: Route): Readonly<Record<string, string>> =>
  Object.fromEntries(
    filters.flatMap(({ name }) => {
      const value = route.query.get(name)
      return value === null || value === '' ? [] : [[name, value]]
    }),
  )

/** And one for the tenant, for who sees more than one. */
export const withTenant = (filters: readonly Filter[], { operator }: AdminContext): readonly Filter[] =>
  operator.tenant === null ? [...filters, { kind: 'text', name: 'tenant', label: 'Tenant' }] : filters

const spans = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  '365d': 'Last year',
} as const

/** Since when: one of these spans, or what `any` says. */
export const since = (any: string, ...choices: readonly (keyof typeof spans)[]): Filter => {
  const options = choices.map((span) => [span, spans[span]] as const)
  return { kind: 'choice', name: 'since', label: 'Time', any, options }
}

/** Choices whose values are words already. */
export const choiceOf = (name: string, label: string, values: readonly string[], any = 'Any'): Filter => {
  const options = values.map((value) => [value, value] as const)
  return { kind: 'choice', name, label, any, options }
}

interface FiltersProps {
  readonly filters: readonly Filter[]
  readonly app: AdminContext
  readonly route: Route
  /** Where a page has more than one row of them; "Filters" when absent. */
  readonly label?: string
}

/** A row of filters over a list; it writes the address, the page reads it with `readFilters`. */
export const Filters = ({ filters, app, route, label = 'Filters' }: FiltersProps): VNode => {
  const given = readFilters(filters, route)
  const set = (name: string, value: string): void =>
    app.filter({ ...Object.fromEntries(route.query), [name]: value, before: undefined })
  return (
    <form class="filters" role="search" aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) =>
        filter.kind === 'choice' ? (
          <Choice
            key={filter.name}
            filter={filter}
            value={given[filter.name] ?? ''}
            onChange={(value) => set(filter.name, value)}
          />
        ) : (
          <TextFilter
            key={filter.name}
            filter={filter}
            value={given[filter.name] ?? ''}
            onChange={(value) => set(filter.name, value)}
          />
        ),
      )}
      {Object.keys(given).length > 0 && (
        <button type="button" class="quiet" onClick={() => app.filter({})}>
          Clear filters
        </button>
      )}
    </form>
  )
}

interface FilterProps<Kind extends Filter['kind']> {
  readonly filter: Extract<Filter, { kind: Kind }>
  readonly value: string
  readonly onChange: (value: string) => void
}

const Choice = ({ filter: { name, label, any = 'Any', options }, value, onChange }: FilterProps<'choice'>): VNode => {
  // An address may ask for what is none of the choices; it is one while it is there.
  const unlisted = value !== '' && !options.some(([listed]) => listed === value)
  const own = [value, name === 'since' ? `Since ${value}` : value] as const
  const all = [['', any] as const, ...options, ...(unlisted ? [own] : [])]
  return <SelectField label={label} value={value} options={all} onPick={onChange} />
}

const TextFilter = ({ filter, value, onChange }: FilterProps<'text'>): VNode => {
  const [typed, type] = useState(value)
  // Not in an effect: that comes late enough to take away what somebody has typed by then.
  const [given, give] = useState(value)
  if (given !== value) {
    give(value)
    type(value)
  }
  const done = (): void => {
    if (typed.trim() !== value) onChange(typed.trim())
  }
  return (
    <label class="field">
      <span>{filter.label}</span>
      <input
        type="search"
        value={typed}
        placeholder={filter.hint ?? ''}
        autoComplete="off"
        spellcheck={false}
        onInput={(event) => type(event.currentTarget.value)}
        onBlur={done}
        onKeyDown={(event) => event.key === 'Enter' && done()}
      />
    </label>
  )
}
