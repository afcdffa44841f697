// The decision at the foot of the sheet. Approve arms as Confirm does in a card: in sight for a moment, everything read,
// pressed by a person, and never by Enter. A rejection may say why, because the agent acts on it.
import type { VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { confirmTone } from '../../../server/cards/confirm-tone.ts'
import { useArmed } from '../../card/armed.ts'
import { Note } from '../../parts/alert.tsx'
import { Button } from '../../parts/buttons.tsx'
import { clock, useNow } from '../../parts/countdown.ts'
import { Label, Marked } from '../../parts/marked.tsx'
import { Phrase } from '../../parts/phrase.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { troubleText, type Trouble } from '../answer.ts'
import type { AdminContext } from '../context.ts'
import { useFormState } from '../form-state.ts'
import type { ApprovalDetail } from '../shapes.ts'

interface State {
  readonly mode: 'deciding' | 'rejecting'
  readonly busy: 'approve' | 'reject' | undefined
  readonly code: string
  /** The word that the card asks for. */
  readonly typed: string
  readonly reason: string
  readonly trouble: Trouble | undefined
  /** Enter was pressed on Approve. */
  readonly entered: boolean
}

const first: State = {
  mode: 'deciding',
  busy: undefined,
  code: '',
  typed: '',
  reason: '',
  trouble: undefined,
  entered: false,
}

interface DecisionProps {
  readonly approval: ApprovalDetail
  /** Verb, object, name: what happens. */
  readonly title: string
  /** What must be typed before it can be approved, as on the card in a chat. */
  readonly phrase: string | undefined
  /** Something that would be applied was not opened or scrolled through. */
  readonly unread: boolean
  readonly app: AdminContext
  readonly onDecided: (approval: ApprovalDetail) => void
}

const enrol = ({ via, name }: AdminContext['operator']): string =>
  via === 'admin-token'
    ? 'Run `countersign admin totp` on the server once, then reload.'
    : `An admin enrols your authenticator with \`countersign account totp ${name}\`.`

const labelOf = (title: string, missing: number): string => {
  if (missing > 1) return 'Agree'
  return title.length <= 44 ? `Approve: ${title}` : 'Approve and run it'
}

export const Decision = ({ approval, title, phrase, unread, app, onDecided }: DecisionProps): VNode => {
  const [state, change] = useFormState(first)
  const row = useRef<HTMLElement>(null)
  const approve = useRef<HTMLDivElement>(null)
  const armed = useArmed(row)
  const now = useNow(app.now)
  const left = Date.parse(approval.expires_at) - now
  const { missing } = approval.needs
  const { approve: right, reject, voted } = approval.you
  const mayApprove = right.may && !voted
  // Where the approver has no authenticator, no code can be right.
  const unable = mayApprove && approval.second_factor_needed && !app.operator.totp
  const wantsCode = approval.second_factor_needed && mayApprove && !unable
  const codeReady = !wantsCode || /^\d{6}$/.test(state.code.replace(/[\s-]/g, ''))
  const phraseReady = phrase === undefined || state.typed.trim() === phrase
  const live = mayApprove && !unable && !unread && phraseReady && codeReady && left > 0 && state.busy === undefined

  const reason = state.reason.trim()
  const send = async (what: 'approve' | 'reject'): Promise<void> => {
    change({ busy: what, trouble: undefined, entered: false })
    const param = { id: approval.id }
    const answer = await app.ask((api) =>
      what === 'approve'
        ? api.approvals[':id'].approve.$post({ param, json: wantsCode ? { code: state.code.trim() } : {} })
        : api.approvals[':id'].reject.$post({ param, json: reason === '' ? {} : { reason } }),
    )
    if (answer.ok) onDecided(answer.value.approval)
    // A code works once, so what was typed is of no use any more.
    else change({ busy: undefined, trouble: answer.trouble, code: '' })
  }
  const reasonReady = reason === '' || (reason.length >= 3 && reason.length <= 500)

  return (
    <footer ref={row} class="decision">
      {state.trouble !== undefined && (
        <Note tone="danger" sign="×" spoken="Error" alert>
          {troubleText(state.trouble)}
        </Note>
      )}
      {!right.may && (
        <Note tone="info" sign="i" spoken="Note">
          <b>You cannot approve this.</b> {right.why}
        </Note>
      )}
      {right.may && voted && (
        <Note tone="info" sign="i" spoken="Note">
          <b>You have agreed.</b> {missing === 1 ? 'One more person' : `${missing} more people`} must agree before it
          runs.
        </Note>
      )}
      {unable && (
        <Note tone="warning" sign="!" spoken="Warning">
          <b>This needs a second factor, and you have not set one up.</b> {enrol(app.operator)}
        </Note>
      )}
      {mayApprove && right.on_behalf_of !== undefined && (
        <Note tone="info" sign="i" spoken="Note">
          You decide on behalf of <Marked text={right.on_behalf_of} reader={app.reader} />, who has delegated this right
          to you.
        </Note>
      )}
      {state.mode === 'deciding' ? (
        <>
          {mayApprove && (
            <p class="consequence">
              {missing > 1
                ? `Nothing runs yet: after you, ${missing - 1} more must agree.`
                : 'Approving runs the call once, exactly as it is shown here.'}
            </p>
          )}
          {unread && mayApprove && <p class="unread">Open and read what is folded or scrolled away, then approve.</p>}
          {mayApprove && phrase !== undefined && (
            <Phrase
              sentence="To approve, type {0}"
              phrase={phrase}
              typed={state.typed}
              disabled={state.busy !== undefined}
              onType={(typed) => change({ typed, entered: false })}
            />
          )}
          {wantsCode && (
            <TextField
              label="Six digits of your authenticator"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={8}
              value={state.code}
              disabled={state.busy !== undefined}
              onText={(code) => change({ code, entered: false })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                approve.current?.querySelector('button')?.focus()
              }}
            />
          )}
          <div class="decide">
            <span class={left < 60_000 ? 'when soon' : 'when'} role={state.entered ? 'status' : undefined}>
              {state.entered
                ? 'Enter does not approve here. Press Space, or click.'
                : left > 0
                  ? `Expires in ${clock(left)}`
                  : 'It has expired'}
            </span>
            {reject.may && (
              <Button
                tone="plain"
                disabled={state.busy !== undefined}
                onPress={() => change({ mode: 'rejecting', trouble: undefined, entered: false })}
              >
                Reject…
              </Button>
            )}
            <div ref={approve} data-holds-decision>
              {mayApprove && (
                <Button
                  tone={confirmTone(approval.risk)}
                  disabled={!live || !armed}
                  keepEnter={() => change({ entered: true })}
                  onPress={(event) => {
                    if (event.isTrusted && live && armed) void send('approve')
                  }}
                >
                  {state.busy === 'approve' ? 'Running…' : <Label text={labelOf(title, missing)} reader={app.reader} />}
                </Button>
              )}
            </div>
          </div>
        </>
      ) : (
        <>
          <label class="field">
            <span>Why not?</span>
            <textarea
              ref={(area) => area?.focus()}
              maxLength={500}
              value={state.reason}
              onInput={(event) => change({ reason: event.currentTarget.value })}
            />
            <small>Optional. The agent reads this and acts on it. 3 to 500 characters.</small>
          </label>
          <div class="decide">
            <span class="when" />
            <Button tone="quiet" onPress={() => change({ mode: 'deciding', trouble: undefined, entered: false })}>
              Keep it waiting
            </Button>
            <Button
              tone="plain"
              disabled={!reasonReady || state.busy !== undefined}
              onPress={() => void send('reject')}
            >
              {state.busy === 'reject' ? 'Rejecting…' : 'Reject it'}
            </Button>
          </div>
        </>
      )}
    </footer>
  )
}
