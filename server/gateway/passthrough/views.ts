// Views (MCP Apps, SEP-1865) of somebody else's server. Behind one connection a host cannot tell whose iframe speaks, so
// they are shown where exactly one server is attached and taken out everywhere where there are several. Their addresses
// get a prefix of their own below ours, so that no server can have a view at the address of our card.
import type { ToolDefinition } from '../upstream/definitions/definition.ts'
import type { RawResult } from '../upstream/upstream.ts'

/** Who may call a tool: the model, the views of the same server, or both. */
type Audience = 'model' | 'app'

/** `_meta.ui` of a tool in a listing (SEP-1865, "Resource Discovery"). */
export type ToolView = {
  readonly resourceUri?: string
  readonly visibility?: readonly Audience[]
}

const scheme = 'ui://'
/** SEP-1865 calls it deprecated; hosts and servers of 2025 know nothing else. */
const flatKey = 'ui/resourceUri'

const isView = (uri: unknown): uri is string => typeof uri === 'string' && uri.startsWith(scheme)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a tool says of its view, as its server gave it. */
export function viewOf({ _meta: meta }: Pick<ToolDefinition, '_meta'>): ToolView {
  const ui = isObject(meta?.['ui']) ? meta['ui'] : {}
  const uri = ui['resourceUri'] ?? meta?.[flatKey]
  const { visibility } = ui
  const named = Array.isArray(visibility)
    ? visibility.filter((who): who is Audience => who === 'model' || who === 'app')
    : undefined
  return {
    ...(isView(uri) ? { resourceUri: uri } : {}),
    // An empty list hides a tool from everybody, which nobody can mean.
    ...(named === undefined || named.length === 0 ? {} : { visibility: named }),
  }
}

/** Whether agents see this tool. One that is for a view only is no tool of theirs. */
export const isForModel = (definition: Pick<ToolDefinition, '_meta'>): boolean =>
  viewOf(definition).visibility?.includes('model') ?? true

/** Whether the views of its server may call it. */
export const isForApps = (definition: Pick<ToolDefinition, '_meta'>): boolean =>
  viewOf(definition).visibility?.includes('app') ?? true

/** What becomes of the views of one server. */
export interface Views {
  readonly shown: boolean
  /** The address under which clients know a view. Other addresses stay as they are. */
  outward(uri: string): string
  /** The server's own address of it. */
  inward(uri: string): string
  /** What the listing says of a tool's view; `undefined` where there is nothing to say. */
  tool(definition: Pick<ToolDefinition, '_meta'>): ToolView | undefined
  /** A result as clients get it. The value is the caller's own and is changed in place. */
  result(result: RawResult): RawResult
  /** One content block (of a prompt's message, say), likewise. */
  block(block: unknown): unknown
}

/** The views of the one server that is attached. */
export function shownViews(server: string): Views {
  const prefix = `${scheme}upstream/${server}/`
  const outward = (uri: string): string => (isView(uri) ? `${prefix}${uri.slice(scheme.length)}` : uri)
  const inward = (uri: string): string => (uri.startsWith(prefix) ? `${scheme}${uri.slice(prefix.length)}` : uri)

  const readdress = (holder: unknown, key: string): void => {
    if (isObject(holder) && isView(holder[key])) holder[key] = outward(holder[key])
  }
  const meta = (holder: Record<string, unknown>): void => {
    readdress(holder['_meta'], flatKey)
    if (isObject(holder['_meta'])) readdress(holder['_meta']['ui'], 'resourceUri')
  }
  const block = (value: unknown): unknown => {
    if (!isObject(value)) return value
    meta(value)
    readdress(value, 'uri')
    readdress(value['resource'], 'uri')
    return value
  }
  return {
    shown: true,
    outward,
    inward,
    tool: (definition) => {
      const view = viewOf(definition)
      const { resourceUri } = view
      if (resourceUri !== undefined) return { ...view, resourceUri: outward(resourceUri) }
      return view.visibility === undefined ? undefined : view
    },
    result: (result) => {
      meta(result)
      result.content?.forEach(block)
      return result
    },
    block,
  }
}

const leftOut = { type: 'text', text: '[A view of the server is left out: several servers are attached.]' } as const

/** Where several servers are attached there are no views, and nothing points to one. */
export const hiddenViews: Views = {
  shown: false,
  outward: (uri) => uri,
  inward: (uri) => uri,
  tool: () => undefined,
  result: (result) => {
    forget(result)
    const { content } = result
    if (!content?.some(isViewBlock)) return result
    return { ...result, content: content.map((block) => (isViewBlock(block) ? leftOut : block)) }
  },
  block: (block) => (isViewBlock(block) ? leftOut : block),
}

const isViewBlock = (block: unknown): boolean =>
  isObject(block) && (isView(block['uri']) || (isObject(block['resource']) && isView(block['resource']['uri'])))

function forget(holder: Record<string, unknown>): void {
  const meta = holder['_meta']
  if (!isObject(meta) || !('ui' in meta || flatKey in meta)) return
  delete meta['ui']
  delete meta[flatKey]
  if (Object.keys(meta).length === 0) delete holder['_meta']
}
