// The people who decide: accounts, what each may do, and who stands in for whom. Accounts are made and changed at a
// terminal, where the owner of the server is; lending one's right is everybody's own.
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { accountView, delegationView } from '../../../server/http/operators/accounts-api.ts'
import { Pill } from '../../parts/buttons.tsx'
import { Marked } from '../../parts/marked.tsx'
import { troubleText } from '../answer.ts'
import type { Role } from '../../../server/model/operators.ts'
import type { AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import { Await, Empty, Section } from '../page.tsx'
import { Sure } from '../sure.tsx'
import { Table } from '../table.tsx'
import { Ago, Exact } from '../times.tsx'

type AccountView = ReturnType<typeof accountView> & { readonly totp: boolean }
type DelegationView = ReturnType<typeof delegationView>

/** A role in words: "approves orders_* up to € 500.00". */
export const roleText = (role: Role, locale: string | undefined): string => {
  if (role.kind !== 'approver') return role.kind
  const what = role.tools.includes('*') ? 'every tool' : role.tools.join(', ')
  if (role.maxAmount === undefined) return `approves ${what}`
  const { value, currency } = role.maxAmount
  const amount = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(
    value as Intl.StringNumericLiteral,
  )
  return `approves ${what} up to ${amount}`
}

export const AccountsSection = ({ desk }: { readonly desk: AdminContext }): VNode => {
  const loading = useLoaded('accounts', () =>
    desk.client.get<{ readonly accounts: readonly AccountView[] }>('/accounts'),
  )
  return (
    <Section
      id="accounts"
      title="Accounts"
      lead="Made and changed at a terminal: countersign account add, role, disable, password, totp."
    >
      <Await loading={loading}>
        {({ accounts }) =>
          accounts.length === 0 ? (
            <Empty title="There are no accounts yet">
              Make the first with <code>countersign account add</code>; until then the admin token opens these pages.
            </Empty>
          ) : (
            <Table
              label="Accounts"
              rows={accounts}
              id={(account) => account.id}
              columns={[
                { key: 'name', label: 'Name', cell: (account) => <Marked text={account.name} reader={desk.reader} /> },
                { key: 'tenant', label: 'Tenant', cell: (account) => account.tenant ?? 'all' },
                {
                  key: 'roles',
                  label: 'May',
                  wide: true,
                  cell: (account) => (
                    <Marked
                      text={account.roles.map((role) => roleText(role, desk.reader.locale)).join('; ')}
                      reader={desk.reader}
                    />
                  ),
                },
                {
                  key: 'sign-in',
                  label: 'Signs in',
                  cell: (account) =>
                    `${account.sign_in === 'oidc' ? 'through the provider' : 'password'}${account.totp ? ' and code' : ''}`,
                },
                {
                  key: 'seen',
                  label: 'Seen',
                  cell: (account) =>
                    account.seen_at === undefined ? (
                      <span class="unset">never</span>
                    ) : (
                      <Ago iso={account.seen_at} desk={desk} />
                    ),
                },
                {
                  key: 'state',
                  label: 'State',
                  cell: (account) => <Pill tone={account.state === 'active' ? 'ok' : 'plain'}>{account.state}</Pill>,
                },
              ]}
            />
          )
        }
      </Await>
    </Section>
  )
}

const Lend = ({ desk, onLent }: { readonly desk: AdminContext; readonly onLent: () => void }): VNode => {
  const [to, setTo] = useState('')
  const [until, setUntil] = useState('')
  const lend = async (): Promise<void> => {
    const answer = await desk.client.post<DelegationView>('/delegations', { to: to.trim(), until })
    if (!answer.ok) return desk.say(troubleText(answer.trouble), 'danger')
    desk.say(`${answer.value.to} may approve in your right now.`, 'ok')
    setTo('')
    setUntil('')
    onLent()
  }
  return (
    <form
      class="form-sheet inline"
      aria-label="Lend your right"
      onSubmit={(event) => {
        event.preventDefault()
        void lend()
      }}
    >
      <label class="field">
        <span>Lend your right to</span>
        <input
          value={to}
          required
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setTo(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        <span>Until, and including</span>
        <input type="date" value={until} required onInput={(event) => setUntil(event.currentTarget.value)} />
      </label>
      <button type="submit">Lend it</button>
    </form>
  )
}

export const DelegationsSection = ({ desk }: { readonly desk: AdminContext }): VNode => {
  const loading = useLoaded('delegations', () =>
    desk.client.get<{ readonly delegations: readonly DelegationView[] }>('/delegations'),
  )
  const end = async (delegation: DelegationView): Promise<void> => {
    const answer = await desk.client.remove(`/delegations/${encodeURIComponent(delegation.id)}`)
    if (answer.ok) desk.say(`${delegation.to} no longer decides for ${delegation.from}.`, 'ok')
    else desk.say(troubleText(answer.trouble), 'danger')
    loading.reload()
  }
  const lends = desk.operator.via !== 'admin-token' && desk.operator.roles.some((role) => role.kind !== 'viewer')
  return (
    <Section
      id="delegations"
      title="Standing in"
      lead="Somebody approves in another’s right until a day. It cannot be lent on."
    >
      <Await loading={loading}>
        {({ delegations }) => {
          const held = delegations.filter((each) => each.revoked_at === undefined)
          return (
            <>
              {held.length === 0 ? (
                <p class="unset">Nobody stands in for anybody.</p>
              ) : (
                <Table
                  label="Delegations"
                  rows={held}
                  id={(each) => each.id}
                  columns={[
                    { key: 'to', label: 'Who', cell: (each) => <Marked text={each.to} reader={desk.reader} /> },
                    {
                      key: 'from',
                      label: 'For whom',
                      cell: (each) => <Marked text={each.from} reader={desk.reader} />,
                    },
                    {
                      key: 'tools',
                      label: 'Tools',
                      wide: true,
                      cell: (each) =>
                        each.tools.includes('*') ? (
                          'all of theirs'
                        ) : (
                          <Marked text={each.tools.join(', ')} reader={desk.reader} />
                        ),
                    },
                    { key: 'until', label: 'Until', cell: (each) => <Exact iso={each.until} desk={desk} /> },
                    {
                      key: 'end',
                      label: 'End',
                      cell: (each) => <Sure label="End" sure={`End for ${each.to}`} onSure={() => end(each)} />,
                    },
                  ]}
                />
              )}
              {lends && <Lend desk={desk} onLent={loading.reload} />}
            </>
          )
        }}
      </Await>
    </Section>
  )
}
