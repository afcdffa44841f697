// What operators read while a server runs: its log, its figures, its traces. Here they meet the rail and the store, which
// know nothing of them, and the function that hides secrets, which they know nothing of.
import { PackageMissing, withPackages } from '../../errors/optional-package.ts'
import type { ActivityLog } from '../../model/activity.ts'
import type { PlanStore } from '../../model/plan-store.ts'
import { redactText } from '../../policy/redact.ts'
import { loadSending } from '../../operations/notify/load-sending.ts'
import { createLog, type Log, type LogLevel } from '../../operations/telemetry/log.ts'
import type { GaugeValue, Metrics } from '../../operations/telemetry/metrics.ts'
import type { Observer } from '../../model/observer.ts'
import { surroundings } from '../../model/surroundings.ts'
import { createObserver } from '../../operations/telemetry/observer.ts'
import { isRegistered, loadTraceApi, meansToTrace } from '../../operations/telemetry/trace-api.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import type { Store } from '../../store/store.ts'

export type { LogLevel } from '../../operations/telemetry/log.ts'

interface TelemetryOptions {
  /** From which level on something is said; `info` when absent. */
  readonly level?: LogLevel | undefined
  /** Whether anybody is told of what happens. */
  readonly tells: boolean
}

/** Counts nothing, while there is no web door; the library that counts takes longer to load than a call takes. */
const noMetrics: Metrics = {
  call: () => undefined,
  failure: () => undefined,
  unexplained: () => undefined,
  step: () => undefined,
  planEnded: () => undefined,
  webhook: () => undefined,
  gauge: () => undefined,
  addProcess: () => undefined,
  exposition: () =>
    Promise.resolve({
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: '',
    }),
}

export interface Telemetry {
  readonly log: Log
  /** What counts by now. */
  readonly metrics: Metrics
  /** Begins to count, for whoever can ask for figures from now on. */
  readonly count: () => Promise<Metrics>
  readonly observer: Observer
  /** Says an error that nobody expected, under the name that whoever called was told. */
  readonly reportError: (error: unknown, where: string, incident: string) => void
}

/** Without the library nothing is counted, and whoever asks for figures is told what to install. */
async function openMetrics(version: string): Promise<Metrics> {
  try {
    return await withPackages(['prom-client'], async () =>
      (await import('../../operations/telemetry/metrics.ts')).createMetrics(version),
    )
  } catch (error) {
    if (!(error instanceof PackageMissing)) throw error
    return { ...noMetrics, missing: error, exposition: () => Promise.reject(error) }
  }
}

/** The log on stderr, figures and traces of one server. @throws {PackageMissing} where somebody is to be told, and cannot be. */
export async function openTelemetry({ level, tells }: TelemetryOptions, version: string): Promise<Telemetry> {
  const log = createLog({ level, redact: redactText })
  if (tells) await loadSending()
  const means = meansToTrace(surroundings().env)
  const untraced = means || isRegistered() ? await loadTraceApi() : undefined
  // That it is not installed is a choice; that it does not load is none.
  const isTold = untraced !== undefined && (!(untraced instanceof PackageMissing) || means)
  if (isTold) log.warn(`Nothing is traced. ${untraced.message}`)
  let metrics = noMetrics
  return {
    log,
    get metrics() {
      return metrics
    },
    count: async () => (metrics = await openMetrics(version)),
    observer: createObserver({ metrics: () => metrics, log }),
    reportError: (error, where, incident) => {
      const message = error instanceof Error ? error.message : String(error)
      const stack = error instanceof Error ? error.stack : undefined
      log.error(`${incident} in ${where}: ${message}`, {
        incident,
        where,
        stack,
      })
    },
  }
}

