// What a call of a call tool declares is kept for operators whatever form it has, because what is refused is of any form.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { UnreadArguments } from '../../../../server/errors/unread-arguments.ts'
import { variants } from '../../../../server/gateway/call-tools/call-with.ts'
import { declarationOf } from '../../../../server/gateway/call-tools/declaration.ts'
import { keyOf, operationTypes } from '../../../../server/gateway/call-tools/intent.ts'

const json = fc.jsonValue({ maxDepth: 4 })
const anyIntent = fc.oneof(
  json,
  json.map((value) => JSON.stringify(value)),
  fc.record({ operation_type: json, data_sensitivity: json, reason: json }, { requiredKeys: [] }),
)
const anyArguments = fc.oneof(
  json,
  fc.record(
    { name: json, intent: anyIntent, intent_operation_type: json, intent_reason: json, rationale: json },
    { requiredKeys: [] },
  ),
)

test('whatever is sent can be read: the call tool always, and an operation that is declared only where it is one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...variants), anyArguments, fc.boolean(), (variant, args, unread) => {
      const field = { pointer: '', received: 'much', allowed: 'less' }
      const declared = declarationOf(variant, unread ? new UnreadArguments(field, args) : args)
      expect(declared.variant).toBe(variant)
      expect(operationTypes).toContain(declared.operation)
      if (declared.operationSource === 'declared') expect(declared.intent.operation_type).toBe(declared.operation)
      else expect(declared.operation).toBe(keyOf[variant])
      if (declared.rationale !== undefined) expect(declared.rationale).not.toBe('')
    }),
  )
})

test.each([
  [{ intent: { operation_type: 'read', reason: 'Why not?' } }, 'read', 'declared', 'Why not?'],
  [{ intent: '{"operation_type":"read","reason":"Why not?"}' }, 'read', 'declared', 'Why not?'],
  [{ intent_operation_type: 'read', intent_reason: 'Why not?' }, 'read', 'declared', 'Why not?'],
  [{ intent: { reason: 'Why not?' }, rationale: 'Because of this.' }, 'write', 'derived', 'Because of this.'],
  [{ intent: { operation_type: 'modify', reason: 'Why not?' } }, 'write', 'derived', 'Why not?'],
  [{ intent: ['read'] }, 'write', 'derived', undefined],
  [undefined, 'write', 'derived', undefined],
])(
  'call_tool_write with %j is taken for %s, %s, and its rationale is %s',
  (args, operation, operationSource, rationale) => {
    expect(declarationOf('call_tool_write', args)).toMatchObject({ operation, operationSource, rationale })
  },
)
