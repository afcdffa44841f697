// One approval: the sheet that the approver signs, and beside it who asks, through what, how risky it is and why, and
// who has agreed. What happens elsewhere meanwhile (somebody else decides, the call ends) shows here by itself.
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import { Pill } from '../../parts/buttons.tsx'
import { formatSentence } from '../../parts/format.ts'
import { Marked, Quote } from '../../parts/marked.tsx'
import type { ListReader, Reader } from '../../parts/reader.ts'
import { isListRead, readCard, type CardReading } from '../../card/read-card.ts'
import { useUnread } from '../../card/unread.ts'
import type { AdminContext, PageProps } from '../context.ts'
import { NextLikeThis } from '../grants/next-like-this.tsx'
import { useLoaded } from '../load.ts'
import { Await, Page } from '../page.tsx'
import { CodeText, Fact } from '../pieces.tsx'
import { to } from '../route.ts'
import { Ago, Exact } from '../times.tsx'
import { Decision } from './decision.tsx'
import { NextWaiting } from './next-waiting.tsx'
import { CardSheet } from './sheet.tsx'
import { RiskWhy } from './risk-why.tsx'
import { callSentence, RiskPill, statePill } from './words.tsx'
import type { ApprovalDetail } from '../shapes.ts'

interface OneProps {
  readonly approval: ApprovalDetail
  readonly app: AdminContext
  readonly onDecided: (approval: ApprovalDetail) => void
}

/** The person who decided, where there was one. */
const Who = ({ approval, app }: Pick<OneProps, 'approval' | 'app'>): VNode | null => {
  const { decided_by: by, state } = approval
  if (by === undefined) return null
  return (
    <>
      {' '}
      <Marked text={by} reader={app.reader} /> {state === 'approved' ? 'approved' : 'rejected'} it.
    </>
  )
}

/** What became of it, where it is decided, and what waits next. */
const Result = ({ approval, app }: Pick<OneProps, 'approval' | 'app'>): VNode => {
  const { call, reason, decided_at: at } = approval
  const bad = call?.state === 'failed' || call?.state === 'unknown'
  return (
    <footer class="decision">
      {approval.state === 'approved' && (
        <Note
          tone={call?.state === 'applied' ? 'ok' : bad ? 'danger' : 'plain'}
          sign={call?.state === 'applied' ? '✓' : bad ? '×' : '…'}
        >
          <b>{statePill(approval, call)[0]}.</b>{' '}
          {call?.error === undefined ? (
            callSentence[call?.state ?? 'open']
          ) : (
            <Marked text={call.error.message} reader={app.reader} />
          )}
          <Who approval={approval} app={app} />
        </Note>
      )}
      {approval.state === 'rejected' && (
        <Note tone="plain" sign="×">
          <b>Rejected.</b> <span>Nothing was changed.</span>
          <Who approval={approval} app={app} />
          {reason !== undefined && <Quote class="reason" text={reason} reader={app.reader} />}
        </Note>
      )}
      {approval.state === 'expired' && (
        <Note tone="plain" sign="…">
          <b>Expired.</b> It waited too long, or its call was cancelled or made in another way. Nothing was changed
          through this approval.
        </Note>
      )}
      <div class="decide">
        <span class="when">
          {at === undefined ? 'Ended ' : approval.state === 'approved' ? 'Approved ' : 'Rejected '}
          <Ago iso={at ?? approval.expires_at} app={app} />
        </span>
        <a class="button" href={to('activity', approval.id)}>
          The whole story
        </a>
        <NextWaiting after={approval.id} app={app} />
      </div>
    </footer>
  )
}

const Votes = ({ approval, app }: Pick<OneProps, 'approval' | 'app'>): VNode | null => {
  const { votes, needs } = approval
  if (votes.length === 0 && needs.approvers < 2) return null
  return (
    <Fact label={needs.approvers > 1 ? 'Votes' : 'Decision'}>
      {needs.approvers > 1 && (
        <p>
          {votes.filter((vote) => vote.decision === 'approved').length} of {needs.approvers} agreed
          {needs.missing > 0 && approval.state === 'pending' ? `, ${needs.missing} more needed` : ''}
        </p>
      )}
      <ul>
        {votes.map((vote) => (
          <li>
            <Marked text={vote.by} reader={app.reader} />
            {vote.on_behalf_of !== undefined && (
              <>
                {' '}
                for <Marked text={vote.on_behalf_of} reader={app.reader} />
              </>
            )}{' '}
            {vote.decision === 'rejected' ? 'rejected' : needs.approvers > 1 ? 'agreed' : 'approved'}{' '}
            <Ago iso={vote.at} app={app} />
          </li>
        ))}
      </ul>
      {needs.four_eyes && <small>The person who asked may not approve.</small>}
    </Fact>
  )
}

