// Everything that agents did, newest first. The filters are in the address, so that a view can be sent to somebody.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { AdminContext, RoomProps } from '../desk.ts'
import { Filters, readFilters, type Filter } from '../filters.tsx'
import { Empty, Page, TroubleNote } from '../page.tsx'
import { to } from '../route.ts'
import { More, Table, type Column } from '../table.tsx'
import { Ago } from '../times.tsx'
import { ChainCheck } from './chain-check.tsx'
import { ExportLinks } from './export-links.tsx'
import { useFeed, type Feed } from './feed.ts'
import { durationWords, outcomeChoices, OutcomePill, verdictChoices, verdictWords } from './words.tsx'
import type { Line } from './wire.ts'
import { operations, risks } from '../../../server/model/risk.ts'

const often: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'since',
    label: 'Time',
    any: 'All time',
    options: [
      ['1h', 'Last hour'],
      ['24h', 'Last 24 hours'],
      ['7d', 'Last 7 days'],
      ['30d', 'Last 30 days'],
    ],
  },
  { kind: 'text', name: 'tool', label: 'Tool' },
  { kind: 'choice', name: 'status', label: 'Outcome', options: outcomeChoices },
  {
    kind: 'choice',
    name: 'risk',
    label: 'Risk',
    options: risks.map((risk) => [risk, risk] as const),
  },
  { kind: 'text', name: 'subject', label: 'Who' },
]

const seldom: readonly Filter[] = [
  { kind: 'choice', name: 'verdict', label: 'Verdict', options: verdictChoices },
  {
    kind: 'choice',
    name: 'intent_type',
    label: 'Intent',
    options: operations.map((type) => [type, type] as const),
  },
  { kind: 'text', name: 'client', label: 'Client' },
  { kind: 'text', name: 'plan', label: 'Plan', hint: 'pl_…' },
  { kind: 'text', name: 'approval', label: 'Approval', hint: 'ap_…' },
  { kind: 'text', name: 'grant', label: 'Standing permission', hint: 'gr_…' },
  { kind: 'text', name: 'until', label: 'Before', hint: '2026-01-31 or 7d' },
]

const tenant: Filter = { kind: 'text', name: 'tenant', label: 'Tenant' }

/** A time in the address that is none of the choices is one of them while it is there. */
const withOwn = (filters: readonly Filter[], name: string, value: string | undefined): readonly Filter[] =>
  filters.map((filter) =>
    filter.kind !== 'choice' ||
    filter.name !== name ||
    value === undefined ||
    filter.options.some(([own]) => own === value)
      ? filter
      : { ...filter, options: [...filter.options, [value, `Since ${value}`] as const] },
  )

export const ActivityList = ({ desk, route }: RoomProps): VNode => {
  const rare = desk.operator.tenant === null ? [...seldom, tenant] : seldom
  const chosen = readFilters([...often, ...rare], route)
  const live = route.query.get('live') !== 'off' && chosen['until'] === undefined
  const { feed, more, again } = useFeed(desk.client, chosen, live)
  const folded = Object.keys(readFilters(rare, route)).length
  return (
    <Page
      title="Activity"
      desk={desk}
      route={route}
      lead="Every call of every agent, written down before it runs and completed when it has ended; and what people did about it."
      actions={<ExportLinks desk={desk} query={chosen} />}
    >
      <div class="activity-filters">
        <Filters filters={withOwn(often, 'since', chosen['since'])} desk={desk} route={route} />
        <details open={folded > 0}>
          <summary>More filters{folded > 0 && ` (${folded})`}</summary>
          <Filters filters={rare} desk={desk} route={route} label="More filters" />
        </details>
      </div>
      <LiveSwitch
        feed={feed}
        live={live}
        onSwitch={(on) => desk.filter({ ...Object.fromEntries(route.query), live: on ? undefined : 'off' })}
        possible={chosen['until'] === undefined}
      />
      {feed.trouble !== undefined && <TroubleNote trouble={feed.trouble} again={again} />}
      <Rows feed={feed} desk={desk} more={more} filtered={Object.keys(chosen).length > 0} />
      <ChainCheck desk={desk} {...(chosen['tenant'] === undefined ? {} : { tenant: chosen['tenant'] })} />
    </Page>
  )
}

