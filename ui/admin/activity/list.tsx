// Everything that agents did, newest first. The filters are in the address, so that a view can be sent to somebody.
import type { VNode } from 'preact'
import type { AdminContext, PageProps } from '../context.ts'
import { choiceOf, Filters, readFilters, since, withTenant, type Filter } from '../filters.tsx'
import { Empty, LoadingLine, Page, TroubleNote } from '../page.tsx'
import { CodeText } from '../pieces.tsx'
import { More, Table, type Column } from '../table.tsx'
import { Ago } from '../times.tsx'
import { ChainCheck } from './chain-check.tsx'
import { ExportLinks } from './export-links.tsx'
import { useFeed, type Feed } from './feed.ts'
import { useChosenColumns } from './kept.ts'
import {
  durationWords,
  intentWords,
  outcomeChoices,
  OutcomePill,
  sourceChoices,
  sourceWords,
  verdictChoices,
  verdictWords,
} from './words.tsx'
import { RowText } from './row.tsx'
import { SavedFilters } from './saved-filters.tsx'
import { Timeline } from './timeline.tsx'
import type { Line } from '../shapes.ts'
import { isCall } from '../../../server/model/activity.ts'
import { operations, risks } from '../../../server/model/risk.ts'

const often: readonly Filter[] = [
  { kind: 'text', name: 'search', label: 'Search', hint: 'Words in any text' },
  since('All time', '1h', '24h', '7d', '30d'),
  { kind: 'text', name: 'tool', label: 'Tool' },
  { kind: 'choice', name: 'status', label: 'Outcome', options: outcomeChoices },
  choiceOf('risk', 'Risk', risks),
  { kind: 'choice', name: 'source', label: 'What', any: 'Everything', options: sourceChoices },
  { kind: 'text', name: 'subject', label: 'Who' },
]

const seldom: readonly Filter[] = [
  { kind: 'choice', name: 'verdict', label: 'Verdict', options: verdictChoices },
  choiceOf('intent_type', 'Intent', operations),
  { kind: 'text', name: 'client', label: 'Client' },
  { kind: 'text', name: 'plan', label: 'Plan', hint: 'pl_…' },
  { kind: 'text', name: 'approval', label: 'Approval', hint: 'ap_…' },
  { kind: 'text', name: 'grant', label: 'Grant', hint: 'gr_…' },
  { kind: 'text', name: 'until', label: 'Before', hint: '2026-01-31 or 7d' },
]

export const ActivityList = ({ app, route }: PageProps): VNode => {
  const rare = withTenant(seldom, app)
  const chosen = readFilters([...often, ...rare], route)
  const live = route.query.get('live') !== 'off' && chosen['until'] === undefined
  const { feed, more, again } = useFeed(app, chosen, live)
  const folded = Object.keys(readFilters(rare, route)).length
  const all = columns(app)
  const [names, choose] = useChosenColumns(all.flatMap(({ name, first }) => (first === true ? [name] : [])))
  const shown = [happened(app), ...all.filter(({ name }) => names.includes(name))]
  return (
    <Page
      title="Activity"
      app={app}
      route={route}
      lead="Every call of every agent, recorded before it runs and completed when it has ended, what people did about it, and what this server did later on behalf of it."
      actions={<ExportLinks app={app} query={chosen} />}
    >
      <div class="stack">
        <Filters filters={often} app={app} route={route} />
        <div class="line folds">
          <details open={folded > 0}>
            <summary>More filters{folded > 0 && ` (${folded})`}</summary>
            <Filters filters={rare} app={app} route={route} label="More filters" />
          </details>
          <SavedFilters app={app} query={chosen} />
          <ColumnChoice all={all} chosen={names} onChoose={choose} />
        </div>
      </div>
      <Timeline
        app={app}
        query={chosen}
        fresh={feed.fresh.size}
        onRange={(range) => app.filter({ ...Object.fromEntries(route.query), ...range })}
      />
      <LiveSwitch
        feed={feed}
        live={live}
        onSwitch={(on) => app.filter({ ...Object.fromEntries(route.query), live: on ? undefined : 'off' })}
        possible={chosen['until'] === undefined}
      />
      {feed.trouble !== undefined && <TroubleNote trouble={feed.trouble} again={again} />}
      <Rows feed={feed} columns={shown} more={more} filtered={Object.keys(chosen).length > 0} />
      <ChainCheck app={app} tenant={chosen['tenant']} />
    </Page>
  )
}

