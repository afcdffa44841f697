// One approval: the sheet that the approver signs, and beside it who asks, through what, how risky it is and why, and
// who has agreed. What happens elsewhere meanwhile (somebody else decides, the call ends) shows here by itself.
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import { Pill } from '../../parts/buttons.tsx'
import { formatSentence } from '../../parts/format.ts'
import { Marked } from '../../parts/marked.tsx'
import { readCard } from '../../card/read-card.ts'
import { useUnread } from '../../card/unread.ts'
import type { AdminContext, RoomProps } from '../desk.ts'
import { NextLikeThis } from '../grants/next-like-this.tsx'
import { useLoaded } from '../load.ts'
import { Await, Page } from '../page.tsx'
import { to } from '../route.ts'
import { Ago, Exact } from '../times.tsx'
import { Decision } from './decision.tsx'
import { NextWaiting } from './next-waiting.tsx'
import { CardSheet } from './sheet.tsx'
import { RiskWhy } from './risk-why.tsx'
import { callSentence, RiskPill, statePill } from './words.tsx'
import type { ApprovalDetail, Decided } from './wire.ts'

interface OneProps {
  readonly approval: ApprovalDetail
  readonly desk: AdminContext
  readonly onDecided: (decided: Decided) => void
}

/** The person who decided, where there was one. */
const Who = ({ approval, desk }: Pick<OneProps, 'approval' | 'desk'>): VNode | null => {
  const { decided_by: by, state } = approval
  if (by === undefined) return null
  return (
    <>
      {' '}
      <Marked text={by} reader={desk.reader} /> {state === 'approved' ? 'approved' : 'rejected'} it.
    </>
  )
}

/** What became of it, where it is decided, and what waits next. */
const Result = ({ approval, desk }: Pick<OneProps, 'approval' | 'desk'>): VNode => {
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
            <Marked text={call.error.message} reader={desk.reader} />
          )}
          <Who approval={approval} desk={desk} />
        </Note>
      )}
      {approval.state === 'rejected' && (
        <Note tone="plain" sign="×">
          <b>Rejected.</b> <span>Nothing was changed.</span>
          <Who approval={approval} desk={desk} />
          {reason !== undefined && (
            <q class="reason">
              <Marked text={reason} reader={desk.reader} />
            </q>
          )}
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
          <Ago iso={at ?? approval.expires_at} desk={desk} />
        </span>
        <a class="button" href={to('activity', approval.id)}>
          The whole story
        </a>
        <NextWaiting after={approval.id} desk={desk} />
      </div>
    </footer>
  )
}

const Votes = ({ approval, desk }: Pick<OneProps, 'approval' | 'desk'>): VNode | null => {
  const { votes, needs } = approval
  if (votes.length === 0 && needs.approvers < 2) return null
  return (
    <div>
      <dt>{needs.approvers > 1 ? 'Votes' : 'Decision'}</dt>
      <dd>
        {needs.approvers > 1 && (
          <p>
            {votes.filter((vote) => vote.decision === 'approved').length} of {needs.approvers} agreed
            {needs.missing > 0 && approval.state === 'pending' ? `, ${needs.missing} more needed` : ''}
          </p>
        )}
        <ul>
          {votes.map((vote) => (
            <li>
              <Marked text={vote.by} reader={desk.reader} />
              {vote.on_behalf_of !== undefined && (
                <>
                  {' '}
                  for <Marked text={vote.on_behalf_of} reader={desk.reader} />
                </>
              )}{' '}
              {vote.decision === 'rejected' ? 'rejected' : needs.approvers > 1 ? 'agreed' : 'approved'}{' '}
              <Ago iso={vote.at} desk={desk} />
            </li>
          ))}
        </ul>
        {needs.four_eyes && <small>Who asks may not be who approves.</small>}
      </dd>
    </div>
  )
}

