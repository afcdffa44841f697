// What a server says of its structured content is passed on, because clients type and check results by it. A client
// compiles all schemas of a list at once, though, and takes the whole list for broken where one does not compile; and it
// throws away a result that breaks its schema, even of a call that has taken effect. So a schema is tried here first.
import type { Contract } from '../../tools/contract.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { moveSchema } from '../../tools/schemas/move-schema.ts'
import { checkerOf, compilesForClients } from './argument-check.ts'
import { fromDraft4, speaksDraft4 } from './older-schemas.ts'

/** The schema as it is listed, and whether structured content fits it; nothing where no client could use it. */
export function outputPromise(given: Schema | undefined): Contract['promises'] {
  if (given === undefined || (given['type'] !== undefined && given['type'] !== 'object')) return undefined
  const schema = listedSchema(given)
  // As a write lists it. Alone, a schema that refers to itself as a whole (`#`) is not found by our checker.
  const inside = { properties: { result: moveSchema(schema, '#/properties/result') } }
  if (!compilesForClients(inside)) return undefined
  // Clients of the official TypeScript SDK read every schema as draft 7, others as what it says of itself.
  const dialects = [schema['$schema'], 'http://json-schema.org/draft-07/schema#']
  const checks = dialects.map(($schema) => checkerOf({ $schema, ...inside }))
  const holds = (result: unknown): boolean => checks.every((check) => check({ result }).errors.length === 0)
  return { schema, holds }
}

/** Without an address, which two tools may share, and in the words of draft 6 and later: structured content is an object. */
function listedSchema(given: Schema): Schema {
  const old = speaksDraft4(given)
  const { $id: _, id: __, $schema: dialect, ...schema } = old ? fromDraft4(given) : given
  return { ...(old || dialect === undefined ? {} : { $schema: dialect }), ...schema, type: 'object' }
}
