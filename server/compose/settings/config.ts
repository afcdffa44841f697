// From the settings file to what the parts take. The file speaks to operators (minutes, snake_case, one tree); the parts
// speak to programs. Here is the only place that knows both.
import type { ComposeOptions } from '../compose.ts'
import { databaseFile } from '../records/open-records.ts'
import { configuredToolsets } from '../toolsets.ts'
import { readConfig, type Config, type ConfigFailure, type Override } from '../../config/file.ts'
import type { ServerConfig } from '../../config/config.schema.ts'
import type { Result } from '../../errors/result.ts'
import { defaultProof } from '../../policy/proof.ts'
import { surroundings } from '../../model/surroundings.ts'

export type { Config, ConfigFailure, Override } from '../../config/file.ts'
export type { ServerConfig } from '../../config/config.schema.ts'

const minuteMs = 60_000

/** Reads the settings of this process: the file that was named, the environment, what the command line says. */
export const openConfig = (file: string | undefined, flags: readonly Override[] = []): Result<Config, ConfigFailure> =>
  readConfig(file, surroundings().env, flags)

/** What `compose` takes of the settings. */
export const composeOptionsOf = (
  server: ServerConfig,
): Pick<
  ComposeOptions,
  | 'file'
  | 'secret'
  | 'name'
  | 'settings'
  | 'rationale'
  | 'activity'
  | 'languages'
  | 'theme'
  | 'limits'
  | 'logLevel'
  | 'webhooks'
  | 'sandbox'
  | 'configured'
> => ({
  file: databaseFile(server.db),
  secret: server.secret,
  name: server.name,
  settings: engineSettingsOf(server),
  rationale: server.rationale,
  activity: activityOf(server),
  languages: server.languages,
  theme: themeOf(server.theme),
  limits: server.limits,
  logLevel: server.log.level,
  webhooks: webhooksOf(server),
  sandbox: server.sandbox.enabled === true ? server.sandbox : undefined,
  configured: configuredToolsets(server),
})

const themeOf = ({ accent, accent_dark, radius, logo, logo_dark }: ServerConfig['theme']): ComposeOptions['theme'] => ({
  accent,
  accentDark: accent_dark,
  radius,
  logo,
  logoDark: logo_dark,
})

/** The webhooks of each tenant, and those that are told of all. */
const webhooksOf = ({ tenants, webhooks }: ServerConfig): NonNullable<ComposeOptions['webhooks']> => {
  const told = (listed: ServerConfig['webhooks'], tenant?: string) =>
    listed.map(({ private_network: privateNetwork, ...webhook }) => ({ ...webhook, tenant, privateNetwork }))
  return [...told(webhooks), ...Object.entries(tenants).flatMap(([name, tenant]) => told(tenant.webhooks, name))]
}

/** The policy as the rail knows it. */
export function engineSettingsOf({ policy, guidance, tenants }: ServerConfig): NonNullable<ComposeOptions['settings']> {
  const { low, medium, high, critical } = policy.proof
  return {
    proof: {
      low: low ?? defaultProof.low,
      medium: medium ?? defaultProof.medium,
      high: high ?? defaultProof.high,
      critical: critical ?? defaultProof.critical,
    },
    apply: policy.apply,
    guidance,
    autoApproveHigh: (tenant) => tenantOf(tenants, tenant)?.auto_approve_high_risk ?? policy.auto_approve_high_risk,
    riskOf: (tenant, tool, declared) => {
      const rated = tenantOf(tenants, tenant)?.risk ?? {}
      return (Object.hasOwn(rated, tool) ? rated[tool] : undefined) ?? declared
    },
    approvals: policy.approvals.map(({ tools, risk, approvers, four_eyes: fourEyes }) => ({
      tools,
      risk,
      approvers,
      fourEyes,
    })),
    approvalTtlMs: policy.approval_ttl_minutes * minuteMs,
    planTtlMs: policy.plan_ttl_minutes * minuteMs,
  }
}

/** A tenant's name comes from a token; `constructor` is a name like any other. */
const tenantOf = (tenants: ServerConfig['tenants'], name: string): ServerConfig['tenants'][string] | undefined =>
  Object.hasOwn(tenants, name) ? tenants[name] : undefined

function activityOf({ activity }: ServerConfig): NonNullable<ComposeOptions['activity']> {
  const { anchor, days, rows, bytes } = activity
  const retention = {
    ...(days === undefined ? {} : { days }),
    ...(rows === undefined ? {} : { rows }),
    ...(bytes === undefined ? {} : { bytes }),
  }
  return { anchor, retention: Object.keys(retention).length === 0 ? undefined : retention }
}
