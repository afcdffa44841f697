// Reads change nothing, so they simply run; but what they answer is checked against the contract like everything else.
import { successCard } from '../../cards/builders.ts'
import { cardText } from '../../cards/card-text.ts'
import { dataText } from '../../cards/data-text.ts'
import { toPointer } from '../../errors/pointer.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { ReadContract } from '../../tools/contract.ts'
import { failureAnswer } from '../answers/answers.ts'
import { budgetOf } from './budget.ts'
import { declaredFailure, guard, toolContext } from '../intake/contract-guard.ts'
import type { Answer } from '../answers/outcome.ts'
import type { ParsedCall } from '../intake/parse.ts'
import type { CallRequest, Engine } from '../engine.ts'

/** Runs a read tool. */
export async function runRead(
  engine: Engine,
  request: CallRequest,
  tool: Tool,
  contract: ReadContract,
  parsed: ParsedCall,
): Promise<Answer> {
  const ctx = toolContext(engine, request, parsed.rationale, request.signal)
  const ran = await guard(engine, tool, 'run', () => contract.run(parsed.input, ctx))
  if (ran.kind === 'failed')
    return failureAnswer(engine, tool, declaredFailure(tool, ran.failed, ran.spec, 'read'), { outcome: 'failed' })
  if (ran.kind === 'crashed') {
    const failure = { kind: 'tool-crashed', tool: tool.wireName, during: 'read', incident: ran.incident } as const
    return failureAnswer(engine, tool, failure, { outcome: 'failed' })
  }
  const output = contract.output.safeParse(ran.value)
  if (!output.success) {
    engine.report(output.error, `${tool.wireName} output`)
    const issue = output.error.issues[0]
    const pointer = toPointer(issue?.path ?? [])
    const failure = { kind: 'bad-output', tool: tool.wireName, pointer, problem: issue?.message ?? '' } as const
    return failureAnswer(engine, tool, failure, { outcome: 'failed' })
  }
  const budget = budgetOf(contract, parsed.input, output.data)
  return {
    outcome: 'ok',
    tool: tool.wireName,
    contract,
    result: output.data,
    ...(budget === undefined ? {} : { budget }),
    text: readText(engine, tool, contract, parsed.input, output.data),
  }
}

/** The contract's own words for a result where it has some; otherwise the data itself. */
function readText(engine: Engine, tool: Tool, contract: ReadContract, input: unknown, output: unknown): string {
  // Somebody else's result goes out as it came, whatever its size; nobody reads our words for it.
  if (contract.passes === true) return ''
  const view = contract.cards?.result?.(input, output)
  if (view === undefined) return dataText(output)
  const facts = {
    ...view,
    tool: tool.wireName,
    source: engine.settings.source,
    at: new Date(engine.now()).toISOString(),
  }
  return cardText(successCard(facts))
}
