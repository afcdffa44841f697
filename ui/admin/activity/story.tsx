// One call's whole story, from its preview to its result: what the agent asked for and why it says so, what the server
// said, what people did, what came of it.
import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Marked } from '../../parts/marked.tsx'
import type { AdminContext, RoomProps } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Page, Section } from '../page.tsx'
import { to } from '../route.ts'
import { Exact } from '../times.tsx'
import { ChainCheck } from './chain-check.tsx'
import { StepView } from './step-view.tsx'
import { stepsOf } from './steps.ts'
import { outcomeWords, OutcomePill } from './words.tsx'
import type { Call, WholeStory } from './wire.ts'

export const StoryPage = ({ id, desk, route }: RoomProps & { readonly id: string }): VNode => {
  const story = useLoaded(
    id,
    () => desk.client.get<WholeStory>(`/activity/${encodeURIComponent(id)}/story`),
    desk.waiting.turn,
  )
  const told = story.state.at === 'ready' ? story.state.value : undefined
  const main = told === undefined ? undefined : mainCall(told.story, id)
  return (
    <Page
      title={main === undefined ? 'A call' : `${main.tool}: ${outcomeWords(lastOf(told?.story ?? []).status)}`}
      heading={
        main === undefined ? undefined : (
          <code>
            <Marked text={main.tool} reader={desk.reader} />
          </code>
        )
      }
      back={{ href: to('activity'), label: 'Activity' }}
      actions={main === undefined ? undefined : <OutcomePill status={lastOf(told?.story ?? []).status} />}
      desk={desk}
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
              <Facts story={whole} desk={desk} />
              <Section title="What happened">
                <ol class="story" aria-label="Steps, oldest first">
                  {stepsOf(whole).map((step) => (
                    <StepView
                      step={step}
                      desk={desk}
                      current={step.kind === 'call' && step.call.id === id}
                      key={`${step.kind} ${step.at} ${step.kind === 'call' ? step.call.id : ''}`}
                    />
                  ))}
                </ol>
              </Section>
              <ChainCheck desk={desk} tenant={whole.tenant} />
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
  story.find(({ source, audit_event }) => source !== 'operator' && audit_event !== 'plan.clicked') ??
  story[0]

/** The newest row of an agent's; people's own rows say nothing of what became of the call. */
const lastOf = (story: readonly Call[]): Call => {
  const last =
    story.findLast(({ source, tool }) => source !== 'operator' && !tool.startsWith('countersign_')) ?? story.at(-1)
  if (last === undefined) throw new Error('A story has a row.')
  return last
}

const Facts = ({ story, desk }: { readonly story: WholeStory; readonly desk: AdminContext }): VNode => {
  const [first] = story.story
  const { reader } = desk
  const rated = story.story.findLast(({ risk }) => risk !== null)?.risk ?? null
  return (
    <dl class="fields facts">
      {first !== undefined && (
        <>
          <div>
            <dt>Who</dt>
            <dd>
              <Marked text={first.subject} reader={reader} /> through <Marked text={first.client} reader={reader} />
              {desk.operator.tenant === null && (
                <>
                  , tenant <Marked text={story.tenant} reader={reader} />
                </>
              )}
            </dd>
          </div>
          <div>
            <dt>Began</dt>
            <dd>
              <Exact iso={first.time} desk={desk} />
            </dd>
          </div>
        </>
      )}
      {rated !== null && (
        <div>
          <dt>Risk</dt>
          <dd>{rated}</dd>
        </div>
      )}
      {story.plans.map((plan) => (
        <div>
          <dt>Plan</dt>
          <dd>
            <code>{plan.id}</code> {plan.state}
          </dd>
        </div>
      ))}
      {story.approvals.map((approval) => (
        <div>
          <dt>Approval</dt>
          <dd>
            <a href={to('approvals', approval.id)}>
              <code>{approval.id}</code>
            </a>{' '}
            {approval.state}
          </dd>
        </div>
      ))}
    </dl>
  )
}
