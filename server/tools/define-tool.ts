// A contract that lies, or forgets something, must not start: the person who reads the card relies on it. The compiler
// refuses most of it; what types cannot say is refused here, with the field and the fix.
import { z } from 'zod'
import type { Contract, Failures, ReadContract, Risk, RiskRule, WriteContract } from './contract.ts'
import { isReservedTool, reservedParameters, wireNameOf } from './names.ts'

/** A contract that cannot be served. `field` is the contract's field to change. */
export class ContractError extends Error {
  readonly tool: string
  readonly field: string
  constructor(tool: string, field: string, problem: string, fix: string) {
    super(`The contract of "${tool}" is not complete: ${field} ${problem}. ${fix}`)
    this.name = 'ContractError'
    this.tool = tool
    this.field = field
  }
}

const riskOrder: readonly Risk[] = ['low', 'medium', 'high', 'critical', 'forbidden']

/** Position in the ladder of risks; higher is riskier. */
export const riskRank = (risk: Risk): number => riskOrder.indexOf(risk)

/** The highest risk that a contract can have for any input. */
export const riskAtMost = (risk: Contract['risk']): Risk => (typeof risk === 'string' ? risk : risk.atMost)

/** The risk of one call. A rule may lower `atMost` and never exceed it. */
export function riskOf<I>(risk: Risk | RiskRule<I>, input: I): Risk {
  if (typeof risk === 'string') return risk
  const found = risk.of(input)
  // A rule that answers something else than a risk says nothing, and then the highest holds.
  return riskRank(found) < 0 || riskRank(found) > riskRank(risk.atMost) ? risk.atMost : found
}

/** Whether this very call may run without a preview. A rule that breaks off says no. */
export function runsAlone<I>(contract: { readonly autonomous?: WriteContract<I>['autonomous'] }, input: I): boolean {
  const { autonomous = false } = contract
  if (typeof autonomous === 'boolean') return autonomous
  try {
    return autonomous.when(input)
  } catch {
    return false
  }
}

/**
 * Declares a tool. An identity function: it infers the types of input and output from the Zod schemas and checks what
 * types cannot express (DESIGN section 3).
 * @throws {ContractError} naming the field and the fix.
 */
export function defineTool<I, O, const F extends Failures>(
  contract: WriteContract<I, O, F> | ReadContract<I, O, F>,
): WriteContract<I, O, F> | ReadContract<I, O, F> {
  checkContract(contract)
  checkToolName(contract)
  return contract
}

/** Those that are ours. A mark that only this room can set: a copy of a contract, or one that says so, is not ours. */
const own = new WeakSet<object>()

/** `defineTool` for the tools that are ours on every server, and so may have our names. */
export function defineOwnTool<I, O, const F extends Failures>(
  contract: WriteContract<I, O, F> | ReadContract<I, O, F>,
): WriteContract<I, O, F> | ReadContract<I, O, F> {
  checkContract(contract)
  own.add(contract)
  return contract
}

/** Refuses a contract that has the name of a tool that every server has, and is not that tool. */
export function checkToolName(contract: Pick<Contract, 'name' | 'wire'>): void {
  if (own.has(contract) || !isReservedTool(contract.wire ?? wireNameOf(contract.name))) return
  const field = contract.wire === undefined ? 'name' : 'wire'
  throw new ContractError(contract.name, field, 'is one of our own', 'Choose another domain or verb.')
}

/** The JSON Schema (2020-12) of what a caller may send, as Zod derives it. Throws where Zod cannot say. */
export const inputJsonSchema = (contract: Contract): Record<string, unknown> =>
  z.toJSONSchema(contract.input, { io: 'input', target: 'draft-2020-12' })

