// How it goes, and what somebody should do about it: first what to act on, then the figures that say so.
import type { VNode } from 'preact'
import { Alert } from '../../parts/alert.tsx'
import type { PageProps } from '../context.ts'
import { choiceOf, Filters, since } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import type { Insights as View } from '../shapes.ts'
import { Approvals } from './approvals.tsx'
import { CallersPage } from './callers.tsx'
import { Calls } from './calls.tsx'
import { Failures } from './failures.tsx'
import { FeedbackFigures } from './feedback.tsx'
import { Guidance, Unexplained } from './guidance.tsx'
import { Rationales } from './rationales.tsx'

/** What every part is given. */
export interface PartProps {
  readonly insights: View
  readonly app: PageProps['app']
}

const range = since('Last 7 days', '24h', '30d', '90d', '365d')

export const Insights = ({ app, route }: PageProps): VNode => {
  const chosen = { since: route.query.get('since') || undefined, tenant: route.query.get('tenant') || undefined }
  const loading = useLoaded(app, JSON.stringify(chosen), (api) => api.insights.$get({ query: chosen }))
  const known = loading.value?.tenants ?? []
  const main = (chosen.tenant === undefined && loading.value?.tenant) || 'The main one'
  const tenants = choiceOf('tenant', 'Tenant', known, main)
  const filters = known.length > 1 || chosen.tenant !== undefined ? [range, tenants] : [range]
  return (
    <Page
      title="Insights"
      app={app}
      route={route}
      lead="What agents do, what fails and whether they get past it, what is approved without a second look, and which reasons are given."
    >
      <Filters filters={filters} app={app} route={route} />
      <Await loading={loading}>{(insights) => <Report insights={insights} app={app} />}</Await>
    </Page>
  )
}

/** `/admin/insights/callers` is a page of its own; nothing else is below. */
export const InsightPage = ({ id, ...page }: PageProps & { readonly id: string }): VNode =>
  id === 'callers' ? <CallersPage {...page} /> : <Insights {...page} />

const Report = ({ insights, app }: PartProps): VNode => (
  <>
    {insights.warnings.length > 0 && (
      <Section title="What to do">
        <ul class="stack">
          {insights.warnings.map((warning) => (
            <li>
              <Alert
                block={{ severity: 'warning', title: warning.title, text: `${warning.text} ${warning.next}` }}
                reader={app.reader}
              />
            </li>
          ))}
        </ul>
      </Section>
    )}
    {insights.calls.total === 0 ? (
      <Empty title="No agent has called in this time">
        Look further back, or see in <a href={to('activity')}>Activity</a> whether anything was recorded yet.
      </Empty>
    ) : (
      <>
        <Calls insights={insights} app={app} />
        <Failures insights={insights} app={app} />
        <Guidance insights={insights} app={app} />
        <Unexplained insights={insights} app={app} />
        <Rationales insights={insights} app={app} />
      </>
    )}
    {insights.approvals.asked > 0 && <Approvals insights={insights} app={app} />}
    <FeedbackFigures insights={insights} app={app} />
  </>
)
