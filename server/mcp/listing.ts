// The lists that clients get: tools, with everything that can be known before the first call, and resources.
import { createHash } from 'node:crypto'
import type { Resource, ResourceTemplate, Tool as McpTool } from '@modelcontextprotocol/sdk/types.js'
import { applyPlanDescription, applyPlanName, applyPlanSchema, applyPlanTitle } from '../rail/apply/apply-plan.ts'
import {
  isBundleTool,
  planBundleDescription,
  planBundleName,
  planBundleTitle,
} from '../rail/bundles/bundle-contract.ts'
import { advertisedOutput, envelopeSchema } from '../rail/answers/envelope.ts'
import type { ApplyForm, Caller } from '../rail/engine.ts'
import { fullContract } from '../rail/answers/full-contract.ts'
import type { Catalog, Tool } from '../tools/catalog.ts'
import { riskAtMost } from '../tools/define-tool.ts'
import { listedContract } from '../tools/public-contract.ts'
import { appTools, cardUri, isCardUri, themedCardUri } from '../tools/names.ts'
import { appToolsFor } from './app-tools.ts'
import type { GatewayTools } from './gateway-tools.ts'

/** MIME type of an MCP Apps view (SEP-1865, "UI Resource Format"). */
export const viewMimeType = 'text/html;profile=mcp-app'

type Listed = McpTool['inputSchema']

/** The list of each catalogue, made once, because every client asks for it at its start. */
const made = new WeakMap<readonly Tool[], McpTool[]>()

/** The tools as `tools/list` answers them. Forbidden tools are not among the catalogue's. */
export function listTools(catalog: Catalog, apply: ApplyForm, cards: Caller['cards'] = 'unknown'): McpTool[] {
  const { tools } = catalog
  const known = made.get(tools) ?? toList(tools, apply)
  made.set(tools, known)
  return listedFor(cards, known)
}

/** Without app-only tools for a host without views, which would show them to its model. */
const listedFor = (cards: Caller['cards'], tools: McpTool[]): McpTool[] =>
  cards === 'no' ? tools.filter((tool) => !isForCardsOnly(tool)) : tools

/** Whether a listed tool is for views only. */
export const isForCardsOnly = ({ _meta: meta }: McpTool): boolean => isAppOnly(meta?.['ui'])

/** Whether `_meta.ui` hides a tool from models (SEP-1865, "Visibility"). */
function isAppOnly(ui: unknown): boolean {
  const who = (ui as { readonly visibility?: unknown } | undefined)?.visibility
  return Array.isArray(who) && !who.includes('model')
}

function toList(tools: readonly Tool[], apply: ApplyForm): McpTool[] {
  const writes = tools.some((tool) => tool.contract.operation !== 'read')
  return [...tools.map(listTool), ...(writes ? railTools(apply, tools) : [])]
}

/** A gateway's tools: those of its catalogue, its call tools, those of the rail, and those that its upstream's view calls. */
export const listGatewayTools = (
  catalog: Catalog,
  gatewayTools: GatewayTools,
  apply: ApplyForm,
  cards: Caller['cards'],
): McpTool[] => [
  ...catalog.tools.map(listTool),
  ...gatewayTools.tools().map(listDoor),
  ...(cards === 'yes' ? gatewayTools.direct().map(listTool) : []),
  ...listedFor(cards, railTools(apply, catalog.tools, [appTools.revise])),
]

/** Whether only a view may call this tool of an upstream. */
export const isForAppsOnly = ({ contract }: Tool): boolean => contract.passes === true && isAppOnly(contract.ui)

/** Whether a gateway's call tool names our card, whatever it calls: those that may change something do. */
export const doorNamesCard = ({ annotations }: McpTool): boolean => annotations?.readOnlyHint !== true

/** It has no output schema, because upstreams' results vary. */
const listDoor = (door: McpTool): McpTool =>
  !doorNamesCard(door)
    ? door
    : { ...door, _meta: { ...door._meta, ui: { resourceUri: cardUri, visibility: ['model'] } } }

/** `also`: what the cards of tools need that are not among these. */
const railTools = (apply: ApplyForm, tools: readonly Tool[], also?: Parameters<typeof appToolsFor>[1]): McpTool[] => [
  ...(apply === 'inline' ? [] : [applyPlanTool()]),
  ...tools.filter(isBundleTool).map(planBundleTool),
  ...appToolsFor(tools, also),
]

function listTool(tool: Tool): McpTool {
  const { listed } = tool.contract
  const output = advertisedOutput(tool)
  return {
    name: tool.wireName,
    title: tool.contract.title,
    description: tool.description,
    inputSchema: tool.inputSchema as Listed,
    ...(output === undefined ? {} : { outputSchema: output as Listed }),
    annotations: tool.annotations,
    ...(listed?.icons === undefined ? {} : { icons: listed.icons as NonNullable<McpTool['icons']> }),
    ...(listed?.execution === undefined ? {} : { execution: listed.execution }),
    _meta: {
      ...listed?.meta,
      'countersign/contract': { ...listedContract(tool), uri: contractUriOf(tool.wireName) },
      ...uiOf(tool),
    },
  }
}

