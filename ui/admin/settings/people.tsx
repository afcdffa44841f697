// The people who decide: accounts, what each may do, and who has delegated their right to whom. Accounts are made and
// changed at a terminal, where the owner of the server is; delegating one's right is everybody's own.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { TextField } from '../../parts/text-field.tsx'
import { troubleText } from '../answer.ts'
import { sayDone, type OperatorView, type AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import type { Delegation } from '../shapes.ts'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Ago, Exact } from '../times.tsx'

/** What a role lets somebody do: "approve orders_* up to € 500.00". */
export const roleText = (role: OperatorView['roles'][number], locale: string | undefined): string => {
  if (role.kind === 'admin') return 'do everything (admin)'
  if (role.kind === 'viewer') return 'see everything and change nothing (viewer)'
  const what = role.tools.includes('*') ? 'every tool' : role.tools.join(', ')
  if (role.maxAmount === undefined) return `approve ${what}`
  const { value, currency } = role.maxAmount
  const amount = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(
    value as Intl.StringNumericLiteral,
  )
  return `approve ${what} up to ${amount}`
}

export const AccountsSection = ({ app }: AppProps): VNode => {
  const loading = useLoaded(app, 'accounts', (api) => api.accounts.$get())
  return (
    <Section
      id="accounts"
      title="Accounts"
      lead="The people who sign in here. Accounts are made and changed at a terminal, with the command countersign account."
    >
      <Await loading={loading}>
        {({ accounts }) => (
          <Table
            label="Accounts"
            rows={accounts}
            empty={
              <Empty title="There are no accounts yet">
                Make the first with <code>countersign account add</code>; until then the admin token opens these pages.
              </Empty>
            }
            id={(account) => account.id}
            columns={[
              { label: 'Name', cell: (account) => <Marked text={account.name} reader={app.reader} /> },
              { label: 'Tenant', cell: (account) => account.tenant ?? 'all' },
              {
                label: 'May',
                wide: true,
                cell: (account) => (
                  <Marked
                    text={account.roles.map((role) => roleText(role, app.reader.locale)).join('; ')}
                    reader={app.reader}
                  />
                ),
              },
              {
                label: 'Signs in',
                cell: (account) =>
                  `${account.sign_in === 'oidc' ? 'through the provider' : 'with a password'}${account.totp ? ' and a code' : ''}`,
              },
              {
                label: 'Last sign-in',
                cell: (account) =>
                  account.seen_at === undefined ? (
                    <span class="unset">never</span>
                  ) : (
                    <Ago iso={account.seen_at} app={app} />
                  ),
              },
              {
                label: 'State',
                cell: (account) => <Pill tone={account.state === 'active' ? 'ok' : 'plain'}>{account.state}</Pill>,
              },
            ]}
          />
        )}
      </Await>
    </Section>
  )
}

const Delegate = ({ app, onDelegated }: AppProps<{ onDelegated: () => void }>): VNode => {
  const [to, setTo] = useState('')
  const [until, setUntil] = useState('')
  const delegate = async (): Promise<void> => {
    const answer = await app.ask((api) => api.delegations.$post({ json: { to: to.trim(), until } }))
    if (!answer.ok) return app.say(troubleText(answer.trouble), 'danger')
    app.say(`${answer.value.to} may now approve in your place.`, 'ok')
    setTo('')
    setUntil('')
    onDelegated()
  }
  return (
    <form
      class="form-sheet inline"
      aria-label="Delegate your right"
      onSubmit={(event) => {
        event.preventDefault()
        void delegate()
      }}
    >
      <TextField label="Delegate your right to" value={to} required onText={setTo} />
      <TextField label="Until, and including" type="date" value={until} required onText={setUntil} />
      <button type="submit">Delegate</button>
    </form>
  )
}

export const DelegationsSection = ({ app }: AppProps): VNode => {
  const loading = useLoaded(app, 'delegations', (api) => api.delegations.$get())
  const end = async ({ id, to, from }: Delegation): Promise<void> => {
    const answer = await app.ask((api) => api.delegations[':id'].$delete({ param: { id } }))
    sayDone(app, answer, `${to} no longer decides for ${from}.`)
    loading.reload()
  }
  const delegates = app.operator.via !== 'admin-token' && app.operator.roles.some((role) => role.kind !== 'viewer')
  return (
    <Section
      id="delegations"
      title="Delegations"
      lead="Who may approve in somebody else’s place, and until when. The right cannot be passed on."
    >
      <Await loading={loading}>
        {({ delegations }) => {
          const held = delegations.filter((each) => each.revoked_at === undefined)
          return (
            <>
              <Table
                label="Delegations"
                rows={held}
                empty={<p class="unset">There are no delegations.</p>}
                id={(each) => each.id}
                columns={[
                  { label: 'Who', cell: (each) => <Marked text={each.to} reader={app.reader} /> },
                  {
                    label: 'For whom',
                    cell: (each) => <Marked text={each.from} reader={app.reader} />,
                  },
                  {
                    label: 'Tools',
                    wide: true,
                    cell: (each) =>
                      each.tools.includes('*') ? (
                        'all of theirs'
                      ) : (
                        <Marked text={each.tools.join(', ')} reader={app.reader} />
                      ),
                  },
                  { label: 'Until', cell: (each) => <Exact iso={each.until} app={app} /> },
                  {
                    label: 'End',
                    cell: (each) => <Sure label="End" sure={`End it for ${each.to}`} onSure={() => end(each)} />,
                  },
                ]}
              />
              {delegates && <Delegate app={app} onDelegated={loading.reload} />}
            </>
          )
        }}
      </Await>
    </Section>
  )
}
