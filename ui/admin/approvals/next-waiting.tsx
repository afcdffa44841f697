// Who has decided one usually has others to decide. The way there is on the page that they are on: the one whose time ends
// first, as the list has it.
import type { VNode } from 'preact'
import { Prose } from '../../parts/marked.tsx'
import type { AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { to } from '../route.ts'
import type { ApprovalView } from './wire.ts'

export const NextWaiting = ({ after, desk }: { readonly after: string; readonly desk: AdminContext }): VNode | null => {
  const { state } = useLoaded(
    `next after ${after}`,
    () =>
      desk.client.get<{ readonly approvals: readonly ApprovalView[] }>('/approvals', { state: 'pending', limit: 200 }),
    desk.waiting.turn,
  )
  if (state.at !== 'ready') return null
  const [next] = state.value.approvals
    .filter(({ id }) => id !== after)
    .toSorted((a, b) => a.expires_at.localeCompare(b.expires_at))
  return next === undefined ? (
    <a class="button" href={to('approvals')}>
      Nothing else waits
    </a>
  ) : (
    <a class="button" href={to('approvals', next.id)} aria-label={`Next: ${next.summary}`}>
      {/* One piece: the pieces of a button stand side by side, each in a column of its own. */}
      <span>
        Next: <Prose text={next.summary} reader={desk.reader} />
      </span>
    </a>
  )
}
