// Somebody else's tool: who serves it, what its server says of it, what was pinned, what looks wrong, and the change that
// waits. Accepting takes the digest of what was read, so that a change of the change is not accepted along with it.
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useUnread } from '../../card/unread.ts'
import { Note } from '../../parts/alert.tsx'
import { Button, Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { Code } from '../../parts/text.tsx'
import { isAdmin, sayDone, type AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Section } from '../page.tsx'
import { Fact } from '../pieces.tsx'
import type { Change, Contract } from '../shapes.ts'

type Upstream = NonNullable<Contract['upstream']>

const hintWords: Readonly<Record<string, string>> = {
  readOnlyHint: 'only reads',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'reaches outside',
}

export const UpstreamFacts = ({ upstream, app }: AppProps<{ upstream: Upstream }>): VNode => {
  const { reader } = app
  return (
    <Section title="Behind the gateway">
      {upstream.findings.map(({ pointer, text }) => (
        <Note tone="danger" sign="!" spoken="Danger">
          <b>
            <Marked text={text} reader={reader} />
          </b>{' '}
          Found at <code>{pointer === '' ? '(all)' : pointer}</code>. It blocks nothing by itself: read the description
          and decide.
        </Note>
      ))}
      <dl class="facts sheet-rows">
        <Fact label="Server">
          <Marked text={upstream.server} reader={reader} />{' '}
          <Pill tone={upstream.state === 'ready' ? 'ok' : 'plain'}>{upstream.state}</Pill>
          <small>
            {upstream.identity === null ? (
              'not connected yet'
            ) : (
              <>
                calls itself <Marked text={`${upstream.identity.name} ${upstream.identity.version}`} reader={reader} />
              </>
            )}
            {upstream.profile !== null && (
              <>
                , profile <code>{upstream.profile}</code>
              </>
            )}
          </small>
        </Fact>
        <Fact label="Called with">
          <code>{upstream.call_with}</code>
        </Fact>
        <Fact label="Its own annotations">
          {upstream.annotations === null ? (
            <span class="unset">none</span>
          ) : (
            Object.entries(upstream.annotations).map(([name, value]) => (
              <div>
                <Marked text={`${hintWords[name] ?? name}: ${JSON.stringify(value)}`} reader={reader} />
              </div>
            ))
          )}
        </Fact>
        <Fact label="Why this risk">
          {upstream.reasons.map((reason) => (
            <div>
              <Marked text={reason} reader={reader} />
            </div>
          ))}
        </Fact>
        <Fact label="Its own dry run">
          {upstream.dry_run === null ? (
            <span class="unset">none: the preview shows the call as it would be sent</span>
          ) : (
            <code>
              {upstream.dry_run.parameter}={JSON.stringify(upstream.dry_run.value)}
            </code>
          )}
        </Fact>
        <Fact label="Accepted definition">
          {upstream.held ? <Pill tone="warn">changed, waits to be accepted</Pill> : <Pill tone="ok">unchanged</Pill>}
          <small>
            <code>{upstream.digest}</code>
          </small>
        </Fact>
      </dl>
    </Section>
  )
}

/** The change of one definition, with its acceptance. `onAccepted` reloads what shows the tool. */
export const HeldChange = ({
  name,
  app,
  onAccepted,
}: AppProps<{ name: string; onAccepted: () => void }>): VNode | null => {
  const loading = useLoaded(app, `change ${name}`, (api) => api.definitions.$get())
  const change = loading.value?.changes.find((each) => each.name === name)
  return change === undefined ? null : (
    <ChangeSheet
      key={change.digest}
      change={change}
      app={app}
      reload={() => {
        loading.reload()
        onAccepted()
      }}
    />
  )
}

const ChangeSheet = ({ change, app, reload }: AppProps<{ change: Change; reload: () => void }>): VNode => {
  const [busy, setBusy] = useState(false)
  const inside = useRef<HTMLDivElement>(null)
  const unread = useUnread(inside)
  const may = isAdmin(app.operator) && app.operator.tenant === null

  const accept = async (): Promise<void> => {
    setBusy(true)
    const { server, tool, digest } = change
    const answer = await app.ask((api) =>
      api.definitions[':server'][':tool'].accept.$post({ param: { server, tool }, json: { digest } }),
    )
    setBusy(false)
    reload()
    sayDone(app, answer, `The change of ${change.name} is accepted.`)
  }
  return (
    <Section
      title="Changed since it was accepted"
      lead="Its server describes it differently now. Until the change is accepted, agents see the old description and cannot call it."
    >
      <div class="sheet">
        <div class="body" ref={inside}>
          <Code block={{ text: change.diff, language: 'diff', label: 'What changed' }} reader={app.reader} />
        </div>
        <footer>
          {may ? (
            <>
              {unread && <p class="unread">Scroll through the whole change, then accept it.</p>}
              <Button tone="go" disabled={busy || unread} onPress={() => void accept()}>
                {busy ? 'Accepting…' : 'Accept this change'}
              </Button>
            </>
          ) : (
            <p class="hint">Only an admin of all tenants accepts a change.</p>
          )}
        </footer>
      </div>
    </Section>
  )
}
