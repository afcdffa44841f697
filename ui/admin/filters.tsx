// Filters live in the address, so that a filtered list can be kept, sent and gone back to. A choice counts at once, a
// text when it is finished: every key a request would be forty answers that nobody reads.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
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

/** A time in the address that is none of the choices of `since` is one of them while it is there. */
export const withSince = (filters: readonly Filter[], value: string | undefined): readonly Filter[] =>
  filters.map((filter) =>
    filter.kind !== 'choice' ||
    filter.name !== 'since' ||
    value === undefined ||
    filter.options.some(([own]) => own === value)
      ? filter
      : { ...filter, options: [...filter.options, [value, `Since ${value}`] as const] },
  )

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
          <label key={filter.name}>
            <span>{filter.label}</span>
            <select value={given[filter.name] ?? ''} onChange={(event) => set(filter.name, event.currentTarget.value)}>
              <option value="">{filter.any ?? 'Any'}</option>
              {filter.options.map(([value, words]) => (
                <option value={value} selected={given[filter.name] === value}>
                  {words}
                </option>
              ))}
            </select>
          </label>
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

const TextFilter = ({
  filter,
  value,
  onChange,
}: {
  readonly filter: Extract<Filter, { kind: 'text' }>
  readonly value: string
  readonly onChange: (value: string) => void
}): VNode => {
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
    <label>
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
