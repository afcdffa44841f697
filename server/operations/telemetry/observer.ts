// The observer of an engine: metrics count each call, a trace spans it, and lines of the log that are written meanwhile
// carry its request id. The rail knows none of the three.
import { isException } from '../../errors/unexplained.ts'
import type { Observer } from '../../model/observer.ts'
import { isErrorOutcome } from '../../model/outcome.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { asRequest } from './request-id.ts'
import { carryTrace, traceCall, traceStep } from './traces.ts'

/** What went as it should is for whoever looks for it; what nobody expects is for whoever runs the server. */
const levelOf = (rule: string | undefined): 'debug' | 'info' | 'warn' =>
  rule === undefined ? 'debug' : isException(rule) ? 'warn' : 'info'

/** An observer that writes to what counts by now, to this log and to OpenTelemetry. */
export function createObserver({ metrics, log }: { readonly metrics: () => Metrics; readonly log: Log }): Observer {
  const since = (start: number): number => (performance.now() - start) / 1000
  return {
    call: (about, work) =>
      asRequest(() =>
        traceCall(about, async () => {
          const start = performance.now()
          const answer = await work()
          const seconds = since(start)
          const figures = metrics()
          figures.call({ ...about, operation: answer.contract?.operation ?? about.operation }, answer, seconds)
          const { finding } = answer
          const unexplained = finding?.unexplained
          if (finding !== undefined && isErrorOutcome(answer.outcome))
            figures.failure(about.tool, finding.errorType, finding.rule)
          if (unexplained !== undefined) figures.unexplained(about.tool)
          log[levelOf(finding?.rule)](`${about.tool ?? 'an unknown tool'}: ${answer.outcome}`, {
            error_type: finding?.errorType,
            rule: finding?.rule,
            ...(unexplained === undefined
              ? {}
              : { ...unexplained, tool: about.tool, ...(about.server === undefined ? {} : { server: about.server }) }),
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
            metrics().step(tool, name, since(start))
          }
        },
      )
    },
    carry: carryTrace,
  }
}
