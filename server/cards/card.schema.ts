// The card document for Zod: every card is parsed with it before it leaves the server, so that what a tool's author
// got wrong is an error with a path here and not a blank frame there. `test/types` proves it equal to `card.ts`.
import { z } from 'zod'
import type { CardValue } from './card.ts'

/** A decimal number as a string: money and quantities never pass through a float. */
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number as a string, such as "998.00"')

const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as "EUR"')

/** A day, or an instant with its zone; a local time without a zone means nothing on someone else's screen. */
const iso = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/,
    'must be an ISO 8601 day or an instant with its zone',
  )

/** Only addresses that a host may open; `javascript:` and friends never reach a card. */
const webUrl = z.string().regex(/^https?:\/\//i, 'must be an http or https address')

export const cardValueSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('code'), text: z.string() }),
  z.strictObject({ kind: z.literal('number'), value: decimal, unit: z.string().exactOptional() }),
  z.strictObject({ kind: z.literal('money'), amount: decimal, currency }),
  z.strictObject({ kind: z.literal('date'), iso, precision: z.enum(['day', 'minute']) }),
  z.strictObject({ kind: z.literal('boolean'), value: z.boolean() }),
  z.strictObject({ kind: z.literal('list'), items: z.array(z.lazy((): z.ZodType<CardValue> => cardValueSchema)) }),
  z.strictObject({ kind: z.literal('unset') }),
  z.strictObject({ kind: z.literal('unknown') }),
])

const labelled = z.strictObject({ label: z.string(), value: cardValueSchema })

export const cardChangeSchema = z.strictObject({
  pointer: z.string(),
  label: z.string(),
  before: cardValueSchema,
  after: cardValueSchema,
  saw: cardValueSchema.exactOptional(),
})

const fallback = z.string().exactOptional()

export const cardBlockSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string(), fallback }),
  z.strictObject({ kind: z.literal('effects'), effects: z.array(z.string()), fallback }),
  z.strictObject({ kind: z.literal('fields'), fields: z.array(labelled), fallback }),
  z.strictObject({
    kind: z.literal('diff'),
    changes: z.array(cardChangeSchema),
    unchanged: z.array(labelled).exactOptional(),
    fallback,
  }),
  z.strictObject({
    kind: z.literal('lines'),
    columns: z.array(z.strictObject({ label: z.string(), align: z.enum(['start', 'end']).exactOptional() })),
    itemLabel: z.string(),
    items: z.array(
      z.strictObject({ id: z.string().exactOptional(), label: z.string(), cells: z.array(cardValueSchema) }),
    ),
    totals: z.array(labelled).exactOptional(),
    fallback,
  }),
  z.strictObject({
    kind: z.literal('alert'),
    severity: z.enum(['info', 'warning', 'danger', 'block']),
    title: z.string(),
    text: z.string().exactOptional(),
    fallback,
  }),
  z.strictObject({
    kind: z.literal('code'),
    text: z.string(),
    language: z.string().exactOptional(),
    label: z.string().exactOptional(),
    fallback,
  }),
  z.strictObject({
    kind: z.literal('links'),
    links: z.array(z.strictObject({ label: z.string(), url: webUrl })),
    fallback,
  }),
  z.strictObject({ kind: z.literal('details'), summary: z.string(), fields: z.array(labelled), fallback }),
])

const stateSchema = z.enum([
  'ready',
  'pending',
  'sent',
  'cancelled',
  'expired',
  'superseded',
  'stale',
  'applying',
  'applied',
  'failed',
  'unknown',
  'refused',
  'blocked',
  'info',
])

const stepSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('SetState'), state: stateSchema }),
  z.strictObject({ do: z.literal('SendMessage'), text: z.string().regex(/^(Apply|Cancel|Preview): /) }),
  z.strictObject({ do: z.literal('OpenLink'), url: webUrl }),
  z.strictObject({ do: z.literal('CopyText'), text: z.string() }),
  z.strictObject({ do: z.literal('ShowToast'), text: z.string() }),
])

export const cardActionSchema = z.strictObject({
  role: z.enum(['confirm', 'cancel', 'other']),
  label: z.string().min(1),
  tone: z.enum(['go', 'stop', 'plain']),
  steps: z.array(stepSchema).min(1),
})

export const cardSchema = z.strictObject({
  version: z.literal(1),
  kind: z.enum(['preview', 'success', 'error', 'approval', 'info']),
  title: z.string().min(1),
  subtitle: z.string().exactOptional(),
  tool: z.string().min(1),
  source: z.string(),
  risk: z.enum(['low', 'medium', 'high', 'critical']).exactOptional(),
  claim: z.string().exactOptional(),
  blocks: z.array(cardBlockSchema),
  actions: z.array(cardActionSchema),
  state: stateSchema,
  plan: z
    .strictObject({ id: z.string(), ticket: z.string(), expires_in_ms: z.number().int().nonnegative() })
    .exactOptional(),
  plan_id: z.string().exactOptional(),
  code: z.string().exactOptional(),
  at: z.string().exactOptional(),
})
