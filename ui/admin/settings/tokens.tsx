// Callers' tokens. A new one is shown once, in a field to copy from, and never again; what is listed is who has one, what
// it may do and when it was used last.
import type { VNode } from 'preact'
import { useReducer } from 'preact/hooks'
import type { tokenView } from '../../../server/http/auth/tokens-api.ts'
import { Note } from '../../parts/alert.tsx'
import { Button, Pill } from '../../parts/buttons.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { Marked } from '../../parts/marked.tsx'
import { troubleText, type Trouble } from '../answer.ts'
import type { AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'

type TokenView = ReturnType<typeof tokenView>

interface Fields {
  readonly subject: string
  readonly tenant: string
  readonly permissions: string
  readonly label: string
  readonly expires: string
}

const empty: Fields = { subject: '', tenant: '', permissions: '', label: '', expires: '90d' }

type State =
  | { readonly at: 'closed' }
  | { readonly at: 'open'; readonly fields: Fields; readonly busy: boolean; readonly trouble: Trouble | undefined }
  /** The one time that it is shown. */
  | { readonly at: 'made'; readonly token: string; readonly subject: string }

type Event =
  | { readonly type: 'opened' | 'closed' | 'sent' }
  | { readonly type: 'typed'; readonly fields: Partial<Fields> }
  | { readonly type: 'refused'; readonly trouble: Trouble }
  | { readonly type: 'made'; readonly token: string; readonly subject: string }

const reduce = (state: State, event: Event): State => {
  switch (event.type) {
    case 'opened':
      return { at: 'open', fields: empty, busy: false, trouble: undefined }
    case 'closed':
      return { at: 'closed' }
    case 'made':
      return { at: 'made', token: event.token, subject: event.subject }
    case 'typed':
      return state.at === 'open' ? { ...state, fields: { ...state.fields, ...event.fields } } : state
    case 'sent':
      return state.at === 'open' ? { ...state, busy: true, trouble: undefined } : state
    case 'refused':
      return state.at === 'open' ? { ...state, busy: false, trouble: event.trouble } : state
    default:
      return event satisfies never
  }
}

const bodyOf = (fields: Fields) => {
  const permissions = fields.permissions.split(/[\s,]+/).filter((name) => name !== '')
  const given = Object.entries({
    subject: fields.subject,
    tenant: fields.tenant,
    label: fields.label,
    expires: fields.expires,
  })
  return {
    ...Object.fromEntries(given.flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]]))),
    permissions,
  }
}

const texts: readonly (readonly [name: keyof Fields, label: string, hint: string])[] = [
  ['subject', 'Who it is for', 'One name for each agent or person: it is what the record says.'],
  ['tenant', 'Tenant', 'Empty: “default”.'],
  ['permissions', 'Permissions', 'Like orders:read orders:write. A star is everything; empty is nothing.'],
  ['label', 'Note', 'For yourself: where it is used.'],
  ['expires', 'Lasts', 'Like 12h, 90d or 2027-01-31. Empty: until it is revoked.'],
]

