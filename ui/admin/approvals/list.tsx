// What waits stands first, what runs out soonest at its head; below it what was decided. A new one appears by itself.
import type { VNode } from 'preact'
import { Pill } from '../../parts/buttons.tsx'
import { clock, useNow } from '../../parts/countdown.ts'
import { Marked, Prose } from '../../parts/marked.tsx'
import type { PageProps, AppProps } from '../context.ts'
import { Filters, readFilters, withTenant, type Filter } from '../filters.tsx'
import { useLoaded, usePages } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { to } from '../route.ts'
import { MorePages } from '../table.tsx'
import { Ago } from '../times.tsx'
import { RiskPill, statePill } from './words.tsx'
import type { Approval } from '../shapes.ts'

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

/** Time that is left of a waiting one, by the second in its last hour. */
const Left = ({ approval, app }: AppProps<{ approval: Approval }>): VNode => {
  const left = Date.parse(approval.expires_at) - useNow(app.now)
  return <span class={left < 10 * 60_000 ? 'soon' : ''}>{left > 0 ? `${clock(left)} left` : 'expired'}</span>
}

const Row = ({ approval, app }: AppProps<{ approval: Approval }>): VNode => {
  const { reader } = app
  const { requested_by: asker, needs, votes } = approval
  const [state, tone] = statePill(approval)
  const fresh = approval.state === 'pending' && approval.id === app.waiting.newest && app.waiting.turn > 1
  return (
    <li class={fresh ? 'link-row new' : 'link-row'}>
      <a href={to('approvals', approval.id)} data-row>
        <Prose text={approval.summary} reader={reader} />
      </a>
      <span class="row-pill">
        {approval.state === 'pending' ? <RiskPill risk={approval.risk} /> : <Pill tone={tone}>{state}</Pill>}
      </span>
      <p class="row-facts minor">
        <CodeText text={approval.tool} reader={reader} />
        <span>
          <Marked text={asker.subject} reader={reader} /> through <Marked text={asker.client} reader={reader} />
          {app.operator.tenant === null && (
            <>
              {' '}
              · tenant <Marked text={asker.tenant} reader={reader} />
            </>
          )}
        </span>
        {approval.state === 'pending' ? (
          <>
            <Left approval={approval} app={app} />
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
            <Ago iso={approval.decided_at ?? approval.expires_at} app={app} />
          </span>
        )}
      </p>
    </li>
  )
}

export const ApprovalList = ({ app, route }: PageProps): VNode => {
  const filters = withTenant([states], app)
  const { state, tenant } = readFilters(filters, route)
  const key = `${state ?? ''} ${tenant ?? ''}`
  const waiting = useLoaded(
    app,
    `waiting ${key}`,
    (api) => api.approvals.$get({ query: { state: 'pending', tenant, limit: '200' } }),
    app.waiting.turn,
  )
  const decided = usePages(
    app,
    `decided ${key}`,
    (api, before) => api.approvals.$get({ query: { state, tenant, before, limit: '50' } }),
    app.waiting.turn,
  )
  const rows = (list: readonly Approval[]): VNode => (
    <ul class="link-rows">
      {list.map((approval) => (
        <Row key={approval.id} approval={approval} app={app} />
      ))}
    </ul>
  )
  return (
    <Page
      title="Approvals"
      app={app}
      route={route}
      lead="Calls of agents that a person must decide about before they run."
    >
      <Filters filters={filters} app={app} route={route} />
      {(state === undefined || state === 'pending') && (
        <Section title="Waiting">
          <Await loading={waiting}>
            {({ approvals, next }) =>
              approvals.length === 0 ? (
                <Empty title="No approval is waiting">The next one appears here by itself.</Empty>
              ) : (
                <>
                  {rows(approvals.toSorted((a, b) => a.expires_at.localeCompare(b.expires_at)))}
                  {next !== null && <p class="hint">These are the newest {approvals.length}; there are more.</p>}
                </>
              )
            }
          </Await>
        </Section>
      )}
      {state !== 'pending' && (
        <Section title="Decided">
          <Await loading={decided.first}>
            {(first) => {
              const list = [first, ...decided.further].flatMap((page) => page.approvals)
              const ended = list.filter((one) => one.state !== 'pending')
              return ended.length === 0 ? (
                <Empty title="No decisions yet" />
              ) : (
                <>
                  {rows(ended)}
                  <MorePages first={first} pages={decided} />
                </>
              )
            }}
          </Await>
        </Section>
      )}
    </Page>
  )
}
