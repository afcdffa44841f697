// One piece of feedback: what the agent tried, what it expected, what it got; and what the operators make of it.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { troubleText } from '../answer.ts'
import type { AdminContext, RoomProps } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Exact } from '../times.tsx'
import { SeverityPill, StatePill } from './words.tsx'
import type { Item } from './wire.ts'

export const ItemPageView = ({ id, desk, route }: RoomProps & { readonly id: string }): VNode => {
  const item = useLoaded(id, () => desk.client.get<Item>(`/feedback/${encodeURIComponent(id)}`))
  const shown = item.state.at === 'ready' ? item.state.value : undefined
  return (
    <Page
      title="Feedback of an agent"
      back={{ href: to('feedback'), label: 'Feedback' }}
      desk={desk}
      route={route}
      actions={
        shown && (
          <>
            <SeverityPill severity={shown.severity} />
            <StatePill state={shown.state} />
          </>
        )
      }
    >
      <Await loading={item}>
        {(value) => (
          <>
            <Said item={value} desk={desk} />
            <Handled item={value} desk={desk} onChanged={item.put} key={value.changed_at} />
          </>
        )}
      </Await>
    </Page>
  )
}

const Said = ({ item, desk }: { readonly item: Item; readonly desk: AdminContext }): VNode => {
  const { reader } = desk
  const said: readonly (readonly [string, string | undefined])[] = [
    ['Tried', item.attempted_action],
    ['Expected', item.expected_outcome],
    ['Happened', item.actual_outcome],
    ['Error seen', item.error_seen],
    ['Says why', item.rationale],
  ]
  return (
    <dl class="fields facts feedback-said">
      {said.map(
        ([label, text]) =>
          text !== undefined && (
            <div>
              <dt>{label}</dt>
              <dd>
                <q>
                  <Marked text={text} reader={reader} lines />
                </q>
              </dd>
            </div>
          ),
      )}
      {item.tool_called !== undefined && (
        <div>
          <dt>Tool</dt>
          <dd>
            <a href={`${to('activity')}?${new URLSearchParams({ tool: item.tool_called })}`}>
              <code>
                <Marked text={item.tool_called} reader={reader} />
              </code>
            </a>
          </dd>
        </div>
      )}
      <div>
        <dt>From</dt>
        <dd>
          <Marked text={item.from.subject} reader={reader} />
          {desk.operator.tenant === null && (
            <>
              , tenant <Marked text={item.from.tenant} reader={reader} />
            </>
          )}
          , <Exact iso={item.created_at} desk={desk} />
        </dd>
      </div>
    </dl>
  )
}

type State = Item['state']

const next: Readonly<Record<State, readonly (readonly [State, string, 'go' | 'plain'])[]>> = {
  new: [
    ['seen', 'Mark as seen', 'plain'],
    ['done', 'Resolve', 'go'],
  ],
  seen: [
    ['new', 'Mark as new', 'plain'],
    ['done', 'Resolve', 'go'],
  ],
  done: [['seen', 'Open it again', 'plain']],
}

const Handled = ({
  item,
  desk,
  onChanged,
}: {
  readonly item: Item
  readonly desk: AdminContext
  readonly onChanged: (item: Item) => void
}): VNode => {
  const [note, write] = useState(item.note ?? '')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | undefined>(undefined)
  const changed = note.trim() !== (item.note ?? '')
  const send = async (state: State | undefined): Promise<void> => {
    setBusy(true)
    setTrouble(undefined)
    const answer = await desk.client.patch<Item>(`/feedback/${encodeURIComponent(item.id)}`, {
      ...(state === undefined ? {} : { state }),
      ...(changed ? { note: note.trim() } : {}),
    })
    setBusy(false)
    if (!answer.ok) return setTrouble(troubleText(answer.trouble))
    desk.say(state === undefined ? 'The note is kept.' : stateSaid[state], 'ok')
    onChanged(answer.value)
  }
  const mayChange = desk.operator.roles.some(({ kind }) => kind === 'admin' || kind === 'approver')
  return (
    <Section
      title="What we make of it"
      lead={
        item.changed_by === undefined ? undefined : (
          <>
            Last changed by <Marked text={item.changed_by} reader={desk.reader} />,{' '}
            <Exact iso={item.changed_at} desk={desk} />
          </>
        )
      }
    >
      {mayChange ? (
        <>
          <label class="field">
            <span>Note</span>
            <textarea
              maxLength={2000}
              value={note}
              disabled={busy}
              onInput={(event) => write(event.currentTarget.value)}
            />
            <small>For other operators; agents do not see it.</small>
          </label>
          {trouble !== undefined && (
            <p role="alert" class="step-error">
              {trouble}
            </p>
          )}
          <div class="feedback-acts">
            <Button tone="plain" disabled={busy || !changed} onPress={() => void send(undefined)}>
              Keep the note
            </Button>
            {next[item.state].map(([state, words, tone]) => (
              <Button key={state} tone={tone} disabled={busy} onPress={() => void send(state)}>
                {words}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <p>
          {item.note === undefined ? 'Nothing is noted yet.' : <Marked text={item.note} reader={desk.reader} lines />}
        </p>
      )}
    </Section>
  )
}

const stateSaid: Readonly<Record<State, string>> = {
  new: 'It is new again.',
  seen: 'Marked as seen.',
  done: 'Resolved.',
}
