// One call's whole story, from its preview to its result: what the agent asked for and why it says so, what the server
// said, what people did, what came of it.
import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Label, Marked } from '../../parts/marked.tsx'
import type { PageProps, AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { Fact, OfTenant } from '../pieces.tsx'
import { to, toActivity } from '../route.ts'
import { Exact } from '../times.tsx'
import { ChainCheck } from './chain-check.tsx'
import { StepView } from './step-view.tsx'
import { stepsOf } from './steps.ts'
import { outcomeWords, OutcomePill } from './words.tsx'
import type { Call, Story } from '../shapes.ts'
import { isCall } from '../../../server/model/activity.ts'

export const StoryPage = ({ id, app, route }: PageProps & { readonly id: string }): VNode => {
  const story = useLoaded(app, id, (api) => api.activity[':id'].story.$get({ param: { id } }), app.waiting.turn)
  const calls = story.value?.story ?? []
  const main = mainCall(calls, id)
  const told = main === undefined ? undefined : doneOf(calls, main)
  return (
    <Page
      title={told === undefined ? 'A call' : `${told.sentence}: ${outcomeWords(lastOf(calls).status)}`}
      heading={told === undefined ? undefined : <Label text={told.sentence} reader={app.reader} />}
      back={{ href: to('activity'), label: 'Activity' }}
      actions={main === undefined ? undefined : <OutcomePill status={lastOf(calls).status} />}
      app={app}
      route={route}
    >
      <Await loading={story}>
        {(whole) =>
          whole.story.length === 0 ? (
            <Empty title="There is no such call" />
          ) : (
            <>
              {whole.story.some(({ erased }) => erased) && (
                <Note tone="info" sign="i" spoken="Note">
                  <b>Texts of this story were erased.</b> Who, when and what became of it is left, under a pseudonym;
                  the chain still vouches for that.
                </Note>
              )}
              <Facts story={whole} app={app} />
              <Section title="What happened">
                <ol class="story" aria-label="Steps, oldest first">
                  {stepsOf(whole).map((step) => (
                    <StepView
                      step={step}
                      app={app}
                      current={step.kind === 'call' && step.call.id === id}
                      key={`${step.kind} ${step.at} ${step.kind === 'call' ? step.call.id : ''}`}
                    />
                  ))}
                </ol>
                <Later story={whole.story} />
              </Section>
              <ChainCheck app={app} tenant={whole.tenant} />
            </>
          )
        }
      </Await>
    </Page>
  )
}

/** The call that the page is named after: the one that was asked for, else the first that an agent made. */
const mainCall = (story: readonly Call[], id: string): Call | undefined =>
  story.find((call) => call.id === id) ??
  story.find(({ source, audit_event }) => isCall(source) && audit_event !== 'plan.clicked') ??
  story[0]

/** The row in whose words the page is headed: where the same tool was run in the end, what came of it. */
const doneOf = (story: readonly Call[], main: Call): Call =>
  story.findLast(({ tool, status }) => tool === main.tool && status === 'applied') ?? main

/** The newest row of an agent's; people's own rows say nothing of what became of the call. */
const lastOf = (story: readonly Call[]): Call => {
  const last = story.findLast(({ source, tool }) => isCall(source) && !tool.startsWith('countersign_')) ?? story.at(-1)
  if (last === undefined) throw new Error('A story has a row.')
  return last
}

/** Where there is more of what happened later than a story shows. */
const Later = ({ story }: { readonly story: readonly Call[] }): VNode | null => {
  const plan = story.find(({ source }) => source === 'later')?.plan_id
  if (plan === undefined || plan === null) return null
  return (
    <p class="minor">
      Of what happened later the newest is shown. <a href={toActivity({ plan, source: 'later' })}>All of it</a>
    </p>
  )
}

const Facts = ({ story, app }: AppProps<{ story: Story }>): VNode => {
  const [first] = story.story
  const { reader } = app
  const rated = story.story.findLast(({ risk }) => risk !== null)?.risk ?? null
  return (
    <dl class="fields facts">
      {first !== undefined && (
        <>
          <Fact label="Who">
            <Marked text={first.subject} reader={reader} /> through <Marked text={first.client} reader={reader} />
            <OfTenant tenant={story.tenant} app={app} />
          </Fact>
          <Fact label="Began">
            <Exact iso={first.time} app={app} />
          </Fact>
        </>
      )}
      {rated !== null && <Fact label="Risk">{rated}</Fact>}
      {story.plans.map((plan) => (
        <Fact label="Plan">
          <code>{plan.id}</code> {plan.state}
        </Fact>
      ))}
      {story.approvals.map((approval) => (
        <Fact label="Approval">
          <a href={to('approvals', approval.id)}>
            <code>{approval.id}</code>
          </a>{' '}
          {approval.state}
        </Fact>
      ))}
    </dl>
  )
}
