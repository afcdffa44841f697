// What waits stands first, what runs out soonest at its head; below it what was decided. A new one appears by itself.
import type { VNode } from 'preact'
import { useReducer } from 'preact/hooks'
import { Pill } from '../../parts/buttons.tsx'
import { Marked, Prose } from '../../parts/marked.tsx'
import type { Answer } from '../answer.ts'
import type { AdminContext, RoomProps } from '../desk.ts'
import { Filters, readFilters, type Filter } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import { More } from '../table.tsx'
import { Ago, clock, useNow } from '../times.tsx'
import { RiskPill, statePill } from './words.tsx'
import type { ApprovalView } from './wire.ts'

interface ListView {
  readonly approvals: readonly ApprovalView[]
  readonly next: string | null
}

const states: Filter = {
  kind: 'choice',
  name: 'state',
  label: 'State',
  any: 'All',
  options: [
    ['pending', 'Waiting'],
    ['approved', 'Approved'],
    ['rejected', 'Rejected'],
    ['expired', 'Expired'],
  ],
}
const tenants: Filter = { kind: 'text', name: 'tenant', label: 'Tenant' }

/** Time that is left of a waiting one, by the second in its last hour. */
const Left = ({ approval, desk }: { readonly approval: ApprovalView; readonly desk: AdminContext }): VNode => {
  const now = useNow(desk)
  const left = Date.parse(approval.expires_at) - now
  return <span class={left < 10 * 60_000 ? 'soon' : ''}>{left > 0 ? `${clock(left)} left` : 'time is over'}</span>
}

const Row = ({ approval, desk }: { readonly approval: ApprovalView; readonly desk: AdminContext }): VNode => {
  const { reader } = desk
  const { requested_by: asker, needs, votes } = approval
  const [state, tone] = statePill(approval)
  const fresh = approval.state === 'pending' && approval.id === desk.waiting.newest && desk.waiting.turn > 1
  return (
    <li class={fresh ? 'approval-row new' : 'approval-row'}>
      <a href={to('approvals', approval.id)} data-row>
        <Prose text={approval.summary} reader={reader} />
      </a>
      <span class="row-pill">
        {approval.state === 'pending' ? <RiskPill risk={approval.risk} /> : <Pill tone={tone}>{state}</Pill>}
      </span>
      <p class="row-facts">
        <code>
          <Marked text={approval.tool} reader={reader} />
        </code>
        <span>
          <Marked text={asker.subject} reader={reader} /> through <Marked text={asker.client} reader={reader} />
          {desk.operator.tenant === null && (
            <>
              {' '}
              · tenant <Marked text={asker.tenant} reader={reader} />
            </>
          )}
        </span>
        {approval.state === 'pending' ? (
          <>
            <Left approval={approval} desk={desk} />
            {needs.approvers > 1 && (
              <span>
                {votes.length} of {needs.approvers} agreed
              </span>
            )}
          </>
        ) : (
          <span>
            {approval.decided_by !== undefined && (
              <>
                by <Marked text={approval.decided_by} reader={reader} />{' '}
              </>
            )}
            <Ago iso={approval.decided_at ?? approval.expires_at} desk={desk} />
          </span>
        )}
      </p>
    </li>
  )
}

interface Pages {
  readonly of: string
  readonly more: readonly ApprovalView[]
  readonly next: string | null | undefined
  readonly busy: boolean
}

type PagesEvent =
  | { readonly type: 'asked'; readonly of: string }
  | { readonly type: 'came'; readonly of: string; readonly answer: Answer<ListView> }

/** Further pages belong to the filters that they were asked with. */
const reducePages = (pages: Pages, event: PagesEvent): Pages => {
  if (event.type === 'asked')
    return event.of === pages.of ? { ...pages, busy: true } : { of: event.of, more: [], next: undefined, busy: true }
  if (event.of !== pages.of) return pages
  if (!event.answer.ok) return { ...pages, busy: false }
  const { approvals, next } = event.answer.value
  return { ...pages, more: [...pages.more, ...approvals], next, busy: false }
}

export const ApprovalList = ({ desk, route }: RoomProps): VNode => {
  const filters = desk.operator.tenant === null ? [states, tenants] : [states]
  const { state, tenant } = readFilters(filters, route)
  const of = `${state ?? ''} ${tenant ?? ''}`
  const waiting = useLoaded(
    `waiting ${of}`,
    () => desk.client.get<ListView>('/approvals', { state: 'pending', tenant, limit: 200 }),
    desk.waiting.turn,
  )
  const decided = useLoaded(
    `decided ${of}`,
    () => desk.client.get<ListView>('/approvals', { state, tenant, limit: 50 }),
    desk.waiting.turn,
  )
  const [pages, dispatch] = useReducer<Pages, PagesEvent>(reducePages, { of, more: [], next: undefined, busy: false })
  const more = pages.of === of ? pages : undefined
  const ask = async (before: string): Promise<void> => {
    dispatch({ type: 'asked', of })
    const answer = await desk.client.get<ListView>('/approvals', { state, tenant, before, limit: 50 })
    dispatch({ type: 'came', of, answer })
  }
  const rows = (list: readonly ApprovalView[]): VNode => (
    <ul class="approval-rows">
      {list.map((approval) => (
        <Row key={approval.id} approval={approval} desk={desk} />
      ))}
    </ul>
  )
  return (
    <Page title="Approvals" desk={desk} route={route} lead="What agents may not do without a person.">
      <Filters filters={filters} desk={desk} route={route} />
      {(state === undefined || state === 'pending') && (
        <Section title="Waiting">
          <Await loading={waiting}>
            {({ approvals, next }) =>
              approvals.length === 0 ? (
                <Empty title="Nothing waits">The next one appears here by itself.</Empty>
              ) : (
                <>
                  {rows(approvals.toSorted((a, b) => a.expires_at.localeCompare(b.expires_at)))}
                  {next !== null && <p class="hint">These are the newest {approvals.length}; more wait.</p>}
                </>
              )
            }
          </Await>
        </Section>
      )}
      {state !== 'pending' && (
        <Section title="Decided">
          <Await loading={decided}>
            {(first) => {
              const list = [...first.approvals, ...(more?.more ?? [])].filter((one) => one.state !== 'pending')
              return list.length === 0 ? (
                <Empty title="Nothing was decided yet" />
              ) : (
                <>
                  {rows(list)}
                  <More
                    next={more?.next === undefined ? first.next : more.next}
                    busy={more?.busy ?? false}
                    onMore={(next) => void ask(next)}
                  />
                </>
              )
            }}
          </Await>
        </Section>
      )}
    </Page>
  )
}
