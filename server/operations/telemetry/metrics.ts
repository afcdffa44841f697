// Figures for Prometheus. Every label has few values by construction: names of tools come from the catalogue and end at a
// bound, verdicts and outcomes are ours, and a tenant is no label at all, because how many there are is not ours to say.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** So many tools have a series of their own; what a gateway's servers list beyond that is counted together. */
const mostTools = 500
const otherTools = '(other)'
/** What was called and is not there: the name could be anything. */
const unknownTool = '(unknown)'

/** In seconds. A preview takes milliseconds, a tool that goes over a network its time. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** How long one scrape waits for a figure that has to be asked for. */
const collectMs = 2000

export interface GaugeSource {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** The values as they are now; asked at each scrape. */
  readonly read: () => Promise<readonly GaugeValue[]> | readonly GaugeValue[]
}

export interface GaugeValue {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export interface Metrics {
  /** A call is over. `verdict` is "kind:rule"; only the kind is counted. */
  call(
    about: { readonly tool: string | undefined; readonly operation: string | undefined },
    end: { readonly outcome: string; readonly verdict?: string },
    seconds: number,
  ): void
  /** A function of a tool has come back. */
  step(tool: string | undefined, step: string, seconds: number): void
  planEnded(ending: string): void
  webhook(event: string, result: 'delivered' | 'failed' | 'gave-up'): void
  /** Registers figures that are asked for at each scrape. */
  gauge(source: GaugeSource): void
  /** Adds what Node knows of its own process; once, however often it is asked to. */
  addProcess(): void
  /** All of it, as Prometheus reads it. */
  exposition(): Promise<{ readonly contentType: string; readonly text: string }>
}

/** Metrics in a registry of their own. */
export function createMetrics(version: string): Metrics {
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
  new Gauge({ name: 'countersign_info', help: 'The version that runs.', labelNames: ['version'], registers }).set(
    { version },
    1,
  )
  const calls = new Counter({
    name: 'countersign_calls_total',
    help: 'Calls, by what the gate said and what became of them.',
    labelNames: ['tool', 'verdict', 'outcome'],
    registers,
  })
  const callSeconds = new Histogram({
    name: 'countersign_call_duration_seconds',
    help: 'From a call to its answer.',
    labelNames: ['operation', 'outcome'],
    buckets,
    registers,
  })
  const stepSeconds = new Histogram({
    name: 'countersign_tool_duration_seconds',
    help: "Time in a tool's own functions: its preview, its run.",
    labelNames: ['tool', 'step'],
    buckets,
    registers,
  })
  const endings = new Counter({
    name: 'countersign_plans_ended_total',
    help: 'Plans, by how they ended.',
    labelNames: ['ending'],
    registers,
  })
  const webhooks = new Counter({
    name: 'countersign_webhook_attempts_total',
    help: 'Attempts to deliver a notification; "gave-up": there will be no further one.',
    labelNames: ['event', 'result'],
    registers,
  })
  const troubles = new Counter({
    name: 'countersign_scrape_errors_total',
    help: 'Figures that could not be read for a scrape.',
    labelNames: ['metric'],
    registers,
  })
  return {
    call: ({ tool, operation }, { outcome, verdict }, seconds) => {
      calls.inc({ tool: nameOf(tool), verdict: verdict?.split(':')[0] ?? 'none', outcome })
      callSeconds.observe({ operation: operation ?? 'none', outcome }, seconds)
    },
    step: (tool, step, seconds) => stepSeconds.observe({ tool: nameOf(tool), step }, seconds),
    planEnded: (ending) => endings.inc({ ending }),
    webhook: (event, result) => webhooks.inc({ event, result }),
    gauge: ({ name, help, labels, read }) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        collect: async () => {
          const values = await bounded(read).catch(() => undefined)
          // An old figure that cannot be told from a present one is worse than none.
          gauge.reset()
          if (values === undefined) troubles.inc({ metric: name })
          // Zero would be a value; this is none.
          if ((values ?? []).length === 0 && labels.length === 0) gauge.set(Number.NaN)
          if (values !== undefined) for (const { labels: of, value } of values) gauge.set({ ...of }, value)
        },
      })
    },
    addProcess: () => {
      if (registry.getSingleMetric('process_cpu_seconds_total') === undefined)
        collectDefaultMetrics({ register: registry })
    },
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
