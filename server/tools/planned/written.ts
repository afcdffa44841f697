// What a planned write answers that has no output of its own: its record before and after. Members that are secret arguments are
// no part of it: an agent reads it, and the activity log keeps it.
import { z } from 'zod'
import { ContractError } from '../define-tool.ts'
import { zodOf, type ToolSchema } from '../schemas/tool-schema.ts'
import { demandedBy } from './demanded.ts'
import { without } from './masked.ts'
import type { BothSides } from './planned.ts'
import { jsonOf } from './planned-json.ts'

/**
 * What agents are listed of the record before and after. `hidden`: its members that are secret.
 * @throws {ContractError} where the schema of the record demands one of them, or does not say whether it does.
 */
export function writtenSchema(
  { name, record }: { readonly name: string; readonly record?: ToolSchema },
  hidden: readonly string[],
): ToolSchema {
  const side = record === undefined ? z.record(z.string(), z.unknown()) : (zodOf(record, 'output') as z.ZodType)
  const demand = hidden.length === 0 ? () => undefined : demandedBy(side)
  for (const pointer of hidden) {
    const found = demand(pointer)
    const keeps = 'which secrets.arguments keeps out of the answer'
    if (found === 'demanded')
      throw new ContractError(
        name,
        'record',
        `demands "${pointer}", ${keeps}`,
        'Leave that member out of the schema, or name an `output`.',
      )
    if (found === 'untold')
      throw new ContractError(
        name,
        'record',
        `is decided by a function, so it cannot be told whether it demands "${pointer}", ${keeps}`,
        'Name an `output`, or a schema without a transform around that member.',
      )
  }
  return z.strictObject({ before: side.optional(), after: side.optional() })
}

/** Where members of a record stand in an answer that has it before and after. */
export const onBothSides = (pointers: readonly string[]): readonly string[] =>
  pointers.flatMap((pointer) => [`/before${pointer}`, `/after${pointer}`])

/**
 * The record before and after, with what `apply` has made new in it, and without the members that are secret. The change is
 * made by now: what it returned that is no such record is left alone.
 */
export const writtenOf = (sides: BothSides, applied: unknown, hidden: readonly string[]): BothSides =>
  without(withApplied(sides, applied), onBothSides(hidden)) as BothSides

function withApplied(sides: BothSides, applied: unknown): BothSides {
  const { after } = sides
  if (typeof applied !== 'object' || applied === null || typeof after !== 'object' || after === null) return sides
  try {
    const written = jsonOf(applied, 'What apply returned') as object
    return Object.keys(after).every((name) => Object.hasOwn(written, name)) ? { ...sides, after: written } : sides
  } catch {
    return sides
  }
}