const Create = ({ desk, onMade }: { readonly desk: AdminContext; readonly onMade: () => void }): VNode => {
  const [state, dispatch] = useReducer<State, Event>(reduce, { at: 'closed' })
  const create = async (fields: Fields): Promise<void> => {
    dispatch({ type: 'sent' })
    const answer = await desk.client.post<TokenView & { readonly token: string }>('/tokens', bodyOf(fields))
    if (!answer.ok) return dispatch({ type: 'refused', trouble: answer.trouble })
    dispatch({ type: 'made', token: answer.value.token, subject: answer.value.subject })
    onMade()
  }
  switch (state.at) {
    case 'closed':
      return (
        <p>
          <Button tone="plain" onPress={() => dispatch({ type: 'opened' })}>
            New token…
          </Button>
        </p>
      )
    case 'made':
      return (
        <div class="form-sheet">
          <Note tone="warning" sign="!" spoken="Warning" alert>
            <b>Copy it now; it is not shown again.</b> Who has it calls as{' '}
            <Marked text={state.subject} reader={desk.reader} />.
          </Note>
          <Copyable text={state.token} label="Token" selected={false} reader={desk.reader} />
          <Button tone="plain" onPress={() => dispatch({ type: 'closed' })}>
            I have it
          </Button>
        </div>
      )
    case 'open':
      return (
        <form
          class="form-sheet"
          aria-label="New token"
          onSubmit={(event) => {
            event.preventDefault()
            if (!state.busy) void create(state.fields)
          }}
        >
          {state.trouble !== undefined && (
            <Note tone="danger" sign="×" spoken="Error" alert>
              {troubleText(state.trouble)}
            </Note>
          )}
          {texts
            .filter(([name]) => name !== 'tenant' || desk.operator.tenant === null)
            .map(([name, label, hint]) => (
              <label class="field" key={name}>
                <span>{label}</span>
                <input
                  value={state.fields[name]}
                  required={name === 'subject'}
                  autoComplete="off"
                  spellcheck={false}
                  onInput={(event) => dispatch({ type: 'typed', fields: { [name]: event.currentTarget.value } })}
                />
                <small>{hint}</small>
              </label>
            ))}
          <p class="row-buttons">
            <button type="submit" class="go" disabled={state.busy}>
              {state.busy ? 'Creating…' : 'Create the token'}
            </button>
            <Button tone="quiet" onPress={() => dispatch({ type: 'closed' })}>
              Cancel
            </Button>
          </p>
        </form>
      )
    default:
      return state satisfies never
  }
}

const tones = { active: 'ok', expired: 'plain', revoked: 'plain' } as const

export const TokensSection = ({ desk }: { readonly desk: AdminContext }): VNode => {
  const loading = useLoaded('tokens', () => desk.client.get<{ readonly tokens: readonly TokenView[] }>('/tokens'))
  const revoke = async (token: TokenView): Promise<void> => {
    const answer = await desk.client.remove(`/tokens/${encodeURIComponent(token.id)}`)
    if (answer.ok) desk.say(`The token of ${token.subject} is revoked.`, 'ok')
    else desk.say(troubleText(answer.trouble), 'danger')
    loading.reload()
  }
  return (
    <Section id="tokens" title="Callers’ tokens" lead="What agents and programs come with where access is by tokens.">
      <Await loading={loading}>
        {({ tokens }) => (
          <>
            {tokens.length === 0 ? (
              <Empty title="Nobody has a token" />
            ) : (
              <Table
                label="Tokens"
                rows={tokens}
                id={(token) => token.id}
                columns={[
                  {
                    key: 'subject',
                    label: 'Who',
                    cell: (token) => (
                      <>
                        <Marked text={token.subject} reader={desk.reader} />
                        {token.label !== null && (
                          <small class="below">
                            <Marked text={token.label} reader={desk.reader} />
                          </small>
                        )}
                      </>
                    ),
                  },
                  {
                    key: 'tenant',
                    label: 'Tenant',
                    cell: (token) => <Marked text={token.tenant} reader={desk.reader} />,
                  },
                  {
                    key: 'permissions',
                    label: 'May',
                    wide: true,
                    cell: (token) =>
                      token.permissions.length === 0 ? (
                        <span class="unset">nothing</span>
                      ) : token.permissions.includes('*') ? (
                        'everything'
                      ) : (
                        <code>
                          <Marked text={token.permissions.join(' ')} reader={desk.reader} />
                        </code>
                      ),
                  },
                  {
                    key: 'used',
                    label: 'Used',
                    cell: (token) =>
                      token.used_at === null ? (
                        <span class="unset">never</span>
                      ) : (
                        <Ago iso={token.used_at} desk={desk} />
                      ),
                  },
                  {
                    key: 'state',
                    label: 'State',
                    cell: (token) => (
                      <>
                        <Pill tone={tones[token.state]}>{token.state}</Pill>
                        {token.state === 'active' && token.expires_at !== null && (
                          <small class="below">
                            ends <Ago iso={token.expires_at} desk={desk} />
                          </small>
                        )}
                      </>
                    ),
                  },
                  {
                    key: 'revoke',
                    label: 'Revoke',
                    cell: (token) =>
                      token.state === 'active' && (
                        <Sure label="Revoke" sure={`Revoke ${token.subject}`} onSure={() => revoke(token)} />
                      ),
                  },
                ]}
              />
            )}
            <Create desk={desk} onMade={loading.reload} />
          </>
        )}
      </Await>
    </Section>
  )
}
