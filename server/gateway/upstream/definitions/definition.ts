// A tool as its server listed it. Servers differ and the protocol grows, so everything is kept as it came; what we read
// of it is checked here once, and a definition that cannot be served is left out with the reason instead of taking the
// whole list down.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { fail, ok, type Result } from '../../../errors/result.ts'
import { canonicalText } from './canonical.ts'
import type { Hints } from '../../call-tools/call-with.ts'
import { whyTooLarge } from './definition-size.ts'

export interface ServerAnnotations extends Hints {
  readonly title?: string | undefined
  readonly idempotentHint?: boolean | undefined
  readonly openWorldHint?: boolean | undefined
}

export interface ToolDefinition {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined
  readonly annotations?: ServerAnnotations | undefined
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
  /** Everything as it came, `countersign/*` excepted. */
  readonly raw: Readonly<Record<string, unknown>>
}

const schemaObject = z.record(z.string(), z.unknown())
const hint = z.boolean().optional().catch(undefined)

const readable = z.object({
  name: z.string().regex(/^[A-Za-z0-9_./-]{1,80}$/, 'is not a tool name (letters, digits, _ . / and -, at most 80)'),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: schemaObject.refine(
    (schema) => schema['type'] === undefined || schema['type'] === 'object',
    'must be a schema of an object',
  ),
  outputSchema: schemaObject.optional().catch(undefined),
  annotations: z
    .looseObject({
      title: z.string().optional().catch(undefined),
      readOnlyHint: hint,
      destructiveHint: hint,
      idempotentHint: hint,
      openWorldHint: hint,
    })
    .optional()
    .catch(undefined),
  _meta: schemaObject.optional().catch(undefined),
})

/** Reads one entry of `tools/list`. */
export function readDefinition(raw: unknown): Result<ToolDefinition, string> {
  const large = whyTooLarge(raw)
  if (large !== undefined) return fail(`${nameOf(raw)}: its definition ${large}`)
  const parsed = readable.safeParse(raw)
  if (parsed.success) return ok({ ...parsed.data, raw: raw as Readonly<Record<string, unknown>> })
  const issue = parsed.error.issues[0]
  return fail(`${nameOf(raw)}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'cannot be read'}`)
}

const withName = z.looseObject({ name: z.string() })

function nameOf(raw: unknown): string {
  const named = withName.safeParse(raw)
  return named.success ? `"${named.data.name.slice(0, 60)}"` : 'a tool without a name'
}

/** SHA-256 of a whole definition, whatever the order of its keys. */
export const definitionDigest = (raw: unknown): string => createHash('sha256').update(canonicalText(raw)).digest('hex')
