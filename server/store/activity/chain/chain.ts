// Whoever can write the database could rewrite the past. So everything that is written down becomes an entry of its
// tenant's chain: a keyed hash over the entry before it and this one's content. Texts that may have to be erased take
// part by a salted digest only; without salt and text the digest tells nothing and the chain still holds.
import { createHmac, createSecretKey, hash } from 'node:crypto'

type Cell = string | number | null

/** What an entry says for ever. Texts that can be erased are not in it, only their digest. */
export type Content = readonly [kind: EntryKind, tenant: string, seq: number, ...rest: Cell[]]
export type EntryKind = 'begin' | 'end' | 'event' | 'erase'

export type Chain = ReturnType<typeof createChain>

/** A row needs one, and most rows are of the same few subjects. */
const MOST_PSEUDONYMS = 1000

/** The chain's arithmetic for one 32-byte key. */
export const createChain = (secret: Uint8Array) => {
  const key = createSecretKey(secret)
  // JSON keeps the parts apart whatever they contain; the first part keeps the purposes apart.
  const mac = (purpose: string, ...cells: readonly Cell[]): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, ...cells]))
      .digest('base64url')
  const pseudonyms = new Map<string, string>()
  return {
    /** What the first entry of a tenant links to. */
    genesis: (tenant: string): string => mac('genesis', tenant),
    /** The link of an entry behind the one with link `before`. */
    link: (before: string, content: Content): string => mac('link', before, ...content),
    /** Proof that this was written by someone with the key: checkpoints, entries kept behind one, acceptances. */
    sign: (purpose: 'kept' | 'checkpoint' | 'accepted', cells: readonly Cell[]): string => mac(purpose, ...cells),
    /** The name that a subject goes by once it is erased; part of every row from the start. */
    pseudonym: (tenant: string, subject: string): string => {
      const name = JSON.stringify([tenant, subject])
      const known = pseudonyms.get(name) ?? `erased_${mac('subject', tenant, subject).slice(0, 16)}`
      if (pseudonyms.size >= MOST_PSEUDONYMS) pseudonyms.clear()
      pseudonyms.set(name, known)
      return known
    },
  }
}

/** Commits to texts without keeping them. The salt must go with them. */
export const digestOf = (salt: string, ...texts: readonly Cell[]): string =>
  hash('sha256', JSON.stringify([salt, ...texts]), 'base64url')

/**
 * A text as every database gives it back: SQLite replaces lone surrogates, PostgreSQL refuses NUL, and a digest over
 * what was handed in would then not be one over what was kept.
 */
export const clean = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')
