// A contract with all that a program needs to call its tool and to understand each answer: what the listing keeps short is
// here in full, the same for agents (`countersign://contracts/<tool>`) and for operators (`/api/v1/contracts/<tool>`).
import { serverFailures, type ServerFailure } from '../../errors/server-failures.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import { publicContract, type PublicContract } from '../../tools/public-contract.ts'
import { advertisedOutput } from './envelope.ts'

export interface FullContract extends PublicContract {
  /** What agents read. */
  readonly description: string
  /** JSON Schema of the whole call. */
  readonly input_schema: Schema
  /** JSON Schema of `structuredContent`. */
  readonly output_schema: Schema | null
  /** How this server itself can answer instead, beside the tool's own `failures`. */
  readonly server_failures: readonly ServerFailure[]
}

/** The whole contract. */
export function fullContract(tool: Tool): FullContract {
  const { contract, wireName } = tool
  return {
    ...publicContract(tool),
    description: tool.description,
    input_schema: tool.inputSchema,
    output_schema: advertisedOutput(tool) ?? null,
    server_failures: serverFailures(wireName, {
      writes: contract.operation !== 'read',
      upstream: contract.passes === true,
      // Behind a gateway's doors a tool goes by the name of its server as well; in front of one server by its own.
      declaresIntent: contract.passes === true && contract.wire === contract.name,
    }),
  }
}
