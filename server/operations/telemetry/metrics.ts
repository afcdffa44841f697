// Metrics for Prometheus. Every label has a bounded number of values: names of tools come from the catalogue and are limited,
// verdicts and outcomes are ours, and tenants are no label, because nobody limits their number.
import type { PackageMissing } from '../../errors/optional-package.ts'
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ObservedAnswer, ObservedCall } from '../../model/observer.ts'

/** Tools with series of their own; what a gateway's servers list beyond that is counted together. */
const mostTools = 500
const otherTools = '(other)'
/** Names that no tool has: they could be anything. */
const unknownTool = '(unknown)'

/** In seconds: a preview takes milliseconds, a tool behind a network may take a minute. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** How long a scrape waits for one gauge, in milliseconds. */
const collectMs = 2000

/** One value of a gauge. */
export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export type Metrics = ReturnType<typeof createMetrics> & {
  /** Why nothing is counted, where the library for it is not installed. */
  readonly missing?: PackageMissing
}

/** Metrics in a registry of their own. */
export function createMetrics(version: string) {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  const tools = new Set<string>()
  const nameOf = (tool: string | undefined): string => {
    if (tool === undefined) return unknownTool
    if (tools.has(tool)) return tool
    if (tools.size >= mostTools) return otherTools
    tools.add(tool)
    return tool
  }
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const info = { name: 'countersign_info', help: 'The version that runs.', labelNames: ['version'], registers }
  new Gauge(info).set({ version }, 1)
  const calls = counter('countersign_calls_total', 'Calls, by the verdict of the gate and the outcome.', [
    'tool',
    'verdict',
    'outcome',
  ])
  const failures = counter(
    'countersign_failures_total',
    'Calls that ended in an error, by its type and by the rule that found it.',
    ['tool', 'error_type', 'rule'],
  )
  const unexplained = counter(
    'countersign_unexplained_errors_total',
    'Errors of calls and of programs that no rule explains; the insights page lists them.',
    ['tool'],
  )
  const callSeconds = histogram('countersign_call_duration_seconds', 'From a call to its answer.', [
    'operation',
    'outcome',
  ])
  const stepSeconds = histogram(
    'countersign_tool_duration_seconds',
    "Time in a tool's own functions: its preview, its run.",
    ['tool', 'step'],
  )
  const endings = counter('countersign_plans_ended_total', 'Plans, by how they ended.', ['ending'])
  const webhooks = counter(
    'countersign_webhook_attempts_total',
    'Attempts to deliver a notification; "gave-up": there will be no further one.',
    ['event', 'result'],
  )
  const troubles = counter('countersign_scrape_errors_total', 'Figures that could not be read for a scrape.', [
    'metric',
  ])
  return {
    /** A call is over. `verdict` is "kind:rule"; only the kind is counted. */
    call: (
      { tool, operation }: Pick<ObservedCall, 'tool' | 'operation'>,
      { outcome, verdict }: Pick<ObservedAnswer, 'outcome' | 'verdict'>,
      seconds: number,
    ): void => {
      calls.inc({ tool: nameOf(tool), verdict: verdict?.split(':')[0] ?? 'none', outcome })
      callSeconds.observe({ operation: operation ?? 'none', outcome }, seconds)
    },
    /** A call has ended in an error. */
    failure: (tool: string | undefined, errorType: string, rule: string): void =>
      failures.inc({ tool: nameOf(tool), error_type: errorType, rule }),
    /** A call, or a program that it ran, has ended in an error that no rule explains. */
    unexplained: (tool: string | undefined): void => unexplained.inc({ tool: nameOf(tool) }),
    /** A function of a tool has come back. */
    step: (tool: string | undefined, step: string, seconds: number): void =>
      stepSeconds.observe({ tool: nameOf(tool), step }, seconds),
    planEnded: (ending: string): void => endings.inc({ ending }),
    webhook: (event: string, result: 'delivered' | 'failed' | 'gave-up'): void => webhooks.inc({ event, result }),
    /** Registers a gauge whose values are read at each scrape. */
    gauge: (
      name: string,
      help: string,
      labels: readonly string[],
      read: () => Promise<readonly GaugeValue[]> | readonly GaugeValue[],
    ): void => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        collect: async () => {
          const values = await bounded(read).catch(() => undefined)
          // An old value that looks like a current one is worse than none.
          gauge.reset()
          if (values === undefined) troubles.inc({ metric: name })
          // Not zero, which would be a value.
          if ((values ?? []).length === 0 && labels.length === 0) gauge.set(Number.NaN)
          if (values !== undefined) for (const { labels: of, value } of values) gauge.set({ ...of }, value)
        },
      })
    },
    /** Adds Node's own metrics of the process, once. */
    addProcess: (): void => {
      if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
        collectDefaultMetrics({ register: registry })
    },
    /** All metrics in Prometheus' text format. */
    exposition: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}

async function bounded<T>(read: () => Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), collectMs)
  })
  try {
    return await Promise.race([read(), late])
  } finally {
    clearTimeout(timer)
  }
}
