// After a call: whether one whose answer was lost took effect, and the call that takes it back. Both are other tools of the
// same server; the first must only read, the second is never made but offered as a preview.
import type { ToolContext, WriteContract } from '../../tools/contract.ts'
import { saysFailed } from '../upstream/connection/says-failed.ts'
import type { RawResult } from '../upstream/upstream.ts'
import type { UpstreamTool } from '../contract/upstream-contracts.ts'
import { partOf, readAnswer, type WhyNotRead } from './before.ts'
import { pathOf } from '../rules/condition.ts'
import { otherNameOf } from './spellings.ts'
import { fillArguments, fillTemplate, fillValue, placesOf, templatesIn } from './template.ts'

const timeoutMs = 5000

/** Finds out from the server itself, where its profile knows how. */
export function verifiedBy(
  { upstream, profile, definition }: UpstreamTool,
  whyNotRead: WhyNotRead,
): Pick<WriteContract, 'reconcile'> {
  const after = profile?.after
  if (after === undefined) return {}
  return {
    reconcile: async (input: unknown, ctx: ToolContext) => {
      const places = templatesIn([after.with, after.equals ?? after.contains]).flatMap(({ template }) =>
        placesOf(template),
      )
      if (places.some((place) => otherNameOf(input, pathOf(place), definition.inputSchema) !== undefined))
        return { kind: 'unknown' }
      const expected = fillValue(after.equals ?? after.contains, input)
      // Every text contains an empty one.
      if (expected === undefined || (expected === '' && after.equals === undefined)) return { kind: 'unknown' }
      const args = fillArguments(after.with, { ...Object(input) })
      if ((await whyNotRead(after.call, args)) !== undefined) return { kind: 'unknown' }
      const answer = await upstream.callTool(after.call, args, { signal: ctx.signal, timeoutMs, repeatable: true })
      if (!answer.ok || saysFailed(answer.value)) return { kind: 'unknown' }
      const found = partOf(readAnswer(answer.value), after.of)
      // An answer may be empty as a whole; what is not in it is not empty.
      if (found === undefined && after.of !== '') return { kind: 'unknown' }
      const [text, wanted] = [asText(found), asText(expected)]
      const isThere = after.equals === undefined ? text.includes(wanted) : text === wanted
      // That it is not there may also mean that somebody changed it again, so nothing is run a second time on that word.
      return isThere ? { kind: 'applied', result: verifiedResult(definition.name, after.call) } : { kind: 'unknown' }
    },
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const verifiedResult = (tool: string, read: string): RawResult => ({
  content: [{ type: 'text', text: `The answer of ${tool} was lost; ${read} shows that it took effect.` }],
})

/** The call that takes it back, of which the arguments may come from the call or, below `/result`, from its answer. */
export function undoneBy({ profile }: UpstreamTool, wireName: (tool: string) => string): Pick<WriteContract, 'undo'> {
  const undo = profile?.undo
  if (undo === undefined) return {}
  return {
    undo: (input: unknown, output: unknown) => {
      const known = { ...Object(input), result: readAnswer(output as RawResult).value }
      const args = fillArguments(undo.with, known)
      if (Object.keys(args).length < Object.keys(undo.with).length) return undefined
      return { tool: wireName(undo.call), arguments: args, label: fillTemplate(undo.label, known) }
    },
  }
}
