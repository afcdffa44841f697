// What holds for a tenant and who holds it, on one page: rules, the freeze, callers, people, who is told. Each section
// asks for its own part, so that one that an operator may not see takes nothing from the others.
import type { ComponentType, VNode } from 'preact'
import type { PageProps } from '../context.ts'
import { GrantsSection } from '../grants/section.tsx'
import { Page } from '../page.tsx'
import { FreezeSection } from './freeze.tsx'
import { InForce } from './in-force.tsx'
import { AccountsSection, DelegationsSection, roleText } from './people.tsx'
import { TokensSection } from './tokens.tsx'
import { WebhooksSection } from './webhooks.tsx'

const sections: readonly (readonly [id: string, label: string, Section: ComponentType<PageProps>])[] = [
  ['in-force', 'Rules in force', InForce],
  ['freeze', 'Freeze', FreezeSection],
  ['grants', 'Grants', GrantsSection],
  ['tokens', 'Tokens', TokensSection],
  ['accounts', 'Accounts', AccountsSection],
  ['delegations', 'Delegations', DelegationsSection],
  ['webhooks', 'Webhooks', WebhooksSection],
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
        {sections.map(([id, label]) => (
          <a href={`#${id}`}>{label}</a>
        ))}
      </nav>
      {sections.map(([id, , Section]) => (
        <Section key={id} app={app} route={route} />
      ))}
    </Page>
  )
}
