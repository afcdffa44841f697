// Validation of contracts: one that is incomplete or contradicts itself must not start, because whoever reads the card relies
// on it. The compiler refuses most mistakes; what types cannot express is refused here, with the field and the fix.
import { z } from 'zod'
import { formProblems, type ContractProblem } from './contract-problems.ts'
import { placeProblem } from './card-edits.ts'
import { fixes } from './contract.schema.ts'
import type { Contract, Failures, ReadContract, RiskRule, WriteContract } from './contract.ts'
import { risks, type Risk } from '../model/risk.ts'
import { isReservedTool, reservedParameters, wireNameOf } from './names.ts'
import { memberNames } from './schemas/same-value.ts'
import { zodOf } from './schemas/tool-schema.ts'
import { UnusableSchema } from './schemas/unusable-schema.ts'

/**
 * A contract that cannot be served, with everything that is wrong with it. `field` is the first one to change; inside of
 * another with dots: "failures.out_of_stock.effect".
 */
export class ContractError extends Error {
  /** Name of the tool. */
  readonly tool: string
  /** The first field that is wrong. */
  readonly field: string
  /** All that is wrong. */
  readonly problems: readonly ContractProblem[]
  constructor(tool: string, field: string, problem: string, fix: string, more: readonly ContractProblem[] = []) {
    const problems = [{ field, problem, fix }, ...more]
    const said = problems.map((each) => `${each.field} ${each.problem}. ${each.fix}`)
    super(
      said.length === 1
        ? `The contract of "${tool}" is not complete: ${said[0]}`
        : `The contract of "${tool}" is not complete, for ${said.length} reasons:\n${said.map((each) => `- ${each}`).join('\n')}`,
    )
    this.name = 'ContractError'
    this.tool = tool
    this.field = field
    this.problems = problems
  }
}

/** The rank of a risk; higher is riskier. */
export const riskRank = (risk: Risk): number => risks.indexOf(risk)

/** This risk and all below it, the lowest first. */
export const risksUpTo = (risk: Risk): readonly Risk[] => risks.slice(0, riskRank(risk) + 1)

/** The highest risk that a contract can have for any input. */
export const riskAtMost = (risk: Contract['risk']): Risk => (typeof risk === 'string' ? risk : risk.atMost)

/** The risk of one call. A rule may lower `atMost` and never exceed it. */
export function riskOf<I>(risk: Risk | RiskRule<I>, input: I): Risk {
  if (typeof risk === 'string') return risk
  const found = risk.of(input)
  // Where a rule answers something that is no risk, the highest holds.
  return riskRank(found) < 0 || riskRank(found) > riskRank(risk.atMost) ? risk.atMost : found
}

/** Whether this call may run without a preview. Not where the rule throws. */
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
 * Declares a tool. An identity function: it infers the types of input and output from the schemas and checks what
 * types cannot express (docs/DESIGN.md, section 3).
 * @throws {ContractError} naming the field and the fix.
 */
export function defineTool<I, O, const F extends Failures>(contract: WriteContract<I, O, F>): WriteContract<I, O, F>
/**
 * Declares a tool that only reads.
 * @throws {ContractError} naming the field and the fix.
 */
export function defineTool<I, O, const F extends Failures>(contract: ReadContract<I, O, F>): ReadContract<I, O, F>
/**
 * Declares a tool of which only the run of the program decides whether it reads or writes.
 * @throws {ContractError} naming the field and the fix.
 */
export function defineTool<I, O, const F extends Failures>(
  contract: WriteContract<I, O, F> | ReadContract<I, O, F>,
): WriteContract<I, O, F> | ReadContract<I, O, F>
export function defineTool(contract: Contract): Contract {
  checkContract(contract)
  checkToolName(contract)
  return contract
}

/** The contracts that are ours. Only this file can add one: a copy of such a contract is not ours. */
const own = new WeakSet<object>()

/** `defineTool` for the tools that every server has, which may use reserved names. */
export function defineOwnTool<I, O, const F extends Failures>(
  contract: WriteContract<I, O, F> | ReadContract<I, O, F>,
): WriteContract<I, O, F> | ReadContract<I, O, F> {
  checkContract(contract)
  own.add(contract)
  return contract
}

/** Refuses a contract that has a reserved name and is not ours. */
export function checkToolName(contract: Pick<Contract, 'name' | 'wire'>): void {
  if (own.has(contract) || !isReservedTool(contract.wire ?? wireNameOf(contract.name))) return
  const field = contract.wire === undefined ? 'name' : 'wire'
  throw new ContractError(contract.name, field, 'is a reserved name', 'Choose another domain or verb.')
}

type JsonSchema = Readonly<Record<string, unknown>>

/** By the schema: it is derived where a tool is declared, and asked for again by every catalogue that serves it. */
const derived = new WeakMap<object, JsonSchema>()

/** The JSON Schema (2020-12) of what a caller may send. Throws where the schema cannot be written so. */
export function inputJsonSchema({ input }: Pick<Contract, 'input'>): JsonSchema {
  const schema = derived.get(input) ?? z.toJSONSchema(zodOf(input, 'input'), { io: 'input', target: 'draft-2020-12' })
  derived.set(input, schema)
  return schema
}

/**
 * Every check of `defineTool` but that of reserved names (`checkToolName`).
 * @throws {ContractError} naming all problems.
 */
export function checkContract(contract: Contract): void {
  const given: unknown = contract
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new ContractError('', 'contract', 'is not an object', 'Call defineTool with an object.')
  const [first, ...others] = problemsOf(contract)
  const name: unknown = contract.name
  if (first === undefined) return
  throw new ContractError(typeof name === 'string' ? name : '', first.field, first.problem, first.fix, others)
}

