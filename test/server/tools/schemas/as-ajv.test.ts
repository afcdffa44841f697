// Parts and choices are checked in our own way, so that each value is looked at once; what fits is what Ajv says.
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Schema } from '../../../../server/tools/schemas/json-schema.ts'
import { runsOf } from '../../../full.ts'
import { makeRoomForNotes } from '../../../../server/tools/schemas/notes.ts'
import { answerCheck } from '../../../../server/tools/schemas/schema-check.ts'

const names = ['a', 'b', 'c']
const parts = ['one', 'two']

/** Schemas of which each may refer to parts, which may refer to each other from inside of their members. */
const { schema } = fc.letrec<{ schema: Schema; inside: Schema }>((tie) => ({
  inside: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Schema>({ type: 'number' }, { type: 'string' }, { const: 'k' }, {}),
    fc.constantFrom(...parts).map((part): Schema => ({ $ref: `#/$defs/${part}` })),
    tie('schema'),
  ),
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    fc.constantFrom<Schema>({ type: 'object' }, { type: ['array', 'string'] }),
    fc.record(
      {
        type: fc.constantFrom('object', 'array'),
        properties: fc.dictionary(fc.constantFrom(...names), tie('inside'), { maxKeys: 3, noNullPrototype: true }),
        items: tie('inside'),
        patternProperties: fc.dictionary(fc.constantFrom('^a', '^[bz]$'), tie('inside'), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        dependentSchemas: fc.dictionary(fc.constantFrom(...names), tie('schema'), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        required: fc.subarray(names),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
        if: tie('schema'),
        else: tie('schema'),
        unevaluatedProperties: fc.constantFrom<unknown>(false, { type: 'number' }),
        unevaluatedItems: fc.constantFrom<unknown>(false, { type: 'string' }),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
}))

const roots = fc.tuple(schema, schema, schema, fc.constantFrom(...parts)).map(([one, two, root, part]): Schema => ({
  ...root,
  properties: { ...(root['properties'] as object), a: { $ref: `#/$defs/${part}` } },
  $defs: { one, two },
}))

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<unknown>(1, 'k', 'x', null),
    fc.dictionary(fc.constantFrom(...names, 'z'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}))

/** Plain Ajv, but for what it loses of its notes (`notes.ts`): there it throws, or does not say what JSON Schema says. */
function plainCheck(root: Schema): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true, allErrors: true })
  makeRoomForNotes(ajv)
  return ajv.compile(root)
}

test('what fits a schema is what Ajv says, whatever refers to what and whatever stands in a choice', () => {
  fc.assert(
    fc.property(roots, fc.array(values, { minLength: 5, maxLength: 10 }), (root, all) => {
      const plain = plainCheck(root)
      const check = answerCheck(root)
      for (const value of all) expect(check(value).length === 0).toBe(plain(value))
    }),
    { numRuns: runsOf(300) },
  )
})
