// What the playground knows of a tool, and what follows from it. It comes from an unknown server and is read once
// (`connection/tool-of-server.ts`), so that nothing further in has to look at `_meta`.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { CardRisk } from '../../../server/model/card.ts'

export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  /** As its contract says. */
  readonly category: string | undefined
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

/** What a member of an unknown object is, if it is one. */
export const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})

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

/** The view of everything that is previewed before it happens, with whatever look. */
const ourCard = /^ui:\/\/countersign\/card(?:-[0-9a-f]+)?\.html$/

/** What a server's tools say of calls that change something. */
export type ServerPromise =
  /** Each shows a card before anything happens. */
  | 'asks'
  /** Some do, and some may act at once. */
  | 'asks-partly'
  /** Each may act at once. */
  | 'acts'
  /** No tool is there that changes anything, as far as the server says. */
  | 'reads'

const isRead = ({ definition }: ToolFacts): boolean => definition.annotations?.readOnlyHint === true
const hasContract = ({ definition }: ToolFacts): boolean =>
  'risk' in record(record(definition._meta)['countersign/contract'])
const isPreviewed = (tool: ToolFacts): boolean => ourCard.test(tool.viewUri ?? '') || hasContract(tool)

/**
 * What may be said of a server at its head. A preview before each write is believed only of a server with the tool that
 * records a click, or with a contract (a host that draws no views is not told of the tools for views), whose every tool is
 * marked as a read, has a contract, or has our card.
 */
export function promiseOf(tools: readonly ToolFacts[]): ServerPromise {
  const agents = tools.filter(({ forModel }) => forModel)
  const records =
    agents.some(hasContract) || tools.some(({ name, forModel }) => name === 'countersign_plan_confirm' && !forModel)
  const asking = records ? agents.filter((tool) => !isRead(tool) && isPreviewed(tool)) : []
  const acting = agents.filter((tool) => !isRead(tool) && !asking.includes(tool))
  if (acting.length === 0) return records ? 'asks' : 'reads'
  return asking.length > 0 ? 'asks-partly' : 'acts'
}

/** With what a name begins, up to where its next word does: `orders` of `orders_list`. */
const prefixOf = (name: string): string | undefined => /^([a-z\d]{2,40})[_.:/-]/i.exec(name)?.[1]?.toLowerCase()

/** A group of one tool says nothing that the tool's name does not. */
const fewest = 2

/**
 * Tools that an agent may see, in groups and in the server's order: by category where a contract names one, else by what
 * the server's names begin with (`orders_list`, `orders_get`). What is alone there is one group for itself.
 */
export function grouped(tools: readonly ToolFacts[]): readonly (readonly [string, readonly ToolFacts[]])[] {
  const visible = tools.filter(({ forModel }) => forModel)
  const counts = new Map<string, number>()
  for (const { name, category } of visible) {
    const prefix = category === undefined ? prefixOf(name) : undefined
    if (prefix !== undefined && !verbs.has(prefix)) counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
  }
  const groupOf = ({ name, category }: ToolFacts): string => {
    if (category !== undefined) return humanize(category)
    const prefix = prefixOf(name) ?? ''
    return (counts.get(prefix) ?? 0) >= fewest ? humanize(prefix) : otherTools
  }
  const groups = new Map<string, ToolFacts[]>()
  for (const tool of visible) groups.set(groupOf(tool), [...(groups.get(groupOf(tool)) ?? []), tool])
  const others = groups.get(otherTools)
  // Behind those that have a name.
  if (others !== undefined && groups.delete(otherTools)) groups.set(groups.size === 0 ? 'Tools' : otherTools, others)
  return [...groups]
}

const otherTools = 'Other tools'

/** First words that say what a tool does, and not to what part of a server it belongs: `read_file`, `list_files`. */
const verbs: ReadonlySet<string> = new Set(
  'add append apply call cancel check clear close copy create delete destroy edit execute export fetch find get import insert list make move open patch post put query read remove rename replace reset restore run save search select send set show start stop submit update upload upsert write'.split(
    ' ',
  ),
)
