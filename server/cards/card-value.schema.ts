// Values of a card, and what its parts are made of.
import { z } from 'zod'
import type { CardValue } from '../model/card.ts'
import { cardLimits as most } from './limits.ts'
import { exactOptional } from '../exact-optional.ts'

/** A decimal number as a string, because floats would round money and quantities. */
const decimal = z.string().regex(/^-?\d+(\.\d+)?$/, 'must be a decimal number as a string, such as "998.00"')

const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as "EUR"')

/** A day, or an instant with its zone: without one, a reader elsewhere cannot tell when it is. */
const iso = z
  .string()
  .regex(
    /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/,
    'must be an ISO 8601 day or an instant with its zone',
  )

export const text = z.string().max(most.text)

export const list = <T extends z.ZodType>(item: T, max: number) => z.array(item).max(max)

export const cardValueSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('code'), text: z.string().max(most.code) }),
  z.strictObject({ kind: z.literal('number'), value: decimal, unit: exactOptional(z.string()) }),
  z.strictObject({ kind: z.literal('money'), amount: decimal, currency }),
  z.strictObject({ kind: z.literal('date'), iso, precision: z.enum(['day', 'minute']) }),
  z.strictObject({ kind: z.literal('boolean'), value: z.boolean() }),
  z
    .strictObject({
      kind: z.literal('list'),
      items: list(
        z.lazy((): z.ZodType<CardValue> => cardValueSchema),
        most.items,
      ),
    })
    .refine((value) => depthOf(value) <= most.depth, `lists may stand in lists at most ${most.depth} deep`),
  z.strictObject({ kind: z.literal('unset') }),
  z.strictObject({ kind: z.literal('unknown') }),
])

const depthOf = (value: CardValue): number => (value.kind === 'list' ? 1 + Math.max(0, ...value.items.map(depthOf)) : 0)

const editSchema = z.strictObject({
  at: text,
  label: text,
  as: z.enum(['text', 'long', 'number', 'date', 'choice', 'switch']),
  value: exactOptional(text),
  choices: exactOptional(list(z.string(), most.edits)),
  currency: exactOptional(currency),
  optional: exactOptional(z.literal(true)),
})
const edits = list(editSchema, most.edits)

/** What may be changed on a card. */
export const cardEditsSchema = z.strictObject({
  fields: edits,
  lists: list(
    z.strictObject({
      label: text,
      removable: exactOptional(z.literal(true)),
      members: list(z.strictObject({ at: text, label: text, fields: edits }), most.edits),
    }),
    most.edits,
  ),
})
