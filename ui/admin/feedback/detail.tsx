// One piece of feedback: what the agent tried, what it expected, what it got; and what the operators make of it.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../../parts/buttons.tsx'
import { Marked, Quote } from '../../parts/marked.tsx'
import { troubleText } from '../answer.ts'
import type { PageProps, AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Page, Section } from '../page.tsx'
import { CodeText, Fact, OfTenant } from '../pieces.tsx'
import { to, toActivity } from '../route.ts'
import { Exact } from '../times.tsx'
import { SeverityPill, StatePill } from './words.tsx'
import type { Feedback } from '../shapes.ts'

export const FeedbackDetail = ({ id, app, route }: PageProps & { readonly id: string }): VNode => {
  const item = useLoaded(app, id, (api) => api.feedback[':id'].$get({ param: { id } }))
  const shown = item.value
  return (
    <Page
      title="Feedback of an agent"
      back={{ href: to('feedback'), label: 'Feedback' }}
      app={app}
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
            <Said item={value} app={app} />
            <Handled item={value} app={app} onChanged={item.put} key={value.changed_at} />
          </>
        )}
      </Await>
    </Page>
  )
}

const Said = ({ item, app }: AppProps<{ item: Feedback }>): VNode => {
  const { reader } = app
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
            <Fact label={label}>
              <Quote text={text} reader={reader} lines />
            </Fact>
          ),
      )}
      {item.tool_called !== undefined && (
        <Fact label="Tool">
          <a href={toActivity({ tool: item.tool_called })}>
            <CodeText text={item.tool_called} reader={reader} />
          </a>
        </Fact>
      )}
      <Fact label="From">
        <Marked text={item.from.subject} reader={reader} />
        <OfTenant tenant={item.from.tenant} app={app} />, <Exact iso={item.created_at} app={app} />
      </Fact>
    </dl>
  )
}

type State = Feedback['state']

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
  app,
  onChanged,
}: AppProps<{ item: Feedback; onChanged: (item: Feedback) => void }>): VNode => {
  const [note, write] = useState(item.note ?? '')
  const [busy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState<string | undefined>(undefined)
  const changed = note.trim() !== (item.note ?? '')
  const send = async (state: State | undefined): Promise<void> => {
    setBusy(true)
    setTrouble(undefined)
    const json = { ...(state === undefined ? {} : { state }), ...(changed ? { note: note.trim() } : {}) }
    const answer = await app.ask((api) => api.feedback[':id'].$patch({ param: { id: item.id }, json }))
    setBusy(false)
    if (!answer.ok) return setTrouble(troubleText(answer.trouble))
    app.say(state === undefined ? 'The note is saved.' : stateSaid[state], 'ok')
    onChanged(answer.value)
  }
  const mayChange = app.operator.roles.some(({ kind }) => kind === 'admin' || kind === 'approver')
  return (
    <Section
      title="What operators do about it"
      lead={
        item.changed_by === undefined ? undefined : (
          <>
            Last changed by <Marked text={item.changed_by} reader={app.reader} />,{' '}
            <Exact iso={item.changed_at} app={app} />
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
          <div class="buttons">
            <Button tone="plain" disabled={busy || !changed} onPress={() => void send(undefined)}>
              Save the note
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
          {item.note === undefined ? 'Nothing is noted yet.' : <Marked text={item.note} reader={app.reader} lines />}
        </p>
      )}
    </Section>
  )
}

const stateSaid: Readonly<Record<State, string>> = {
  new: 'Marked as new.',
  seen: 'Marked as seen.',
  done: 'Resolved.',
}
