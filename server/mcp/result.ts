// An answer of the engine as an MCP tool result: the same facts for the person (`content`), for the model
// (`structuredContent`) and for the card (`_meta`), each in the place that the specification gives it.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { bodyOf, envelopeSchema, errorOf } from '../rail/answers/envelope.ts'
import { type Answer } from '../rail/answers/outcome.ts'
import { isErrorOutcome } from '../model/outcome.ts'
import { cardMetaKey } from '../tools/names.ts'

/** Formats an answer (docs/DESIGN.md, section 4, "What a result carries"). */
export function toToolResult(answer: Answer): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: answer.text }]
  const isError = isErrorOutcome(answer.outcome)
  const write = answer.envelope === true || (answer.contract !== undefined && answer.contract.operation !== 'read')
  if (write) {
    const passed = passedResult(answer)
    const meta = { ...passed?._meta, ...(answer.card === undefined ? {} : { [cardMetaKey]: answer.card }) }
    return {
      content: [...content, ...(passed?.content ?? [])],
      structuredContent: { ...besideEnvelope(passed), ...bodyOf(answer) },
      ...(isError ? { isError } : {}),
      ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    }
  }
  if (answer.outcome === 'ok' && answer.contract?.passes === true) return answer.result as CallToolResult
  // A client validates even an error's structuredContent against a read tool's schema, so errors carry none.
  if (answer.outcome === 'ok')
    return {
      content,
      structuredContent: answer.result as Record<string, unknown>,
      ...(answer.budget === undefined ? {} : { _meta: { 'countersign/budget': answer.budget } }),
    }
  return {
    content,
    isError: true,
    // A gateway's doors promise no output schema, so their refusals may say more.
    ...(answer.guidance === undefined || answer.details === undefined
      ? {}
      : {
          structuredContent: {
            status: answer.outcome,
            tool: answer.tool,
            error: errorOf(answer.guidance, answer.details),
            error_guidance: answer.guidance,
          },
        }),
    ...(answer.guidance === undefined ? {} : { _meta: { 'countersign/guidance': answer.guidance } }),
  }
}

/** What somebody else's tool answered; it goes out unchanged beside our own words for it. */
const passedResult = ({ contract, result }: Answer): CallToolResult | undefined =>
  contract?.passes === true && result !== undefined ? (result as CallToolResult) : undefined

/** A view finds its data where its own server puts it: beside our envelope, whose names all stay ours. */
function besideEnvelope(passed: CallToolResult | undefined): Readonly<Record<string, unknown>> {
  const view = (passed?._meta?.['ui'] as { readonly resourceUri?: unknown } | undefined)?.resourceUri
  if (typeof view !== 'string') return {}
  return Object.fromEntries(Object.entries(passed?.structuredContent ?? {}).filter(([key]) => !ours.has(key)))
}

const ours: ReadonlySet<string> = new Set([
  ...Object.keys(envelopeSchema.properties),
  'blocked',
  'requires_human_approval',
  'approval_id',
  'approval_url',
  'ttl_seconds',
])

const warned = (notes: readonly string[]): string => notes.map((note) => `Warning: ${note}`).join('\n')

/**
 * Says what was said about the call itself (an intent that contradicts the server's annotations): in the text and among
 * the envelope's warnings, or in one more text after a result that passes.
 */
export function withNotes(result: CallToolResult, notes: readonly string[] | undefined, own: boolean): CallToolResult {
  if (notes === undefined || notes.length === 0) return result
  const { status, warnings } = (result.structuredContent ?? {}) as { status?: unknown; warnings?: unknown }
  // A result that is not our own may have no content at all.
  const [first, ...rest] = (result.content as CallToolResult['content'] | undefined) ?? []
  if (!own || typeof status !== 'string' || first?.type !== 'text')
    return {
      ...result,
      // No model reads `_meta`, and the warning is for the model.
      content: [
        ...((result.content as CallToolResult['content'] | undefined) ?? []),
        { type: 'text', text: warned(notes) },
      ],
      _meta: { ...result._meta, 'countersign/warnings': [...notes] },
    }
  const titled = notes.map((title) => ({ title }))
  return {
    ...result,
    content: [{ ...first, text: `${first.text}\n\n${warned(notes)}` }, ...rest],
    structuredContent: {
      ...result.structuredContent,
      warnings: Array.isArray(warnings) ? [...(warnings as unknown[]), ...titled] : titled,
    },
  }
}
