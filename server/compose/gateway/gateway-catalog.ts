// Other people's tools as a catalogue: by name where they stand behind call tools, listed where one server is wrapped, and
// beside the call tools what a view needs.
import type { Catalog, Tool } from '../../tools/catalog.ts'
import { toTool } from '../../tools/catalog.ts'
import type { Confirmation } from '../../tools/rail-words.ts'
import { variantByName, type UpstreamContract, type UpstreamTool } from '../../gateway/contract/upstream-contracts.ts'
import { isForApps, viewOf, type Views } from '../../gateway/passthrough/views.ts'

/** The contract by which a tool is known without a call tool. */
export const byName = (tool: UpstreamTool): UpstreamContract => tool.contract(variantByName(tool))

/** Derives an engine's tool from a contract once. */
export function createToolMaker(confirmation: Confirmation): (contract: UpstreamContract) => Tool {
  const known = new WeakMap<UpstreamContract, Tool>()
  return (contract) => {
    const found = known.get(contract) ?? toTool(contract, contract.wire, confirmation)
    known.set(contract, found)
    return found
  }
}

/** Our own tools are listed; theirs are found by name only, through a call tool. */
export function gatewayCatalog(
  own: Catalog,
  find: (name: string) => UpstreamTool | undefined,
  direct: () => readonly Tool[],
  makeTool: (contract: UpstreamContract) => Tool,
  { arrivalOf, suggestNames }: Pick<Required<Catalog>, 'arrivalOf' | 'suggestNames'>,
): Catalog {
  return {
    tools: own.tools,
    arrivalOf,
    suggestNames,
    find: (name) => {
      const theirs = find(name)
      if (theirs !== undefined) return makeTool(byName(theirs))
      return own.find(name) ?? direct().find(({ wireName }) => wireName === name)
    },
  }
}

/**
 * A host finds a view by the name of the tool that it lists, and a view calls tools by their own names. So behind a
 * gateway of one server the tools that have to do with a view are there under those names as well, as with `wrap`. Each
 * goes through the call tool that its annotations name, which is never an easier one than an agent could choose.
 */
export function neededByViews(tools: readonly UpstreamTool[]): readonly UpstreamTool[] {
  if (!tools.some(({ definition }) => viewOf(definition).resourceUri !== undefined)) return []
  return tools.filter(
    (tool) =>
      viewOf(tool.definition).resourceUri !== undefined ||
      // What is confirmed on our card is no tool for a view: the card, and the ticket in it, would go to the view.
      (isForApps(tool.definition) && tool.contract(tool.callWith).ui !== undefined),
  )
}

/** What has no view of its own is there for views only: an agent calls it through a call tool. */
export const besideViews = (views: Views): Views => ({
  ...views,
  tool: (definition) => {
    const view = views.tool(definition)
    return view?.resourceUri === undefined ? { ...view, visibility: ['app'] } : view
  },
})

/**
 * Their tools are listed under their own names, each through the call tool that its annotations name; with `status`, a tool that
 * says how their server stands, where that was not there when the first client came.
 */
export function wrapCatalog(
  own: Catalog,
  tools: () => readonly UpstreamTool[],
  status: () => Tool | undefined,
  makeTool: (contract: UpstreamContract) => Tool,
  { arrivalOf, suggestNames }: Pick<Required<Catalog>, 'arrivalOf' | 'suggestNames'>,
): Catalog {
  interface Made {
    readonly of: readonly UpstreamTool[]
    readonly beside: Tool | undefined
    readonly list: readonly Tool[]
    readonly byName: ReadonlyMap<string, Tool>
  }
  let made: Made | undefined
  const current = (): Made => {
    const [of, beside] = [tools(), status()]
    if (made?.of === of && made.beside === beside) return made
    const theirs = of.map((tool) => makeTool(tool.contract(tool.callWith)))
    const names = new Set(own.tools.map((tool) => tool.wireName))
    // No server takes the place of a tool of ours, and no name is listed twice.
    const list = [
      ...theirs.filter((tool) => !names.has(tool.wireName)),
      ...own.tools,
      ...(beside === undefined ? [] : [beside]),
    ]
    made = { of, beside, list, byName: new Map(list.map((tool) => [tool.wireName, tool])) }
    return made
  }
  return {
    get tools() {
      return current().list
    },
    find: (name) => current().byName.get(name),
    // There is one server, so whatever is not known yet may be its.
    arrivalOf,
    suggestNames,
  }
}
