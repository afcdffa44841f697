// From the settings of operators to what their doors take. The file speaks to people who edit it.
import type { OidcConfig, RoleConfig, ServerConfig } from '../../config/config.schema.ts'
import type { Role } from '../../model/operators.ts'
import type { OidcOptions } from '../auth/oidc-provider.ts'

/** How people sign in here. */
interface SignInOptions {
  readonly hours: number
  readonly publicUrl?: string | undefined
  readonly oidc?: OidcOptions | undefined
}

/** The sign-in of these settings. */
export const signInOptions = ({ operators, http }: Pick<ServerConfig, 'operators' | 'http'>): SignInOptions => ({
  hours: operators.session_hours,
  publicUrl: http.public_url,
  oidc: operators.oidc === undefined ? undefined : oidcOptions(operators.oidc),
})

const oidcOptions = (config: OidcConfig): OidcOptions => ({
  issuer: config.issuer,
  clientId: config.client_id,
  clientSecret: config.client_secret,
  label: config.label ?? `Sign in with ${new URL(config.issuer).host}`,
  nameClaim: config.name_claim,
  rolesClaim: config.roles_claim,
  roles: new Map(Object.entries(config.roles).map(([value, roles]) => [value, roles.map(roleOf)])),
  tenantClaim: config.tenant_claim,
})

function roleOf(role: RoleConfig): Role {
  if (role === 'approver') return { kind: 'approver', tools: ['*'] }
  if (typeof role === 'string') return { kind: role }
  const { tools, max_amount: maxAmount } = role
  return { kind: 'approver', tools, ...(maxAmount === undefined ? {} : { maxAmount }) }
}
