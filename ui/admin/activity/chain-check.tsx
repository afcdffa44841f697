// Whether the record is still what was written. Walking a long chain takes a while, so it is done when somebody asks.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Note } from '../../parts/alert.tsx'
import { Marked } from '../../parts/marked.tsx'
import type { Answer } from '../answer.ts'
import type { AppProps } from '../context.ts'
import { Section, TroubleNote } from '../page.tsx'
import { to } from '../route.ts'
import { Exact } from '../times.tsx'
import type { Chains } from '../shapes.ts'

type State = 'idle' | 'checking' | Answer<Chains>

export const ChainCheck = ({ app, tenant }: AppProps<{ tenant: string | undefined }>): VNode => {
  const [state, set] = useState<State>('idle')
  const check = async (): Promise<void> => {
    set('checking')
    set(await app.ask((api) => api.activity.chain.$get({ query: { tenant } })))
  }
  return (
    <Section
      title="Is the log intact?"
      lead="Each entry is bound to the one before it. Checking reads all of them, which takes a while in a long log."
      actions={
        <button type="button" class="small" disabled={state === 'checking'} onClick={() => void check()}>
          {state === 'checking' ? 'Checking…' : 'Check now'}
        </button>
      }
    >
      <div role="status" class="stack">
        {typeof state === 'object' &&
          state.ok &&
          state.value.chains.map((chain) => <One chain={chain} app={app} at={state.value.checked_at} />)}
        {typeof state === 'object' && state.ok && state.value.chains.length === 0 && (
          <p>There is nothing to check yet.</p>
        )}
      </div>
      {typeof state === 'object' && !state.ok && <TroubleNote trouble={state.trouble} again={() => void check()} />}
    </Section>
  )
}

const One = ({ chain, app, at }: AppProps<{ chain: Chains['chains'][number]; at: string }>): VNode => {
  const numbers = new Intl.NumberFormat(app.reader.locale ?? 'en')
  const count = numbers.format(chain.entries)
  if (chain.state === 'not_anchored')
    return (
      <Note tone="warning" sign="!" spoken="Warning">
        <b>
          <Marked text={chain.tenant} reader={app.reader} />: not anchored.
        </b>{' '}
        Verified up to entry {count}, <Exact iso={at} app={app} />; nothing outside the database says whether others
        came after it.
      </Note>
    )
  return chain.state === 'whole' ? (
    <Note tone="ok" sign="✓">
      <b>
        <Marked text={chain.tenant} reader={app.reader} />: intact.
      </b>{' '}
      Verified up to entry {count}, <Exact iso={at} app={app} />; anchored outside the database up to entry{' '}
      {numbers.format(chain.anchored ?? 0)}.
      {chain.cut > 0 && ' Older entries were removed by retention, under a signature.'}
    </Note>
  ) : (
    <Note tone="danger" sign="×" spoken="Error">
      <b>
        <Marked text={chain.tenant} reader={app.reader} />: entries were changed or removed.
      </b>{' '}
      <Marked text={chain.problem?.message ?? ''} reader={app.reader} />{' '}
      {chain.problem?.id?.startsWith('ac_') === true && (
        <a href={to('activity', chain.problem.id ?? '')}>Look at that record</a>
      )}
    </Note>
  )
}
