// Somebody else's tool: who serves it, what its server says of it, what was pinned, what looks wrong, and the change that
// waits. Accepting takes the digest of what was read, so that a change of the change is not accepted along with it.
import type { VNode } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useUnread } from '../../card/unread.ts'
import { Note } from '../../parts/alert.tsx'
import { Button, Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { Code } from '../../parts/text.tsx'
import { troubleText } from '../answer.ts'
import { isAdmin, type AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Section } from '../page.tsx'
import type { ChangesAnswer, RatedContract } from './wire.ts'

type Upstream = NonNullable<RatedContract['upstream']>

const hintWords: Readonly<Record<string, string>> = {
  readOnlyHint: 'only reads',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'reaches outside',
}

export const UpstreamFacts = ({
  upstream,
  desk,
}: {
  readonly upstream: Upstream
  readonly desk: AdminContext
}): VNode => {
  const { reader } = desk
  return (
    <Section title="Behind the gateway">
      {upstream.findings.map(({ pointer, text }) => (
        <Note tone="danger" sign="!" spoken="Danger">
          <b>
            <Marked text={text} reader={reader} />
          </b>{' '}
          At <code>{pointer === '' ? '(all)' : pointer}</code>. A finding decides nothing; read the description.
        </Note>
      ))}
      <dl class="facts sheet-rows">
        <div>
          <dt>Server</dt>
          <dd>
            <Marked text={upstream.server} reader={reader} />{' '}
            <Pill tone={upstream.state === 'ready' ? 'ok' : 'plain'}>{upstream.state}</Pill>
            <small>
              {upstream.identity === null ? (
                'not connected yet'
              ) : (
                <>
                  calls itself{' '}
                  <Marked text={`${upstream.identity.name} ${upstream.identity.version}`} reader={reader} />
                </>
              )}
            </small>
          </dd>
        </div>
        <div>
          <dt>Called with</dt>
          <dd>
            <code>{upstream.call_with}</code>
          </dd>
        </div>
        <div>
          <dt>Its own annotations</dt>
          <dd>
            {upstream.annotations === null ? (
              <span class="unset">none</span>
            ) : (
              Object.entries(upstream.annotations).map(([name, value]) => (
                <div>
                  <Marked text={`${hintWords[name] ?? name}: ${JSON.stringify(value)}`} reader={reader} />
                </div>
              ))
            )}
          </dd>
        </div>
        <div>
          <dt>Why this risk</dt>
          <dd>
            {upstream.reasons.map((reason) => (
              <div>
                <Marked text={reason} reader={reader} />
              </div>
            ))}
          </dd>
        </div>
        <div>
          <dt>Its own dry run</dt>
          <dd>
            {upstream.dry_run === null ? (
              <span class="unset">none: the preview shows the call as it would be sent</span>
            ) : (
              <code>
                {upstream.dry_run.parameter}={JSON.stringify(upstream.dry_run.value)}
              </code>
            )}
          </dd>
        </div>
        <div>
          <dt>Pinned</dt>
          <dd>
            {upstream.held ? <Pill tone="warn">changed, waits</Pill> : <Pill tone="ok">as accepted</Pill>}
            <small>
              <code>{upstream.digest}</code>
            </small>
          </dd>
        </div>
      </dl>
    </Section>
  )
}

/** The change of one definition, with its acceptance. `onAccepted` reloads what shows the tool. */
export const HeldChange = ({
  name,
  desk,
  onAccepted,
}: {
  readonly name: string
  readonly desk: AdminContext
  readonly onAccepted: () => void
}): VNode | null => {
  const loading = useLoaded(`change ${name}`, () => desk.client.get<ChangesAnswer>('/definitions'))
  const change =
    loading.state.at === 'ready' ? loading.state.value.changes.find((each) => each.name === name) : undefined
  return change === undefined ? null : (
    <ChangeSheet
      key={change.digest}
      change={change}
      desk={desk}
      reload={() => {
        loading.reload()
        onAccepted()
      }}
    />
  )
}

type Change = ChangesAnswer['changes'][number]

const ChangeSheet = ({
  change,
  desk,
  reload,
}: {
  readonly change: Change
  readonly desk: AdminContext
  readonly reload: () => void
}): VNode => {
  const [busy, setBusy] = useState(false)
  const inside = useRef<HTMLDivElement>(null)
  const unread = useUnread(inside)
  const may = isAdmin(desk.operator) && desk.operator.tenant === null

  const accept = async (): Promise<void> => {
    setBusy(true)
    const path = `/definitions/${encodeURIComponent(change.server)}/${encodeURIComponent(change.tool)}/accept`
    const answer = await desk.client.post(path, { digest: change.digest })
    setBusy(false)
    reload()
    if (answer.ok) desk.say(`The change of ${change.name} is accepted.`, 'ok')
    else desk.say(troubleText(answer.trouble), 'danger')
  }
  return (
    <Section
      title="Changed since it was accepted"
      lead="Its server describes it differently now. Until the change is accepted, agents see the old description and cannot call it."
    >
      <div class="sheet">
        <div class="change-diff" ref={inside}>
          <Code block={{ text: change.diff, language: 'diff', label: 'What changed' }} reader={desk.reader} />
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
