// A server may become more careful at any time, and never less: whoever could lower a hint by reconnecting could turn a
// delete into a read between two calls.
import type { ServerAnnotations } from './definition.ts'

type AnnotationChange = 'same' | 'tightened' | 'loosened'

interface Compared {
  readonly change: AnnotationChange
  /** The stricter of both, hint by hint; an omitted hint keeps what was said before. */
  readonly strictest: ServerAnnotations | undefined
}

/** For each hint the value that makes people more careful (MCP's own reading). */
const strict = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const

type HintName = keyof typeof strict
const hintNames = Object.keys(strict) as readonly HintName[]

/** Whether an annotation of this name is a hint that is compared. */
export const isHint = (name: string): boolean => Object.hasOwn(strict, name)

/** Compares what a server says now with what is pinned. */
export function compareAnnotations(
  pinned: ServerAnnotations | undefined,
  now: ServerAnnotations | undefined,
): Compared {
  let tightened = false
  let loosened = false
  const hints: Partial<Record<HintName, boolean>> = {}
  for (const name of hintNames) {
    const before = pinned?.[name]
    const after = now?.[name]
    const kept = strictestOf(name, before, after)
    if (kept !== undefined) hints[name] = kept
    if (after === undefined || after === before) continue
    // A hint that was never given and now is: strict words tighten, soft ones loosen what silence meant.
    if (after === strict[name]) tightened = true
    else loosened = true
  }
  const title = pinned?.title ?? now?.title
  const strictest = { ...(title === undefined ? {} : { title }), ...hints }
  return {
    change: loosened ? 'loosened' : tightened ? 'tightened' : 'same',
    strictest: Object.keys(strictest).length === 0 ? undefined : strictest,
  }
}

/** What was said and is said; a soft word that comes after silence does not count until it is accepted. */
function strictestOf(name: HintName, before: boolean | undefined, after: boolean | undefined): boolean | undefined {
  if (before === strict[name] || after === strict[name]) return strict[name]
  return before
}
