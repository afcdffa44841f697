// The one shape that a write tool answers with, whatever became of it, so that a client can read `status` first and
// the rest by name (docs/DESIGN.md, section 4). MCP and REST carry the same envelope.
import { plainSentence } from '../../cards/figures.ts'
import type { ErrorGuidance } from '../../errors/guidance.ts'
import { isErrorOutcome } from '../../model/outcome.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Contract, Preview } from '../../tools/contract.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { moveSchema } from '../../tools/schemas/move-schema.ts'
import { declaredGuidance, toldGuidance, type Answer } from './outcome.ts'

const text = { type: 'string' } as const
const list = { type: 'array' } as const
const object = { type: 'object' } as const

/**
 * The advertised `outputSchema` of every write and destructive tool: nothing required, open to other keys. Every tool of a
 * list has it, so it names each part with its JSON type and no more; docs/guides/wire.md says what they mean.
 */
export const envelopeSchema = {
  type: 'object',
  properties: {
    status: text,
    next: text,
    tool: text,
    result: {},
    plan_id: text,
    dry_run: { type: 'boolean' },
    summary: text,
    changes: list,
    warnings: list,
    missing_permissions: list,
    expected_side_effects: list,
    estimated_duration_ms: { type: 'number' },
    expires_at: text,
    details: object,
    error: object,
    error_guidance: object,
    standing_permission: object,
    budget_analysis: object,
  },
} as const

const typedEnvelope = (result: Schema) => ({
  ...envelopeSchema,
  properties: { ...envelopeSchema.properties, result },
})

/**
 * The `outputSchema` that a tool is listed with: a read's output as declared, a write's envelope with its output under
 * `result`. A tool whose arguments decide answers with the one or the other; where the output of its reads is not known, it
 * has none, because clients refuse a result without the structured content that a schema promises.
 */
export function advertisedOutput(tool: Tool): Schema | undefined {
  if (tool.contract.operation === 'read') return tool.outputSchema
  const { resultSchema } = tool
  if (tool.reading === undefined)
    return resultSchema === undefined ? envelopeSchema : typedEnvelope(moveSchema(resultSchema, '#/properties/result'))
  if (resultSchema === undefined) return undefined
  return { type: 'object', anyOf: [moveSchema(resultSchema, '#/anyOf/0'), typedEnvelope({ $ref: '#/anyOf/0' })] }
}

/**
 * What to do now, in one sentence, for clients that forward `structuredContent` and no text. It stands there also where an
 * operator has switched off the guidance on errors: such a client would otherwise hear of no next step at all.
 */
export function nextOf(answer: Answer): { readonly next?: string } {
  const guidance = toldGuidance(answer) ?? declaredGuidance(answer)
  const said = answer.next ?? guidance?.actionable_guidance[0]?.split(sentenceEnd, 1)[0]
  return said === undefined ? {} : { next: said }
}

/** The blank between two sentences. */
const sentenceEnd = /(?<=[.!?]) (?=\p{Lu})/u

/** What a write tool answers with: the envelope, or for a call that waits for a person exactly what the design says. */
export function bodyOf(answer: Answer): Record<string, unknown> {
  const { approval } = answer
  if (answer.outcome !== 'awaiting_approval' || approval === undefined) return envelopeOf(answer)
  return {
    requires_human_approval: true,
    approval_id: approval.id,
    approval_url: approval.url,
    summary: plainSentence(approval.summary),
    ttl_seconds: approval.ttlSeconds,
    ...nextOf(answer),
  }
}

/** A warning as programs and models read it: its figures without a locale. */
const plainNotice = <N extends { readonly title: string; readonly text?: string }>(notice: N): N => ({
  ...notice,
  title: plainSentence(notice.title),
  ...(notice.text === undefined ? {} : { text: plainSentence(notice.text) }),
})

