// The second argument of a contract's functions, for unit tests of `preview`, `basis` and `run` without a server. What a
// function says through it is kept, so that a test can look at it.
import type { Conclusion } from '../model/finding.ts'
import type { RunContext, ToolContext } from '../tools/contract.ts'
import type { LogFields, ToolLog } from '../tools/tool-log.ts'

/** What `ctx.progress` is given. */
type Step = Parameters<ToolContext['progress']>[0]

/** A context that remembers what was said through it. */
export interface TestContext<Code extends string = string> extends RunContext<Code> {
  /** What was said by `progress`, `audit`, `conclude` and `log`, in order. */
  readonly said: {
    readonly log: readonly (LogFields & { readonly level: keyof ToolLog; readonly message: string })[]
    readonly progress: readonly Step[]
    readonly audit: readonly { readonly event: string; readonly data: Readonly<Record<string, unknown>> }[]
    readonly conclusions: readonly Conclusion[]
  }
}

/** What a test says of the call. */
export interface TestContextOptions<Code extends string = string> extends Partial<
  Omit<RunContext<Code>, 'now' | 'progress' | 'audit' | 'conclude' | 'log' | 'fail' | 'stale'>
> {
  /** A moment in epoch milliseconds, or a clock. 1 January 2026, 12:00 UTC, when absent. */
  readonly now?: number | (() => number)
}

const noon = Date.UTC(2026, 0, 1, 12)

/** A context for a unit test; everything that is not said has a value that fits any contract. */
export function testContext<Code extends string = string>(options: TestContextOptions<Code> = {}): TestContext<Code> {
  const { now = noon, ...given } = options
  const progress: Step[] = []
  const audit: { event: string; data: Readonly<Record<string, unknown>> }[] = []
  const conclusions: Conclusion[] = []
  const log: (LogFields & { level: keyof ToolLog; message: string })[] = []
  const writes = (level: keyof ToolLog) => (message: string, fields?: LogFields) =>
    void log.push({ ...fields, level, message })
  return {
    principal: { tenant: 'default', subject: 'tester' },
    rationale: 'A test asks for this call.',
    signal: new AbortController().signal,
    cancelled: new AbortController().signal,
    meta: {},
    request: undefined,
    language: 'en',
    locales: ['en'],
    guidance: { errors: true, budget: true },
    idempotencyKey: 'pl_0000000000000000',
    basis: undefined,
    ...given,
    now: typeof now === 'number' ? () => now : now,
    fail: (code, message, more) => ({ kind: 'tool-failed', code, message, ...more }),
    stale: () => ({ kind: 'tool-stale' }),
    progress: (step) => void progress.push(step),
    conclude: (how) => void conclusions.push(how),
    audit: async (event, data = {}) => void audit.push({ event, data }),
    log: { error: writes('error'), warn: writes('warn'), info: writes('info'), debug: writes('debug') },
    said: { progress, audit, conclusions, log },
  }
}
