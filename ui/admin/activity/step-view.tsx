import type { ComponentChildren, VNode } from 'preact'
import { Label, Marked, Quote } from '../../parts/marked.tsx'
import type { AdminContext, AppProps } from '../context.ts'
import { CodeText } from '../pieces.tsx'
import { to, toActivity } from '../route.ts'
import { Exact } from '../times.tsx'
import type { Step } from './steps.ts'
import { refuserWords, ruleWords } from './rules.ts'
import { deeds, durationWords, intentWords, OutcomePill, sourceWords, verdictWords } from './words.tsx'
import type { Call } from '../shapes.ts'
import { isCall } from '../../../server/model/activity.ts'

interface StepProps {
  readonly step: Step
  readonly app: AdminContext
  /** The row that the page was opened by. */
  readonly current: boolean
}

/** One thing that happened. */
export const StepView = ({ step, app, current }: StepProps): VNode => (
  <li class={`story-step ${step.kind}${current ? ' current' : ''}`} aria-current={current ? 'step' : undefined}>
    <p class="step-time minor">
      <Exact iso={step.at} app={app} />
    </p>
    <div class="step-body">{body(step, app)}</div>
  </li>
)

const body = (step: Step, app: AdminContext): VNode => {
  const { reader } = app
  switch (step.kind) {
    case 'call':
      return <CallStep call={step.call} app={app} />
    case 'event':
      if (step.event.name === 'bundle.planned') return <BundlePlans data={step.event.data} />
      return (
        <>
          <p>
            <CodeText text={step.call.tool} reader={reader} /> noted{' '}
            <b>
              <Marked text={step.event.name} reader={reader} />
            </b>
          </p>
          {step.event.data !== null && <Data title="What it noted" value={step.event.data} app={app} />}
        </>
      )
    case 'click':
      return (
        <p>
          <b>Confirmed in the card</b>
          {step.trusted ? ', in a host that the operator trusts with it.' : '.'}
        </p>
      )
    case 'vote':
      return (
        <p>
          <b>
            <Marked text={step.vote.name} reader={reader} />
          </b>
          {step.vote.on_behalf_of !== null && (
            <>
              {' '}
              for <Marked text={step.vote.on_behalf_of} reader={reader} />
            </>
          )}{' '}
          {step.vote.decision === 'approved' ? 'agreed' : 'was against it'}.
        </p>
      )
    case 'decision': {
      const { state, decided_by, reason } = step.approval
      return (
        <>
          <p>
            <b>{state === 'rejected' ? 'Rejected' : 'Approved'}</b>
            {decided_by !== null && (
              <>
                {' '}
                by <Marked text={decided_by} reader={reader} />
              </>
            )}
            .
          </p>
          {reason !== null && (
            <p class="claim">
              They say: <Quote text={reason} reader={reader} />
            </p>
          )}
        </>
      )
    }
    default:
      return step satisfies never
  }
}

const CallStep = ({ call, app }: AppProps<{ call: Call }>): VNode => {
  const { reader } = app
  return (
    <>
      <div class="step-head">
        <p>{headline(call, app)}</p>
        <OutcomePill status={call.status} />
      </div>
      {call.source === 'later' && <LaterFacts call={call} app={app} />}
      {call.audit_event === 'plan.revised' && <Changed call={call} app={app} />}
      {call.rationale !== null && (
        <p class="claim">
          The agent says: <Quote text={call.rationale} reader={reader} />
        </p>
      )}
      {call.verdict !== null && isCall(call.source) && <Verdict verdict={call.verdict} risk={call.risk} />}
      {call.error_code !== null && (
        <p class="step-error">
          {call.status === 'refused' && <b>Refused by {refuserWords(call)}. </b>}
          <Marked text={call.error_message ?? ''} reader={reader} lines /> <code class="minor">{call.error_code}</code>
        </p>
      )}
      {call.notes.map((note) => (
        <p class="minor">
          <WithPlans text={note} app={app} />
        </p>
      ))}
      <p class="row-facts minor">
        <CodeText text={call.tool} reader={reader} />
        {isCall(call.source) && <span>{sourceWords(call.source)}</span>}
        {call.tool_variant !== null && (
          <span>
            through <code>{call.tool_variant}</code> {intentWords(call)}
          </span>
        )}
        {call.duration_ms !== null && call.duration_ms > 0 && <span>{durationWords(call.duration_ms)}</span>}
        <a href={to('activity', call.id)}>
          <code class="row-id">{call.id}</code>
        </a>
      </p>
      {call.erased ? (
        <p class="minor">Arguments, result and rationale of this call were erased.</p>
      ) : (
        <div class="line step-data">
          {call.arguments !== null && (
            <Data title={call.source === 'later' ? 'Details' : 'Arguments'} value={call.arguments} app={app} />
          )}
          {call.tool_variant !== null && <Data title="Declared intent" value={call.intent} app={app} />}
          {call.result !== null && <Data title="Result" value={call.result} app={app} />}
        </div>
      )}
    </>
  )
}

