// An operator who wonders why something ran, or did not, asks which rules were in force. Every line here is named: what
// is not written down in this file does not leave the server, so that no secret gets out by being added to a setting.
import { Hono } from 'hono'
import { z } from 'zod'
import { autoApproves } from '../../rail/authorize/auto-approve.ts'
import type { Engine } from '../../rail/engine.ts'
import type { CallerCredential } from '../../config/access.ts'
import type { ServerConfig } from '../../config/config.schema.ts'
import { anchorPlace } from '../../store/store.ts'
import { query } from './operator-input.ts'
import { visibleTenant, type OperatorEnv } from './operator.ts'

export interface SettingsApiOptions {
  readonly config: ServerConfig
  readonly credential: CallerCredential
  readonly settings: Engine['settings']
  readonly version: string
  /** The database's file or address; only its kind is told. */
  readonly file: string
}

const filters = z.strictObject({ tenant: z.string().min(1, 'the name of a tenant').optional() })

/** What is in force for a tenant; of all of them where there is none. */
function settingsView({ config, credential, settings, version, file }: SettingsApiOptions, tenant: string | undefined) {
  const { http, access, operators, policy, limits, activity } = config
  const own =
    tenant === undefined ? undefined : Object.hasOwn(config.tenants, tenant) ? config.tenants[tenant] : undefined
  return {
    server: {
      name: settings.source,
      version,
      address: settings.webAddress ?? http.public_url ?? null,
      database: /^postgres(?:ql)?:/.test(file) ? 'PostgreSQL' : 'SQLite',
      languages: config.languages,
    },
    policy: {
      proof: settings.proof,
      confirmation: settings.confirmation,
      auto_approve_high_risk: tenant === undefined ? policy.auto_approve_high_risk : autoApproves(settings, tenant),
      approval_ttl_minutes: settings.approvalTtlMs / 60_000,
      plan_ttl_minutes: settings.planTtlMs / 60_000,
      approvals: policy.approvals.map(({ tools, risk, approvers, four_eyes }) => ({
        tools,
        risk: risk ?? null,
        approvers,
        four_eyes,
      })),
      rationale: settings.rationale,
      apply: settings.apply,
    },
    guidance: {
      errors: settings.guidance.errors,
      budget: settings.guidance.budget,
      sample: settings.guidance.sample ?? 1,
    },
    sandbox: config.sandbox,
    files: config.files,
    mail: mailView(config.mail),
    /** The operators' own rating, by wire name. */
    risk: own?.risk ?? {},
    access: { mode: access.mode, credential, issuer: access.jwt?.issuer ?? null },
    operators: { session_hours: operators.session_hours, sign_in_through: operators.oidc?.issuer ?? null },
    limits: { calls_per_minute: limits.calls_per_minute ?? null, writes_per_minute: limits.writes_per_minute ?? null },
    activity: {
      anchored: anchorPlace(activity.anchor, file) !== undefined,
      days: activity.days ?? null,
      rows: activity.rows ?? null,
      bytes: activity.bytes ?? null,
    },
  }
}

/** Without the addresses of mail servers, which may hold passwords. */
function mailView(mail: ServerConfig['mail']) {
  if (mail === undefined) return null
  const { url: _, bounces, ...shown } = mail
  return { ...shown, readsBounces: bounces !== undefined }
}

/** The app below `/api/v1/settings`. */
export function createSettingsApi(options: SettingsApiOptions) {
  return new Hono<OperatorEnv>().get('/', query(filters), (c) => {
    const { tenant } = c.req.valid('query')
    const everybody = c.var.operator.tenant === undefined
    return c.json({
      settings: {
        ...settingsView(options, visibleTenant(c, tenant)),
        /** `null`: what holds for every tenant. */
        tenant: tenant ?? c.var.operator.tenant ?? null,
      },
      // Whoever belongs to one tenant does not learn the names of others.
      tenants: everybody ? Object.keys(options.config.tenants) : [],
    })
  })
}
