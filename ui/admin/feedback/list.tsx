// Where agents say that they are stuck: one by one, or what is much the same together.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { AdminContext, PageProps, AppProps } from '../context.ts'
import { Filters, readFilters, since, withTenant, type Filter } from '../filters.tsx'
import { useLoaded, usePages } from '../load.ts'
import { Await, Page } from '../page.tsx'
import { CodeText, OfTenant } from '../pieces.tsx'
import { to } from '../route.ts'
import { MorePages } from '../table.tsx'
import { Ago } from '../times.tsx'
import { Groups, NoFeedback } from './groups.tsx'
import { severityChoices, SeverityPill, stateChoices, StatePill } from './words.tsx'
import type { Feedback } from '../shapes.ts'

const filters: readonly Filter[] = [
  { kind: 'choice', name: 'state', label: 'State', options: stateChoices },
  { kind: 'choice', name: 'severity', label: 'Severity', options: severityChoices },
  since('All time', '7d', '30d', '90d'),
]

export const FeedbackList = ({ app, route }: PageProps): VNode => {
  const shown = withTenant(filters, app)
  const chosen = readFilters(shown, route)
  const grouped = route.query.get('view') === 'groups'
  const view = (name: string | undefined): void => app.filter({ ...Object.fromEntries(route.query), view: name })
  return (
    <Page
      title="Feedback"
      app={app}
      route={route}
      lead="Where agents got stuck, in their own words. Nobody has checked what they say, but it often shows what is wrong."
    >
      <Filters filters={shown} app={app} route={route} />
      <div class="buttons" role="group" aria-label="Arrange">
        <button type="button" class="small" aria-pressed={!grouped} onClick={() => view(undefined)}>
          One by one
        </button>
        <button type="button" class="small" aria-pressed={grouped} onClick={() => view('groups')}>
          In groups
        </button>
      </div>
      {grouped ? <Grouped app={app} query={chosen} /> : <List app={app} query={chosen} />}
    </Page>
  )
}

interface PartProps {
  readonly app: AdminContext
  readonly query: Readonly<Record<string, string>>
}

const keyOf = (query: PartProps['query']): string => new URLSearchParams(query).toString()

const Grouped = ({ app, query }: PartProps): VNode => {
  const groups = useLoaded(app, `groups ${keyOf(query)}`, (api) => api.feedback.groups.$get({ query }))
  return <Await loading={groups}>{(value) => <Groups groups={value} app={app} />}</Await>
}

const List = ({ app, query }: PartProps): VNode => {
  const list = usePages(app, keyOf(query), (api, before) =>
    api.feedback.$get({ query: { ...query, before, limit: '50' } }),
  )
  return (
    <Await loading={list.first}>
      {(first) => {
        const rows = [first, ...list.further].flatMap((page) => page.feedback)
        return rows.length === 0 ? (
          <NoFeedback />
        ) : (
          <>
            <ul class="link-rows">
              {rows.map((item) => (
                <Row key={item.id} item={item} app={app} />
              ))}
            </ul>
            <MorePages first={first} pages={list} />
          </>
        )
      }}
    </Await>
  )
}

/** One piece, as a row that opens it. */
const Row = ({ item, app }: AppProps<{ item: Feedback }>): VNode => (
  <li class="link-row feedback-row">
    <a href={to('feedback', item.id)} data-row>
      <Marked text={item.actual_outcome} reader={app.reader} />
    </a>
    <span class="pills">
      <SeverityPill severity={item.severity} />
      <StatePill state={item.state} />
    </span>
    <p class="row-facts minor">
      {item.tool_called !== undefined && <CodeText text={item.tool_called} reader={app.reader} />}
      <span>
        <Marked text={item.from.subject} reader={app.reader} />
        <OfTenant tenant={item.from.tenant} app={app} />
      </span>
      <Ago iso={item.created_at} app={app} />
    </p>
  </li>
)