const About = ({ approval, app }: Pick<OneProps, 'approval' | 'app'>): VNode => {
  const { requested_by: asker } = approval
  const { reader } = app
  return (
    <aside class="about" aria-label="About this request">
      <dl>
        <Fact label="Risk">
          <RiskPill risk={approval.risk} />
          <RiskWhy approval={approval} app={app} />
        </Fact>
        <Fact label="Asked for by">
          <Marked text={asker.subject} reader={reader} />
          <small>
            tenant <Marked text={asker.tenant} reader={reader} />, through a client that calls itself{' '}
            <Marked text={asker.client} reader={reader} />
          </small>
        </Fact>
        <Fact label="Asked">
          <Ago iso={approval.created_at} app={app} />
          <small>
            <Exact iso={approval.created_at} app={app} />
          </small>
        </Fact>
        <Fact label="Tool">
          <a href={to('tools', approval.tool)}>
            <CodeText text={approval.tool} reader={reader} />
          </a>
        </Fact>
        <Votes approval={approval} app={app} />
        {approval.step_up && <Fact label="Second factor">The tool asks for it from whoever approves.</Fact>}
        <Fact label="Id">
          <code>{approval.id}</code>
        </Fact>
      </dl>
    </aside>
  )
}

const One = ({ approval, reading, app, onDecided }: OneProps & { readonly reading: CardReading }): VNode => {
  const inside = useRef<HTMLDivElement>(null)
  const unread = useUnread(inside)
  const [words, tone] = statePill(approval, approval.call)
  const { id, state } = approval
  const reader = useMemo<Reader>(
    () => (state === 'pending' ? { ...app.reader, readList: listReader(app, id) } : app.reader),
    [app.reader, id, state],
  )
  return (
    <div class="approval">
      <CardSheet reading={reading} reader={reader} inside={inside} pill={<Pill tone={tone}>{words}</Pill>}>
        {approval.state === 'pending' ? (
          <Decision
            approval={approval}
            title={reading.kind === 'card' ? reading.card.title : approval.summary}
            phrase={reading.kind === 'card' ? reading.card.confirm_phrase : undefined}
            unread={unread}
            app={app}
            onDecided={onDecided}
          />
        ) : (
          <Result approval={approval} app={app} />
        )}
      </CardSheet>
      <About approval={approval} app={app} />
    </div>
  )
}

/** An approver must be able to see everybody: the same lists as on the card, for whoever asked. */
const listReader =
  (app: AdminContext, id: string): ListReader =>
  async (list, at) => {
    const answer = await app.ask((api) => api.approvals[':id'].lists[':list'].$get({ param: { id, list }, query: at }))
    return answer.ok && isListRead(answer.value) ? answer.value : undefined
  }

const moving: ReadonlySet<string> = new Set(['open', 'applying'])

export const ApprovalPage = ({ id, app, route }: PageProps & { readonly id: string }): VNode => {
  const loading = useLoaded(app, id, (api) => api.approvals[':id'].$get({ param: { id } }), app.waiting.turn)
  const approval = loading.value
  const reading = useMemo(() => readCard(approval?.card), [approval])
  const title = reading.kind === 'card' ? `${formatSentence(reading.card.title, app.reader)} · ` : ''

  // Votes of others, and the end of a call, are no change of the list of those that wait.
  const pending = approval?.state === 'pending'
  const runs = approval?.state === 'approved' && moving.has(approval.call?.state ?? '')
  useEffect(() => {
    if (!pending && !runs) return undefined
    const timer = setInterval(loading.reload, runs ? 1_000 : 5_000)
    return () => clearInterval(timer)
  }, [pending, runs, id])

  const onDecided = (decided: ApprovalDetail): void => {
    loading.put(decided)
    const [words] = statePill(decided, decided.call)
    app.say(decided.state === 'pending' ? 'Your vote counts. Others must still agree.' : words, 'ok')
  }
  return (
    <Page
      title={`${title}Approval`}
      heading="Approval"
      app={app}
      route={route}
      back={{ href: to('approvals'), label: 'Approvals' }}
    >
      <Await loading={loading}>
        {(approval) => (
          <>
            <One key={approval.id} approval={approval} reading={reading} app={app} onDecided={onDecided} />
            <NextLikeThis key={`next ${approval.id}`} approval={approval} app={app} />
          </>
        )}
      </Await>
    </Page>
  )
}
