// Where agents say that they are stuck: one by one, or what is much the same together.
import type { VNode } from 'preact'
import { useReducer } from 'preact/hooks'
import { Marked } from '../../parts/marked.tsx'
import type { Answer } from '../answer.ts'
import type { AdminContext, RoomProps } from '../desk.ts'
import { Filters, readFilters, type Filter } from '../filters.tsx'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page } from '../page.tsx'
import { to } from '../route.ts'
import { More } from '../table.tsx'
import { Ago } from '../times.tsx'
import { Groups } from './groups.tsx'
import { severityChoices, SeverityPill, stateChoices, StatePill } from './words.tsx'
import type { Item, ItemGroups, ItemPage } from './wire.ts'

const filters: readonly Filter[] = [
  { kind: 'choice', name: 'state', label: 'State', options: stateChoices },
  { kind: 'choice', name: 'severity', label: 'Severity', options: severityChoices },
  {
    kind: 'choice',
    name: 'since',
    label: 'Time',
    any: 'All time',
    options: [
      ['7d', 'Last 7 days'],
      ['30d', 'Last 30 days'],
      ['90d', 'Last 90 days'],
    ],
  },
]
const tenant: Filter = { kind: 'text', name: 'tenant', label: 'Tenant' }

export const FeedbackList = ({ desk, route }: RoomProps): VNode => {
  const shown = desk.operator.tenant === null ? [...filters, tenant] : filters
  const chosen = readFilters(shown, route)
  const grouped = route.query.get('view') === 'groups'
  const view = (name: string | undefined): void => desk.filter({ ...Object.fromEntries(route.query), view: name })
  return (
    <Page
      title="Feedback"
      desk={desk}
      route={route}
      lead="Where agents got stuck, in their own words: claims, and often the quickest way to what is wrong."
    >
      <Filters filters={shown} desk={desk} route={route} />
      <div class="views" role="group" aria-label="Arrange">
        <button type="button" class="small" aria-pressed={!grouped} onClick={() => view(undefined)}>
          One by one
        </button>
        <button type="button" class="small" aria-pressed={grouped} onClick={() => view('groups')}>
          In groups
        </button>
      </div>
      {grouped ? <Grouped desk={desk} query={chosen} /> : <List desk={desk} query={chosen} />}
    </Page>
  )
}

interface PartProps {
  readonly desk: AdminContext
  readonly query: Readonly<Record<string, string>>
}

const keyOf = (query: PartProps['query']): string => new URLSearchParams(query).toString()

const Grouped = ({ desk, query }: PartProps): VNode => {
  const groups = useLoaded(`groups ${keyOf(query)}`, () => desk.client.get<ItemGroups>('/feedback/groups', query))
  return <Await loading={groups}>{(value) => <Groups groups={value} desk={desk} />}</Await>
}

interface Further {
  readonly of: string
  readonly rows: readonly Item[]
  readonly next: string | null | undefined
  readonly busy: boolean
}

type FurtherEvent =
  | { readonly type: 'asked'; readonly of: string }
  | { readonly type: 'came'; readonly of: string; readonly answer: Answer<ItemPage> }

/** Further pages belong to the filters that they were asked with. */
const reduce = (further: Further, event: FurtherEvent): Further => {
  if (event.type === 'asked')
    return event.of === further.of
      ? { ...further, busy: true }
      : { of: event.of, rows: [], next: undefined, busy: true }
  if (event.of !== further.of) return further
  if (!event.answer.ok) return { ...further, busy: false }
  const { feedback, next } = event.answer.value
  return { ...further, rows: [...further.rows, ...feedback], next, busy: false }
}

const List = ({ desk, query }: PartProps): VNode => {
  const of = keyOf(query)
  const list = useLoaded(of, () => desk.client.get<ItemPage>('/feedback', { ...query, limit: 50 }))
  const [further, dispatch] = useReducer<Further, FurtherEvent>(reduce, { of, rows: [], next: undefined, busy: false })
  const own = further.of === of ? further : undefined
  const more = async (before: string): Promise<void> => {
    dispatch({ type: 'asked', of })
    dispatch({
      type: 'came',
      of,
      answer: await desk.client.get<ItemPage>('/feedback', { ...query, before, limit: 50 }),
    })
  }
  return (
    <Await loading={list}>
      {(first) => {
        const rows = [...first.feedback, ...(own?.rows ?? [])]
        return rows.length === 0 ? (
          <Empty title="No agent has said anything like that">
            Agents tell you where they are stuck with the tool <code>submit_feedback</code>.
          </Empty>
        ) : (
          <>
            <ul class="feedback-rows">
              {rows.map((item) => (
                <Row key={item.id} item={item} desk={desk} />
              ))}
            </ul>
            <More
              next={own?.next === undefined ? first.next : own.next}
              busy={own?.busy ?? false}
              onMore={(next) => void more(next)}
            />
          </>
        )
      }}
    </Await>
  )
}

/** One piece, as a row that opens it. */
export const Row = ({ item, desk }: { readonly item: Item; readonly desk: AdminContext }): VNode => (
  <li class="feedback-row">
    <a href={to('feedback', item.id)} data-row>
      <Marked text={item.actual_outcome} reader={desk.reader} />
    </a>
    <span class="row-pills">
      <SeverityPill severity={item.severity} />
      <StatePill state={item.state} />
    </span>
    <p class="row-facts">
      {item.tool_called !== undefined && (
        <code>
          <Marked text={item.tool_called} reader={desk.reader} />
        </code>
      )}
      <span>
        <Marked text={item.from.subject} reader={desk.reader} />
        {desk.operator.tenant === null && (
          <>
            , tenant <Marked text={item.from.tenant} reader={desk.reader} />
          </>
        )}
      </span>
      <Ago iso={item.created_at} desk={desk} />
    </p>
  </li>
)
