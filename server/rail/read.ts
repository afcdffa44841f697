// Reads change nothing, so they simply run; but what they answer is checked against the contract like everything else.
import { infoCard, successCard } from '../cards/builders.ts'
import { cardText } from '../cards/card-text.ts'
import { dataText } from '../cards/data-text.ts'
import { toPointer } from '../errors/pointer.ts'
import type { ReadTool } from '../tools/catalog.ts'
import { adviceText, failureAnswer } from './answers/answers.ts'
import { reportedGuidance } from './answers/explained.ts'
import { dataBlocks } from '../tools/planned/data-blocks.ts'
import { budgetUse } from './answers/budget-usage.ts'
import { declaredFailure, invoke, toolContext } from './invoke-contract.ts'
import type { Card } from '../model/card.ts'
import type { Answer } from './answers/outcome.ts'
import type { ParsedCall } from './call-context.ts'
import { languageOf } from './language.ts'
import type { Failure } from '../errors/failure.ts'
import { parseWith } from '../tools/schemas/tool-schema.ts'

/** Runs a read tool. */
export async function runRead(call: ParsedCall<ReadTool>): Promise<Answer> {
  const { engine, tool, input } = call
  const { contract } = tool
  const ctx = toolContext(call)
  const failed = (failure: Failure): Answer => failureAnswer(call, failure, { outcome: 'failed' })
  const ran = await invoke(call, 'run', ctx, () => contract.run(input, ctx))
  if (ran.kind === 'failed') return failed(declaredFailure(tool, ran.failed, ran.spec, 'read'))
  if (ran.kind === 'crashed')
    return failed({ kind: 'tool-crashed', tool: tool.wireName, during: 'read', incident: ran.incident })
  const output = parseWith(contract.output, 'output', ran.value)
  if (!output.success) {
    engine.report('thrown' in output ? output.thrown : output.error, `${tool.wireName} output`)
    const issue = output.error.issues[0]
    const pointer = toPointer(issue?.path ?? [])
    return failed({ kind: 'bad-output', tool: tool.wireName, pointer, problem: issue?.message ?? '' })
  }
  const reported = await contract.reported?.(output.data, input)
  const guidance = reported === undefined ? undefined : reportedGuidance(call, reported)
  return {
    outcome: 'ok',
    tool: tool.wireName,
    contract,
    result: output.data,
    ...(guidance === undefined ? {} : { guidance }),
    ...budgetUse(call, output.data),
    ...(call.request.drawn !== undefined ? { card: readCard(call, output.data) } : {}),
    text: guidance === undefined ? readText(call, output.data) : adviceText(guidance),
  }
}

/** What hosts show that draw a card for this call although it only read. Words that break are no reason to withhold the answer. */
function readCard(call: ParsedCall<ReadTool>, output: unknown): Card {
  const { engine, tool, input } = call
  const { contract, wireName } = tool
  const language = languageOf(call)
  const facts = { tool: wireName, language, source: engine.settings.source, at: new Date(engine.now()).toISOString() }
  const plain = { title: contract.title, blocks: dataBlocks(output) }
  try {
    return infoCard({ ...facts, ...(contract.cards?.result?.(input, output, { language }) ?? plain) })
  } catch (error) {
    engine.report(error, `${wireName} card`)
    return infoCard({ ...facts, title: contract.title })
  }
}

/** The contract's own words for a result where it has some; otherwise the data itself. */
function readText(call: ParsedCall<ReadTool>, output: unknown): string {
  const { engine, tool, input } = call
  const { contract } = tool
  const language = languageOf(call)
  // Somebody else's result goes out as it came, whatever its size; nobody reads our words for it.
  if (contract.passes === true) return ''
  const view = contract.cards?.result?.(input, output, { language })
  if (view === undefined) return dataText(output)
  const facts = {
    ...view,
    tool: tool.wireName,
    source: engine.settings.source,
    at: new Date(engine.now()).toISOString(),
  }
  return cardText(successCard(facts))
}
