// What an agent sees of a gateway: one tool that finds, three that call. The three differ only in what the agent says it
// means to do, so that a host can permit them one by one; what happens then is the rail's to decide.
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { readArguments } from './arguments.ts'
import { isVariant, markedAs, type Variant } from './call-with.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Remedy } from '../../errors/wrong-argument.ts'
import { UnreadArguments } from '../../errors/unread-arguments.ts'
import type { IntentSettings } from '../upstream/settings/upstream-config.schema.ts'
import { checkIntent, keyOf, type Declared, type Intent } from './intent.ts'
import { declarationOf } from './declaration.ts'
import { metaTools } from './meta-tools.ts'
import type { Declaration } from '../../model/activity.ts'
import type { PendingServer } from '../../model/pending-server.ts'
import type { NameSuggestions, Tool } from '../../tools/catalog.ts'
import type { Confirmation } from '../../tools/rail-words.ts'
import type { UpstreamContract, UpstreamTool } from '../contract/upstream-contracts.ts'

type CallToolFailure = Extract<Failure, { kind: 'intent' | 'unknown-tool' | 'invalid-arguments' }>

/** As `Spelling` of the rail. */
interface CallToolSpelling {
  readonly tool: Variant
  readonly around: readonly (readonly [string, unknown])[]
  read(name: string): MeantCall | undefined
}

interface MeantCall {
  readonly tool: Tool
  readonly spelling: CallToolSpelling
}

/** A call of one of the three, as the rail takes it (`CallRequest`). */
interface TranslatedCall {
  readonly tool: string
  readonly args: unknown
  readonly found?: Tool
  readonly refusal?: CallToolFailure
  /** How the Apply message spells the call: it repeats the call tool's, not the upstream's. */
  readonly spelling?: CallToolSpelling
  /** The call that was meant: of the tool that an unknown name may mean, or with the right intent; through its own call tool. */
  readonly meant?: MeantCall & { readonly args?: unknown }
  readonly declared: Declaration
  readonly notes?: readonly string[]
  /** What a host lets through unasked, where more than reads may come this way. */
  readonly unprompted?: true
  readonly arrival?: PendingServer & { reread(): TranslatedCall }
}

interface CallToolsParts {
  readonly intent: IntentSettings
  /** Who asks the person. */
  readonly confirmation?: Confirmation
  /** A tool by its qualified name. */
  find(name: string): UpstreamTool | undefined
  /** What to wait for before a name is unknown: its server, where that has not listed its tools yet. */
  arrival(name: string): PendingServer | undefined
  /** What a call waits for whose tool is known: that its server says once more what the tool is. */
  relisted(tool: UpstreamTool): PendingServer
  /** What a call waits for that passes whatever its server says: that its server is there, where it is not. */
  reached(tool: UpstreamTool): PendingServer | undefined
  /** What an unknown name may mean. */
  suggestNames(name: string): NameSuggestions
  /** The qualified names that there are. */
  names(): Iterable<string>
  /** The rail's tool for a contract. */
  toTool(contract: UpstreamContract): Tool
  /** A line of the server's log, for its operator. */
  warn(message: string, about: Readonly<Record<string, string>>): void
}

