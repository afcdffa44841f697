// Where the rail begins. Every call of every door comes through here: it is admitted (limits, permission), written down,
// dispatched (parse, gate, preview or run), and its row is completed with what became of it. No tool runs from anywhere else.
import { CardError } from '../cards/builders.ts'
import { failureAnswer } from './answers/answers.ts'
import { isMistake, ownFault } from './answers/own-fault.ts'
import { admit } from './intake/admit.ts'
import { observed } from './record/observer.ts'
import type { Answer } from './answers/outcome.ts'
import { withActivityRow } from './record/activity-row.ts'
import { replayOf } from './apply/replay-read-only.ts'
import { callContext, visible, type CallContext } from './call-context.ts'
import type { CallRequest, Engine } from './engine.ts'
import { dispatchCall } from './dispatch-call.ts'

/** Takes a call from any door to its outcome. Never throws: trouble is part of the answer. */
export function call(engine: Engine, request: CallRequest): Promise<Answer> {
  const arrived = callContext(engine, { since: engine.now(), ...request })
  const { errors } = arrived.engine.settings.guidance
  const whole = observed(arrived, async () => {
    const answer = await answered(arrived)
    return errors || answer.guidance === undefined ? answer : { ...answer, withholdsGuidance: true as const }
  })
  engine.running?.(whole)
  return whole
}

async function answered(arrived: CallContext): Promise<Answer> {
  const context = await admit(arrived)
  const { engine, named, request } = context
  try {
    return await withActivityRow(context, dispatchCall)
  } catch (error) {
    if (!isMistake(error) && !(error instanceof CardError)) {
      const known = await replayOf(context).catch(() => undefined)
      if (known !== undefined) {
        engine.report(error, request.tool)
        return known
      }
    }
    // Beside our own faults only a preview that no card can show arrives here. What took effect never does.
    const failure =
      error instanceof CardError
        ? ({
            kind: 'tool-crashed',
            tool: request.tool,
            during: 'preview',
            incident: engine.report(error, request.tool),
          } as const)
        : ownFault(engine, error, request.tool)
    return failureAnswer({ engine, tool: visible(named), request }, failure, { outcome: 'failed' })
  }
}
