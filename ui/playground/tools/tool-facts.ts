// What the playground knows of a tool comes from an unknown server: Countersign's contract where there is one, MCP's
// annotations where there is not. Read once, so that nothing further in has to look at `_meta`.
import { getToolUiResourceUri } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { CardRisk } from '../../../server/model/card.ts'

export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly risk: CardRisk | undefined
  /** Its arguments decide, and `risk` is the most that a call of it can be. */
  readonly riskByInput: boolean
  readonly forModel: boolean
  readonly forApp: boolean
  /** Address of the view that draws its results. */
  readonly viewUri: string | undefined
  readonly inputSchema: unknown
  readonly definition: Tool
}

type Loose = Readonly<Record<string, unknown>>

const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})
const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const risks: readonly string[] = ['low', 'medium', 'high', 'critical']

export function toolFacts(tool: Tool): ToolFacts {
  const meta = record(tool._meta)
  const contract = record(meta['countersign/contract'])
  const visibility = record(meta['ui'])['visibility']
  const visible = (to: string): boolean => (Array.isArray(visibility) ? visibility.includes(to) : true)
  return {
    name: tool.name,
    title: tool.title ?? tool.annotations?.title ?? humanize(tool.name),
    description: tool.description ?? '',
    category: humanize(text(contract['category']) ?? tool.name.split('_')[0] ?? tool.name),
    risk: riskOf(contract['risk'], tool),
    riskByInput: contract['risk_depends_on_input'] === true,
    forModel: visible('model'),
    forApp: visible('app'),
    viewUri: viewUriOf(tool),
    inputSchema: tool.inputSchema,
    definition: tool,
  }
}

function riskOf(declared: unknown, tool: Tool): CardRisk | undefined {
  if (typeof declared === 'string' && risks.includes(declared)) return declared as CardRisk
  return tool.annotations?.readOnlyHint === true ? 'low' : undefined
}

function viewUriOf(tool: Tool): string | undefined {
  try {
    return getToolUiResourceUri(tool)
  } catch {
    return undefined
  }
}

/** "due_date" → "Due date", "sku" → "SKU". */
export function humanize(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/\b(?:id|sku|url|vat|po|so)\b/g, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The view of everything that is previewed before it happens. */
const ourCard = 'ui://countersign/card.html'

/**
 * True for a server that shows a card before any of its tools changes something: it has the tool that records a click,
 * and whatever it does not mark as a read has a contract or our card.
 */
export const signsWrites = (tools: readonly ToolFacts[]): boolean =>
  tools.some(({ name, forModel }) => name === 'countersign_plan_confirm' && !forModel) &&
  tools.every(
    ({ forModel, viewUri, definition }) =>
      !forModel ||
      definition.annotations?.readOnlyHint === true ||
      viewUri === ourCard ||
      'risk' in record(record(definition._meta)['countersign/contract']),
  )

/** Tools that an agent may see, by category, in the server's order. */
export function byCategory(tools: readonly ToolFacts[]): readonly (readonly [string, readonly ToolFacts[]])[] {
  const groups = new Map<string, ToolFacts[]>()
  for (const tool of tools) if (tool.forModel) groups.set(tool.category, [...(groups.get(tool.category) ?? []), tool])
  return [...groups]
}
