// Which grant covers a call. Asked only where the answer would change the verdict, and always in the store:
// what was revoked a moment ago in another process covers nothing.
import { unlessMissing } from '../../errors/optional-package.ts'
import { ok } from '../../errors/result.ts'
import type { Condition } from '../../policy/grant-condition.ts'
import { loadConditions } from '../../policy/load-conditions.ts'
import { shapeOf } from '../../policy/grant-shape.ts'
import { fitsGrant } from '../../policy/grant.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { Risk } from '../../model/risk.ts'
import { giverLapse, type GiverLapse, type GiverParts } from './grant-giver.ts'
import type { Grant } from '../../model/grants.ts'
import type { ParsedCall } from '../call-context.ts'
import type { Engine } from '../engine.ts'

/** A grant that covers a call, and how many uses are left before it. */
export interface Cover {
  readonly grant: Grant
  readonly left: number
}

/** A grant that would cover a call, if who gave it could still give it. */
export interface Lapsed {
  readonly grant: Grant
  readonly lapse: GiverLapse
}

type FoundCover =
  | { readonly kind: 'covered'; readonly cover: Cover }
  /** The first of those that lapsed; only where no other covers the call. */
  | { readonly kind: 'lapsed'; readonly lapsed: Lapsed }
  | { readonly kind: 'none' }

/** Whose operator was told that conditions cannot be read. */
const told = new WeakSet<NonNullable<Engine['grants']>>()

/** The first grant, oldest first, that covers this call of this risk. */
export async function findCover({ engine, request, tool, input }: ParsedCall, risk: Risk): Promise<FoundCover> {
  if (engine.grants === undefined) return { kind: 'none' }
  let lapsed: Lapsed | undefined
  const active = await engine.grants.active(request.caller.principal, tool.wireName)
  // What cannot be read covers nothing: a person is asked.
  const readable = active.length === 0 ? ok(undefined) : await unlessMissing(loadConditions)
  if (!readable.ok) {
    // It is asked at each call of a tool with a grant, and the operator is told once.
    if (!told.has(engine.grants))
      engine.log?.warn(`Grants cover nothing. ${readable.failure.message} ${readable.failure.next}`)
    told.add(engine.grants)
    return { kind: 'none' }
  }
  for (const grant of active) {
    if (!fitsGrant(grant, { definition: tool.definition, risk })) continue
    if (!(await holdsFor(tool, grant, input))) continue
    const lapse = await giverLapse(giverParts(engine), grant, risk)
    if (lapse === undefined) return { kind: 'covered', cover: { grant, left: grant.times - grant.used } }
    lapsed ??= { grant, lapse }
  }
  return lapsed === undefined ? { kind: 'none' } : { kind: 'lapsed', lapsed }
}

/** What the right of a giver is asked by. */
export const giverParts = ({ settings, approverOf }: Pick<Engine, 'settings' | 'approverOf'>): GiverParts => ({
  rules: settings.approvals,
  approverOf,
})

/** The JSON Schema of a tool's own arguments: what a condition speaks of. */
export function argumentSchema({ inputSchema, parameters }: Tool): Readonly<Record<string, unknown>> {
  const properties = inputSchema['properties'] as Readonly<Record<string, unknown>> | undefined
  return {
    ...inputSchema,
    properties: Object.fromEntries(parameters.map((name) => [name, properties?.[name] ?? {}])),
  }
}

/** Of compiled conditions, in this process. */
const mostCompiled = 500
const compiled = new Map<string, Condition | undefined>()

/** Whether a call is within a condition, for the tool as it is and as it was when the grant was given. */
async function holdsFor(tool: Tool, { condition, schema, id }: Grant, input: unknown): Promise<boolean> {
  const now = await conditionOf([tool.wireName, tool.definition], condition, () => argumentSchema(tool))
  if (now?.holds(input) !== true) return false
  if (schema === undefined) return true
  const given = await conditionOf([id], condition, () => JSON.parse(schema))
  return given?.holds(input) === true
}

/** Compiled once for each schema, which `of` names. One that does not compile any more covers nothing. */
async function conditionOf(of: readonly string[], text: string, schema: () => unknown): Promise<Condition | undefined> {
  const key = JSON.stringify([of, text])
  if (!compiled.has(key)) {
    const { compileCondition } = await loadConditions()
    const result = compileCondition(shapeOf(schema()), text)
    if (compiled.size >= mostCompiled) compiled.clear()
    compiled.set(key, result.ok ? result.value : undefined)
  }
  return compiled.get(key)
}