/** The gateway's own tools that call: `call_tool_read`, `call_tool_write`, `call_tool_destructive`. */
export function createCallTools(parts: CallToolsParts) {
  const tools: readonly McpTool[] = metaTools(parts.intent, parts.confirmation)

  /** `justListed`: the server has listed its tools for this very call. */
  function requestOf(variant: Variant, args: unknown, justListed = false): TranslatedCall {
    const read = readCall(parts, variant, args)
    const reread = (): TranslatedCall => requestOf(variant, args, true)
    const declaration = { declared: declarationOf(variant, args) }
    if ('refusal' in read) {
      const { meant, ...refused } = read
      return { ...refused, args, ...declaration, ...(meant && { meant: meantCall(parts, meant) }) }
    }
    const { declared, rationale } = read
    const said = { ...declaration, notes: declared.warnings }
    if ('arrival' in read) return { tool: read.tool, args, ...said, arrival: { ...read.arrival, reread } }
    const { tool, inner } = read
    if (declared.contradicted && justListed) warnOfContradiction(parts, tool.name, variant)
    const found = parts.toTool(tool.contract(variant))
    const given = args as Readonly<Record<string, unknown>>
    return {
      tool: tool.name,
      found,
      args: {
        ...inner,
        ...keep(found.reserved.rationale, rationale),
        // A read has no preview and no ticket; what is sent there all the same is refused by the rail.
        ...keep(found.reserved.preview, given['preview']),
        ...keep(found.reserved.ticket, given['ticket']),
      },
      spelling: spellingOf(parts, variant, tool.name, declared.intent),
      ...(variant === 'call_tool_read' && !parts.intent.strict_server_validation ? { unprompted: true } : {}),
      ...said,
      ...(rationale === undefined && found.contract.rationale !== 'optional'
        ? { refusal: missingRationale(variant) }
        : justListed
          ? {}
          : awaited(variant, tool, reread)),
    }
  }
  /** The destructive call tool passes whatever the annotations say; before the others they are read again. */
  function awaited(
    variant: Variant,
    tool: UpstreamTool,
    reread: () => TranslatedCall,
  ): Pick<TranslatedCall, 'arrival'> {
    const pending = variant === 'call_tool_destructive' ? parts.reached(tool) : parts.relisted(tool)
    return pending === undefined ? {} : { arrival: { ...pending, reread } }
  }
  /** The call that is meant by one of them; `undefined` for any other name. */
  const translate = (name: string, args: unknown): TranslatedCall | undefined =>
    isVariant(name) ? requestOf(name, args) : undefined
  /** Why a name of no listed tool is refused: tools of servers behind are called through a call tool. */
  const notListed = (name: string) => {
    const { meant, ...refused } = unknownName(parts, name)
    const near = meant === undefined ? tools.map((tool) => tool.name) : [meant.tool.callWith]
    return { ...refused, refusal: { ...refused.refusal, near }, ...(meant && { meant: meantCall(parts, meant) }) }
  }
  return { tools: () => tools, translate, notListed, names: () => parts.names() }
}

const warnOfContradiction = (parts: CallToolsParts, tool: string, variant: Variant): void =>
  parts.warn(
    `Tool '${tool}' is marked destructive by server and was called with ${variant}; allowed, because intent_declaration.strict_server_validation is false.`,
    { tool, variant },
  )

const keep = (name: string, value: unknown): Record<string, unknown> => (value === undefined ? {} : { [name]: value })

const known = new Set(['name', 'args_json', 'intent', 'rationale', 'preview', 'ticket'])
const flat = new Set(['intent_operation_type', 'intent_data_sensitivity', 'intent_reason'])

interface Readable {
  readonly declared: Declared
  /** As it was written, to be checked and recorded as such; the reason stands in where there is none. */
  readonly rationale: unknown
}

/** The tool that a refused call meant, with what the call declares of its data. */
interface Meant {
  readonly tool: UpstreamTool
  readonly intent: Partial<Intent> | undefined
  /** Its own arguments, where they are those of this tool. */
  readonly args?: unknown
}

type Read =
  | {
      readonly tool: string
      readonly refusal: CallToolFailure
      readonly meant?: Meant | undefined
    }
  | (Readable & { readonly tool: UpstreamTool; readonly inner: Readonly<Record<string, unknown>> })
  | (Readable & { readonly tool: string; readonly arrival: PendingServer })