/**
 * The view that a host renders for a tool: its own where it has one, our card for what is previewed. An upstream's is named
 * under the deprecated flat key as well, the only one that hosts of 2025 read.
 */
function uiOf(tool: Tool): Readonly<Record<string, unknown>> {
  const { contract } = tool
  const { ui } = contract
  if (ui === undefined) return namesCard(tool) ? { ui: { resourceUri: cardUri, visibility: ['model'] } } : {}
  const flat = contract.passes === true && typeof ui['resourceUri'] === 'string'
  return { ui, ...(flat ? { 'ui/resourceUri': ui['resourceUri'] } : {}) }
}

/** Whether a tool names our card: hosts draw it then for every call, also for one that only reads by its arguments. */
export const namesCard = ({ contract }: Tool): boolean => contract.ui === undefined && contract.operation !== 'read'

/** `plan_bundle` takes what `apply_bundle` takes, but for what would apply it. */
function planBundleTool(tool: Tool): McpTool {
  const {
    preview: _,
    ticket: __,
    ...properties
  } = (tool.inputSchema as { properties: Record<string, object> }).properties
  return {
    name: planBundleName,
    title: planBundleTitle,
    description: planBundleDescription,
    inputSchema: { ...tool.inputSchema, properties } as Listed,
    outputSchema: envelopeSchema,
    annotations: {
      title: planBundleTitle,
      // It changes nothing, but servers behind may be asked for a dry run, as by the previews of its steps.
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
    _meta: { ui: { resourceUri: cardUri, visibility: ['model'] } },
  }
}

const applyPlanTool = (): McpTool => ({
  name: applyPlanName,
  title: applyPlanTitle,
  description: applyPlanDescription,
  inputSchema: applyPlanSchema() as Listed,
  outputSchema: envelopeSchema,
  annotations: {
    title: applyPlanTitle,
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  _meta: { ui: { resourceUri: cardUri, visibility: ['model'] } },
})

/** A text that the server offers as a resource. */
export interface TextResource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
  readonly text: string
  readonly meta?: Readonly<Record<string, unknown>>
}

const contractUri = 'countersign://contracts/'

/** The address of a tool's contract. */
export const contractUriOf = (wireName: string): string => `${contractUri}${wireName}`

const toContractResource = (tool: Tool): TextResource => ({
  uri: contractUriOf(tool.wireName),
  name: `contract-${tool.wireName}`,
  title: `Contract of ${tool.contract.title}`,
  mimeType: 'application/json',
  text: JSON.stringify(fullContract(tool), null, 2),
})

/** The contracts as one resource template (RFC 6570): a resource for each tool would crowd every client's list. */
export const contractTemplate: ResourceTemplate & { readonly title: string } = {
  uriTemplate: `${contractUri}{tool}`,
  name: 'countersign-contracts',
  title: 'Contract of a tool',
  description:
    'What a tool of this server promises: risk, side effects, permissions, failures. {tool} is its name as it is called; behind a gateway as retrieve_tools writes it, such as files:edit_file.',
  mimeType: 'application/json',
}

/** The contract at this URI, also of a tool behind a gateway; `undefined` for a forbidden one. */
export function contractResource(catalog: Catalog, uri: string): TextResource | undefined {
  if (!uri.startsWith(contractUri)) return undefined
  const name = uri.slice(contractUri.length)
  const tool = catalog.find(name) ?? catalog.find(unescaped(name))
  if (tool === undefined || riskAtMost(tool.contract.risk) === 'forbidden') return undefined
  return { ...toContractResource(tool), uri }
}

/** A name as a client has put it into the template: with escapes for what is not unreserved (RFC 6570, section 3.2.2). */
function unescaped(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/**
 * The view that renders every card. It asks for no network, so it declares no domains.
 * @param style of the theme of this server, which stands behind the view's own; empty where it has none.
 */
export function cardResource(html: string, style = ''): TextResource {
  const text = style === '' ? html : html.replace('</head>', () => `<style>${style}</style></head>`)
  return {
    // Of all of it: another version of the view is another view to a host that keeps what it has read.
    uri: style === '' ? cardUri : themedCardUri(createHash('sha256').update(text).digest('hex').slice(0, 12)),
    name: 'countersign-card',
    title: 'Confirmation card',
    mimeType: viewMimeType,
    text,
    meta: { ui: { prefersBorder: false } },
  }
}

/** The tools, with our view at the address that this server has it at. */
export function withViewOf(resources: readonly TextResource[], tools: McpTool[]): McpTool[] {
  const uri = resources.find((resource) => isCardUri(resource.uri))?.uri ?? cardUri
  if (uri === cardUri) return tools
  return tools.map((tool) => {
    const ui = tool._meta?.['ui'] as { readonly resourceUri?: unknown } | undefined
    return ui?.resourceUri === cardUri ? { ...tool, _meta: { ...tool._meta, ui: { ...ui, resourceUri: uri } } } : tool
  })
}

export const listResource = (resource: TextResource): Resource => ({
  uri: resource.uri,
  name: resource.name,
  title: resource.title,
  mimeType: resource.mimeType,
  size: Buffer.byteLength(resource.text),
  ...(resource.meta === undefined ? {} : { _meta: { ...resource.meta } }),
})
