// Filters read the annotations as the server gave them: an operator's override is the gate's business, and a hint that
// was never given is not a "no".
import type { Hint, IndexedTool } from './tool-text.ts'

export interface ToolFilters {
  /** One server or several. */
  readonly server?: string | readonly string[] | undefined
  /** `true`: only tools so annotated. `false`: none so annotated; a tool without the hint stays. */
  readonly readOnlyHint?: boolean | undefined
  readonly destructiveHint?: boolean | undefined
}

/** Whether a tool is among those that the filters leave. */
export function passes(tool: IndexedTool, { server, readOnlyHint, destructiveHint }: ToolFilters): boolean {
  if (typeof server === 'string' ? tool.server !== server : server !== undefined && !server.includes(tool.server))
    return false
  return hinted(tool, 'readOnlyHint', readOnlyHint) && hinted(tool, 'destructiveHint', destructiveHint)
}

function hinted(tool: IndexedTool, hint: Hint, wanted: boolean | undefined): boolean {
  return wanted === undefined || (tool.annotations?.[hint] === true) === wanted
}
