// The boundary between a row and a plan. The file may have been written by an older or newer version, by another
// database, or by hand, so a row is parsed before anything is believed of it.
import { z } from 'zod'
import type { Plan, PlanDraft, PlanEnding, PlanState } from '../model/plan-store.ts'
import { fromRow } from './from-row.ts'
import type { Sealer } from './seal.ts'

/** As it is written down. An open plan past its expiry is read as `expired`, without a write. */
type StoredState = Exclude<PlanState, 'expired'>

// PostgreSQL hands out its 64-bit integers as text.
export const epoch = z.union([z.int(), z.string().regex(/^\d+$/).transform(Number)])
export const bytes: z.ZodType<Uint8Array> = z.instanceof(Uint8Array)

const planRow = z.object({
  id: z.string(),
  ticket_hash: z.string(),
  digest: z.string(),
  tool: z.string(),
  definition: z.string(),
  tenant: z.string(),
  subject: z.string(),
  basis: z.string().nullable(),
  /** Arguments, rationale and what was shown, sealed as one: three ciphers would cost more than the query. */
  content: bytes,
  state: z.enum(['open', 'applying', 'applied', 'failed', 'stale', 'unknown', 'cancelled', 'superseded']),
  created_at: epoch,
  expires_at: epoch,
  changed_at: epoch,
  lease_until: epoch.nullable(),
  click_at: epoch.nullable(),
  click_trusted: z.union([z.literal(0), z.literal(1)]),
  /** Sealed. */
  ending: bytes.nullable(),
})

const planContent = z.object({ args: z.string(), rationale: z.string(), shown: z.string() })
const failure = z.object({ code: z.string(), message: z.string() })
const planEnding = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), result: z.string() }),
  z.object({ kind: z.literal('failed'), failure }),
  z.object({ kind: z.literal('stale') }),
  z.object({ kind: z.literal('unknown'), failure }),
])

type PlanRow = z.infer<typeof planRow>

/** The columns of a plan. */
export interface PlanTable extends PlanRow {
  /** Who runs or ran it. Kept after the end: an owner that comes late may still say what became of the run. */
  readonly owner: string | null
  /** 1 while it waits for an approval: a new preview of the same call does not supersede it. */
  readonly held: number
  /** Of the call that the person made of it on its card. */
  readonly revised_digest: string | null
}

/** Their names. */
export const planColumns = [
  ...Object.keys(planRow.shape),
  'owner',
  'held',
  'revised_digest',
] as readonly (keyof PlanTable)[]

export const parsePlanRow = (row: PlanTable): PlanRow => planRow.parse(row)

/** States in which a plan has an ending to tell. */
export const ENDED: readonly StoredState[] = ['applied', 'failed', 'stale', 'unknown']

/** A new plan, as a row. */
export const toPlanRow = (draft: PlanDraft, sealer: Sealer, now: number): PlanTable => ({
  id: draft.id,
  ticket_hash: draft.ticketHash,
  digest: draft.digest,
  tool: draft.tool,
  definition: draft.definition,
  tenant: draft.principal.tenant,
  subject: draft.principal.subject,
  basis: draft.basis ?? null,
  content: sealContent(draft, sealer),
  state: 'open',
  created_at: now,
  expires_at: now + draft.ttlMs,
  changed_at: now,
  held: 0,
  owner: null,
  lease_until: null,
  click_at: null,
  click_trusted: 0,
  ending: null,
  revised_digest: null,
})

const sealContent = ({ id, args, rationale, shown }: PlanDraft, sealer: Sealer): Uint8Array =>
  sealer.seal(id, 'content', JSON.stringify({ args, rationale, shown }))

/** `reconciled`: concluded by somebody else than who ran it. */
export const sealEnding = (sealer: Sealer, id: string, ending: PlanEnding, reconciled = false): Uint8Array =>
  sealer.seal(id, 'ending', JSON.stringify(reconciled ? { ...ending, reconciled } : ending))

const concludedByAnother = z.object({ reconciled: z.literal(true) })

/** An ending as it was sealed, and whether a reconcile has concluded it. */
export const openEnding = (
  sealer: Sealer,
  id: string,
  sealed: Uint8Array,
): { readonly ending: PlanEnding; readonly reconciled: boolean } => {
  const content: unknown = JSON.parse(sealer.open(id, 'ending', sealed))
  return {
    ending: planEnding.parse(content),
    reconciled: concludedByAnother.safeParse(content).success,
  }
}

/** How long a recorded result can be replayed. */
export const KEEP_RESULTS_MS = 24 * 60 * 60 * 1000

/** The plan as it reads at `now`: expiry and the retention of results hold even before anything is written or swept. */
export const toPlan = (row: PlanRow, sealer: Sealer, now: number): Plan => {
  const expired = row.state === 'open' && row.expires_at <= now
  const ended = ENDED.includes(row.state)
  const sealed = ended && row.changed_at + KEEP_RESULTS_MS > now ? row.ending : null
  const { tenant, subject, content, lease_until: _, click_at: clickAt, click_trusted: trusted, ...same } = row
  return {
    ...fromRow(same),
    principal: { tenant, subject },
    ...planContent.parse(JSON.parse(sealer.open(row.id, 'content', content))),
    state: expired ? 'expired' : row.state,
    changedAt: expired ? row.expires_at : row.changed_at,
    click: clickAt === null ? undefined : { at: clickAt, trusted: trusted === 1 },
    ending: sealed === null ? undefined : openEnding(sealer, row.id, sealed).ending,
    resultErased: ended && sealed === null,
  }
}

/** What reading the row back would say, without deciphering it. `frozenAt`: of the freeze by which it was revoked at once. */
export const openedPlan = (
  { ttlMs, isRevision: _isRevision, ...draft }: PlanDraft,
  at: number,
  frozenAt: number | undefined,
): Plan => ({
  ...draft,
  state: frozenAt === undefined ? 'open' : 'cancelled',
  createdAt: at,
  expiresAt: at + ttlMs,
  changedAt: frozenAt ?? at,
  click: undefined,
  ending: undefined,
  resultErased: false,
})
