// Is this still what was written? Each tenant's chain is walked from its start (or its last signed cut) to its head, and
// the first entry that does not follow from the one before it is named with its row. What a chain cannot see by itself,
// that its end is missing or that all of it was written anew, shows against heads that were exported earlier.
import { setImmediate as turn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { inOneRead } from '../../in-one-read.ts'
import type { Tables } from '../../tables.ts'
import type { Chain } from './chain.ts'
import { anchorText, type Anchor } from './anchor.ts'
import { anchorsInForce, contradiction } from './anchors.ts'
import { checkpointOf, signatureOf, type Checkpoint } from './checkpoint.ts'
import type { Erasure } from './digest-columns.ts'
import { entriesBetween, erasuresOf, type Entry } from './entries.ts'
import { erasureProblem } from './erased-when.ts'
import { callTables, headTable, type CallTable } from '../call-tables.ts'
import { toNumber } from '../to-number.ts'

type ProblemKind = 'changed' | 'removed' | 'inserted' | 'cut' | 'rebuilt' | 'contradicted'

interface Problem {
  readonly kind: ProblemKind
  readonly tenant: string
  /** Number of the entry in its tenant's chain. */
  readonly seq: number
  /** The row to look at; for something removed, the last one before the gap. */
  readonly id: string | undefined
  /** One sentence: what was found, and where. */
  readonly message: string
}

export interface TenantReport {
  readonly tenant: string
  readonly entries: number
  /** Entries behind which retention has cut. */
  readonly cut: number
  readonly anchorsMatched: number
  /** The newest entry that an anchor has confirmed; `undefined` where none has said anything of this chain. */
  readonly anchored: number | undefined
  readonly problem: Problem | undefined
}

const WINDOW = 4000
/** Where others wait meanwhile. */
const SHORT_WINDOW = 1000

/** Hears how many entries of a tenant have been walked, and how many there are. */
export type HearWalked = (walked: number, entries: number, tenant: string) => void

/** Walks every tenant's chain, in one reading transaction, so that nothing moves meanwhile. */
export const verifyChains = (
  db: Kysely<Tables>,
  chain: Chain,
  anchors: readonly Anchor[],
  onWalked?: HearWalked,
): Promise<readonly TenantReport[]> =>
  inOneRead(db, async (trx) => {
    const reports: TenantReport[] = []
    for (const tenant of await tenantsOf(trx, anchors))
      reports.push(await verifyTenant(trx, chain, tenant, anchors, { onWalked }))
    return reports
  })

interface Walk {
  /** Whether others go on writing meanwhile. */
  readonly moving?: boolean
  readonly onWalked?: HearWalked | undefined
}

/**
 * Walks one tenant's chain up to the head that it has now, while others go on writing: on SQLite a transaction would keep
 * them all waiting. What looks wrong may only have moved meanwhile (an erasure, a retention cut), so it is looked at again
 * with nothing moving before it is said.
 */
export const verifyOne = async (
  db: Kysely<Tables>,
  chain: Chain,
  tenant: string,
  anchors: readonly Anchor[],
): Promise<TenantReport> => {
  const report = await verifyTenant(db, chain, tenant, anchors, { moving: true })
  if (report.problem === undefined) return report
  return await inOneRead(db, (trx) => verifyTenant(trx, chain, tenant, anchors))
}

/** Those with a head, those with rows, and those that an anchor remembers. */
const tenantsOf = async (db: Kysely<Tables>, anchors: readonly Anchor[]): Promise<readonly string[]> => {
  const heads = await db.selectFrom(headTable(db)).select('tenant').execute()
  const tenants = new Set([...heads, ...anchors].map(({ tenant }) => tenant))
  for (const table of callTables(db)) for (const tenant of await tenantsIn(db, table)) tenants.add(tenant)
  return [...tenants].sort()
}

const tenantsIn = async (db: Kysely<Tables>, table: CallTable): Promise<readonly string[]> => {
  const tenants: string[] = []
  for (let last: string | undefined; ;) {
    const after = last
    // One step per tenant on the index, where `distinct` would read every row.
    const row = await db
      .selectFrom(table)
      .select((is) => is.fn.min('tenant').as('tenant'))
      .$if(after !== undefined, (q) => q.where('tenant', '>', after ?? ''))
      .executeTakeFirst()
    if (row === undefined || row.tenant === null) return tenants
    tenants.push((last = row.tenant))
  }
}

async function verifyTenant(
  db: Kysely<Tables>,
  chain: Chain,
  tenant: string,
  given: readonly Anchor[],
  { moving = false, onWalked }: Walk = {},
): Promise<TenantReport> {
  const head = await db
    .selectFrom(headTable(db))
    .select(['seq', 'link'])
    .where('tenant', '=', tenant)
    .executeTakeFirst()
  const end = toNumber(head?.seq ?? 0)
  const start = await checkpointOf(db, chain, tenant)
  const { inForce: anchors, forged } = anchorsInForce(chain, tenant, given)
  let [matched, anchored] = [0, 0]
  const report = (problem: Problem | undefined): TenantReport => ({
    tenant,
    entries: end,
    cut: start === 'forged' ? 0 : start.seq,
    anchorsMatched: matched,
    anchored: matched === 0 ? undefined : anchored,
    problem,
  })
  const bad = (kind: ProblemKind, seq: number, id: string | undefined, message: string): TenantReport =>
    report({ kind, tenant, seq, id, message })
  if (start === 'forged') return bad('changed', 0, undefined, 'The record of the last retention cut was changed.')

  if (forged !== undefined)
    return bad(
      'changed',
      forged.seq,
      undefined,
      `${capital(anchorText(forged))} accepts an older record, and is not signed with the key of this one.`,
    )
  const rivals = contradiction(anchors)
  if (rivals !== undefined) return report(contradicted(...rivals))

  const erasures = Map.groupBy(await erasuresOf(db, tenant, -1, end), ({ pseudonym }) => pseudonym)
  const past = await verifyKept(db, chain, tenant, start, erasures)
  if (past !== undefined) return report(past)
  const marks = Map.groupBy(anchors, ({ seq }) => seq)
  let link = start.link
  let last: string | undefined
  const anchorAt = (seq: number): Problem | undefined => {
    const here = marks.get(seq) ?? []
    const denied = here.find((anchor) => anchor.link !== link)
    if (denied !== undefined) return rebuilt(denied, last)
    if (here.length > 0) [matched, anchored] = [matched + here.length, seq]
    return undefined
  }
  const atStart = anchorAt(start.seq)
  if (atStart !== undefined) return report(atStart)
  const window = moving ? SHORT_WINDOW : WINDOW
  for (let from = start.seq; from < end; from += window) {
    const to = Math.min(from + window, end)
    onWalked?.(from - start.seq, end - start.seq, tenant)
    // SQLite answers at once, and a promise alone gives nobody else a turn.
    if (moving || onWalked !== undefined) await turn()
    const entries = await entriesBetween(db, tenant, from, to)
    for (let seq = from + 1, at = 0; seq <= to; seq++) {
      const here = entries[at]
      if (here === undefined || here.seq !== seq) return bad('removed', seq, last, removed(seq, last))
      const rival = entries[at + 1]
      if (rival?.seq === seq) {
        const [own, other] = chain.link(link, rival.content) === rival.link ? [rival, here] : [here, rival]
        return bad(
          'inserted',
          seq,
          other.id,
          `Row ${other.id} was inserted: it takes entry ${seq}, which is ${own.id}.`,
        )
      }
      const problem = entryProblem(chain, link, here, erasures)
      if (problem !== undefined) return bad('changed', seq, here.id, problem)
      link = here.link
      last = here.id
      at++
      const denied = anchorAt(seq)
      if (denied !== undefined) return report(denied)
    }
  }
  const [beyond] = moving ? [] : await entriesBetween(db, tenant, end)
  if (beyond !== undefined)
    return bad(
      'inserted',
      beyond.seq,
      beyond.id,
      `Row ${beyond.id} was inserted: it lies behind the chain's head, ${end}.`,
    )
  if (head !== undefined && head.link !== link)
    return bad('changed', end, last, "The record of the chain's head was changed.")
  const ahead = anchors.find((anchor) => anchor.seq > end)
  if (ahead !== undefined)
    return bad(
      'cut',
      end,
      last,
      `The chain ends at entry ${end}, but ${anchorText(ahead)} has seen entry ${ahead.seq}: its end was cut off.`,
    )
  return report(undefined)
}

/** What lies before the cut must be what was kept there, all of it and nothing else. */
async function verifyKept(
  db: Kysely<Tables>,
  chain: Chain,
  tenant: string,
  { seq: end, kept }: Checkpoint,
  erasures: Erasures,
): Promise<Problem | undefined> {
  const before = await entriesBetween(db, tenant, Number.MIN_SAFE_INTEGER, end)
  const seen = new Set<number>()
  for (const entry of before) {
    const { seq, id } = entry
    const problem = (kind: ProblemKind, message: string): Problem => ({ kind, tenant, seq, id, message })
    const signature = kept.get(seq)
    if (signature === undefined || seen.has(seq))
      return problem('inserted', `Row ${id} was inserted before the last retention cut.`)
    seen.add(seq)
    if (signature !== signatureOf(chain, entry))
      return problem('changed', `Row ${id} was changed (its ${entry.kind}, entry ${seq}).`)
    const beside = besideContent(entry, erasures)
    if (beside !== undefined) return problem('changed', beside)
  }
  const gone = [...kept.keys()].find((seq) => !seen.has(seq))
  if (gone === undefined) return undefined
  return { kind: 'removed', tenant, seq: gone, id: undefined, message: removed(gone, undefined) }
}

/** By pseudonym, in the order of the chain. */
type Erasures = ReadonlyMap<string, readonly Erasure[]>

const entryProblem = (chain: Chain, before: string, entry: Entry, erasures: Erasures): string | undefined =>
  chain.link(before, entry.content) === entry.link
    ? besideContent(entry, erasures)
    : `Row ${entry.id} was changed (its ${entry.kind}, entry ${entry.seq}).`

/** What is wrong with columns that an entry's link does not say itself: texts, when they were erased, what is not yet. */
const besideContent = (entry: Entry, erasures: Erasures): string | undefined => {
  const where = `(its ${entry.kind}, entry ${entry.seq})`
  if (entry.texts === 'changed') return `The texts of row ${entry.id} were changed ${where}.`
  const own = erasures.get(entry.pseudonym) ?? []
  const gone = entry.texts === 'erased'
  if (gone && !own.some(({ seq }) => toNumber(seq) > entry.seq))
    return `The texts of row ${entry.id} are gone ${where}, and no erasure says so.`
  const problem = entry.erasure && erasureProblem(entry.id, entry.erasure, gone, own)
  if (problem !== undefined) return problem
  if (entry.beyond === 'ended') return `Row ${entry.id} was changed: it has not ended, and yet says how it ended.`
  if (entry.beyond === 'moved')
    return `Row ${entry.id} was changed: it has not ended, and yet its last change is not its first.`
  return undefined
}

const removed = (seq: number, last: string | undefined): string =>
  `Entry ${seq} was removed: ${last === undefined ? 'it was the first one' : `it followed row ${last}`}.`

const rebuilt = (anchor: Anchor, id: string | undefined): Problem => ({
  kind: 'rebuilt',
  tenant: anchor.tenant,
  seq: anchor.seq,
  id,
  message: `The chain was written anew: entry ${anchor.seq} is not the one that ${anchorText(anchor)} has seen.`,
})

const contradicted = (one: Anchor, other: Anchor): Problem => ({
  kind: 'contradicted',
  tenant: one.tenant,
  seq: one.seq,
  id: undefined,
  message: `Two anchors contradict each other about entry ${one.seq}: ${anchorText(one)} has seen ${one.link}, ${anchorText(other)} has seen ${other.link}. One of them is of a chain that was written anew, or two databases share the file.`,
})

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
