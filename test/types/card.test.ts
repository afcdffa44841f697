// The view reads `card.ts` without a validator, the server parses with `card.schema.ts`; here the compiler proves that
// both mean the same card, in both directions. Whether a property is `readonly` makes no difference on the wire.
import { expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { cardActionSchema } from '../../server/cards/card-action.schema.ts'
import type { cardBlockSchema, cardChangeSchema, cardSchema } from '../../server/cards/card.schema.ts'
import type { cardValueSchema } from '../../server/cards/card-value.schema.ts'
import type { Card, CardAction, CardBlock, CardChange, CardValue } from '../../server/model/card.ts'

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T

type Parsed<Schema extends z.ZodType> = Frozen<z.infer<Schema>>

test('a card is what its schema parses', () => {
  expectTypeOf<Parsed<typeof cardSchema>>().toEqualTypeOf<Frozen<Card>>()
  expectTypeOf<Parsed<typeof cardSchema>>().toExtend<Card>()
  expectTypeOf<Card>().toExtend<Parsed<typeof cardSchema>>()
})

test('so are its parts', () => {
  expectTypeOf<Parsed<typeof cardBlockSchema>>().toEqualTypeOf<Frozen<CardBlock>>()
  expectTypeOf<Parsed<typeof cardChangeSchema>>().toEqualTypeOf<Frozen<CardChange>>()
  expectTypeOf<Parsed<typeof cardActionSchema>>().toEqualTypeOf<Frozen<CardAction>>()
  expectTypeOf<Parsed<typeof cardValueSchema>>().toEqualTypeOf<Frozen<CardValue>>()
})

test('every kind of block and of value is in both', () => {
  expectTypeOf<z.infer<typeof cardBlockSchema>['kind']>().toEqualTypeOf<CardBlock['kind']>()
  expectTypeOf<z.infer<typeof cardValueSchema>['kind']>().toEqualTypeOf<CardValue['kind']>()
  expectTypeOf<z.infer<typeof cardSchema>['state']>().toEqualTypeOf<Card['state']>()
})