/** A plan store whose steps are seen, and whose endings are counted. */
export function watchedPlans(plans: PlanStore, telemetry: Telemetry, now: () => number): PlanStore {
  const { observer } = telemetry
  const step = <T>(name: string, work: () => Promise<T>): Promise<T> => observer.step('store', name, undefined, work)
  return {
    ...plans,
    open: async (...asked) => {
      const opened = await step('plan.open', () => plans.open(...asked))
      if (opened.superseded !== undefined) telemetry.metrics.planEnded('superseded')
      return opened
    },
    claim: (...asked) => step('plan.claim', () => plans.claim(...asked)),
    finish: async (...asked) => {
      const [, , ending] = asked
      const recorded = await step('plan.finish', () => plans.finish(...asked))
      if (recorded) telemetry.metrics.planEnded(ending.kind)
      return recorded
    },
    runInTransaction: async (id, owner, work) => {
      const ending = await step('plan.run', () => plans.runInTransaction(id, owner, work))
      if (ending !== undefined) telemetry.metrics.planEnded(ending.kind)
      return ending
    },
    correct: async (id, owner, ending) => {
      const corrected = await step('plan.correct', () => plans.correct(id, owner, ending))
      if (corrected) telemetry.metrics.planEnded(ending.kind)
      return corrected
    },
    cancel: async (id) => {
      const at = now()
      const plan = await step('plan.cancel', () => plans.cancel(id))
      // A plan that had ended before is answered, too, as it was.
      if (plan?.state === 'cancelled' && plan.changedAt >= at) telemetry.metrics.planEnded('cancelled')
      return plan
    },
  }
}

/** Figures that are asked for when somebody scrapes. Those of the database are the same in every process on it. */
export function addFigures(metrics: Metrics, store: Store, pool: Pool | undefined, verified: string): void {
  const lastCheck = async (of: (check: { readonly name: string; readonly at: number }) => number) => {
    const check = await store.notifications.lastTurn(verified)
    return check === undefined ? [] : [figure({}, of(check))]
  }
  metrics.gauge(
    'countersign_record_verified_timestamp_seconds',
    'When the record of calls was last checked, by whichever server.',
    [],
    () => lastCheck(({ at }) => Math.floor(at / 1000)),
  )
  metrics.gauge(
    'countersign_record_problems',
    'Tenants whose record was not what was written, at that check.',
    [],
    () => lastCheck(({ name }) => Number(name.split(' ').at(-1))),
  )
  metrics.gauge(
    'countersign_approvals_waiting',
    'Calls that wait for a person, in the whole database.',
    ['risk'],
    async () => (await store.notifications.waiting()).map(({ risk, count }) => figure({ risk }, count)),
  )
  metrics.gauge(
    'countersign_webhook_outbox',
    'Notifications that wait to be delivered, in the whole database.',
    [],
    async () => [figure({}, await store.notifications.backlog())],
  )
  if (pool === undefined) return
  metrics.gauge(
    'countersign_upstream_state',
    'Servers that this one stands in front of: 1 at the state that each is in.',
    ['server', 'state'],
    () => pool.upstreams.map((upstream) => figure({ server: upstream.name, state: upstream.state().kind }, 1)),
  )
}

/** How many servers are in which state. */
export function statesOf(pool: Pool): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const upstream of pool.upstreams) {
    const { kind } = upstream.state()
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return counts
}

const figure = (labels: Readonly<Record<string, string>>, value: number): GaugeValue => ({ labels, value })

/** An activity log whose steps are seen. The names of the steps are a promise to whoever reads the traces. */
export function watchedActivityLog(activityLog: ActivityLog, { observer }: Telemetry): ActivityLog {
  return {
    ...activityLog,
    start: (entry, effect) => {
      const row = activityLog.start(entry, effect)
      return { id: row.id, written: observer.step('store', 'journal.begin', undefined, () => row.written) }
    },
    begin: (entry, effect) =>
      observer.step('store', 'journal.begin', undefined, () => activityLog.begin(entry, effect)),
    complete: (id, completion, when) =>
      observer.step('store', 'journal.complete', undefined, () => activityLog.complete(id, completion, when)),
  }
}
