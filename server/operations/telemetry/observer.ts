// The observer of an engine: metrics count each call, a trace spans it, and lines of the log that are written meanwhile
// carry its request id. The rail knows none of the three.
import { isUnclassified } from '../../errors/table.ts'
import type { Observer } from '../../model/observer.ts'
import { isErrorOutcome } from '../../model/outcome.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { asRequest } from './request-id.ts'
import { carryTrace, traceCall, traceStep } from './traces.ts'

/** What went as it should is for whoever looks for it; what no rule explains is for whoever runs the server. */
const levelOf = (rule: string | undefined): 'debug' | 'info' | 'warn' =>
  rule === undefined ? 'debug' : isUnclassified(rule) ? 'warn' : 'info'

/** An observer that writes to these metrics, to this log and to OpenTelemetry. */
export function createObserver({ metrics, log }: { readonly metrics: Metrics; readonly log: Log }): Observer {
  const since = (start: number): number => (performance.now() - start) / 1000
  return {
    call: (about, work) =>
      asRequest(() =>
        traceCall(about, async () => {
          const start = performance.now()
          const answer = await work()
          const seconds = since(start)
          metrics.call({ ...about, operation: answer.contract?.operation ?? about.operation }, answer, seconds)
          const failure = isErrorOutcome(answer.outcome) ? answer.guidance : undefined
          if (failure !== undefined) metrics.failure(about.tool, failure.error_type, failure.evidence.rule)
          log[levelOf(failure?.evidence.rule)](`${about.tool ?? 'an unknown tool'}: ${answer.outcome}`, {
            error_type: failure?.error_type,
            rule: failure?.evidence.rule,
            verdict: answer.verdict,
            plan: answer.planId,
            approval: answer.approval?.id,
            ms: Math.round(seconds * 1000),
          })
          return answer
        }),
      ),
    step: (kind, name, tool, work) => {
      if (kind === 'store') return traceStep(`store ${name}`, {}, work)
      return traceStep(
        tool === undefined ? name : `${name} ${tool}`,
        { 'countersign.step': name, ...(tool === undefined ? {} : { 'gen_ai.tool.name': tool }) },
        async () => {
          const start = performance.now()
          try {
            return await work()
          } finally {
            metrics.step(tool, name, since(start))
          }
        },
      )
    },
    carry: carryTrace,
  }
}