/** Every check of `defineTool` but the reserved tool names; for those see `checkToolName`. */
export function checkContract(contract: Contract): void {
  const refuse = (field: string, problem: string, fix: string): never => {
    throw new ContractError(contract.name, field, problem, fix)
  }
  if (contract.wire !== undefined && !/^[A-Za-z0-9_./:-]{1,128}$/.test(contract.wire))
    refuse('wire', `is "${contract.wire}"`, 'An MCP tool name has letters, digits, _ . / : and -, at most 128.')
  if (
    contract.wire === undefined &&
    (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(contract.name) || contract.name.length > 60)
  )
    refuse('name', 'is not "domain.verb" in lower case', 'Write it like "orders.create", at most 60 characters.')
  for (const field of ['title', 'description'] as const)
    if (!contract[field]?.trim()) refuse(field, 'is missing', 'Say in one sentence what the tool does.')
  if (!['read', 'write', 'destructive'].includes(contract.operation))
    refuse('operation', `is "${contract.operation as string}"`, 'Use read, write or destructive.')
  const risk = riskAtMost(contract.risk)
  if (!riskOrder.includes(risk)) refuse('risk', `is "${risk as string}"`, `Use one of ${riskOrder.join(', ')}.`)
  checkInput(contract, refuse)
  checkFailures(contract, refuse)
  if (contract.operation === 'read') {
    if (typeof contract.run !== 'function') refuse('run', 'is missing', 'It is what answers the call.')
    if (contract.passes !== true) checkReadOutput(contract, refuse)
    return
  }
  if (typeof contract.run !== 'function') refuse('run', 'is missing', 'It is what happens once a person has agreed.')
  if (typeof contract.preview !== 'function')
    refuse('preview', 'is missing', 'A tool that changes something says first what it would change.')
  if (!contract.noun?.trim()) refuse('noun', 'is missing', 'Name the thing as a phrase: "the sales order".')
  if (contract.confirmation !== undefined && !['click', 'type-name'].includes(contract.confirmation))
    refuse('confirmation', `is "${contract.confirmation as string}"`, 'Use click or type-name, or leave it out.')
  if (contract.idempotency !== 'natural' && contract.idempotency !== 'plan')
    refuse('idempotency', 'is missing', 'Use natural (a repeat changes nothing more) or plan (it runs once per plan).')
  if (!Array.isArray(contract.sideEffects) || contract.sideEffects.length === 0)
    refuse('sideEffects', 'is empty', 'List what the tool changes and what a repeat does.')
  if (riskRank(risk) >= riskRank('high') && contract.autonomous === true)
    refuse('autonomous', `cannot be true at risk ${risk}`, 'Only medium and below may run without a person.')
  if ((risk === 'high' || risk === 'critical') && contract.basis === undefined)
    refuse('basis', `is required at risk ${risk}`, 'Answer a fingerprint (version, etag) of what the preview read.')
}

type Refuse = (field: string, problem: string, fix: string) => never

function checkInput(contract: Contract, refuse: Refuse): void {
  let schema: Record<string, unknown>
  try {
    schema = inputJsonSchema(contract)
  } catch (error) {
    return refuse('input', `has no JSON Schema (${(error as Error).message})`, 'Use JSON types: dates as ISO strings.')
  }
  if (schema['type'] !== 'object') refuse('input', 'is not an object schema', 'Use z.strictObject({…}).')
  if (contract.wire !== undefined) return
  const declared = Object.keys((schema['properties'] as Record<string, unknown> | undefined) ?? {})
  const taken = declared.find((name) => (reservedParameters as readonly string[]).includes(name))
  if (taken !== undefined)
    refuse(
      `input.${taken}`,
      'is a reserved parameter',
      'rationale, preview and ticket are added to every tool; rename it.',
    )
  const bad = declared.find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
  if (bad !== undefined) refuse(`input.${bad}`, 'is not a plain name', 'Use letters, digits and _.')
}

function checkFailures(contract: Contract, refuse: Refuse): void {
  // Whoever writes JavaScript has no compiler to say so.
  const failures = Object.entries((contract.failures as Failures | undefined) ?? {})
  for (const [code, failure] of failures) {
    if (!/^[a-z][a-z0-9_]*$/.test(code))
      refuse(`failures.${code}`, 'is not snake_case', 'Write it like "out_of_stock".')
    if (!['none', 'partial', 'unknown'].includes(failure.effect))
      refuse(`failures.${code}.effect`, 'is missing', 'Say what the failure leaves behind: none, partial or unknown.')
    if (!failure.guidance?.trim())
      refuse(`failures.${code}.guidance`, 'is missing', 'Say in one sentence what to do next.')
  }
  if (contract.operation === 'read') return
  if (failures.length === 0)
    refuse('failures', 'is empty', 'List every way in which the write can fail, with its effect.')
  if (contract.external === true && !failures.some(([, failure]) => failure.effect !== 'none'))
    refuse('failures', 'has no entry with effect unknown or partial', 'A call over a network can lose its answer.')
}

function checkReadOutput(contract: Contract, refuse: Refuse): void {
  try {
    const schema = z.toJSONSchema(contract.output, { io: 'output' })
    if (schema.type !== 'object') refuse('output', 'is not an object schema', 'MCP results are objects: wrap it.')
  } catch (error) {
    if (error instanceof ContractError) throw error
    refuse('output', `has no JSON Schema (${(error as Error).message})`, 'Use JSON types only.')
  }
}