/** Checks everything that can be checked before the upstream's own schema: names, keys, intent, JSON. */
function readCall(parts: CallToolsParts, variant: Variant, args: unknown): Read {
  const refuse = (refusal: CallToolFailure, tool: string = variant): Read => ({ tool, refusal })
  if (args instanceof UnreadArguments)
    return refuse(fieldFailure(variant, args.why.pointer, args.why.received, args.why.allowed))
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return refuse(fieldFailure(variant, '', args, 'an object with name, args_json and intent'))
  const given = args as Readonly<Record<string, unknown>>
  const stray = Object.keys(given).find((key) => !known.has(key) && !flat.has(key))
  if (stray !== undefined)
    return refuse(
      fieldFailure(
        variant,
        `/${stray}`,
        given[stray],
        `no such argument; the tool's own arguments go into args_json, and known are ${[...known].join(', ')}`,
        {
          kind: 'leave-out',
          why: `the tool's own arguments go into args_json, and ${variant} takes ${[...known].join(', ')}`,
        },
      ),
    )
  const name = given['name']
  if (typeof name !== 'string' || name === '')
    return refuse(fieldFailure(variant, '/name', name, 'the name of a tool as retrieve_tools gives it: server:tool'))
  const tool = parts.find(name)
  const declared = checkIntent({
    variant,
    args: given,
    tool: name,
    hints: tool?.definition.annotations,
    callWith: tool?.callWith,
    settings: parts.intent,
  })
  if (!declared.ok) {
    const { intent, ...failure } = declared.failure
    const inner = readArguments(given['args_json'])
    const meant = tool && inner.ok ? { tool, intent, args: inner.value } : undefined
    return { ...refuse({ kind: 'intent', tool: name, ...failure }, name), meant }
  }
  const found = tool ?? parts.arrival(name)
  if (found === undefined) return unknownName(parts, name, declared.value.intent)
  const inner = readArguments(given['args_json'])
  // What is wrong whatever the tool is need not wait for it.
  if (!inner.ok)
    return refuse(
      fieldFailure(
        variant,
        '/args_json',
        inner.failure.received,
        `${inner.failure.guidance} (${inner.failure.message})`,
      ),
      name,
    )
  const readable = { declared: declared.value, rationale: given['rationale'] ?? declared.value.rationale }
  if ('upstream' in found) return { ...readable, tool: found, inner: inner.value }
  return readable.rationale === undefined && found.rationale === 'required'
    ? refuse(missingRationale(variant), name)
    : { ...readable, tool: name, arrival: found }
}

/** A name that is no tool's, with the tool that it may mean. */
function unknownName(parts: CallToolsParts, name: string, intent?: Intent) {
  const maybe = parts.suggestNames(name)
  const meant = parts.find(name) ?? parts.find(maybe.near[0] ?? '')
  const refusal = { kind: 'unknown-tool', tool: name, ...maybe } as const
  return { tool: name, refusal, meant: meant && { tool: meant, intent } }
}

const missingRationale = (variant: Variant): CallToolFailure =>
  fieldFailure(
    variant,
    '/rationale',
    undefined,
    'a sentence of 10 to 500 characters on why you make this call, as rationale or as intent.reason',
  )

/** `received` is `undefined` where the call has no such argument. */
const fieldFailure = (
  tool: string,
  pointer: string,
  received: unknown,
  allowed: string,
  remedy?: Remedy,
): CallToolFailure => ({
  kind: 'invalid-arguments',
  tool,
  fields: [{ pointer, received, allowed, remedy }],
})

const sensitivityOf = ({ data_sensitivity: said }: Pick<Partial<Intent>, 'data_sensitivity'>) =>
  said === undefined ? {} : { data_sensitivity: said }

const spellingOf = (parts: CallToolsParts, variant: Variant, name: string, intent: Intent): CallToolSpelling => ({
  tool: variant,
  around: [
    ['name', name],
    ['args_json', null],
    ...(parts.intent.shape === 'nested'
      ? [['intent', intent] as const]
      : Object.entries(intent).map(([field, value]) => [`intent_${field}`, value] as const)),
  ],
  read(other) {
    const tool = parts.find(other)
    return tool && calledThrough(parts, tool, readVariantOf(tool), intent)
  },
})

/** What its server marks destructive is called through that call tool, though the call only reads. */
const readVariantOf = ({ definition }: UpstreamTool): Variant =>
  markedAs(definition.annotations) === 'destructive' ? 'call_tool_destructive' : 'call_tool_read'

/** The tool behind this call tool, and how its call is written there. */
function calledThrough(parts: CallToolsParts, tool: UpstreamTool, variant: Variant, said: Partial<Intent>): MeantCall {
  const intent = { operation_type: keyOf[variant], ...sensitivityOf(said) }
  return { tool: parts.toTool(tool.contract(variant)), spelling: spellingOf(parts, variant, tool.name, intent) }
}

/** The call goes through the call tool that its server's annotations ask for. Its reason is not repeated: it may hold a secret. */
const meantCall = (parts: CallToolsParts, { tool, intent = {}, args }: Meant) => ({
  ...calledThrough(parts, tool, tool.callWith, intent),
  args,
})
