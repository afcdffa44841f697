// A database may have lost entries of its record, and then calls that were made could be made a second time. Wherever this
// is found, agents may change nothing until a person has looked; here is what that person is told.

/** Why nobody can say that a database has all of its record. */
export interface Doubt {
  /** `behind`: it lacks what its anchors have seen. `unreadable`: nobody can read what they have seen. */
  readonly kind: 'behind' | 'unreadable'
  /** What was found, in sentences. */
  readonly message: string
  /** What an operator does about it. */
  readonly next: string
}

const accept = '`countersign activity accept --reason "…"`, which is recorded with your name'

/** The doubt about a database that lacks what its anchors have seen; `undefined` where it lacks nothing. */
export function behindAnchors(
  found: readonly { readonly entry: number; readonly message: string }[],
): Doubt | undefined {
  if (found.length === 0) return undefined
  const restore = `stop the server and restore the newer copy of the database; or accept this one with ${accept}.`
  return {
    kind: 'behind',
    message: `The database is older than its anchors, and a change could be made twice. ${found.map(({ message }) => message).join(' ')}`,
    next: found.every(({ entry }) => entry === 0)
      ? `If this is a new database in the place of an older one (dropped and made again, or at its address), say so with ${accept}. If it is not, ${restore}`
      : `S${restore.slice(1)}`,
  }
}

/** The doubt about a database whose anchors cannot be read, for what the file said. */
export const unreadableAnchors = (failure: { readonly message: string }): Doubt => ({
  kind: 'unreadable',
  message: `The anchors of the database cannot be read, so nobody can say whether it has lost entries of its record. ${failure.message}`,
  next: `Put the file in order (its permissions, a copy of it), then \`countersign unfreeze\`; or go on without what it said with ${accept} and sets the file aside.`,
})

const anchorsGone = (what: string): Doubt => ({
  kind: 'unreadable',
  message: `${what}, so nobody can say whether the database has lost entries of its record.`,
  next: `Put the file back as it was; or go on without what it said with ${accept}.`,
})

/** The doubt about a database whose anchor file lacks lines that were in it. */
export const anchorLinesGone = (file: string): Doubt =>
  anchorsGone(`Lines of the anchor file ${file} that this server has read or written are gone`)

/** The doubt about a database that a server has frozen by itself, and whose anchor file is gone or empty. */
export const anchorFileGone = (file: string): Doubt =>
  anchorsGone(`A server froze itself over the anchor file ${file}, and that file is gone or empty now`)

/** Why agents may change nothing, as they and their cards are told it. */
export const stoppedBecause = ({ kind, message }: Doubt): string =>
  kind === 'behind'
    ? `The database has lost entries of its record. ${message}`
    : `The record of this database cannot be compared with its anchors. ${message}`

/** Why changes stay stopped for every tenant, whoever stopped them. */
export const staysFrozen = (
  doubt: Doubt,
): { readonly code: 'database-behind' | 'anchors-unreadable'; readonly message: string; readonly next: string } => ({
  code: doubt.kind === 'behind' ? 'database-behind' : 'anchors-unreadable',
  message: `Nothing was lifted. ${doubt.message}`,
  next: doubt.next,
})