/** What the gate said and why, in words; the record's own names follow in small print. */
const Verdict = ({ verdict, risk }: { readonly verdict: string; readonly risk: string | null }): VNode => {
  // `allow:proof`, or `allow:grant:gr_…` where a grant let it through.
  const [said = '', , grant] = verdict.split(':')
  const why = ruleWords(verdict)
  return (
    <p>
      {verdictWords(said)}
      {risk !== null && ` at ${risk} risk`}
      {why !== undefined && `, because ${why}`}
      {grant !== undefined && (
        <>
          {' '}
          (under the grant{' '}
          <a href={toActivity({ grant })}>
            <code>{grant}</code>
          </a>
          )
        </>
      )}
      .{grant === undefined && <code class="rule-id minor">{verdict}</code>}
    </p>
  )
}

/** Who did what, as a sentence; the rows of cards and operators have one of their own. */
const headline = (call: Call, app: AdminContext): ComponentChildren => {
  const who = <Marked text={call.subject} reader={app.reader} />
  const what = <Label text={call.sentence} reader={app.reader} />
  if (call.source === 'operator')
    return (
      <>
        <b>{who}</b> <Label text={inside(call.sentence)} reader={app.reader} />
      </>
    )
  if (call.source === 'later')
    return (
      <>
        Later, on behalf of {who}: <b>{what}</b>
      </>
    )
  if (cardActs.has(call.audit_event ?? '')) return <b>{what}</b>
  const [before, after] = deeds[call.status]
  return (
    <>
      {who} {before} <b>{what}</b>
      {after}
    </>
  )
}

/** A sentence as another one goes on with it. */
const inside = (sentence: string): string => `${sentence.slice(0, 1).toLowerCase()}${sentence.slice(1)}`

const cardActs: ReadonlySet<string> = new Set(['plan.clicked', 'plan.cancelled', 'plan.revised'])

/** What it was about, as far as it is said in a few words; all of it is folded away below. */
const LaterFacts = ({ call, app }: AppProps<{ call: Call }>): VNode | null => {
  const details: unknown = call.arguments
  if (typeof details !== 'object' || details === null) return null
  const said = Object.entries(details).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return said.length === 0 ? null : (
    <p class="row-facts">
      {said.map(([name, value]) => (
        <span>
          <span class="minor">{nameWords(name)}</span> <Marked text={String(value)} reader={app.reader} />
        </span>
      ))}
    </p>
  )
}

const PlanLink = ({ id }: { readonly id: string }): VNode => (
  <a href={to('activity', id)}>
    <code>{id}</code>
  </a>
)

/** A text in which ids of plans lead to what became of them. */
const WithPlans = ({ text, app }: AppProps<{ text: string }>): VNode => (
  <>
    {text
      .split(/\b(pl_[0-9a-z]{16})\b/)
      .map((part, at) => (at % 2 === 1 ? <PlanLink id={part} /> : <Marked text={part} reader={app.reader} />))}
  </>
)

/** The plans that one card showed together. */
const BundlePlans = ({ data }: { readonly data: unknown }): VNode => {
  const { plans } = Object(data) as { readonly plans?: unknown }
  return (
    <p>
      <b>Shown together</b> on one card, in this order:{' '}
      {(Array.isArray(plans) ? plans : []).map((id, at) => (
        <>
          {at > 0 && ', '}
          <PlanLink id={String(id)} />
        </>
      ))}
      .
    </p>
  )
}

/** What the person changed, in the words of the record. */
const Changed = ({ call, app }: AppProps<{ call: Call }>): VNode | null => {
  const { changed } = Object(call.arguments) as { readonly changed?: unknown }
  return Array.isArray(changed) ? (
    <ul class="list">
      {changed.map((each) => (
        <li>
          <Marked text={String(each)} reader={app.reader} />
        </li>
      ))}
    </ul>
  ) : null
}

/** `fileName`, as a sentence has it. */
const nameWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** JSON as it was recorded: redacted, folded away, and never anything but text. */
const Data = ({ title, value, app }: AppProps<{ title: string; value: unknown }>): VNode => (
  <details>
    <summary>{title}</summary>
    <pre class="json" tabIndex={0} role="group" aria-label={title}>
      <Marked text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} reader={app.reader} lines />
    </pre>
  </details>
)
