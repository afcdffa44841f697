// What holds for a tenant and who holds it, on one page: rules, the freeze, callers, people, who is told. Each section
// asks for its own part, so that one that an operator may not see takes nothing from the others.
import type { ComponentType, VNode } from 'preact'
import type { OperatorView, PageProps } from '../context.ts'
import { GrantsSection } from '../grants/section.tsx'
import { Page } from '../page.tsx'
import { FreezeSection } from './freeze.tsx'
import { InForce } from './in-force.tsx'
import { AccountsSection, DelegationsSection, roleText } from './people.tsx'
import { TokenSessionsSection } from './token-sessions.tsx'
import { TokensSection } from './tokens.tsx'
import { WebhooksSection } from './webhooks.tsx'

const tokenSessions = 'token-sessions'

const sections: readonly (readonly [id: string, label: string, Section: ComponentType<PageProps>])[] = [
  ['in-force', 'Rules in force', InForce],
  ['freeze', 'Freeze', FreezeSection],
  ['grants', 'Grants', GrantsSection],
  ['tokens', 'Tokens', TokensSection],
  [tokenSessions, 'Sessions of the admin token', TokenSessionsSection],
  ['accounts', 'Accounts', AccountsSection],
  ['delegations', 'Delegations', DelegationsSection],
  ['webhooks', 'Webhooks', WebhooksSection],
]

/** Who is signed in, and what they may do. */
const whoWords = ({ name, via, roles, tenant }: OperatorView, locale: string | undefined): string => {
  const where = tenant === null ? 'for all tenants' : `for the tenant ${tenant}`
  if (via === 'admin-token')
    return `You are signed in with the admin token, under the name ${name}: you may do everything.`
  if (roles.length === 0) return `You are signed in as ${name}, without a role: ask an admin for one.`
  return `You are signed in as ${name}. You may ${roles.map((role) => roleText(role, locale)).join(', and ')}, ${where}.`
}

export const Settings = ({ app, route }: PageProps): VNode => {
  const { operator } = app
  const shown = sections.filter(([id]) => id !== tokenSessions || operator.via === 'admin-token')
  return (
    <Page title="Settings" app={app} route={route} lead={whoWords(operator, app.reader.locale)}>
      <nav class="row-facts minor" aria-label="Sections">
        {shown.map(([id, label]) => (
          <a href={`#${id}`}>{label}</a>
        ))}
      </nav>
      {shown.map(([id, , Section]) => (
        <Section key={id} app={app} route={route} />
      ))}
    </Page>
  )
}
