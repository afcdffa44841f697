// A list that is read by pages from one end and grows by itself at the other. A call is written down when it begins and
// again when it ends, so what comes live may be a row that is here already: it is put in its place, never doubled.
import { useEffect, useReducer, useRef } from 'preact/hooks'
import type { Answer, Trouble } from '../answer.ts'
import type { Client } from '../client.ts'
import { listenWhileVisible } from '../events.ts'
import type { ActivityPage, Line } from '../shapes.ts'

export interface Feed {
  /** The question that the rows answer. */
  readonly of: string
  readonly rows: readonly Line[]
  readonly next: string | null
  readonly busy: 'first' | 'more' | undefined
  readonly trouble: Trouble | undefined
  /** Calls that came live since the list was opened. */
  readonly fresh: ReadonlySet<string>
  /** Whether the server tells of new calls at once. */
  readonly line: 'off' | 'up' | 'down'
}

type Event =
  | { readonly type: 'asked'; readonly of: string; readonly what: 'first' | 'more' }
  | {
      readonly type: 'came'
      readonly of: string
      readonly what: 'first' | 'more'
      readonly answer: Answer<ActivityPage>
    }
  | { readonly type: 'streamed'; readonly of: string; readonly line: Line }
  | { readonly type: 'line'; readonly line: Feed['line'] }

const empty: Omit<Feed, 'of' | 'line'> = {
  rows: [],
  next: null,
  busy: 'first',
  trouble: undefined,
  fresh: new Set(),
}

/** Newest first; of two versions of a row, the later one. */
const merged = (rows: readonly Line[], more: readonly Line[]): readonly Line[] => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const row of more) byId.set(row.id, row)
  return [...byId.values()].toSorted((one, other) => (one.time < other.time ? 1 : one.time > other.time ? -1 : 0))
}

/** Pure, so that every order of events can be tried. */
export const reduceFeed = (feed: Feed, event: Event): Feed => {
  if (event.type === 'line') return { ...feed, line: event.line }
  if (event.type === 'asked') {
    const same = event.of === feed.of
    return { ...(same ? feed : { ...feed, ...empty, of: event.of }), busy: event.what, trouble: undefined }
  }
  if (event.of !== feed.of) return feed
  if (event.type === 'streamed') {
    const known = feed.rows.some((row) => row.id === event.line.id)
    const fresh = known ? feed.fresh : new Set([...feed.fresh, event.line.id])
    return { ...feed, rows: merged(feed.rows, [event.line]), fresh }
  }
  if (!event.answer.ok) return { ...feed, busy: undefined, trouble: event.answer.trouble }
  const { activity, next_cursor } = event.answer.value
  const known = new Set(feed.rows.map(({ id }) => id))
  // Asked again after a while, the newest page may not reach down to what is here: a gap that nobody sees is worse than
  // rows that are read again.
  const joins = next_cursor === null || activity.some(({ id }) => known.has(id))
  if (event.what === 'first' && !joins) return { ...feed, rows: activity, next: next_cursor, busy: undefined }
  const again = event.what === 'first' && feed.rows.length > 0
  return {
    ...feed,
    rows: merged(feed.rows, activity),
    // What was read further down stays where it is.
    next: again ? feed.next : next_cursor,
    busy: undefined,
  }
}

/** A rare combination of filters may find nothing in many rows; then the next ones are asked for by themselves. */
const TRIES = 20

const read = async (
  client: Client,
  query: Readonly<Record<string, string>>,
  { from, isWanted }: { readonly from?: string | undefined; readonly isWanted: () => boolean },
): Promise<Answer<ActivityPage>> => {
  let cursor = from
  for (let tries = 0; ; tries++) {
    const answer = await client.ask((api) => api.activity.$get({ query: { ...query, cursor, limit: '50' } }))
    if (
      !answer.ok ||
      answer.value.activity.length > 0 ||
      answer.value.next_cursor === null ||
      tries === TRIES ||
      !isWanted()
    )
      return answer
    cursor = answer.value.next_cursor
  }
}

/** The rows that answer a question, and what comes to them while it is `live`. */
export const useFeed = (
  client: Client,
  query: Readonly<Record<string, string>>,
  live: boolean,
): { readonly feed: Feed; readonly more: () => void; readonly again: () => void } => {
  const of = new URLSearchParams(query).toString()
  const [feed, dispatch] = useReducer<Feed, Event>(reduceFeed, { ...empty, of, line: 'off' })
  const latest = useRef<string | undefined>(of)
  latest.current = of
  useEffect(() => () => void (latest.current = undefined), [])
  const ask = (what: 'first' | 'more', from?: string): void => {
    dispatch({ type: 'asked', of, what })
    const isWanted = (): boolean => latest.current === of
    void read(client, query, { from, isWanted }).then((answer) => {
      if (isWanted()) dispatch({ type: 'came', of, what, answer })
    })
  }
  useEffect(() => ask('first'), [of])
  useEffect(() => {
    if (!live) {
      dispatch({ type: 'line', line: 'off' })
      return undefined
    }
    let was = false
    const start = () =>
      client.listen(`/activity/stream${of === '' ? '' : `?${of}`}`, {
        event: (name, data) => name === 'activity' && dispatch({ type: 'streamed', of, line: data as Line }),
        line: (up) => {
          dispatch({ type: 'line', line: up ? 'up' : 'down' })
          // What happened while nobody was listening.
          if (up && was) ask('first')
          was = was || up
        },
      })
    return listenWhileVisible(start, (visible) => !visible && dispatch({ type: 'line', line: 'off' }))
  }, [of, live])
  return {
    feed,
    more: () => feed.next !== null && feed.busy === undefined && ask('more', feed.next),
    again: () => ask('first'),
  }
}
