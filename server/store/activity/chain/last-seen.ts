// A database can be set back under a process that runs: a copy is restored in place, a standby that lagged takes over. The
// process itself knows better. It remembers the newest entry of each chain that it has brought to the disk, and a head
// that is found below it, or another of the same number, means that the database has lost what was there.
import type { Anchor } from './anchor.ts'
import type { Head } from '../write/chain-transaction.ts'

export type SeenHead = Head & { readonly tenant: string }

/** The database has lost an entry that this process has brought to its disk. Tagged by `kind`; nothing was written. */
export class SetBack extends Error {
  readonly kind = 'set-back'
  readonly seen: SeenHead

  constructor(seen: SeenHead, found: Head) {
    const name = JSON.stringify(seen.tenant)
    super(
      found.seq < seen.seq
        ? `The record of tenant ${name} ends at entry ${found.seq}, but this process has written entry ${seen.seq}. Nothing was written.`
        : `Entry ${seen.seq} of tenant ${name} is not the one that this process has written. Nothing was written.`,
    )
    this.name = 'SetBack'
    this.seen = seen
  }
}

export type LastSeen = ReturnType<typeof createLastSeen>

/** What one process knows of the chains of its database. `now` in epoch milliseconds. */
export const createLastSeen = (now: () => number) => {
  const onDisk = new Map<string, Anchor>()
  const pending = new Map<string, Anchor>()
  let forgotten = 0
  const confirm = (head: Anchor): void => {
    if ((onDisk.get(head.tenant)?.seq ?? 0) < head.seq) onDisk.set(head.tenant, head)
    if (pending.get(head.tenant) === head) pending.delete(head.tenant)
  }
  /** To be asked before something is committed that waits for the disk; to be called once it has. */
  const mark = (): (() => void) => {
    const [before, then] = [[...pending.values()], forgotten]
    return () => {
      if (then === forgotten) before.forEach(confirm)
    }
  }
  return {
    /**
     * Compares a head with what is known of its chain.
     * @throws {SetBack} where it is older.
     */
    check: (tenant: string, found: Head): void => {
      const seen = onDisk.get(tenant)
      if (seen === undefined || found.seq > seen.seq || (found.seq === seen.seq && found.link === seen.link)) return
      throw new SetBack(seen, found)
    },
    /** These heads were committed. What does not wait for the disk counts once something has that was committed later. */
    committed: (heads: readonly SeenHead[], durable: boolean): void => {
      for (const head of heads) pending.set(head.tenant, { at: now(), ...head })
      if (durable) mark()()
    },
    mark,
    /** The newest entry of each chain that is known to be on disk, and when this process knew of it. */
    known: (): readonly Anchor[] => [...onDisk.values()],
    /** What was known of these tenants' chains does not count any more. */
    forget: (tenants: readonly string[]): void => {
      if (tenants.length > 0) forgotten++
      for (const tenant of tenants) {
        onDisk.delete(tenant)
        pending.delete(tenant)
      }
    },
  }
}
