// A story is told in the order in which it happened, whoever acted: the agent that called, the person who clicked, voted
// or decided, the tool that noted something. The rows have most of it; votes and clicks of plans are joined from beside.
import type { Call, Story } from '../shapes.ts'

type Vote = Story['approvals'][number]['votes'][number]

export type Step =
  | { readonly kind: 'call'; readonly at: string; readonly call: Call }
  | {
      readonly kind: 'event'
      readonly at: string
      readonly event: Call['events'][number]
      readonly call: Call
    }
  | { readonly kind: 'click'; readonly at: string; readonly trusted: boolean }
  | { readonly kind: 'vote'; readonly at: string; readonly vote: Vote }
  | {
      readonly kind: 'decision'
      readonly at: string
      readonly approval: Story['approvals'][number]
    }

/** The click is a row of its own where the card could record it; then it is not told twice. */
const isClick = (call: Call): boolean => call.audit_event === 'plan.clicked'

/** Oldest first. */
export const stepsOf = ({ story, plans, approvals }: Story): readonly Step[] => {
  const steps: Step[] = story.flatMap((call) => [
    { kind: 'call', at: call.time, call } as const,
    ...call.events.map((event) => ({ kind: 'event', at: event.time, event, call }) as const),
  ])
  for (const { click } of plans)
    if (typeof click?.at === 'string' && !story.some(isClick))
      steps.push({ kind: 'click', at: click.at, trusted: click.trusted })
  const recorded = new Set(
    story.flatMap(({ source, approval_id }) => (source === 'operator' && approval_id !== null ? [approval_id] : [])),
  )
  for (const approval of approvals) {
    // What people did may have rows of its own; only the reason stands nowhere else.
    if (recorded.has(approval.id) && approval.reason === null) continue
    for (const vote of recorded.has(approval.id) ? [] : approval.votes)
      if (vote.at !== null) steps.push({ kind: 'vote', at: vote.at, vote })
    if (approval.decided_at !== null) steps.push({ kind: 'decision', at: approval.decided_at, approval })
  }
  // Sorting is stable: of what happened in the same millisecond, the rows come as they were written.
  return steps.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
}
