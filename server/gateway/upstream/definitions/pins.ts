// A tool that was harmless when it was looked at may be redefined the day after. So the whole definition is pinned when
// it is first seen, and what comes later is compared with that. A change is held back until an operator accepts it; only
// more caution takes effect at once.
import { compareAnnotations, isHint } from './annotations.ts'
import { canonicalText } from './canonical.ts'
import { definitionDiff } from './definition-diff.ts'
import { definitionDigest, readDefinition, type ServerAnnotations, type ToolDefinition } from './definition.ts'
import type { Pin, PinStore } from '../../../model/pins.ts'

/** A tool as it may be offered. */
export interface PinnedTool {
  /** The pinned definition, with the strictest annotations that its server ever gave. */
  readonly definition: ToolDefinition
  /** Digest of what is offered: what a confirmation relies on. */
  readonly digest: string
  /** Present while a change waits: the tool is listed as it was, and not called. */
  readonly held?: HeldChange
}

export interface HeldChange {
  readonly digest: string
  /** What changed, place by place. */
  readonly diff: string
  readonly definition: ToolDefinition
}

/** Compares a server's tools with their pins, writes what is new, and answers what may be offered. */
export async function pinTools(
  server: string,
  tools: readonly ToolDefinition[],
  store: PinStore,
): Promise<readonly PinnedTool[]> {
  const pins = new Map((await store.get(server)).map((pin) => [pin.tool, pin]))
  const compared = tools.map((tool) => comparePin(server, tool, pins.get(tool.name)))
  const changed = compared.filter(({ pin }) => pin !== pins.get(pin.tool)).map(({ pin }) => pin)
  if (changed.length > 0) await store.put(changed)
  return compared.map(({ offered }) => offered)
}

/**
 * The tools of a server as they were pinned, for as long as it has not listed them itself. One that it does not have any
 * more may be among them, so they are shown and not called.
 */
export async function rememberedTools(server: string, store: Pick<PinStore, 'get'>): Promise<readonly PinnedTool[]> {
  return (await store.get(server)).flatMap(({ definition, digest }) => {
    const read = readDefinition(JSON.parse(definition))
    return read.ok ? [{ definition: read.value, digest }] : []
  })
}

interface Compared {
  /** The very pin that was given, where nothing is to be written. */
  readonly pin: Pin
  readonly offered: PinnedTool
}

/** One tool against its pin. Pure. */
function comparePin(server: string, tool: ToolDefinition, pin: Pin | undefined): Compared {
  const digest = definitionDigest(tool.raw)
  if (pin === undefined)
    return {
      pin: { server, tool: tool.name, definition: canonicalText(tool.raw), digest },
      offered: { definition: tool, digest },
    }
  if (digest === pin.digest)
    return { pin: pin.held === undefined ? pin : withoutHeld(pin), offered: { definition: tool, digest } }

  const before = stored(pin.definition, tool)
  const { change, strictest } = compareAnnotations(before.annotations, tool.annotations)
  const tight = withAnnotations(before, strictest)
  const offered = { definition: tight, digest: definitionDigest(tight.raw) }
  // Everything but the annotations decides whether there is something to accept; they only when they got softer.
  const same = canonicalText(withoutAnnotations(before)) === canonicalText(withoutAnnotations(tool))
  if (same && change !== 'loosened')
    return { pin: rewritten(pin, offered.definition, offered.digest, undefined), offered }
  const held = { definition: canonicalText(tool.raw), digest }
  return {
    pin: rewritten(pin, offered.definition, offered.digest, held),
    offered: { ...offered, held: { digest, diff: definitionDiff(tight.raw, tool.raw), definition: tool } },
  }
}

function rewritten(pin: Pin, definition: ToolDefinition, digest: string, held: Pin['held']): Pin {
  if (pin.digest === digest && pin.held?.digest === held?.digest) return pin
  return {
    server: pin.server,
    tool: pin.tool,
    definition: canonicalText(definition.raw),
    digest,
    ...(held === undefined ? {} : { held }),
  }
}

const withoutHeld = ({ server, tool, definition, digest }: Pin): Pin => ({ server, tool, definition, digest })

/** The pinned text as a definition; one that cannot be read any more is taken as the tool without annotations. */
function stored(text: string, tool: ToolDefinition): ToolDefinition {
  const read = readDefinition(JSON.parse(text))
  return read.ok ? read.value : withAnnotations(tool, undefined)
}

function withAnnotations(definition: ToolDefinition, annotations: ServerAnnotations | undefined): ToolDefinition {
  const { annotations: given, ...rest } = definition.raw
  // Keys that are no hints of ours to judge stay with the definition that they came with.
  const merged = annotations === undefined ? undefined : { ...(typeof given === 'object' ? given : {}), ...annotations }
  return {
    ...definition,
    annotations,
    raw: merged === undefined ? rest : { ...rest, annotations: merged },
  }
}

function withoutAnnotations(definition: ToolDefinition): Readonly<Record<string, unknown>> {
  const { annotations, ...rest } = definition.raw
  if (typeof annotations !== 'object' || annotations === null) return rest
  const other = Object.entries(annotations).filter(([name]) => name !== 'title' && !isHint(name))
  return other.length === 0 ? rest : { ...rest, annotations: Object.fromEntries(other) }
}
