// What a process writes down of a campaign while it sends: which mails it takes, before their first byte, and what became
// of those before. Both stand in one transaction, so that a commit is paid for once for many mails.
import { sql, type Expression, type SqlBool } from 'kysely'
import type { LaterEvent } from '../../toolset.ts'
import type {
  CampaignMailRow,
  CampaignMailState,
  CampaignRow,
  CampaignState,
  MailDatabase,
  MailRecording,
} from '../schema.ts'
import { recordSent } from '../quota-usage.ts'
import type { MailSettings } from '../options.ts'
import { takeTurn } from '../policy.ts'
import { quotasInWords, roomFor } from '../quota.ts'
import { reopen, type Rest } from './schedule.ts'

/** What became of a mail, or whose it is no more: `pending` was not begun. */
export interface MailOutcome {
  readonly position: number
  readonly state: Exclude<CampaignMailState, 'sending' | 'stopped'>
  readonly response: string | null
  readonly serviceId?: string | undefined
  readonly attempts: number
  readonly dueAt: string
}

/** Who sends mails of a campaign. */
export interface LeaseHolder {
  readonly campaign: CampaignRow
  readonly owner: string
  /** ISO 8601. */
  readonly now: string
  readonly leaseUntil: string
}

export interface Batch {
  /** Marked as `sending`: the holder may send them. */
  readonly taken: readonly CampaignMailRow[]
  /** Of whom no mail goes out by now: contact and reason. */
  readonly undeliverable: ReadonlyMap<string, string>
  readonly state: CampaignState
  /** No more may go out just now, though more are due. */
  readonly full?: Rest
}

interface BatchRequest {
  readonly outcomes: readonly MailOutcome[]
  /** So many more mails are taken, at most. */
  readonly most: number
  /** Behind a commit whose answer was lost: the mails that the holder knows of. Others that are marked for it were not begun. */
  readonly known?: readonly number[]
}

/** Writes outcomes down and takes more mails, while the campaign is running. */
export const commitBatch = (
  recording: MailRecording,
  settings: Pick<MailSettings, 'policy'>,
  holder: LeaseHolder,
  { outcomes, most, known }: BatchRequest,
): Promise<Batch | undefined> =>
  recording(async (transaction, record) => {
    // A statement that changes nothing, and holds the row: who stops the campaign comes before all of this or after it.
    const campaign = await transaction
      .updateTable('mail_campaigns')
      .set((eb) => ({ next_at: eb.ref('next_at') }))
      .where('id', '=', holder.campaign.id)
      .returning(['id', 'state'])
      .executeTakeFirst()
    if (campaign === undefined) return undefined
    if (known !== undefined) await putBackStrays(transaction, holder, known, campaign.state)
    const settled = outcomes.length === 0 ? [] : await settle(transaction, holder, outcomes, campaign.state)
    for (const mail of settled) {
      const event = eventOf(holder.campaign, mail)
      if (event !== undefined) record(event)
    }
    // Others had given up what this process had in its hands, and found nothing left to send.
    const isOpenAgain = campaign.state === 'finished' && settled.some(({ state }) => isOpen(state))
    if (isOpenAgain) await reopen(transaction, campaign.id, holder.now)
    const state = isOpenAgain ? 'running' : campaign.state
    if (state !== 'running' || most === 0) return { taken: [], undeliverable: new Map(), state }
    const { left, full } = await roomOf(transaction, settings, holder)
    const taken = await take(transaction, holder, Math.min(most, left))
    return {
      taken,
      undeliverable: await undeliverableOf(transaction, taken),
      state,
      ...(full !== undefined && taken.length === 0 && (await isDue(transaction, holder)) ? { full } : {}),
    }
  })

/** How many may get mail now; nobody else adds a mail of this tenant until these are marked. */
async function roomOf(
  transaction: MailDatabase,
  settings: Pick<MailSettings, 'policy'>,
  { campaign, now }: LeaseHolder,
) {
  const { tenant } = campaign
  await takeTurn(transaction, tenant)
  const at = Date.parse(now)
  const { left, from } = await roomFor(transaction, settings, { tenant, now: at, at, recipients: 1 })
  if (from === undefined) return { left }
  const text = `The quota of this server is used up: it lets ${quotasInWords(settings)} get mail.`
  return { left, full: { code: 'quota_used_up', text, nextAt: new Date(from).toISOString() } satisfies Rest }
}

const isDue = async (transaction: MailDatabase, { campaign, now }: LeaseHolder): Promise<boolean> =>
  (await transaction
    .selectFrom('mail_campaign_mails')
    .select('position')
    .where('campaign_id', '=', campaign.id)
    .where('state', 'in', ['pending', 'deferred'])
    .where('due_at', '<=', now)
    .limit(1)
    .executeTakeFirst()) !== undefined

const isOpen = (state: CampaignMailState): boolean => state === 'pending' || state === 'deferred'

