// How it goes, and what somebody should do about it: first what to act on, then the figures that say so.
import type { VNode } from 'preact'
import type { Insights as View } from '../../../server/http/operators/insights-api.ts'
import { Alert } from '../../parts/alert.tsx'
import type { RoomProps } from '../desk.ts'
import { Filters, readFilters, type Filter } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Approvals } from './approvals.tsx'
import { Calls } from './calls.tsx'
import { Failures } from './failures.tsx'
import { FeedbackFigures } from './feedback.tsx'
import { Rationales } from './rationales.tsx'

/** What every part is given. */
export interface PartProps {
  readonly insights: View
  readonly desk: RoomProps['desk']
}

const range: Filter = {
  kind: 'choice',
  name: 'since',
  label: 'Time',
  any: 'Last 7 days',
  options: [
    ['24h', 'Last 24 hours'],
    ['30d', 'Last 30 days'],
    ['90d', 'Last 90 days'],
    ['365d', 'Last year'],
  ],
}

interface Answered extends View {
  readonly tenants: readonly string[]
}

export const Insights = ({ desk, route }: RoomProps): VNode => {
  const chosen = { since: route.query.get('since') ?? undefined, tenant: route.query.get('tenant') ?? undefined }
  const loading = useLoaded(JSON.stringify(chosen), () => desk.client.get<Answered>('/insights', chosen))
  const known = loading.state.at === 'ready' ? loading.state.value.tenants : []
  const tenants: Filter = {
    kind: 'choice',
    name: 'tenant',
    label: 'Tenant',
    any: loading.state.at === 'ready' && chosen.tenant === undefined ? loading.state.value.tenant : 'The main one',
    options: known.map((name) => [name, name] as const),
  }
  const filters = known.length > 1 || chosen.tenant !== undefined ? [range, tenants] : [range]
  const own = readFilters(filters, route)['since']
  return (
    <Page
      title="Insights"
      desk={desk}
      route={route}
      lead="What agents do, what fails, what is waved through, and what they say why."
    >
      <Filters
        filters={own === undefined ? filters : filters.map((filter) => withOwn(filter, own))}
        desk={desk}
        route={route}
      />
      <Await loading={loading}>{(insights) => <Report insights={insights} desk={desk} />}</Await>
    </Page>
  )
}

/** A time in the address that is none of the choices is one of them while it is there. */
const withOwn = (filter: Filter, value: string): Filter =>
  filter.kind !== 'choice' || filter.name !== 'since' || filter.options.some(([own]) => own === value)
    ? filter
    : { ...filter, options: [...filter.options, [value, `Since ${value}`] as const] }

const Report = ({ insights, desk }: PartProps): VNode => (
  <>
    {insights.warnings.length > 0 && (
      <Section title="What to do">
        <ul class="warnings">
          {insights.warnings.map((warning) => (
            <li>
              <Alert
                block={{ severity: 'warning', title: warning.title, text: `${warning.text} ${warning.next}` }}
                reader={desk.reader}
              />
            </li>
          ))}
        </ul>
      </Section>
    )}
    {insights.calls.total === 0 ? (
      <Empty title="No agent has called in this time">
        Look further back, or see in <a href={to('activity')}>Activity</a> whether there is any record yet.
      </Empty>
    ) : (
      <>
        <Calls insights={insights} desk={desk} />
        <Failures insights={insights} desk={desk} />
        <Rationales insights={insights} desk={desk} />
      </>
    )}
    {insights.approvals.asked > 0 && <Approvals insights={insights} desk={desk} />}
    <FeedbackFigures insights={insights} desk={desk} />
  </>
)
