// The form in which a head leaves the database: one line of JSON, appended, never changed.
import { z } from 'zod'
import type { Anchor } from './verify.ts'

const line = z.object({
  at: z.iso.datetime(),
  tenant: z.string(),
  entry: z.int().nonnegative(),
  link: z.string().min(20),
})

/** A head as a line of an anchor file. */
export const formatAnchor = ({ at, tenant, seq, link }: Anchor): string =>
  `${JSON.stringify({ at: new Date(at).toISOString(), tenant, entry: seq, link })}\n`

export type Anchors =
  | { readonly ok: true; readonly value: readonly Anchor[] }
  /** Number of the line that is none. */
  | { readonly ok: false; readonly line: number }

/**
 * Reads an anchor file. A last line without its end was cut while it was written, and says nothing; a file that says
 * nothing at all is not one, for it would let everything pass.
 */
export const parseAnchors = (text: string): Anchors => {
  const lines = text.split('\n').slice(0, -1)
  const anchors: Anchor[] = []
  for (const [at, content] of lines.entries()) {
    if (content.trim() === '') continue
    const parsed = line.safeParse(readJson(content))
    if (!parsed.success) return { ok: false, line: at + 1 }
    const { entry, ...rest } = parsed.data
    anchors.push({ tenant: rest.tenant, link: rest.link, at: Date.parse(rest.at), seq: entry })
  }
  return anchors.length === 0 ? { ok: false, line: 1 } : { ok: true, value: anchors }
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
