// The values by which a tool says how it ended; told by their tag, because a second copy of this package makes them, too.
import type { ToolFailed, ToolStale } from '../tools/contract.ts'

const hasKind = (value: unknown, kind: string): boolean =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === kind

export const isToolFailed = (value: unknown): value is ToolFailed => hasKind(value, 'tool-failed')
export const isToolStale = (value: unknown): value is ToolStale => hasKind(value, 'tool-stale')
