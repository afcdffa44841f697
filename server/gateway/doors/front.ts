// What an agent sees of a gateway: one tool that finds, three that call. The three differ only in what the agent says it
// means to do, so that a host can permit them one by one; what happens then is the engine's to decide.
import type { Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { fieldFailure, intentFailure, unknownToolFailure, type DoorFailure } from './front-failures.ts'
import { readArguments } from './arguments.ts'
import { isVariant, type Variant } from './call-with.ts'
import { UnreadArguments } from '../../errors/unread-arguments.ts'
import type { IntentSettings } from '../upstream/upstream-config.schema.ts'
import { checkIntent, type Declared, type Intent } from './intent.ts'
import { metaTools } from './meta-tools.ts'
import type { Confirmation } from '../../tools/rail-words.ts'
import type { UpstreamContract, UpstreamTool } from '../contract/upstream-contracts.ts'

/** A call of one of the three, in the words of the engine. */
export interface DoorCall<Found> {
  readonly kind: 'call'
  readonly request: {
    readonly tool: string
    readonly args: unknown
    readonly found?: Found
    readonly refusal?: DoorFailure
    readonly spelling?: DoorSpelling
    readonly declared?: { readonly variant: string; readonly intent: Intent }
    readonly notes?: readonly string[]
  }
}

export interface DoorSpelling {
  readonly tool: Variant
  wrap(own: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[]
}

/** How an engine knows a tool: its contract, and how it spells our three parameters. */
interface Known {
  readonly reserved: { readonly rationale: string; readonly preview: string; readonly ticket: string }
}

export interface FrontParts<Found extends Known> {
  readonly intent: IntentSettings
  /** Who asks the person. */
  readonly confirmation?: Confirmation
  /** A tool by its qualified name. */
  find(name: string): UpstreamTool | undefined
  /** Resolves once the server that a name belongs to has started for the first time, or has failed to. */
  arrival(name: string): Promise<void>
  /** The qualified names that there are. */
  names(): Iterable<string>
  /** The engine's tool for a contract. */
  toTool(contract: UpstreamContract): Found
}

/** The gateway's own front: `call_tool_read`, `call_tool_write`, `call_tool_destructive`. */
export function createFront<Found extends Known>(parts: FrontParts<Found>) {
  const tools: readonly McpTool[] = metaTools(parts.intent.shape, parts.confirmation)

  async function translate(name: string, args: unknown): Promise<DoorCall<Found> | undefined> {
    if (!isVariant(name)) return undefined
    const wanted = qualifiedNameIn(args)
    if (wanted !== undefined && parts.find(wanted) === undefined) await parts.arrival(wanted)
    const read = readDoor(parts, name, args)
    if ('refusal' in read) return { kind: 'call', request: { tool: read.tool, args, refusal: read.refusal } }
    const { declared, tool, inner } = read
    const found = parts.toTool(tool.contract(name))
    const given = args as Readonly<Record<string, unknown>>
    // What was written as the rationale is checked and recorded as such; the reason stands in for it where there is none.
    const rationale = given['rationale'] ?? declared.rationale
    return {
      kind: 'call',
      request: {
        tool: tool.name,
        found,
        args: {
          ...inner,
          ...keep(found.reserved.rationale, rationale),
          // A read has no preview and no ticket; what is sent there all the same is refused by the engine.
          ...keep(found.reserved.preview, given['preview']),
          ...keep(found.reserved.ticket, given['ticket']),
        },
        spelling: spellingOf(name, tool.name, declared.intent, parts.intent.shape),
        declared: { variant: name, intent: declared.intent },
        notes: declared.warnings,
        ...(rationale === undefined ? { refusal: fieldFailure(name, '/rationale', null, rationaleHint) } : {}),
      },
    }
  }
  return { tools: () => tools, translate }
}

const qualifiedNameIn = (args: unknown): string | undefined => {
  const { name } = (args ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : undefined
}

const rationaleHint = 'a sentence of 10 to 500 characters on why you make this call, as rationale or as intent.reason'

const keep = (name: string, value: unknown): Record<string, unknown> => (value === undefined ? {} : { [name]: value })

const known = new Set(['name', 'args_json', 'intent', 'rationale', 'preview', 'ticket'])
const flat = new Set(['intent_operation_type', 'intent_data_sensitivity', 'intent_reason'])

type Read =
  | { readonly tool: string; readonly refusal: DoorFailure }
  | { readonly declared: Declared; readonly tool: UpstreamTool; readonly inner: Readonly<Record<string, unknown>> }

/** Checks everything that can be checked before the upstream's own schema: names, keys, intent, JSON. */
function readDoor<Found extends Known>(parts: FrontParts<Found>, variant: Variant, args: unknown): Read {
  const refuse = (refusal: DoorFailure, tool: string = variant): Read => ({ tool, refusal })
  if (args instanceof UnreadArguments)
    return refuse(fieldFailure(variant, args.why.pointer, args.why.received, args.why.allowed))
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return refuse(fieldFailure(variant, '', args ?? null, 'an object with name, args_json and intent'))
  const given = args as Readonly<Record<string, unknown>>
  const stray = Object.keys(given).find((key) => !known.has(key) && !flat.has(key))
  if (stray !== undefined)
    return refuse(
      fieldFailure(
        variant,
        `/${stray}`,
        given[stray],
        `no such argument; the tool's own arguments go into args_json, and known are ${[...known].join(', ')}`,
      ),
    )
  const name = given['name']
  if (typeof name !== 'string' || name === '')
    return refuse(
      fieldFailure(variant, '/name', name ?? null, 'the name of a tool as retrieve_tools gives it: server:tool'),
    )
  const tool = parts.find(name)
  const declared = checkIntent({
    variant,
    args: given,
    tool: name,
    hints: tool?.definition.annotations,
    callWith: tool?.callWith,
    settings: parts.intent,
  })
  if (!declared.ok) return refuse(intentFailure(name, declared.failure), name)
  if (tool === undefined) return refuse(unknownToolFailure(name, parts.names()), name)
  const inner = readArguments(given['args_json'])
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
  return { declared: declared.value, tool, inner: inner.value }
}

/** The Apply message repeats the door's call, not the upstream's. */
const spellingOf = (variant: Variant, name: string, intent: Intent, shape: IntentSettings['shape']): DoorSpelling => ({
  tool: variant,
  wrap: (own) => [
    ['name', name],
    ['args_json', JSON.stringify(Object.fromEntries(own))],
    ...(shape === 'nested'
      ? [['intent', intent] as const]
      : Object.entries(intent).map(([field, value]) => [`intent_${field}`, value] as const)),
  ],
})
