// The one shape that a write tool answers with, whatever became of it, so that a client can read `status` first and
// the rest by name (docs/DESIGN.md, section 4). MCP and REST carry the same envelope.
import { plainSentence } from '../../cards/figures.ts'
import type { ErrorGuidance } from '../../errors/guidance.ts'
import { toldGuidance, type Answer } from './outcome.ts'
import { isErrorOutcome } from '../../model/outcome.ts'

const text = { type: 'string' } as const
const texts = { type: 'array', items: text } as const

/** The advertised `outputSchema` of every write and destructive tool: nothing required, open to other keys. */
export const envelopeSchema = {
  type: 'object',
  properties: {
    status: { ...text, description: 'previewed, applied, replayed, running, mismatch, stale, refused, failed, …' },
    tool: text,
    result: { description: "The tool's own output, once applied." },
    plan_id: text,
    dry_run: { type: 'boolean', description: 'true: nothing has happened.' },
    summary: text,
    changes: { type: 'array', items: { type: 'object' } },
    warnings: { type: 'array', items: { type: 'object' } },
    missing_permissions: texts,
    expected_side_effects: texts,
    estimated_duration_ms: { type: 'number' },
    expires_at: text,
    details: { type: 'object' },
    error: { type: 'object', properties: { code: text, message: text } },
    error_guidance: { type: 'object' },
    standing_permission: {
      type: 'object',
      description: 'Covers this call: with preview=false it runs without asking a person.',
    },
    budget_analysis: { type: 'object' },
  },
  additionalProperties: true,
} as const

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
  const { preview, contract, guidance } = answer
  const told = toldGuidance(answer)
  const write = contract?.operation === 'read' ? undefined : contract
  return {
    status: answer.outcome,
    tool: answer.tool,
    ...(answer.result === undefined ? {} : { result: resultOf(answer) }),
    ...(answer.planId === undefined ? {} : { plan_id: answer.planId }),
    ...(preview === undefined
      ? {}
      : {
          dry_run: true,
          summary: plainSentence(preview.summary),
          changes: preview.changes ?? [],
          warnings: (preview.warnings ?? []).map(plainNotice),
          expected_side_effects: write?.sideEffects.map((effect) => effect.what) ?? [],
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

/** A passed-on MCP result is named by its structured content; its blocks go beside the envelope, not into it. */
function resultOf(answer: Answer): unknown {
  if (answer.contract?.passes !== true) return answer.result
  return (answer.result as { readonly structuredContent?: unknown }).structuredContent ?? { passed: 'content' }
}

/** The short form of what went wrong. */
export const errorOf = (guidance: ErrorGuidance, details: Answer['details']): Record<string, unknown> => ({
  code: guidance.error_type,
  message: guidance.message,
  ...(details === undefined ? {} : { details }),
})
