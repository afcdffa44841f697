// What anchors say together. All of them count: of two that name one entry and disagree, neither silences the other.
// Only a person who has accepted an older database, under the chain's own signature, makes some of them count no more.
import type { Kysely } from 'kysely'
import { inOneRead } from '../../in-one-read.ts'
import type { Tables } from '../../tables.ts'
import { anchorText, type Anchor } from './anchor.ts'
import type { Chain } from './chain.ts'
import { checkpointOf } from './checkpoint.ts'
import { entriesBetween } from './entries.ts'
import { headTable } from '../call-tables.ts'
import { toNumber } from '../to-number.ts'

const signed = (chain: Chain, { at, tenant, seq, link }: Anchor, by: string, after: number): string =>
  chain.sign('accepted', [at, tenant, seq, link, by, after])

const isSigned = (chain: Chain, anchor: Anchor, { by, after, mac }: Accepted): boolean =>
  signed(chain, anchor, by, after) === mac

type Accepted = NonNullable<Anchor['accepted']>

/** Of which tenant and when a person accepted an older database, and the signature. `at` in epoch milliseconds. */
export type SignedAcceptance = Pick<Anchor, 'tenant' | 'at'> & Pick<Accepted, 'mac'>

/** The acceptances among these lines that somebody with the key has signed. */
export const signedAcceptances = (chain: Chain, anchors: readonly Anchor[]): readonly SignedAcceptance[] =>
  anchors.flatMap((anchor) =>
    anchor.accepted !== undefined && isSigned(chain, anchor, anchor.accepted)
      ? [{ tenant: anchor.tenant, at: anchor.at, mac: anchor.accepted.mac }]
      : [],
  )

/** A tenant's anchors that count, in their order, and the first acceptance since the last sound one that nobody with the key has signed. */
export function anchorsInForce(
  chain: Chain,
  tenant: string,
  anchors: readonly Anchor[],
): { readonly inForce: readonly Anchor[]; readonly forged: Anchor | undefined } {
  let inForce: Anchor[] = []
  let forged: Anchor | undefined
  for (const anchor of anchors) {
    if (anchor.tenant !== tenant) continue
    const { accepted } = anchor
    if (accepted !== undefined) {
      if (isSigned(chain, anchor, accepted)) {
        inForce = inForce.filter(({ seq }) => seq <= accepted.after)
        forged = undefined
      } else forged ??= anchor
    }
    inForce.push(anchor)
  }
  return { inForce, forged }
}

/** The first two anchors that name one entry and say different things of it. */
export function contradiction(anchors: readonly Anchor[]): readonly [Anchor, Anchor] | undefined {
  const seen = new Map<number, Anchor>()
  for (const anchor of anchors) {
    const other = seen.get(anchor.seq)
    if (other === undefined) seen.set(anchor.seq, anchor)
    else if (other.link !== anchor.link) return [other, anchor]
  }
  return undefined
}

/** The link of one entry; `undefined` where there is none, `cut` where retention has removed it. */
async function linkAt(db: Kysely<Tables>, chain: Chain, tenant: string, seq: number): Promise<string | undefined> {
  const start = await checkpointOf(db, chain, tenant)
  if (start !== 'forged' && seq === start.seq) return start.link
  if (start !== 'forged' && seq < start.seq) return 'cut'
  return (await entriesBetween(db, tenant, seq - 1, seq))[0]?.link
}

/** A database that has lost what an anchor has seen. */
export interface Behind {
  readonly tenant: string
  /** The newest entry that the database has. */
  readonly entry: number
  /** One sentence: what the database has, and what which anchor has seen. */
  readonly message: string
}

/** Compares the newest anchor of each tenant with what the database holds: a few reads, whatever its size. */
export const findBehind = (db: Kysely<Tables>, chain: Chain, anchors: readonly Anchor[]): Promise<readonly Behind[]> =>
  anchors.length === 0 ? Promise.resolve([]) : inOneRead(db, (trx) => behindIn(trx, chain, anchors))

async function behindIn(db: Kysely<Tables>, chain: Chain, anchors: readonly Anchor[]): Promise<readonly Behind[]> {
  const found: Behind[] = []
  for (const tenant of new Set(anchors.map((anchor) => anchor.tenant))) {
    const { inForce } = anchorsInForce(chain, tenant, anchors)
    const newest = inForce.reduce((high, { seq }) => Math.max(high, seq), 0)
    const entry = await headOf(db, tenant)
    const link = await linkAt(db, chain, tenant, newest)
    const denied = inForce.find(
      (anchor) => anchor.seq === newest && (entry < newest || (anchor.link !== link && link !== 'cut')),
    )
    if (newest === 0 || denied === undefined) continue
    const name = JSON.stringify(tenant)
    const message =
      entry < newest
        ? `The record of tenant ${name} ends at entry ${entry}, but ${anchorText(denied)} has seen entry ${newest}.`
        : `Entry ${newest} of tenant ${name} is not the one that ${anchorText(denied)} has seen.`
    found.push({ tenant, entry, message })
  }
  return found
}

async function headOf(db: Kysely<Tables>, tenant: string): Promise<number> {
  const head = await db.selectFrom(headTable(db)).select('seq').where('tenant', '=', tenant).executeTakeFirst()
  return toNumber(head?.seq ?? 0)
}

/**
 * The lines that accept the database as it is, for every tenant that it has and every tenant whose anchors it denies: what
 * a process knows from before them counts no more, and what they say counts from then on.
 */
export const acceptances = (
  db: Kysely<Tables>,
  chain: Chain,
  anchors: readonly Anchor[] | 'unreadable',
  { by, at }: { readonly by: string; readonly at: number },
): Promise<readonly Anchor[]> =>
  inOneRead(db, async (trx) => {
    const rows = await trx.selectFrom(headTable(trx)).select(['tenant', 'seq', 'link']).execute()
    const heads = new Map(rows.map(({ tenant, seq, link }) => [tenant, { seq: toNumber(seq), link }]))
    const readable = anchors === 'unreadable' ? [] : anchors
    const denied = new Set((await behindIn(trx, chain, readable)).map(({ tenant }) => tenant))
    const lines: Anchor[] = []
    for (const tenant of new Set([...heads.keys(), ...denied])) {
      const head = { at, tenant, ...(heads.get(tenant) ?? { seq: 0, link: chain.genesis(tenant) }) }
      const after = denied.has(tenant)
        ? await lastAgreed(trx, chain, tenant, anchorsInForce(chain, tenant, readable).inForce)
        : head.seq
      lines.push({ ...head, accepted: { by, after, mac: signed(chain, head, by, after) } })
    }
    return lines
  })

/** The newest entry that both the database and its anchors know. */
async function lastAgreed(
  db: Kysely<Tables>,
  chain: Chain,
  tenant: string,
  anchors: readonly Anchor[],
): Promise<number> {
  for (const anchor of anchors.toSorted((a, b) => b.seq - a.seq)) {
    const link = await linkAt(db, chain, tenant, anchor.seq)
    if (link === anchor.link || link === 'cut') return anchor.seq
  }
  return 0
}
