// How it goes, and what somebody should do about it: first what to act on, then the figures that say so.
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../../parts/alert.tsx'
import { troubleText } from '../answer.ts'
import type { PageProps } from '../context.ts'
import { choiceOf, Filters, since, type Filter } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import type { Insights as View } from '../shapes.ts'
import { Approvals } from './approvals.tsx'
import { CallersPage } from './callers.tsx'
import { Calls } from './calls.tsx'
import { SavedCalls } from './grants.tsx'
import { Failures } from './failures.tsx'
import { FeedbackFigures } from './feedback.tsx'
import { Guidance, Unexplained } from './guidance.tsx'
import { Rationales } from './rationales.tsx'

/** What every part is given. */
export interface PartProps {
  readonly insights: View
  /** Those of the period before, as long as this one, where they are compared. */
  readonly before: View | undefined
  readonly app: PageProps['app']
}

const range = since('Last 7 days', '24h', '30d', '90d', '365d')

const comparison: Filter = {
  kind: 'choice',
  name: 'compare',
  label: 'Compare with',
  any: 'Nothing',
  options: [['before', 'The period before']],
}

/** The insights of the period before these, as long as theirs, where they are wanted and there. */
const useBefore = (
  app: PageProps['app'],
  now: View | undefined,
  tenant: string | undefined,
  isWanted: boolean,
): View | undefined => {
  const [found, set] = useState<{ readonly of: View; readonly before: View } | undefined>(undefined)
  useEffect(() => {
    if (!isWanted || now === undefined) return undefined
    let isGone = false
    const since = new Date(2 * Date.parse(now.since) - Date.parse(now.until)).toISOString()
    void app
      .ask((api) => api.insights.$get({ query: { since, until: now.since, tenant } }))
      .then((answer) => {
        if (isGone) return
        if (answer.ok) set({ of: now, before: answer.value })
        else app.say(`There is nothing to compare with. ${troubleText(answer.trouble)}`, 'danger')
      })
    return () => {
      isGone = true
    }
  }, [now, isWanted])
  return isWanted && found?.of === now ? found?.before : undefined
}

export const Insights = ({ app, route }: PageProps): VNode => {
  const chosen = { since: route.query.get('since') || undefined, tenant: route.query.get('tenant') || undefined }
  const loading = useLoaded(app, JSON.stringify(chosen), (api) => api.insights.$get({ query: chosen }))
  const known = loading.value?.tenants ?? []
  const main = (chosen.tenant === undefined && loading.value?.tenant) || 'The main one'
  const tenants = choiceOf('tenant', 'Tenant', known, main)
  const filters = [range, ...(known.length > 1 || chosen.tenant !== undefined ? [tenants] : []), comparison]
  const before = useBefore(app, loading.value, chosen.tenant, route.query.get('compare') === 'before')
  return (
    <Page
      title="Insights"
      app={app}
      route={route}
      lead="What agents do, what goes wrong, what people approve, and which reasons are given."
    >
      <Filters filters={filters} app={app} route={route} />
      <Await loading={loading}>{(insights) => <Report insights={insights} before={before} app={app} />}</Await>
    </Page>
  )
}

/** `/admin/insights/callers` is a page of its own; nothing else is below. */
export const InsightPage = ({ id, ...page }: PageProps & { readonly id: string }): VNode =>
  id === 'callers' ? <CallersPage {...page} /> : <Insights {...page} />

const Report = ({ insights, before, app }: PartProps): VNode => (
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
        <Calls insights={insights} before={before} app={app} />
        <SavedCalls insights={insights} before={before} app={app} />
        <Failures insights={insights} before={before} app={app} />
        <Guidance insights={insights} before={before} app={app} />
        <Unexplained insights={insights} before={before} app={app} />
        <Rationales insights={insights} before={before} app={app} />
      </>
    )}
    {insights.approvals.asked > 0 && <Approvals insights={insights} before={before} app={app} />}
    <FeedbackFigures insights={insights} before={before} app={app} />
  </>
)
