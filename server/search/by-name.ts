// Who asks for a tool by its name wants that one, however the name is written. The keys by which names are compared are
// made anew at each comparison: kept, they would be as much as all other words of the index.
import { bareName, type IndexedTool } from './tool-text.ts'

/** `get_orders`, `getOrders` and "get orders" are one name. */
export const nameKey = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')

/** Finds the places of the tools that have this name's key, with their server's name or without it. */
export function createByName(tools: readonly IndexedTool[]): (key: string) => ReadonlySet<number> {
  const byWhole = sortedBy(tools, (tool) => nameKey(tool.name))
  const byBare = sortedBy(tools, (tool) => nameKey(bareName(tool)))
  return (key) => new Set([...byWhole(key), ...byBare(key)])
}

function sortedBy(tools: readonly IndexedTool[], keyOf: (tool: IndexedTool) => string): (key: string) => Uint32Array {
  const sorted = sorting(tools.map(keyOf))
  const firstWhere = (isBehind: (key: string) => boolean): number => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (isBehind(keyOf(tools[sorted[middle]!]!))) high = middle
      else low = middle + 1
    }
    return low
  }
  return (wanted) =>
    sorted.subarray(
      firstWhere((key) => key >= wanted),
      firstWhere((key) => key > wanted),
    )
}

/** The places of texts in their order. A function of its own: one made among the texts would keep them. */
export const sorting = (texts: readonly string[]): Uint32Array =>
  Uint32Array.from(texts.keys()).toSorted((a, b) => (texts[a]! < texts[b]! ? -1 : texts[a]! > texts[b]! ? 1 : a - b))