const About = ({ approval, desk }: Pick<OneProps, 'approval' | 'desk'>): VNode => {
  const { requested_by: asker } = approval
  const { reader } = desk
  return (
    <aside class="about" aria-label="About this request">
      <dl>
        <div>
          <dt>Risk</dt>
          <dd>
            <RiskPill risk={approval.risk} />
            <RiskWhy approval={approval} desk={desk} />
          </dd>
        </div>
        <div>
          <dt>Asked for by</dt>
          <dd>
            <Marked text={asker.subject} reader={reader} />
            <small>
              tenant <Marked text={asker.tenant} reader={reader} />, through a client that calls itself{' '}
              <Marked text={asker.client} reader={reader} />
            </small>
          </dd>
        </div>
        <div>
          <dt>Asked</dt>
          <dd>
            <Ago iso={approval.created_at} desk={desk} />
            <small>
              <Exact iso={approval.created_at} desk={desk} />
            </small>
          </dd>
        </div>
        <div>
          <dt>Tool</dt>
          <dd>
            <a href={to('tools', approval.tool)}>
              <code>
                <Marked text={approval.tool} reader={reader} />
              </code>
            </a>
          </dd>
        </div>
        <Votes approval={approval} desk={desk} />
        {approval.step_up && (
          <div>
            <dt>Second factor</dt>
            <dd>The tool asks for it from whoever approves.</dd>
          </div>
        )}
        <div>
          <dt>Id</dt>
          <dd>
            <code>{approval.id}</code>
          </dd>
        </div>
      </dl>
    </aside>
  )
}

const One = ({ approval, desk, onDecided }: OneProps): VNode => {
  const inside = useRef<HTMLDivElement>(null)
  const unread = useUnread(inside)
  const reading = readCard(approval.card)
  const [words, tone] = statePill(approval, approval.call)
  return (
    <div class="approval">
      <CardSheet card={approval.card} reader={desk.reader} inside={inside} pill={<Pill tone={tone}>{words}</Pill>}>
        {approval.state === 'pending' ? (
          <Decision
            approval={approval}
            title={reading.kind === 'card' ? reading.card.title : approval.summary}
            phrase={reading.kind === 'card' ? reading.card.confirm_phrase : undefined}
            unread={unread}
            desk={desk}
            onDecided={onDecided}
          />
        ) : (
          <Result approval={approval} desk={desk} />
        )}
      </CardSheet>
      <About approval={approval} desk={desk} />
    </div>
  )
}

const titleOf = (approval: ApprovalDetail | undefined, { reader }: AdminContext): string => {
  const reading = approval === undefined ? undefined : readCard(approval.card)
  return reading?.kind === 'card' ? `${formatSentence(reading.card.title, reader)} · Approval` : 'Approval'
}

const moving: ReadonlySet<string> = new Set(['open', 'applying'])

export const ApprovalPage = ({ desk, route }: RoomProps): VNode => {
  const id = route.path[0] ?? ''
  const loading = useLoaded(
    id,
    () => desk.client.get<ApprovalDetail>(`/approvals/${encodeURIComponent(id)}`),
    desk.waiting.turn,
  )
  const { state } = loading
  const approval = state.at === 'ready' ? state.value : undefined

  // Votes of others, and the end of a call, are no change of the list of those that wait.
  const pending = approval?.state === 'pending'
  const runs = approval?.state === 'approved' && moving.has(approval.call?.state ?? '')
  useEffect(() => {
    if (!pending && !runs) return undefined
    const timer = setInterval(loading.reload, runs ? 1_000 : 5_000)
    return () => clearInterval(timer)
  }, [pending, runs, id])

  const onDecided = ({ approval: decided }: Decided): void => {
    loading.put(decided)
    const [words] = statePill(decided, decided.call)
    desk.say(decided.state === 'pending' ? 'Your vote counts. Others must still agree.' : words, 'ok')
  }
  return (
    <Page
      title={titleOf(approval, desk)}
      heading="Approval"
      desk={desk}
      route={route}
      back={{ href: to('approvals'), label: 'Approvals' }}
    >
      <Await loading={loading}>
        {(approval) => (
          <>
            <One key={approval.id} approval={approval} desk={desk} onDecided={onDecided} />
            <NextLikeThis key={`next ${approval.id}`} approval={approval} desk={desk} />
          </>
        )}
      </Await>
    </Page>
  )
}
