// Filters that somebody comes back to, under a name of their own. They are links, so that one can be sent to a colleague.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Marked } from '../../parts/marked.tsx'
import type { AppProps } from '../context.ts'
import { toActivity } from '../route.ts'
import { useSavedFilters } from './kept.ts'

type Query = Readonly<Record<string, string>>

/** The saved filters, and a field to save those of this list. */
export const SavedFilters = ({ app, query }: AppProps<{ query: Query }>): VNode => {
  const [saved, keep] = useSavedFilters()
  const [name, setName] = useState('')
  const isEmpty = Object.keys(query).length === 0
  const save = (): void => {
    const called = name.trim()
    if (called === '' || isEmpty) return
    keep([...saved.filter((each) => each.name !== called), { name: called, query: { ...query } }])
    setName('')
    app.say(`Saved as “${called}” in this browser.`, 'ok')
  }
  return (
    <details>
      <summary>Saved filters{saved.length > 0 && ` (${saved.length})`}</summary>
      <div class="stack">
        {saved.length > 0 && (
          <ul class="saved-filters" aria-label="Saved filters">
            {saved.map((each) => (
              <li key={each.name}>
                <a href={toActivity(each.query)}>
                  <Marked text={each.name} reader={app.reader} />
                </a>
                <button
                  type="button"
                  class="quiet small"
                  aria-label={`Remove ${each.name}`}
                  onClick={() => keep(saved.filter((other) => other !== each))}
                >
                  Remove
                </button>
              </li>
            ))}
          </ul>
        )}
        <form
          class="filters"
          aria-label="Save filters"
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <label class="field">
            <span>Name for these filters</span>
            <input
              value={name}
              maxLength={60}
              autoComplete="off"
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </label>
          <button type="submit" disabled={isEmpty || name.trim() === ''}>
            Save
          </button>
        </form>
        {isEmpty && <p class="minor">Set a filter first. Saved filters stay in this browser.</p>}
      </div>
    </details>
  )
}
