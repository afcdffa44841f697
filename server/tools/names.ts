// Reserved names. A contract that had one of them would make the Apply message ambiguous or hide a tool that the card calls.

/** Parameters that the rail reads; a contract may not declare them. */
export const reservedParameters = ['rationale', 'preview', 'ticket'] as const

/** The names of the three on one tool: with a prefix where the tool has a parameter of that name itself. */
export interface ReservedNames {
  readonly rationale: string
  readonly preview: string
  readonly ticket: string
}

/** The reserved parameters' names on a tool with these parameters (docs/DESIGN.md, section 2, "Arguments of every tool"). */
export function reservedNamesFor(parameters: readonly string[]): ReservedNames {
  const taken = parameters.some((name) => (reservedParameters as readonly string[]).includes(name))
  const prefix = taken ? 'countersign_' : ''
  return { rationale: `${prefix}rationale`, preview: `${prefix}preview`, ticket: `${prefix}ticket` }
}

/** Wire names that no contract may have. */
export const reservedTools: ReadonlySet<string> = new Set([
  'apply_plan',
  'plan_bundle',
  'apply_bundle',
  'submit_feedback',
  'get_cheatsheet',
])

export const isReservedTool = (wireName: string): boolean =>
  reservedTools.has(wireName) || wireName.startsWith('countersign_')

/** The name on the wire: `orders.create` → `orders_create`. */
export const wireNameOf = (name: string): string => name.replaceAll('.', '_')

/** Address of a provider's cheatsheet. */
export const cheatsheetUri = (name: string): string => `mcp://${name}/cheatsheet`

/** Key of `_meta` under which a result brings the view's words for the language of its card. */
export const wordsMetaKey = 'countersign/words'

/** Key of `_meta` under which a card is told how far a running call has got. */
export const progressMetaKey = 'countersign/progress'

/** Names of the app-only tools that the card calls, all taking the ticket (`progress`: the plan's id, too). */
export const appTools = {
  status: 'countersign_plan_status',
  confirm: 'countersign_plan_confirm',
  cancel: 'countersign_plan_cancel',
  page: 'countersign_plan_page',
  progress: 'countersign_plan_progress',
  revise: 'countersign_plan_revise',
} as const

/** Key of a page of a list, or of one row of it in full, in a result's `_meta`. */
export const pageMetaKey = 'countersign/page'

/** Key of what the card hears of changed values, in a result's `_meta`. */
export const revisionMetaKey = 'countersign/revision'

/** The view that renders every card. */
export const cardUri = 'ui://countersign/card.html'

/** Where the view lies that has such a look: at another address than one with another look, because hosts keep what they read. */
export const themedCardUri = (key: string): string => `ui://countersign/card-${key}.html`

/** Whether the view lies at this address, or lay there before somebody changed its look. */
export const isCardUri = (uri: string): boolean => /^ui:\/\/countersign\/card(?:-[0-9a-f]{12})?\.html$/.test(uri)

/** Key of the card in a result's `_meta`. */
export const cardMetaKey = 'countersign/card'
