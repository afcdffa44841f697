// Members that a schema does not name, compared with what Zod's strict objects refuse and with what agents are listed.
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseWith, zodOf, type ToolSchema } from '../../../../server/tools/schemas/tool-schema.ts'

const object = (properties: Readonly<Record<string, unknown>>): ToolSchema => ({ type: 'object', properties })

/** What a value may be, said once for both ways. */
type Shape =
  | { readonly kind: 'text' | 'number' }
  | { readonly kind: 'list' | 'nullable'; readonly of: Shape }
  | { readonly kind: 'choice'; readonly of: readonly [Shape, Shape] }
  | { readonly kind: 'object'; readonly members: Readonly<Record<string, Shape>> }

const names = fc.constantFrom('a', 'b', 'c')
const strangeNames = fc.oneof(names, fc.constantFrom('z', 'tag', 'toString'))
const shapes = fc.letrec<{ shape: Shape; object: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: 'small' },
    fc.record({ kind: fc.constantFrom('text' as const, 'number' as const) }),
    tie('object'),
    fc.record({ kind: fc.constantFrom('list' as const, 'nullable' as const), of: tie('shape') }),
    fc.record({ kind: fc.constant('choice' as const), of: fc.tuple(tie('object'), tie('object')) }),
  ),
  object: fc.record({
    kind: fc.constant('object' as const),
    members: fc.dictionary(names, tie('shape'), { maxKeys: 3, noNullPrototype: true }),
  }),
}))

const strictly = (shape: Shape): z.ZodType => {
  switch (shape.kind) {
    case 'text':
      return z.string()
    case 'number':
      return z.number()
    case 'list':
      return z.array(strictly(shape.of))
    case 'nullable':
      return strictly(shape.of).nullable()
    case 'choice':
      return z.union(
        shape.of.map((each, which) => {
          const members = each.kind === 'object' ? each.members : {}
          return z.strictObject({ ...fieldsOf(members), tag: z.literal(which) })
        }),
      )
    case 'object':
      return z.strictObject(fieldsOf(shape.members))
    default:
      return shape satisfies never
  }
}

const fieldsOf = (members: Readonly<Record<string, Shape>>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(members).map(([name, each]) => [name, strictly(each).optional()]))

/** Half of an object, and of every object inside: both halves together are the whole. */
function half(shape: Shape, which: 0 | 1): object {
  switch (shape.kind) {
    case 'text':
      return { type: 'string' }
    case 'number':
      return { type: 'number' }
    case 'list':
      return { type: 'array', items: half(shape.of, which) }
    case 'nullable':
      return { anyOf: [{ type: 'null' }, half(shape.of, which)] }
    case 'choice':
      return {
        anyOf: shape.of.map((each, branch) => ({
          ...half(each, which),
          allOf: [{ properties: { tag: { const: branch } }, required: ['tag'] }],
        })),
      }
    case 'object': {
      const mine = Object.entries(shape.members).filter(
        ([name, each]) => !['text', 'number'].includes(each.kind) || name < 'b' === (which === 0),
      )
      return { type: 'object', properties: Object.fromEntries(mine.map(([name, each]) => [name, half(each, which)])) }
    }
    default:
      return shape satisfies never
  }
}

const values = fc.letrec<{ value: unknown; object: Record<string, unknown> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('x', 1, null),
    fc.array(tie('value'), { maxLength: 2 }),
    tie('object'),
  ),
  object: fc.dictionary(strangeNames, fc.oneof(tie('value'), fc.constantFrom(0, 1)), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
}))

/** A value of a shape, with a stray now and then. */
const valueOf = (shape: Shape): fc.Arbitrary<unknown> => {
  switch (shape.kind) {
    case 'text':
      return fc.constant('x')
    case 'number':
      return fc.constant(1)
    case 'list':
      return fc.array(valueOf(shape.of), { maxLength: 2 })
    case 'nullable':
      return fc.option(valueOf(shape.of))
    case 'choice':
      return fc.oneof(
        ...shape.of.map((each, which) => valueOf(each).map((value) => ({ ...(value as object), tag: which }))),
      )
    case 'object': {
      const members = Object.entries(shape.members).map(([name, each]) => [name, valueOf(each)] as const)
      const stray = fc.oneof(
        { weight: 9, arbitrary: fc.constant({}) },
        strangeNames.map((name) => ({ [name]: 1 })),
      )
      return fc
        .tuple(fc.record(Object.fromEntries(members), { requiredKeys: [], noNullPrototype: true }), stray)
        .map(([value, more]) => ({ ...more, ...value }))
    }
    default:
      return shape satisfies never
  }
}

const shapeAndValue = shapes.object.chain((shape) =>
  fc.tuple(fc.constant(shape), fc.oneof(valueOf(shape), values.object)),
)

const ajv = new Ajv2020({ strict: false, ownProperties: true })

test('what strict objects of Zod take and refuse, the same objects of JSON Schema do, in one piece or in two', () => {
  fc.assert(
    fc.property(shapeAndValue, fc.boolean(), ([shape, value], isInOne) => {
      const whole = { type: 'object', allOf: [half(shape, 0), half(shape, 1)] } as const
      const zod = z.strictObject({ in: strictly(shape) })
      const input = object({ in: isInOne ? z.toJSONSchema(strictly(shape), { io: 'input' }) : whole })
      const given = { in: value }
      expect([given, parseWith(input, 'input', given).success]).toStrictEqual([given, zod.safeParse(given).success])
    }),
    { numRuns: 200 },
  )
})

test('whatever the listed schema refuses is refused', () => {
  fc.assert(
    fc.property(shapeAndValue, ([shape, value]) => {
      const input = object({ in: { allOf: [half(shape, 0), half(shape, 1)] } })
      const given = { in: value }
      const listed = z.toJSONSchema(zodOf(input, 'input'), { io: 'input' })
      const isListed = ajv.validate(listed, given)
      ajv.removeSchema(listed)
      if (!isListed) expect([given, parseWith(input, 'input', given).success]).toStrictEqual([given, false])
    }),
    { numRuns: 200 },
  )
})
