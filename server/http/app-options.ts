// Every server that opens a web door serves the same apps behind it: one for operators, one for programs that speak no
// MCP. Who starts a server says who is asking and hands over what it has; which app needs what is known here.
import { readListOfApproval } from '../rail/apply/card-reads.ts'
import type { WebDoorApps } from './app.ts'
import type { ContractViews } from '../operators/contract-views.ts'
import type { CallerCredential } from '../config/access.ts'
import type { ServerConfig } from '../config/config.schema.ts'
import { createAdminPages } from './operators/admin-pages.ts'
import type { RunApproved } from './operators/approvals-api.ts'
import type { ActivityApiOptions } from './activity/activity-api.ts'
import { declaredGuidance } from './operators/insights-api.ts'
import type { OperatorApiOptions } from './operators/operator-api.ts'
import { requireOperator, type OperatorDoors } from './operators/operator.ts'
import { signInOptions } from './operators/operators-config.ts'
import { credentialOf, type AdminTokenKind } from './auth/admin-token.ts'
import { sessionCheck } from './auth/session.ts'
import type { CheatsheetsApiOptions } from './cheatsheets-api.ts'
import type { ToolsApiOptions } from './tools-api.ts'

export interface WebDoorParts
  extends
    Pick<ToolsApiOptions, 'engine' | 'identify' | 'warn' | 'challenge'>,
    Pick<CheatsheetsApiOptions, 'cheatsheets'> {
  readonly store: OperatorApiOptions['store'] & Pick<ActivityApiOptions, 'activity'> & { readonly file: string }
  readonly runApproved: RunApproved
  readonly adminToken: string | undefined
  readonly adminTokenKind: AdminTokenKind
  /** How it goes with the webhooks. */
  readonly webhooks: OperatorApiOptions['webhooks']
  readonly contractViews: ContractViews
  /** What the record is compared with. */
  readonly anchors: ActivityApiOptions['anchors']
  /** What speaks against the database. */
  readonly doubt: OperatorApiOptions['doubt']
  readonly config: ServerConfig
  readonly credential: CallerCredential
  /** Under which address people reach this server, once it listens. */
  readonly pagesUrl: () => string
  readonly version: string
}

/** What each app behind the web door takes. */
export const appOptionsOf = (
  parts: WebDoorParts,
): Required<
  Pick<WebDoorApps, 'operators' | 'session' | 'tools' | 'cheatsheets' | 'activity' | 'insights' | 'adminPages'>
> => {
  const { engine, store, config, credential, version, challenge } = parts
  const { adminToken, adminTokenKind } = parts
  const signIn = {
    ...signInOptions(config),
    operators: store.operators,
    credential: adminToken === undefined ? undefined : credentialOf(store.operators, adminToken),
  }
  const doors: OperatorDoors = { adminToken, session: sessionCheck(signIn) }
  const guard = requireOperator(doors)
  return {
    operators: {
      guard,
      store,
      run: parts.runApproved,
      readList: (approval, place, signal) => readListOfApproval(engine, approval, place, signal),
      doubt: parts.doubt,
      giving: {
        rules: engine.settings.approvals,
        riskOf: engine.settings.riskOf,
        approverOf: engine.approverOf,
        now: engine.now,
        random: engine.random,
      },
      rationale: engine.settings.rationale,
      webhooks: parts.webhooks,
      report: (error, where) => engine.report(error, where),
      contractViews: parts.contractViews,
      settings: { config, credential, settings: engine.settings, version, file: store.file },
    },
    session: {
      ...signIn,
      store,
      doors,
      adminTokenKind,
      pagesUrl: parts.pagesUrl,
      report: (error, where) => engine.report(error, where),
    },
    tools: {
      engine,
      grace: store.grace,
      identify: parts.identify,
      warn: parts.warn,
      ...(challenge === undefined ? {} : { challenge }),
    },
    cheatsheets: { cheatsheets: parts.cheatsheets, identify: parts.identify },
    activity: {
      activity: store.activity,
      anchors: parts.anchors,
      approvals: store.approvals,
      plans: store.plans,
      find: (wireName) => engine.catalog.find(wireName),
      guard,
      now: engine.now,
    },
    insights: { store, guard, now: engine.now, guidance: declaredGuidance(engine.catalog) },
    adminPages: createAdminPages(),
  }
}
