// What a check by a JSON Schema found, as an agent is told it by field.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkerOf, inputSchemaOf } from '../../../../server/gateway/contract/argument-check.ts'

test('each of several members that are missing is told', () => {
  const schema = {
    type: 'object',
    properties: { path: { type: 'string' }, edits: { type: 'array' }, mode: { type: 'string' } },
    required: ['path', 'edits', 'mode'],
    additionalProperties: false,
  }
  const checked = z.safeParse(inputSchemaOf(schema, checkerOf(schema)), { strange: 1, other: 2 })
  expect(checked.error?.issues.map(({ path, code }) => [code, path.join('/')])).toEqual([
    ['custom', 'path'],
    ['custom', 'edits'],
    ['custom', 'mode'],
    ['unrecognized_keys', ''],
    ['unrecognized_keys', ''],
  ])
})
