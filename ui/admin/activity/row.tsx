// A row of the record as a person reads it: one sentence, and below it why, who asked and who decided, and by what it was
// refused or where it failed. What somebody else wrote stands as data.
import type { ComponentChildren, VNode } from 'preact'
import { Label, Marked, Quote } from '../../parts/marked.tsx'
import type { AppProps } from '../context.ts'
import { OfTenant } from '../pieces.tsx'
import { to } from '../route.ts'
import { refuserWords } from './rules.ts'
import type { Line } from '../shapes.ts'

/** What happened, with all that belongs to it. */
export const RowText = ({ call, app }: AppProps<{ call: Line }>): VNode => (
  <>
    <a class="row-sentence" href={to('activity', call.id)}>
      <Label text={call.sentence} reader={app.reader} />
    </a>
    {call.rationale !== null && (
      <small class="below">
        <Quote text={call.rationale} reader={app.reader} />
      </small>
    )}
    <small class="below minor">{people(call, app)}</small>
    {call.error_code !== null && (
      <small class="below row-trouble">
        {call.status === 'refused' && <>Refused by {refuserWords(call)}. </>}
        {/* The gate's own reason says it all. */}
        {call.verdict?.startsWith('deny:') !== true && (
          <>
            <Marked text={firstSentence(call.error_message ?? '')} reader={app.reader} />{' '}
          </>
        )}
        <code class="minor">{call.error_code}</code>
      </small>
    )}
  </>
)

const people = (call: Line, app: AppProps['app']): ComponentChildren => (
  <>
    {whoWords[call.source] ?? 'Asked by'} <Marked text={call.subject} reader={app.reader} />
    {call.erased && <i> erased</i>}
    {call.source === 'operator' && call.status !== 'refused' && (signedInWith[call.client] ?? '')}
    {call.source !== 'operator' && call.source !== 'later' && (
      <>
        {' through '}
        <Marked text={call.client} reader={app.reader} />
      </>
    )}
    {call.decisions.map(({ by, decision }) => (
      <>
        , {decision} by <Marked text={by} reader={app.reader} />
      </>
    ))}
    {call.tenant !== operatorsTenant && <OfTenant tenant={call.tenant} app={app} />}
  </>
)

/** Under what the acts of operators that are of no tenant stand on record. */
const operatorsTenant = '(operators)'
const whoWords: Readonly<Record<string, string>> = { operator: 'By', later: 'On behalf of' }
/** How an operator said who they are, where it is not their account. */
const signedInWith: Readonly<Record<string, string>> = {
  'admin-token': ', with the admin token',
  oidc: ', signed in by the provider',
  terminal: ', at a terminal',
}

/** The message as a row has room for it; the story has all of it. */
const firstSentence = (message: string): string => /^[^\n]{0,300}?[.!?](?=\s|$)/.exec(message)?.[0] ?? message
