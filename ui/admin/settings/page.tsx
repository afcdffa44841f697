// What holds for a tenant and who holds it, on one page: rules, the freeze, callers, people, who is told. Each section
// asks for its own part, so that one that an operator may not see takes nothing from the others.
import type { VNode } from 'preact'
import type { PageProps } from '../context.ts'
import { GrantsSection } from '../grants/section.tsx'
import { Page } from '../page.tsx'
import { FreezeSection } from './freeze.tsx'
import { InForce } from './in-force.tsx'
import { AccountsSection, DelegationsSection, roleText } from './people.tsx'
import { TokensSection } from './tokens.tsx'
import { WebhooksSection } from './webhooks.tsx'

const places: readonly (readonly [id: string, label: string])[] = [
  ['in-force', 'Rules in force'],
  ['freeze', 'Freeze'],
  ['grants', 'Grants'],
  ['tokens', 'Tokens'],
  ['accounts', 'Accounts'],
  ['delegations', 'Delegations'],
  ['webhooks', 'Webhooks'],
]

export const Settings = ({ app, route }: PageProps): VNode => {
  const { operator } = app
  const roles = operator.roles.map((role) => roleText(role, app.reader.locale)).join('; ')
  return (
    <Page
      title="Settings"
      app={app}
      route={route}
      lead={`You are ${operator.name}, ${roles === '' ? 'without a role' : roles}, of ${operator.tenant === null ? 'all tenants' : `tenant ${operator.tenant}`}.`}
    >
      <nav class="row-facts minor" aria-label="Sections">
        {places.map(([id, label]) => (
          <a href={`#${id}`}>{label}</a>
        ))}
      </nav>
      <InForce app={app} route={route} />
      <FreezeSection app={app} />
      <GrantsSection app={app} />
      <TokensSection app={app} />
      <AccountsSection app={app} />
      <DelegationsSection app={app} />
      <WebhooksSection app={app} />
    </Page>
  )
}
