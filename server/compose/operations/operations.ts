// What people who run a server need of it beside its work: a log, figures, traces, notifications, and an answer to "are
// you ready". `compose.ts` starts it with the server and ends it after.
import type { ActivityLog } from '../../model/activity.ts'
import type { Doubt } from '../../rail/record/record-doubt.ts'
import type { PlanStore } from '../../model/plan-store.ts'
import type { Observer } from '../../model/observer.ts'
import { startNotifier, verified, type NotifierParts, type WebhookStatus, type WebhookSetting } from './notify.ts'
import { addFigures, statesOf, watchedActivityLog, watchedPlans, type LogLevel, type Telemetry } from './telemetry.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import { onFirstUse } from '../../on-first-use.ts'
import type { Store } from '../../store/store.ts'

/** What an operator may set about it. */
export interface OperationOptions {
  /** From which level on the log on stderr says something; `info` when absent. */
  readonly logLevel?: LogLevel | undefined
  /** Who is told of what happens. */
  readonly webhooks?: readonly WebhookSetting[] | undefined
  /** How long after the start the record is first checked, in milliseconds; ten minutes when absent. */
  readonly verifyAfterMs?: number | undefined
}

/** What a server has for its operators. */
export interface Operations {
  readonly telemetry: Telemetry
  /** Begins to count; once. */
  readonly count: Telemetry['count']
  /** How it goes with the webhooks. */
  readonly webhooks: WebhookStatus
  /** Whether the database answers, and how many upstreams are in which state. */
  readonly health: {
    readonly probe: Store['probe']
    readonly upstreams: (() => Readonly<Record<string, number>>) | undefined
    /** What speaks against the database. */
    readonly doubt?: () => Promise<Doubt | undefined>
  }
}

/** The stores that the rail writes to, each watched by telemetry. */
export const watchedStores = (
  telemetry: Telemetry,
  store: Store,
): { readonly plans: PlanStore; readonly activityLog: ActivityLog; readonly observer: Observer } => ({
  plans: watchedPlans(store.plans satisfies PlanStore, telemetry, store.now),
  activityLog: watchedActivityLog(store.activityLog satisfies ActivityLog, telemetry),
  observer: telemetry.observer,
})

/** Starts what runs beside the calls; answers how to stop it. */
export function startOperations(
  parts: Omit<NotifierParts, 'webhooks'> & { readonly options: OperationOptions; readonly pool: Pool | undefined },
): Operations & { readonly stop: () => Promise<void> } {
  const { store, telemetry, pool, options } = parts
  const notifier = startNotifier({ ...parts, webhooks: options.webhooks ?? [], verifyAfterMs: options.verifyAfterMs })
  return {
    telemetry,
    count: onFirstUse(async () => {
      const metrics = await telemetry.count()
      addFigures(metrics, store, pool, verified)
      return metrics
    }),
    webhooks: notifier.webhooks,
    health: { probe: () => store.probe(), upstreams: pool === undefined ? undefined : () => statesOf(pool) },
    stop: () => notifier.stop(),
  }
}