const Rows = ({
  feed,
  desk,
  more,
  filtered,
}: {
  readonly feed: Feed
  readonly desk: AdminContext
  readonly more: () => void
  readonly filtered: boolean
}): VNode | null => {
  if (feed.rows.length > 0)
    return (
      <>
        <div class="many-columns">
          <Table
            label="Calls"
            columns={columns(desk)}
            rows={feed.rows}
            id={({ id }) => id}
            mark={({ id }) => (feed.fresh.has(id) ? 'new' : undefined)}
          />
        </div>
        <More next={feed.next} busy={feed.busy === 'more'} onMore={more} />
      </>
    )
  if (feed.busy !== undefined)
    return (
      <p class="loading" role="status">
        Loading…
      </p>
    )
  if (feed.trouble !== undefined) return null
  if (feed.next !== null)
    return (
      <Empty title="Nothing found yet">
        <p>Older calls have not been looked through.</p>
        <More next={feed.next} busy={false} onMore={more} />
      </Empty>
    )
  return filtered ? (
    <Empty title="No call is like that">Loosen a filter, or look further back.</Empty>
  ) : (
    <Empty title="No agent has called yet">The first call appears here by itself.</Empty>
  )
}

const LiveSwitch = ({
  feed,
  live,
  possible,
  onSwitch,
}: {
  readonly feed: Feed
  readonly live: boolean
  readonly possible: boolean
  readonly onSwitch: (on: boolean) => void
}): VNode => (
  <div class="live">
    <label class="check">
      <input
        type="checkbox"
        checked={live}
        disabled={!possible}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <span>Show new calls as they come</span>
    </label>
    <span class="live-state" role="status">
      {liveWords(feed, live)}
    </span>
  </div>
)

const liveWords = ({ line, fresh }: Feed, live: boolean): string => {
  if (!live) return ''
  if (line === 'down') return 'The line is down; trying again.'
  return fresh.size === 0 ? '' : `${fresh.size} new since you opened this page.`
}

const columns = (desk: AdminContext): readonly Column<Line>[] => [
  {
    key: 'tool',
    label: 'Tool',
    cell: (call) => (
      <a href={to('activity', call.id)}>
        <code>
          <Marked text={call.tool} reader={desk.reader} />
        </code>
      </a>
    ),
  },
  { key: 'outcome', label: 'Outcome', cell: (call) => <OutcomePill status={call.status} /> },
  {
    key: 'verdict',
    label: 'Verdict',
    cell: (call) => (call.verdict === null ? '' : verdictWords(call.verdict.split(':')[0] ?? '')),
  },
  { key: 'risk', label: 'Risk', cell: (call) => call.risk ?? '' },
  {
    key: 'who',
    label: 'Who',
    wide: true,
    cell: (call) => (
      <>
        <Marked text={call.subject} reader={desk.reader} />
        {call.erased && <span class="erased-mark"> erased</span>}
        <span class="through">
          {' '}
          through <Marked text={call.client} reader={desk.reader} />
          {desk.operator.tenant === null && (
            <>
              , <Marked text={call.tenant} reader={desk.reader} />
            </>
          )}
        </span>
      </>
    ),
  },
  {
    key: 'took',
    label: 'Took',
    align: 'end',
    // What a person did took them no time that anybody measured.
    cell: (call) => (call.source === 'operator' ? '' : durationWords(call.duration_ms)),
  },
  { key: 'when', label: 'When', cell: (call) => <Ago iso={call.time} desk={desk} /> },
]
