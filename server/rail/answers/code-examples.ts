// Calls that an error shows as examples, written as messages write calls. An example that its tool would refuse would be
// worse than none, so each is checked with the tool's own schema, and left out where nothing that passes can be made.
import { isDeepStrictEqual } from 'node:util'
import { formatCall, type Argument } from '../../confirm/message.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Fix } from '../../errors/guidance.ts'
import { fromPointer } from '../../errors/pointer.ts'
import { redact } from '../../policy/redact.ts'
import type { Tool } from '../../tools/catalog.ts'
import { visible } from '../call-context.ts'
import type { Caller, CallRequest, Engine, Spelling } from '../engine.ts'
import { fits } from '../preview/suggested-calls.ts'
import { argumentsAtDoor, orderedArguments } from './argument-order.ts'
import { exampleValue } from './example-value.ts'

/** Bytes of UTF-8. A longer call is no example but a document. */
const longestExample = 1000

/** Characters of JSON up to which an argument of the refused call is kept. */
const longestKept = 300

const placeholder = '<one sentence: why you make this call>'

/** Where a call failed, as far as an example needs it. */
export interface ExampleContext {
  readonly engine: Engine
  readonly tool?: Tool | undefined
  readonly request?:
    | (Pick<CallRequest, 'meant' | 'drawn' | 'language'> & {
        readonly args?: unknown
        readonly caller?: Caller
        readonly spelling?: Spelling | undefined
      })
    | undefined
}

/** Calls that would be accepted, for a failure whose template has an example; `fixes` are checked already. */
export function codeExamples(context: ExampleContext, failure: Failure, fixes: readonly Fix[]): readonly string[] {
  const examples = candidates(context, failure, fixes)
  return examples.filter((example) => example !== undefined && Buffer.byteLength(example) <= longestExample) as string[]
}

function candidates(context: ExampleContext, failure: Failure, fixes: readonly Fix[]): readonly (string | undefined)[] {
  const { engine, tool } = context
  switch (failure.kind) {
    case 'invalid-arguments':
      return tool === undefined
        ? []
        : [
            corrected(
              context,
              tool,
              failure.fields.map(({ pointer }) => pointer),
            ),
          ]
    case 'unknown-tool': {
      const { meant } = context.request ?? {}
      const near = visible(meant?.tool ?? engine.catalog.find(failure.near[0] ?? ''))
      return near === undefined ? [] : [corrected({ engine, request: { ...meant } }, near, [])]
    }
    case 'intent': {
      const { meant } = context.request ?? {}
      const found = visible(meant?.tool)
      return found === undefined ? [] : [corrected({ engine, request: { ...meant } }, found, [])]
    }
    case 'tool-failed':
      return fixes.map((fix) => (fix.kind === 'call_tool' ? suggested(engine, fix) : undefined))
    default:
      return []
  }
}

function suggested({ catalog }: Engine, { tool: name, arguments: args }: Extract<Fix, { kind: 'call_tool' }>) {
  const tool = catalog.find(name)
  return tool === undefined ? undefined : formatCall(name, orderedArguments(tool, args))
}

/** The call as it came without what was wrong with it, and with examples of what is missing; else one of examples alone. */
function corrected({ engine, request }: ExampleContext, tool: Tool, wrong: readonly string[]): string | undefined {
  const refused = new Set(wrong.map((pointer) => fromPointer(pointer)[0]))
  const given = refused.has(undefined) ? {} : ((request?.args ?? {}) as Readonly<Record<string, unknown>>)
  const kept = Object.fromEntries(
    tool.parameters.flatMap((name): Argument[] => {
      const value = Object.hasOwn(given, name) ? given[name] : undefined
      return value === undefined || refused.has(name) || !isShort(value) || isSecret(tool, name, value)
        ? []
        : [[name, value]]
    }),
  )
  const own = [{ ...required(tool), ...kept }, required(tool)].find((args) =>
    fits(engine, tool, { ...args, [tool.reserved.rationale]: placeholder }),
  )
  return own === undefined ? undefined : written(engine, tool, own, request?.spelling)
}

/** An example of each argument that the tool requires. */
function required({ contract, inputSchema, parameters }: Tool): Readonly<Record<string, unknown>> {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, unknown>>
  const names = ((inputSchema['required'] ?? []) as readonly string[]).filter((name) => parameters.includes(name))
  const document = { root: inputSchema, proposes: contract.wire === undefined }
  return Object.fromEntries(names.map((name) => [name, exampleValue(properties[name], name, document)]))
}

function written(
  { settings }: Engine,
  tool: Tool,
  own: Readonly<Record<string, unknown>>,
  spelling: Spelling | undefined,
): string {
  const ordered = orderedArguments(tool, own)
  const { contract } = tool
  // What may run as it stands is shown as a preview: nobody means the placeholders of an example.
  const shown =
    contract.operation !== 'read' && (settings.confirmation === 'host' || (contract.autonomous ?? false) !== false)
  if (spelling !== undefined)
    return formatCall(spelling.tool, [
      ...argumentsAtDoor(spelling, ordered),
      ['rationale', placeholder],
      ...(shown ? ([['preview', true]] as const) : []),
    ])
  return formatCall(tool.wireName, [
    ...ordered,
    [tool.reserved.rationale, placeholder],
    ...(shown ? ([[tool.reserved.preview, true]] as const) : []),
  ])
}

/** A secret is not repeated: an error is read, forwarded and logged where the call itself is not. */
function isSecret({ contract }: Tool, name: string, value: unknown): boolean {
  const marked = (contract.secrets?.arguments ?? []).map((pointer) => fromPointer(pointer)[0])
  return (
    [name, '*', undefined].some((each) => marked.includes(each)) ||
    !isDeepStrictEqual(redact({ [name]: value }), { [name]: value })
  )
}

function isShort(value: unknown): boolean {
  try {
    return JSON.stringify(value).length <= longestKept
  } catch {
    // JSON.stringify recurses and JSON.parse does not: a deep value can be parsed and not written.
    return false
  }
}
