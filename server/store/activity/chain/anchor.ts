// The form in which a head leaves the database: one line of JSON, appended, never changed.
import { z } from 'zod'

/** A head as it was at some time, kept where the database's owner cannot write. */
export interface Anchor {
  readonly at: number
  readonly tenant: string
  readonly seq: number
  readonly link: string
  /** Where it was read. */
  readonly place?: { readonly file: string; readonly line: number }
  /** A person went on with an older database: what earlier anchors have seen behind entry `after` counts no more. */
  readonly accepted?: Acceptance
}

interface Acceptance {
  readonly by: string
  readonly after: number
  /** Signature with the chain's key: only a process on this database can have written it. */
  readonly mac: string
}

const line = z.object({
  at: z.iso.datetime(),
  tenant: z.string(),
  entry: z.int().nonnegative(),
  link: z.string().min(20),
  accepted: z.object({ by: z.string(), after: z.int().nonnegative(), mac: z.string() }).optional(),
})

/** A head as a line of an anchor file. */
export const formatAnchor = ({ at, tenant, seq, link, accepted }: Anchor): string =>
  `${JSON.stringify({ at: new Date(at).toISOString(), tenant, entry: seq, link, accepted })}\n`

export type Anchors =
  | { readonly ok: true; readonly value: readonly Anchor[] }
  /** Number of the line that is none. */
  | { readonly ok: false; readonly line: number }

/**
 * Reads an anchor file. A line that was cut while it was written says nothing: its end is missing, or NUL bytes stand where
 * a disk that lost its power had kept room for it. A file that says nothing at all is not one, for it would let everything
 * pass.
 */
export const parseAnchors = (text: string, file?: string): Anchors => {
  const lines = text.split('\n').slice(0, -1)
  const anchors: Anchor[] = []
  for (const [at, content] of lines.entries()) {
    if (isCut(content)) continue
    const parsed = line.safeParse(readJson(content))
    if (!parsed.success) return { ok: false, line: at + 1 }
    const { entry: seq, at: time, tenant, link, accepted } = parsed.data
    anchors.push({
      at: Date.parse(time),
      tenant,
      seq,
      link,
      ...(file === undefined ? {} : { place: { file, line: at + 1 } }),
      ...(accepted === undefined ? {} : { accepted }),
    })
  }
  return anchors.length === 0 ? { ok: false, line: 1 } : { ok: true, value: anchors }
}

const isCut = (content: string): boolean => !content.trimEnd().endsWith('}') || isLost(content)

const isLost = (content: string): boolean => content.includes('\0')

/** Whether no line of a file has ever reached the disk. */
export const hasNoAnchors = (text: string): boolean => text.split('\n').slice(0, -1).every(isLost)

/** Where an anchor was read and of when it is, for a person who looks it up. */
export const anchorText = ({ at, place }: Anchor): string =>
  `${place === undefined ? 'an anchor' : `the anchor in line ${place.line} of ${place.file}`} of ${new Date(at).toISOString()}`

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