const Rows = ({
  feed,
  columns: shown,
  more,
  filtered,
}: {
  readonly feed: Feed
  readonly columns: readonly Column<Line>[]
  readonly more: () => void
  readonly filtered: boolean
}): VNode | null => {
  if (feed.rows.length > 0)
    return (
      <>
        <div class="many-columns">
          <Table
            label="Calls"
            columns={shown}
            rows={feed.rows}
            id={({ id }) => id}
            mark={({ id }) => (feed.fresh.has(id) ? 'new' : undefined)}
          />
        </div>
        <More next={feed.next} busy={feed.busy === 'more'} onMore={more} />
      </>
    )
  if (feed.busy !== undefined) return <LoadingLine />
  if (feed.trouble !== undefined) return null
  if (feed.next !== null)
    return (
      <Empty title="Nothing found yet">
        <p>Older calls have not been searched yet.</p>
        <More next={feed.next} busy={false} onMore={more} />
      </Empty>
    )
  return filtered ? (
    <Empty title="No call matches these filters">Remove a filter, or look further back.</Empty>
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
  <div class="line">
    <label class="check">
      <input
        type="checkbox"
        checked={live}
        disabled={!possible}
        onChange={(event) => onSwitch(event.currentTarget.checked)}
      />
      <span>Show new calls as they come</span>
    </label>
    <span class="minor" role="status">
      {liveWords(feed, live)}
    </span>
  </div>
)

const liveWords = ({ line, fresh }: Feed, live: boolean): string => {
  if (!live) return ''
  if (line === 'down') return 'The connection is down; trying again.'
  return fresh.size === 0 ? '' : `${fresh.size} new since you opened this page.`
}

interface ListColumn extends Column<Line> {
  readonly name: string
  /** Shown until somebody chooses others. */
  readonly first?: true
}

const happened = (app: AdminContext): Column<Line> => ({
  label: 'What happened',
  wide: true,
  cell: (call) => <RowText call={call} app={app} />,
})

const columns = (app: AdminContext): readonly ListColumn[] => [
  { name: 'outcome', first: true, label: 'Outcome', cell: (call) => <OutcomePill status={call.status} /> },
  {
    name: 'tool',
    first: true,
    label: 'Tool',
    cell: (call) => (
      <>
        <CodeText text={call.tool} reader={app.reader} />
        {call.tool_variant !== null && (
          <small class="below">
            <code>{call.tool_variant}</code> {intentWords(call)}
          </small>
        )}
      </>
    ),
  },
  {
    name: 'verdict',
    label: 'Verdict',
    cell: (call) => (call.verdict === null ? '' : verdictWords(call.verdict.split(':')[0] ?? '')),
  },
  { name: 'risk', first: true, label: 'Risk', cell: (call) => call.risk ?? '' },
  { name: 'intent', label: 'Intent', cell: (call) => call.intent_type ?? '' },
  { name: 'source', label: 'Came', cell: (call) => sourceWords(call.source) },
  { name: 'plan', label: 'Plan', cell: (call) => call.plan_id !== null && <code>{call.plan_id}</code> },
  { name: 'approval', label: 'Approval', cell: (call) => call.approval_id !== null && <code>{call.approval_id}</code> },
  {
    name: 'took',
    label: 'Took',
    align: 'end',
    // What is no call took no time that anybody measured.
    cell: (call) => (isCall(call.source) ? durationWords(call.duration_ms) : ''),
  },
  { name: 'when', first: true, label: 'When', cell: (call) => <Ago iso={call.time} app={app} /> },
]

/** Which columns stand beside what happened. */
const ColumnChoice = ({
  all,
  chosen,
  onChoose,
}: {
  readonly all: readonly ListColumn[]
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: string[]) => void
}): VNode => (
  <details>
    <summary>Columns</summary>
    <fieldset class="line column-choice" aria-label="Columns">
      {all.map(({ name, label }) => (
        <label class="check">
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={(event) =>
              onChoose(event.currentTarget.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  </details>
)