/** Also of mails that others have meanwhile called unknown: this process knows. */
async function settle(
  transaction: MailDatabase,
  { campaign, owner, now }: LeaseHolder,
  outcomes: readonly MailOutcome[],
  is: CampaignState,
): Promise<readonly SettledMail[]> {
  const rows = outcomes.map(({ position, state, response, serviceId, attempts, dueAt }) => {
    const after = isOpen(state) && is === 'stopped' ? 'stopped' : state
    return sql`(cast(${position} as integer), cast(${after} as text), cast(${response} as text), cast(${attempts} as integer), cast(${dueAt} as text), cast(${isOpen(after) ? null : now} as text), cast(${serviceId ?? null} as text))`
  })
  const write = (where: Expression<SqlBool>): Promise<SettledMail[]> =>
    transaction
      .updateTable('mail_campaign_mails')
      .from(sql<GivenRow>`(values ${sql.join(rows)})`.as('given'))
      .set((eb) => ({
        state: eb.ref('given.column2'),
        response: eb.ref('given.column3'),
        attempts: eb.ref('given.column4'),
        due_at: eb.ref('given.column5'),
        ended_at: eb.ref('given.column6'),
        service_id: eb.ref('given.column7'),
        owner: null,
        lease_until: null,
      }))
      .where('campaign_id', '=', campaign.id)
      .whereRef('position', '=', 'given.column1')
      .where('owner', '=', owner)
      .where(where)
      .returning(['position', 'address', 'state', 'response'])
      .execute()
  const settled = await write(sql`state = 'sending'`)
  await recordSent(transaction, campaign.tenant, now, settled.filter(mayHaveIt).length)
  if (settled.length === outcomes.length) return settled
  // Those that others have given up meanwhile: they are counted by now, and that they are unknown is on record.
  return [...settled, ...(await write(sql`state = 'unknown' and given.column2 <> 'unknown'`))]
}

/** Those to whom a mail server may have given it, or has refused to. */
const mayHaveIt = ({ state }: SettledMail): boolean => ['accepted', 'refused', 'unknown'].includes(state)

type SettledMail = Pick<CampaignMailRow, 'position' | 'address' | 'state' | 'response'>

const outcomeOf: Partial<Record<CampaignMailState, LaterEvent['outcome']>> = {
  accepted: 'applied',
  refused: 'failed',
  skipped: 'refused',
  unknown: 'outcome_unknown',
}

/** The row of the activity log for a mail that has ended. */
export function eventOf(
  { tenant, created_by: subject, run }: Pick<CampaignRow, 'tenant' | 'created_by' | 'run'>,
  { position, address: to, state, response }: SettledMail,
): LaterEvent | undefined {
  const outcome = outcomeOf[state]
  if (outcome === undefined) return undefined
  return {
    name: 'email.bulk.sent',
    principal: { tenant, subject },
    run,
    outcome,
    // Each text that is looked through costs as much as the rest of the row: the campaign stands in the row of its call, and
    // what a server says of a mail that it takes with the mail.
    details: { position, to, ...(state === 'accepted' ? {} : { response }) },
  }
}

/** As both databases name the columns of `values`. */
interface GivenRow {
  column1: number
  column2: CampaignMailState
  column3: string | null
  column4: number
  column5: string
  column6: string | null
  column7: string | null
}

/** Those that are asked again come first: they have waited. */
async function take(transaction: MailDatabase, holder: LeaseHolder, most: number): Promise<CampaignMailRow[]> {
  const taken: CampaignMailRow[] = []
  for (const state of ['deferred', 'pending'] as const) {
    if (taken.length >= most) break
    const rows = await transaction
      .updateTable('mail_campaign_mails')
      .set({ state: 'sending', owner: holder.owner, lease_until: holder.leaseUntil })
      .where('campaign_id', '=', holder.campaign.id)
      .where('position', 'in', (eb) =>
        eb
          .selectFrom('mail_campaign_mails')
          .select('position')
          .where('campaign_id', '=', holder.campaign.id)
          .where('state', '=', state)
          .where('due_at', '<=', holder.now)
          .orderBy('due_at')
          .orderBy('position')
          .limit(most - taken.length),
      )
      .returningAll()
      .execute()
    taken.push(...rows.toSorted((a, b) => a.position - b.position))
  }
  return taken
}

async function undeliverableOf(
  transaction: MailDatabase,
  taken: readonly CampaignMailRow[],
): Promise<ReadonlyMap<string, string>> {
  if (taken.length === 0) return new Map()
  const rows = await transaction
    .selectFrom('mail_contacts')
    .select(['id', 'undeliverable'])
    .where(
      'id',
      'in',
      taken.map(({ contact_id }) => contact_id),
    )
    .where('undeliverable', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, undeliverable }) => [id, undeliverable ?? '']))
}

/** Says that the holder is still at these; answers those of which that is so. */
export async function renew(
  db: MailDatabase,
  holder: LeaseHolder,
  positions: readonly number[],
): Promise<ReadonlySet<number>> {
  const renewed = await db
    .updateTable('mail_campaign_mails')
    .set({ lease_until: holder.leaseUntil })
    .where('campaign_id', '=', holder.campaign.id)
    .where('position', 'in', positions)
    .where('owner', '=', holder.owner)
    .where('state', '=', 'sending')
    .returning('position')
    .execute()
  return new Set(renewed.map(({ position }) => position))
}

/** What the holder does not know of is of a commit whose answer was lost, and may be taken again. */
async function putBackStrays(
  transaction: MailDatabase,
  { campaign, owner, now }: LeaseHolder,
  known: readonly number[],
  is: CampaignState,
): Promise<void> {
  const isStopped = is === 'stopped'
  await transaction
    .updateTable('mail_campaign_mails')
    .set({
      state: isStopped ? 'stopped' : 'pending',
      ended_at: isStopped ? now : null,
      owner: null,
      lease_until: null,
    })
    .where('campaign_id', '=', campaign.id)
    .where('owner', '=', owner)
    .where('state', '=', 'sending')
    .$if(known.length > 0, (query) => query.where('position', 'not in', known))
    .execute()
}
