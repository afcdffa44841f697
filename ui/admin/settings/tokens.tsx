// Callers' tokens. A new one is shown once, in a field to copy from, and never again; what is listed is who has one, what
// it may do and when it was used last.
import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Button, Pill } from '../../parts/buttons.tsx'
import { Copyable } from '../../parts/copyable.tsx'
import { Marked } from '../../parts/marked.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { troubleText, type Trouble } from '../answer.ts'
import { sayDone, type AppProps } from '../context.ts'
import { useFormState } from '../form-state.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import { CodeText, Opens } from '../pieces.tsx'
import type { Token } from '../shapes.ts'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Ago } from '../times.tsx'

const empty = { subject: '', tenant: '', permissions: '', label: '', expires: '90d' }

type Fields = typeof empty

interface State {
  readonly fields: Fields
  readonly busy: boolean
  readonly trouble: Trouble | undefined
  /** Shown this one time. */
  readonly made: { readonly token: string; readonly subject: string } | undefined
}

const first: State = { fields: empty, busy: false, trouble: undefined, made: undefined }

const bodyOf = ({ permissions, ...texts }: Fields) => {
  const given = (text: string): string | undefined => text.trim() || undefined
  return {
    subject: texts.subject.trim(),
    tenant: given(texts.tenant),
    label: given(texts.label),
    expires: given(texts.expires),
    permissions: permissions.split(/[\s,]+/).filter((name) => name !== ''),
  }
}

const texts: readonly (readonly [name: keyof Fields, label: string, hint: string])[] = [
  ['subject', 'Who it is for', 'One name for each agent or person: it is what the record says.'],
  ['tenant', 'Tenant', 'Empty: “default”.'],
  ['permissions', 'Permissions', 'Like orders:read orders:write. A star stands for everything; empty means nothing.'],
  ['label', 'Note', 'For yourself: where it is used.'],
  ['expires', 'Expires', 'Like 12h, 90d or 2027-01-31. Empty: until it is revoked.'],
]

const Create = ({ app, onMade, onClose }: AppProps<{ onMade: () => void; onClose: () => void }>): VNode => {
  const [{ fields, busy, trouble, made }, change] = useFormState(first)
  const create = async (): Promise<void> => {
    change({ busy: true, trouble: undefined })
    const answer = await app.ask((api) => api.tokens.$post({ json: bodyOf(fields) }))
    if (!answer.ok) return change({ busy: false, trouble: answer.trouble })
    change({ made: answer.value })
    onMade()
  }
  if (made !== undefined)
    return (
      <div class="form-sheet">
        <Note tone="warning" sign="!" spoken="Warning" alert>
          <b>Copy it now; it is not shown again.</b> Whoever has it calls as{' '}
          <Marked text={made.subject} reader={app.reader} />.
        </Note>
        <Copyable text={made.token} label="Token" selected={false} reader={app.reader} />
        <Button tone="plain" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    )
  return (
    <form
      class="form-sheet"
      aria-label="New token"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void create()
      }}
    >
      {trouble !== undefined && (
        <Note tone="danger" sign="×" spoken="Error" alert>
          {troubleText(trouble)}
        </Note>
      )}
      {texts
        .filter(([name]) => name !== 'tenant' || app.operator.tenant === null)
        .map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            value={fields[name]}
            required={name === 'subject'}
            onText={(text) => change((now) => ({ fields: { ...now.fields, [name]: text } }))}
          />
        ))}
      <p class="buttons">
        <button type="submit" class="go" disabled={busy}>
          {busy ? 'Creating…' : 'Create the token'}
        </button>
        <Button tone="quiet" onPress={onClose}>
          Cancel
        </Button>
      </p>
    </form>
  )
}

const tones = { active: 'ok', expired: 'plain', revoked: 'plain' } as const

export const TokensSection = ({ app }: AppProps): VNode => {
  const loading = useLoaded(app, 'tokens', (api) => api.tokens.$get())
  const revoke = async ({ id, subject }: Token): Promise<void> => {
    const answer = await app.ask((api) => api.tokens[':id'].$delete({ param: { id } }))
    sayDone(app, answer, `The token of ${subject} is revoked.`)
    loading.reload()
  }
  return (
    <Section
      id="tokens"
      title="Callers’ tokens"
      lead="Where the setting access.mode is “tokens”, agents and programs need one of these to call tools."
    >
      <Await loading={loading}>
        {({ tokens }) => (
          <>
            <Table
              label="Tokens"
              rows={tokens}
              empty={<Empty title="There are no tokens" />}
              id={(token) => token.id}
              columns={[
                {
                  label: 'Who',
                  cell: (token) => (
                    <>
                      <Marked text={token.subject} reader={app.reader} />
                      {token.label !== null && (
                        <small class="below">
                          <Marked text={token.label} reader={app.reader} />
                        </small>
                      )}
                    </>
                  ),
                },
                {
                  label: 'Tenant',
                  cell: (token) => <Marked text={token.tenant} reader={app.reader} />,
                },
                {
                  label: 'May',
                  wide: true,
                  cell: (token) =>
                    token.permissions.length === 0 ? (
                      <span class="unset">nothing</span>
                    ) : token.permissions.includes('*') ? (
                      'everything'
                    ) : (
                      <CodeText text={token.permissions.join(' ')} reader={app.reader} />
                    ),
                },
                {
                  label: 'Used',
                  cell: (token) =>
                    token.used_at === null ? <span class="unset">never</span> : <Ago iso={token.used_at} app={app} />,
                },
                {
                  label: 'State',
                  cell: (token) => (
                    <>
                      <Pill tone={tones[token.state]}>{token.state}</Pill>
                      {token.state === 'active' && token.expires_at !== null && (
                        <small class="below">
                          ends <Ago iso={token.expires_at} app={app} />
                        </small>
                      )}
                    </>
                  ),
                },
                {
                  label: 'Revoke',
                  cell: (token) =>
                    token.state === 'active' && (
                      <Sure label="Revoke" sure={`Revoke ${token.subject}`} onSure={() => revoke(token)} />
                    ),
                },
              ]}
            />
            <Opens label="New token…">{(close) => <Create app={app} onMade={loading.reload} onClose={close} />}</Opens>
          </>
        )}
      </Await>
    </Section>
  )
}