function problemsOf(contract: Contract): readonly ContractProblem[] {
  const form = formProblems(contract as unknown as Readonly<Record<string, unknown>>)
  // Contradictions are looked for only among fields whose form is right.
  const sound = (field: string): boolean => !form.some((each) => each.field.split('.')[0] === field)
  return [...form, ...contradictions(contract, sound)]
}

/** Contradictions among the fields whose form is right (`sound`). */
function contradictions(contract: Contract, sound: (field: string) => boolean): readonly ContractProblem[] {
  const found: ContractProblem[] = []
  const refuse = (field: string, problem: string, fix: string): void => void found.push({ field, problem, fix })
  if (sound('wire') && contract.wire !== undefined && !/^[A-Za-z0-9_./:-]{1,128}$/.test(contract.wire))
    refuse('wire', `is "${contract.wire}"`, fixes.wire)
  if (
    sound('name') &&
    contract.wire === undefined &&
    (!/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/.test(contract.name) || contract.name.length > 60)
  )
    refuse('name', 'is not "domain.verb" in lower case', fixes.name)
  if (sound('input')) checkInput(contract, refuse)
  if (sound('failures') && sound('languages')) checkFailures(contract, refuse)
  if (contract.operation === 'read') {
    if (sound('output') && contract.passes !== true) checkReadOutput(contract, refuse)
    return found
  }
  if (sound('output')) checkOutput(contract, refuse)
  if (!sound('operation') || !sound('risk')) return found
  if (sound('revise') && sound('input') && sound('secrets')) checkRevise(contract, refuse)
  if (sound('reading') && contract.reading !== undefined)
    for (const { field, problem, fix } of problemsOf(contract.reading.contract))
      refuse(`reading.contract.${field}`, problem, fix)
  const risk = riskAtMost(contract.risk)
  if (riskRank(risk) >= riskRank('high') && contract.autonomous === true)
    refuse('autonomous', `cannot be true at risk ${risk}`, 'Only medium and below may run without a person.')
  if ((risk === 'high' || risk === 'critical') && contract.basis === undefined)
    refuse('basis', `is required at risk ${risk}`, fixes.basis)
  return found
}

const fixOf = (error: unknown, otherwise: string): string => (error instanceof UnusableSchema ? error.fix : otherwise)

type Refuse = (field: string, problem: string, fix: string) => void

function checkInput(contract: Contract, refuse: Refuse): void {
  let schema: JsonSchema
  try {
    schema = inputJsonSchema(contract)
  } catch (error) {
    return refuse('input', `cannot be used: ${(error as Error).message}`, fixOf(error, fixes.input))
  }
  if (schema['type'] !== 'object') refuse('input', 'is not an object schema', 'Use z.strictObject({…}).')
  if (contract.wire !== undefined) return
  for (const name of memberNames(schema))
    if ((reservedParameters as readonly string[]).includes(name))
      refuse(
        `input.${name}`,
        'is a reserved parameter',
        'Rename it: rationale, preview and ticket are added to every tool.',
      )
    else if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      refuse(`input.${name}`, 'is not a plain name', 'Use letters, digits and _.')
}

function checkRevise({ revise, secrets, input, wire }: WriteContract, refuse: Refuse): void {
  // Somebody else's definition may be another one than the profile was written for.
  if (revise === undefined || wire !== undefined) return
  if ((secrets?.arguments ?? []).length > 0)
    refuse('revise', 'stands beside secrets.arguments', 'A changed call is sent as a message, which repeats no secret.')
  if (revise === true) return
  const schema = inputJsonSchema({ input })
  for (const [index, each] of revise.entries()) {
    const at = typeof each === 'string' ? each : each.at
    const problem = placeProblem(schema, at)
    if (problem !== undefined) refuse(`revise.${index}`, `is "${at}", which ${problem}`, fixes.revise)
  }
}

function checkFailures(contract: Contract, refuse: Refuse): void {
  const failures = Object.entries(contract.failures)
  const { languages = ['en'] } = contract
  for (const [code, { says = {} }] of failures) {
    if (!/^[a-z][a-z0-9_]*$/.test(code))
      refuse(`failures.${code}`, 'is not snake_case', 'Write it like "out_of_stock".')
    for (const language of Object.keys(says))
      if (language === 'en')
        refuse(`failures.${code}.says.en`, 'is read by nobody', 'In English a card has the message of ctx.fail.')
      else if (!languages.includes(language))
        refuse(
          `failures.${code}.says.${language}`,
          'is none of its languages',
          'Name it in `languages`, or leave it out.',
        )
  }
  if (contract.operation === 'read') return
  if (failures.length === 0) refuse('failures', 'is empty', fixes.failures)
  else if (contract.external === true && !failures.some(([, failure]) => failure.effect !== 'none'))
    refuse('failures', 'has no entry with effect unknown or partial', 'A call over a network can lose its answer.')
}

/** Of a read the checks of its JSON Schema say it. */
function checkOutput({ output }: Contract, refuse: Refuse): void {
  try {
    zodOf(output, 'output')
  } catch (error) {
    refuse('output', `cannot be used: ${(error as Error).message}`, fixOf(error, fixes.output))
  }
}

function checkReadOutput(contract: Contract, refuse: Refuse): void {
  try {
    const schema = z.toJSONSchema(zodOf(contract.output, 'output'), { io: 'output' })
    if (schema.type !== 'object') refuse('output', 'is not an object schema', 'MCP results are objects: wrap it.')
  } catch (error) {
    refuse('output', `has no JSON Schema (${(error as Error).message})`, fixOf(error, 'Use JSON types only.'))
  }
}
