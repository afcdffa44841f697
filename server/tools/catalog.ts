// The catalogue: every contract of a server under its wire name, with what is derived from it: JSON Schemas, annotations,
// definition digest and the description that a model reads.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Contract, ReadContract, WriteContract } from './contract.ts'
import type { Failure } from '../errors/failure.ts'
import type { PendingServer } from '../model/pending-server.ts'
import type { Schema } from './schemas/json-schema.ts'
import { checkContract, checkToolName, ContractError, inputJsonSchema, riskAtMost } from './define-tool.ts'
import { cheatsheetUri, reservedNamesFor, wireNameOf, type ReservedNames } from './names.ts'
import { rationaleReaders, railWords, type Confirmation } from './rail-words.ts'
import { withoutParameterHeaders } from './schemas/parameter-headers.ts'
import { memberNames } from './schemas/same-value.ts'
import { defaultOf } from './schemas/schema-reference.ts'
import { parseWith, zodOf } from './schemas/tool-schema.ts'

/** MCP tool annotations (specification 2025-11-25, `ToolAnnotations`). */
export interface Annotations {
  readonly title: string
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

const dryRunSchema = { type: 'boolean', description: 'true only shows what would change.' }

/** As an upstream's profile names it; `dryRun` where a contract of ours asks for a preview and has no such parameter. */
function dryRunOf(
  contract: Contract,
  schema: Schema,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): DryRunArgument | undefined {
  if (contract.operation === 'read') return undefined
  const { dryRun, dryRunRequired } = contract
  if (dryRun === undefined)
    return dryRunRequired === true && !('dryRun' in properties)
      ? { parameter: 'dryRun', value: true, added: true }
      : undefined
  // Where leaving the argument out does not make the call run, only its opposite does, or nothing that we could know.
  const byDefault = isDeepStrictEqual(defaultOf(schema, properties[dryRun.parameter]), dryRun.value)
  if (!required.includes(dryRun.parameter) && !byDefault) return dryRun
  return typeof dryRun.value === 'boolean' ? { ...dryRun, off: !dryRun.value, byDefault } : undefined
}

/** A contract with all that is derived from it. */
export type Tool = ReadTool | WriteTool
export type ReadTool = ToolOf<ReadContract>
export type WriteTool = ToolOf<WriteContract>

interface ToolOf<C extends Contract> {
  readonly contract: C
  /** The name on the wire. */
  readonly wireName: string
  /** JSON Schema of the whole call, with rationale and, for writes, preview and ticket. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The contract's own parameters in the order of the schema, and then those that only a part of it names. */
  readonly parameters: readonly string[]
  /** This tool's names for rationale, preview and ticket. */
  readonly reserved: ReservedNames
  /** JSON Schema of a read tool's output; writes advertise the envelope instead. */
  readonly outputSchema: Schema | undefined
  /** JSON Schema of what a write answers with under `result`, where its output is known. */
  readonly resultSchema: Schema | undefined
  /** Who asks the person. */
  readonly confirmation: Confirmation
  readonly annotations: Annotations
  /** The argument that makes a call a dry run. */
  readonly dryRun: DryRunArgument | undefined
  readonly description: string
  /** SHA-256 over everything of the definition that a confirmation relies on. */
  readonly definition: string
  /** The read that serves calls which only read, where the arguments decide. */
  readonly reading?: ReadTool
}

/** The argument with which callers ask for a dry run. */
interface DryRunArgument {
  readonly parameter: string
  readonly value: unknown
  /** Ours, and not the tool's. */
  readonly added?: true
  /** What the call itself says there, where its schema asks for the argument or takes its absence for a dry run. */
  readonly off?: boolean
  /** Whether a call that leaves it out is a dry run. */
  readonly byDefault?: boolean
}

/** Whether a tool may change anything. */
export const isWriteTool = (tool: Tool): tool is WriteTool => tool.contract.operation !== 'read'

export interface Catalog {
  /** Every tool that may be listed, in the order of definition; without forbidden ones. */
  readonly tools: readonly Tool[]
  /** Finds a tool by its wire name, forbidden ones included. */
  find(wireName: string): Tool | undefined
  /** The server behind that a call waits for: to list its tools for the first time, or to say again what they are. */
  readonly arrivalOf?: (wireName: string) => PendingServer | undefined
  /** What may be meant by a name that leads to no tool, beside the tools that are listed here. */
  readonly suggestNames?: (name: string) => NameSuggestions
}

/** Tools of servers behind that a wrong name may mean, the servers that may have it, or the setting that leaves it out. */
export type NameSuggestions = Omit<Extract<Failure, { kind: 'unknown-tool' }>, 'kind' | 'tool'>

/**
 * Builds the catalogue.
 * @throws {ContractError} when a contract is incomplete, has one of our names, or two share a wire name.
 */
export function createCatalog(contracts: readonly Contract[], confirmation: Confirmation = 'rail'): Catalog {
  const byName = new Map<string, Tool>()
  for (const contract of contracts) {
    checkContract(contract)
    checkToolName(contract)
    const wireName = contract.wire ?? wireNameOf(contract.name)
    const other = byName.get(wireName)
    if (other !== undefined)
      throw new ContractError(
        contract.name,
        'name',
        `is "${wireName}" on the wire, as is "${other.contract.name}"`,
        'Rename one.',
      )
    byName.set(wireName, toTool(contract, wireName, confirmation))
  }
  const tools = [...byName.values()].filter((tool) => riskAtMost(tool.contract.risk) !== 'forbidden')
  return { tools, find: (wireName) => byName.get(wireName) }
}

/** Says who reads it, so that an agent words its reason for them (ADR 37). */
const rationaleSchema = ({ rationale, operation }: Contract) => ({
  type: 'string',
  minLength: 10,
  maxLength: 500,
  description: `Why. ${rationaleReaders[operation === 'read' ? 'read' : 'write']}${rationale === 'optional' ? '' : ' Required.'}`,
})

/**
 * Without a default where the arguments or the host's own prompt decide. What it and the ticket are for, the tool's own
 * description says.
 */
const previewSchema = (
  autonomous: WriteContract['autonomous'] = false,
  confirmation: Confirmation,
): Record<string, unknown> => ({
  type: 'boolean',
  ...(autonomous === true || (autonomous === false && confirmation === 'rail') ? { default: !autonomous } : {}),
  ...(autonomous === true ? { description: 'true only shows what would change.' } : {}),
})

/** Copied from a message, so its length is checked (`server/rail/intake/parse.ts`) and not told. */
const ticketSchema = { type: 'string' } as const

/** A contract with all that is derived from it. `confirmation` chooses the words for agents. */
export function toTool(contract: Contract, wireName: string, confirmation: Confirmation = 'rail'): Tool {
  const said = inputJsonSchema(contract)
  const own = contract.wire === undefined ? said : withoutParameterHeaders(said)
  const properties = (own['properties'] as Record<string, unknown> | undefined) ?? {}
  const required = (own['required'] as readonly string[] | undefined) ?? []
  const write = contract.operation !== 'read'
  const { $schema, ...rest } = own
  const parameters = memberNames(own)
  const reserved = reservedNamesFor(parameters)
  const dryRun = dryRunOf(contract, own, properties, required)
  const inputSchema = {
    ...dialectOf(contract, $schema),
    ...rest,
    type: 'object',
    properties: {
      ...properties,
      ...(dryRun?.added === true ? { [dryRun.parameter]: dryRunSchema } : {}),
      [reserved.rationale]: rationaleSchema(contract),
      ...(write
        ? {
            [reserved.preview]: previewSchema(contract.autonomous, confirmation),
            [reserved.ticket]: ticketSchema,
          }
        : {}),
    },
    required: contract.rationale === 'optional' ? required : [...required, reserved.rationale],
    ...(contract.wire === undefined && own['unevaluatedProperties'] === undefined
      ? { additionalProperties: own['additionalProperties'] ?? false }
      : {}),
  }
  const { $schema: __, ...outputSchema } = z.toJSONSchema(zodOf(contract.output, 'output'), {
    io: 'output',
    unrepresentable: 'any',
  })
  const known = contract.passes === true ? contract.promises?.schema : outputSchema
  const derived = {
    wireName,
    inputSchema,
    parameters,
    reserved,
    outputSchema: write ? undefined : known,
    resultSchema: write && mayPromise(contract, outputSchema) ? known : undefined,
    confirmation,
    annotations: annotationsOf(contract),
    dryRun,
    description: describe(contract, reserved, confirmation),
    definition: contract.pinned ?? definitionOf(contract, own, outputSchema),
  }
  if (contract.operation === 'read') return { ...derived, contract }
  const { reading } = contract
  return { ...derived, contract, ...(reading && { reading: { ...derived, contract: reading.contract } }) }
}

/**
 * Whether whatever a write may answer fits the schema of its output, in every client: what is applied must be heard. A tool
 * that answers nothing has the result `null`, and tuples are read differently by drafts of JSON Schema. What an upstream
 * answers is looked at call by call.
 */
const mayPromise = ({ output, passes }: Contract, schema: Schema): boolean =>
  passes === true ||
  !((takes(output, undefined) && !takes(output, null)) || /"prefixItems":/.test(JSON.stringify(schema)))

const takes = (output: Contract['output'], value: unknown): boolean => parseWith(output, 'output', value).success

/** An upstream's schema may be of an older dialect. MCP's default is 2020-12, which all of ours are. */
const dialectOf = ({ wire }: Contract, named: unknown): { readonly $schema?: string } =>
  wire === undefined || typeof named !== 'string' || named.includes('2020-12') ? {} : { $schema: named }

/** The digest of everything in a contract that a confirmation relies on. */
const definitionOf = (contract: Contract, input: unknown, output: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify([contract.name, contract.operation, riskAtMost(contract.risk), input, output]))
    .digest('hex')

/**
 * The annotations of a tool. A contract of ours says whether it destroys; a tool of an upstream above low risk may, unless its
 * own server says that it does not, as MCP's default is.
 */
function annotationsOf(contract: Contract): Annotations {
  const write = contract.operation !== 'read' && !(contract.passes === true && contract.onlyAnswers === true)
  return {
    title: contract.title,
    readOnlyHint: !write,
    destructiveHint:
      contract.operation === 'destructive' ||
      (write && contract.passes === true && riskAtMost(contract.risk) !== 'low' && contract.sparing !== true),
    idempotentHint: !write || contract.idempotency === 'natural',
    openWorldHint: contract.external === true,
  }
}

const byCallSentence = 'A call that only reads runs at once. Any other: '

function describe(contract: Contract, { preview }: ReservedNames, confirmation: Confirmation): string {
  const head = contract.cheatsheet === undefined ? '' : `${cheatsheetAdvice(contract.cheatsheet)} `
  const byCall = contract.operation !== 'read' && typeof contract.autonomous === 'object' ? byCallSentence : ''
  const asks = contract.operation !== 'read' && contract.autonomous !== true
  const rail = asks ? ` ${byCall}${railWords[confirmation].sentence(preview)}` : ''
  return `${head}${contract.description.trim()}${rail}`
}

/** How the description of a tool with a cheatsheet begins (docs/DESIGN.md, section 5). */
export const cheatsheetAdvice = (name: string): string =>
  `Before any write or non-trivial query, fetch \`${cheatsheetUri(name)}\` first. Do NOT guess property names or association types.`
