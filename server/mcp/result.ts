// An answer of the rail as an MCP tool result: the same facts in `content` for the person, in `structuredContent` for the model
// and in `_meta` for the card.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { bodyOf, envelopeSchema, errorOf, nextOf } from '../rail/answers/envelope.ts'
import { declaredGuidance, toldGuidance, type Answer } from '../rail/answers/outcome.ts'
import { isErrorOutcome } from '../model/outcome.ts'
import { packedWords } from '../cards/card-words.ts'
import { cardMetaKey, wordsMetaKey } from '../tools/names.ts'

/** Formats an answer (docs/DESIGN.md, section 4, "What a result carries"). */
export function toToolResult(answer: Answer): CallToolResult {
  const result = resultOf(answer)
  const { card } = answer
  if (card === undefined) return result
  const words = packedWords(card.language ?? 'en')
  const around = words === undefined ? {} : { [wordsMetaKey]: words }
  return { ...result, _meta: { ...result._meta, [cardMetaKey]: card, ...around } }
}

function resultOf(answer: Answer): CallToolResult {
  const content: CallToolResult['content'] = [{ type: 'text', text: answer.text }]
  const isError = isErrorOutcome(answer.outcome)
  const write = answer.envelope === true || (answer.contract !== undefined && answer.contract.operation !== 'read')
  if (write) {
    const passed = passedResult(answer)
    return {
      content: passed?.content?.some(({ type }) => type === 'text')
        ? [{ type: 'text', text: answer.textBesideResult ?? answer.text }, ...passed.content]
        : [...content, ...(passed?.content ?? [])],
      structuredContent: { ...besideEnvelope(passed), ...bodyOf(answer) },
      ...(isError ? { isError } : {}),
      ...(passed?._meta === undefined ? {} : { _meta: passed._meta }),
    }
  }
  if (answer.outcome === 'ok' && answer.contract?.passes === true) return withAdvice(answer)
  // Clients validate even an error's structuredContent against a read tool's schema, so errors have none.
  if (answer.outcome === 'ok')
    return {
      content,
      structuredContent: answer.result as Record<string, unknown>,
      ...(answer.budget === undefined ? {} : { _meta: { 'countersign/budget': answer.budget } }),
    }
  const told = toldGuidance(answer)
  const declared = declaredGuidance(answer)
  return {
    content,
    isError: true,
    // A gateway's call tools have no output schema, so their refusals may have structuredContent.
    ...(declared === undefined || answer.details === undefined
      ? {}
      : {
          structuredContent: {
            status: answer.outcome,
            ...nextOf(answer),
            tool: answer.tool,
            error: errorOf(declared, answer.details),
            ...(told === undefined ? {} : { error_guidance: told }),
          },
        }),
    ...(told === undefined ? {} : { _meta: { 'countersign/guidance': told } }),
  }
}

/**
 * A read's own answer as it came. Where it reports an error that is explained, the advice stands behind it: as one more text,
 * because models do not get `_meta`, and there.
 */
export function withAdvice(answer: Answer): CallToolResult {
  const result = answer.result as CallToolResult
  const told = toldGuidance(answer)
  if (told === undefined || answer.text === '') return result
  return {
    ...result,
    // An upstream's result may have no content.
    content: [
      ...((result.content as CallToolResult['content'] | undefined) ?? []),
      { type: 'text', text: answer.text },
    ],
    _meta: { ...result._meta, 'countersign/guidance': told },
  }
}

/** The result of an upstream's tool, which is sent unchanged beside our own text about it. */
const passedResult = ({ contract, result }: Answer): CallToolResult | undefined =>
  contract?.passes === true && result !== undefined ? (result as CallToolResult) : undefined

/** The upstream's structured data for its own view, without names that our envelope has. */
function besideEnvelope(passed: CallToolResult | undefined): Readonly<Record<string, unknown>> {
  const view = (passed?._meta?.['ui'] as { readonly resourceUri?: unknown } | undefined)?.resourceUri
  if (typeof view !== 'string') return {}
  return Object.fromEntries(Object.entries(passed?.structuredContent ?? {}).filter(([key]) => !ours.has(key)))
}

const ours: ReadonlySet<string> = new Set([
  ...Object.keys(envelopeSchema.properties),
  'blocked',
  'result_unlike_schema',
  'requires_human_approval',
  'approval_id',
  'approval_url',
  'ttl_seconds',
])

const warned = (notes: readonly string[]): string => notes.map((note) => `Warning: ${note}`).join('\n')

/**
 * Adds warnings about the call itself (such as an intent that contradicts the upstream's annotations): to the text and the
 * envelope's warnings, or as one more text after a result that is passed on.
 */
export function withNotes(
  result: CallToolResult,
  notes: readonly string[] | undefined,
  { outcome, dryRunForm }: Answer,
): CallToolResult {
  if (notes === undefined || notes.length === 0) return result
  const { status, warnings } = (result.structuredContent ?? {}) as { status?: unknown; warnings?: unknown }
  // An upstream's result may have no content.
  const [first, ...rest] = (result.content as CallToolResult['content'] | undefined) ?? []
  // What a read answered is not ours to write into.
  if (outcome === 'ok' || typeof status !== 'string' || first?.type !== 'text')
    return {
      ...result,
      // In `content` as well, because models do not get `_meta`.
      content: [
        ...((result.content as CallToolResult['content'] | undefined) ?? []),
        { type: 'text', text: warned(notes) },
      ],
      _meta: { ...result._meta, 'countersign/warnings': [...notes] },
    }
  const titled = notes.map((title) => (dryRunForm === true ? title : { title }))
  return {
    ...result,
    content: [{ ...first, text: `${first.text}\n\n${warned(notes)}` }, ...rest],
    structuredContent: {
      ...result.structuredContent,
      warnings: Array.isArray(warnings) ? [...(warnings as unknown[]), ...titled] : titled,
    },
  }
}
