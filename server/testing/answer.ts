// An answer as a test reads it: by the names of docs/guides/wire.md, whichever of the forms of a result it came in. A write
// answers with the envelope, a call that waits for a person with five fields, a read with its output or a text.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { parseMessage } from '../confirm/message.ts'
import type { ErrorGuidance } from '../errors/guidance.ts'
import type { Card, CardChange } from '../model/card.ts'
import { outcomes, type Outcome } from '../model/outcome.ts'
import type { Arguments } from './arguments.ts'

/** A call as an agent makes it: wire name and arguments. */
export interface ToolCall {
  /** Wire name of the tool. */
  readonly tool: string
  /** Its arguments. */
  readonly args: Arguments
}

/** What became of a call, as its agent and its card are told. */
export interface CallAnswer {
  /** The call that was made, with its rationale. */
  readonly call: ToolCall
  /** How the call ended. */
  readonly status: Outcome
  /** The tool's own output: `applied`, `replayed`, `ok`. */
  readonly result?: unknown
  /** The plan that it made or ran. */
  readonly planId?: string
  /** What the preview says: the heading of its card, and one sentence. */
  readonly title?: string
  /** What the preview says in one sentence. */
  readonly summary?: string
  /** Empty where there are none. */
  readonly changes: readonly CardChange[]
  /** What follows from the change, each one sentence; empty where there is nothing. */
  readonly effects: readonly string[]
  /** What somebody should know first. */
  readonly warnings: readonly { readonly title: string; readonly text?: string }[]
  /** Why the preview cannot be confirmed. */
  readonly blocked?: { readonly title: string; readonly text: string; readonly code?: string }
  /** What the preview says to programs beside that. */
  readonly details?: Readonly<Record<string, unknown>>
  /** The approval that the call waits for. */
  readonly approval?: { readonly id: string; readonly url: string; readonly ttlSeconds: number }
  /** What went wrong. */
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown }
  /** What an agent is told about it. */
  readonly guidance?: ErrorGuidance
  /** What to do now, in one sentence. */
  readonly next?: string
  /** The card document. Absent where the client shows no cards, or the call has none. */
  readonly card?: Card
  /** The call that the card's Confirm sends into the chat. */
  readonly apply?: ToolCall
  /** All of its text. */
  readonly text: string
  /** The result as it came. */
  readonly raw: CallToolResult
}

const guidanceSchema = z.custom<ErrorGuidance>((value) => typeof value === 'object' && value !== null)
const changesSchema = z.array(z.custom<CardChange>((value) => typeof value === 'object' && value !== null))

const envelopeSchema = z.looseObject({
  status: z.enum(outcomes),
  next: z.string().optional(),
  result: z.unknown().optional(),
  plan_id: z.string().optional(),
  summary: z.string().optional(),
  changes: changesSchema.default([]),
  expected_side_effects: z.array(z.string()).default([]),
  // In the form of the tool design guide they are sentences.
  warnings: z
    .array(
      z.union([
        z.string().transform((title) => ({ title })),
        z.object({ title: z.string(), text: z.string().optional() }),
      ]),
    )
    .default([]),
  blocked: z.object({ title: z.string(), text: z.string(), code: z.string().optional() }).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.string(), message: z.string(), details: z.unknown().optional() }).optional(),
  error_guidance: guidanceSchema.optional(),
})

const waitingSchema = z.looseObject({
  requires_human_approval: z.literal(true),
  approval_id: z.string(),
  approval_url: z.string(),
  summary: z.string(),
  ttl_seconds: z.number(),
  next: z.string().optional(),
})

const contractSchema = z.looseObject({ operation: z.string() })

/** Whether a listed tool only reads, so that its structured content is its own output. */
export const isRead = (tool: Tool | undefined): boolean =>
  contractSchema.safeParse(tool?._meta?.['countersign/contract']).data?.operation === 'read'

/** All text of a result. */
export const textOf = (result: CallToolResult): string =>
  (result.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('\n')

/** The card document of a result, if it has one. */
export const cardOf = (result: CallToolResult): Card | undefined =>
  result._meta?.['countersign/card'] as Card | undefined

/** What the button of this role sends into the chat; `undefined` where the card has none, or it sends nothing. */
export const sentBy = (card: Card | undefined, role: 'confirm' | 'cancel' | 'other'): string | undefined => {
  const steps = card?.actions.find((action) => action.role === role)?.steps ?? []
  return steps.find((step) => step.do === 'SendMessage')?.text
}

/** The call that an agent makes of a card's Apply message. */
export function applyCallOf(card: Card | undefined): ToolCall | undefined {
  const parsed = parseMessage(sentBy(card, 'confirm') ?? '')
  return parsed.ok && parsed.value.kind === 'apply' ? { tool: parsed.value.tool, args: parsed.value.args } : undefined
}

/** Reads a result. `tool` is what the server lists under the name of the call. */
export function readAnswer(call: ToolCall, raw: CallToolResult, tool: Tool | undefined): CallAnswer {
  const card = cardOf(raw)
  const apply = applyCallOf(card)
  return {
    call,
    ...bodyOf(raw, tool),
    ...(card === undefined ? {} : { title: card.title, card }),
    ...(apply === undefined ? {} : { apply }),
    text: textOf(raw),
    raw,
  }
}

type Body = Omit<CallAnswer, 'call' | 'title' | 'card' | 'apply' | 'text' | 'raw'>

const nothingShown = { changes: [], effects: [], warnings: [] } as const

function bodyOf(raw: CallToolResult, tool: Tool | undefined): Body {
  const waiting = waitingSchema.safeParse(raw.structuredContent)
  if (waiting.success && !isRead(tool)) return waitingBody(waiting.data)
  const envelope = envelopeSchema.safeParse(raw.structuredContent)
  return envelope.success && !isRead(tool) ? envelopeBody(envelope.data) : readBody(raw)
}

function waitingBody(said: z.output<typeof waitingSchema>): Body {
  const { approval_id: id, approval_url: url, ttl_seconds: ttlSeconds, summary, next } = said
  return {
    status: 'awaiting_approval',
    ...nothingShown,
    summary,
    approval: { id, url, ttlSeconds },
    ...present({ next }),
  }
}

function envelopeBody(said: z.output<typeof envelopeSchema>): Body {
  const { status, changes, warnings, result, summary, blocked, details, error, next } = said
  return {
    status,
    changes,
    effects: said.expected_side_effects,
    warnings: warnings.map(present),
    ...present({
      result,
      planId: said.plan_id,
      summary,
      blocked: blocked && present(blocked),
      details,
      error: error && present(error),
      guidance: said.error_guidance,
      next,
    }),
  }
}

/** The answer of a read. Its error has no structured content: what it is stands beside it. */
function readBody(raw: CallToolResult): Body {
  const guidance = guidanceSchema.safeParse(raw._meta?.['countersign/guidance']).data
  if (raw.isError !== true) return { status: 'ok', ...nothingShown, result: raw.structuredContent }
  const isOfTool = guidance === undefined || ['tool', 'upstream', 'server'].includes(guidance.category)
  return {
    status: isOfTool ? 'failed' : 'refused',
    ...nothingShown,
    error: { code: guidance?.error_type ?? 'unexplained', message: guidance?.message ?? textOf(raw) },
    ...(guidance === undefined ? {} : { guidance }),
    ...present({ next: guidance?.actionable_guidance[0] }),
  }
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** The members that have a value. */
const present = <T extends object>(members: T): Partial<Present<T>> & Required<Pick<T, RequiredKeys<T>>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never

type RequiredKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? never : K }[keyof T]