/** Formats an answer of a write tool. */
export function envelopeOf(answer: Answer): Record<string, unknown> {
  const { preview, contract } = answer
  const guidance = declaredGuidance(answer)
  const told = toldGuidance(answer)
  return {
    status: answer.outcome,
    ...nextOf(answer),
    tool: answer.tool,
    ...resultPart(answer),
    ...(answer.planId === undefined ? {} : { plan_id: answer.planId }),
    ...(preview === undefined
      ? {}
      : {
          ...guideForm(answer, preview),
          dry_run: true,
          summary: plainSentence(preview.summary),
          changes: preview.changes ?? [],
          warnings: warningsOf(answer),
          // Without the caller's permissions there is no preview, so none is missing here.
          missing_permissions: [],
          expected_side_effects: expectedEffects(preview, contract),
          ...(preview.blocked === undefined ? {} : { blocked: plainNotice(preview.blocked) }),
          ...(preview.estimatedDurationMs === undefined ? {} : { estimated_duration_ms: preview.estimatedDurationMs }),
          ...(preview.details === undefined ? {} : { details: preview.details }),
        }),
    ...(answer.expiresAt === undefined ? {} : { expires_at: new Date(answer.expiresAt).toISOString() }),
    ...(isErrorOutcome(answer.outcome) && guidance !== undefined ? { error: errorOf(guidance, answer.details) } : {}),
    ...(told === undefined ? {} : { error_guidance: told }),
    ...(guidance?.error_type === 'permission_denied' && answer.missing !== undefined
      ? { missing_permissions: answer.missing }
      : {}),
    ...(answer.coveringGrant === undefined ? {} : { standing_permission: answer.coveringGrant }),
    ...(answer.budget === undefined ? {} : { budget_analysis: answer.budget }),
  }
}

/** What this very call does, in the preview's own sentences; what its tool does in general only where it has none. */
function expectedEffects(preview: Preview, contract: Contract | undefined): readonly string[] {
  const inBlocks = (preview.blocks ?? []).flatMap((block) => (block.kind === 'effects' ? block.effects : []))
  const effects = [...inBlocks, ...(preview.effects ?? [])]
  if (effects.length > 0) return effects.map(plainSentence)
  // What cannot be confirmed has none, and general ones would be read as promises.
  if (preview.blocked !== undefined) return []
  return contract === undefined || contract.operation === 'read' ? [] : contract.sideEffects.map(({ what }) => what)
}

/**
 * A dry run under the names of the tool design guide, for whoever asked in its form: what our envelope calls otherwise, and
 * the tool's own figures (`recipientCount`) beside it.
 */
function guideForm({ dryRunForm, contract }: Answer, preview: Preview): Readonly<Record<string, unknown>> {
  if (dryRunForm !== true) return {}
  // Of another server's tool they are what we know of it, and no figures of its own.
  const figures = contract?.passes === true ? {} : (preview.details ?? {})
  const own = Object.entries(figures).filter(([name]) => !Object.hasOwn(envelopeSchema.properties, name))
  const { estimatedDurationMs } = preview
  return {
    ...Object.fromEntries(own),
    dryRun: true,
    missingPermissions: [],
    expectedSideEffects: expectedEffects(preview, contract),
    ...(estimatedDurationMs === undefined ? {} : { estimatedDurationMs }),
  }
}

/** The warnings of a preview; whoever asked in the form of the tool design guide gets them as sentences. */
function warningsOf({ preview, dryRunForm }: Answer): readonly unknown[] {
  const notices = (preview?.warnings ?? []).map(plainNotice)
  return dryRunForm === true ? notices.map(noticeSentence) : notices
}

/** A warning as one text: "An identical call was applied 2 minutes ago. Confirming does it again." */
const noticeSentence = ({ title, text: more }: { readonly title: string; readonly text?: string }): string =>
  more === undefined ? title : `${title}${/[.!?:]$/.test(title) ? '' : '.'} ${more}`

/**
 * The output under `result`. A passed-on MCP result is named by its structured content; its blocks go beside the envelope,
 * not into it. Structured content that breaks its server's own schema stands under a name of its own: a client that checks
 * `result` would refuse the answer, and its agent would not hear that the call took effect.
 */
function resultPart({ result, contract }: Answer): Readonly<Record<string, unknown>> {
  if (result === undefined) return {}
  if (contract?.passes !== true) return { result }
  const { structuredContent } = result as { readonly structuredContent?: unknown }
  const { promises } = contract
  if (promises === undefined) return { result: structuredContent ?? { passed: 'content' } }
  if (structuredContent === undefined) return {}
  return promises.holds(structuredContent) ? { result: structuredContent } : { result_unlike_schema: structuredContent }
}

/** The short form of what went wrong. */
export const errorOf = (guidance: ErrorGuidance, details: Answer['details']): Record<string, unknown> => ({
  code: guidance.error_type,
  message: guidance.message,
  ...(details === undefined ? {} : { details }),
})
