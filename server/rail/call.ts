// The engine. Every call of every door comes through here: it is admitted (limits, permission), written down, dispatched
// (parse, gate, preview or run), and its row is completed with what became of it. No tool runs from anywhere else.
import { CardError } from '../cards/builders.ts'
import { riskAtMost } from '../tools/define-tool.ts'
import { failureAnswer } from './answers/answers.ts'
import { isMistake, ownFault } from './answers/own-fault.ts'
import { admit } from './intake/admit.ts'
import { observed } from './record/observer.ts'
import type { Answer } from './answers/outcome.ts'
import { withJournalRow } from './record/journal-row.ts'
import { replayOf } from './apply/replay.ts'
import type { CallRequest, Engine } from './engine.ts'
import { dispatchCall } from './dispatch-call.ts'

/** Takes a call from any door to its outcome. Never throws: trouble is part of the answer. */
export async function call(engine: Engine, asked: CallRequest): Promise<Answer> {
  const request = await admit(engine, asked)
  return observed(engine, request, () => answered(engine, request))
}

async function answered(engine: Engine, request: CallRequest): Promise<Answer> {
  try {
    return await withJournalRow(engine, request, (noted) => dispatchCall(engine, noted))
  } catch (error) {
    if (!isMistake(error) && !(error instanceof CardError)) {
      const known = await replayOf(engine, request).catch(() => undefined)
      if (known !== undefined) {
        engine.report(error, request.tool)
        return known
      }
    }
    // Beside our own faults only a preview that no card can show arrives here. What took effect never does.
    const tool = request.found ?? engine.catalog.find(request.tool)
    const visible = tool !== undefined && riskAtMost(tool.contract.risk) !== 'forbidden' ? tool : undefined
    const failure =
      error instanceof CardError
        ? ({
            kind: 'tool-crashed',
            tool: request.tool,
            during: 'preview',
            incident: engine.report(error, request.tool),
          } as const)
        : ownFault(engine, error, request.tool)
    return failureAnswer(engine, visible, failure, { outcome: 'failed' })
  }
}
