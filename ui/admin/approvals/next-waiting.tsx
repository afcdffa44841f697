// Who has decided one usually has others to decide. The way there is on the page that they are on: the one whose time ends
// first, as the list has it.
import type { VNode } from 'preact'
import { Prose } from '../../parts/marked.tsx'
import type { AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { to } from '../route.ts'

export const NextWaiting = ({ after, app }: AppProps<{ after: string }>): VNode | null => {
  const { value } = useLoaded(
    app,
    `next after ${after}`,
    (api) => api.approvals.$get({ query: { state: 'pending', limit: '200' } }),
    app.waiting.turn,
  )
  if (value === undefined) return null
  const [next] = value.approvals
    .filter(({ id }) => id !== after)
    .toSorted((a, b) => a.expires_at.localeCompare(b.expires_at))
  return next === undefined ? (
    <a class="button" href={to('approvals')}>
      No other approvals
    </a>
  ) : (
    <a class="button" href={to('approvals', next.id)} aria-label={`Next: ${next.summary}`}>
      {/* One piece: the pieces of a button stand side by side, each in a column of its own. */}
      <span>
        Next: <Prose text={next.summary} reader={app.reader} />
      </span>
    </a>
  )
}
