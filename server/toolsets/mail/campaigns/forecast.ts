// All that a campaign would be, worked out before it is confirmed and once more when it is written down. What is signed is
// everybody in it with the version of what is known of them: whoever was counted gets it, and nobody else.
import { createHash } from 'node:crypto'
import type { FoundSecret } from '../../../model/found-secret.ts'
import type { ToolFailed } from '../../../tools/contract.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import type { Mailbox } from '../addresses/address.ts'
import { renderBody, type Body } from '../send-external/body.ts'
import { deceits } from '../addresses/domains.ts'
import { sendTimeOf, type SendTime } from '../send-external/send-time.ts'
import type { Seen } from '../mail-tool.ts'
import type { MailParts } from '../open-mail.ts'
import { brokenByCampaign, type Obstacle, type PlacedSecret } from '../policy.ts'
import { paceOf } from '../quota.ts'
import { countNeverMailed, knownDomains, mailedBefore } from '../queries.ts'
import type { MailDatabase } from '../schema.ts'
import type { AudienceFilter, Segment } from '../segments/queries.ts'
import { linkDeceits } from '../send-external/forecast.ts'
import type { StoredTemplate } from '../templates/queries.ts'
import { everyLink } from '../templates/placement.ts'
import type { Template } from '../templates/template.ts'
import { recipientVariables, type Values } from '../templates/values.ts'
import { wordsIn, type MailWords } from '../words.ts'
import type { BulkInput } from './bulk-input.ts'
import { audienceFilterOf, readNamed, type BulkContext, type Named } from './named.ts'
import { pageOfRecipients } from './recipients.ts'
import { outcomesOf, reasonInWords } from './outcome.ts'
import { durationOf } from './rate.ts'
import { fingerprintOf, tally, type Contact, type Tally } from './tally.ts'

/** A mail of the campaign as one of its recipients reads it. */
export interface SampleMail {
  readonly contact: Contact
  readonly isNew: boolean
  readonly subject: string
  readonly body: Body
}

export interface CampaignForecast extends Pick<SendTime, 'later' | 'missed'> {
  readonly template: StoredTemplate
  readonly segment: Segment
  /** What the call gives, as mails have it. */
  readonly given: Values
  /** Variables of the call for which a fallback stands in every mail. */
  readonly replaced: readonly string[]
  readonly audience: Tally
  readonly fingerprint: string
  /** How many of those who get a mail never got one from here. */
  readonly firsts: number
  readonly samples: readonly SampleMail[]
  /** The first of all whom the segment means. */
  readonly firstPage: Awaited<ReturnType<typeof pageOfRecipients>>
  readonly replyTo: Mailbox | undefined
  readonly estimatedDurationMs: number
  /** About so long the quota of this server makes it take, where not all may go out at once. */
  readonly pacedMs: number
  readonly secrets: readonly PlacedSecret[]
  /** Every link that one of its mails may have. */
  readonly links: Body['links']
  /** Sentences on domains, names and links that may be taken for others. */
  readonly deceits: readonly string[]
  readonly seen: readonly Seen[]
  readonly also: readonly string[]
  readonly obstacle: Obstacle<'policy_violation' | 'rate_limit_exceeded' | 'invalid_recipient'> | undefined
}

/** Counts of who gets a mail, by the digest of all on which they depend; a few of the last. */
export type Tallies = Map<string, Tally>
const keptTallies = 4

/** Recipients that the card has in it; it reads on in the others. */
const firstRows = 10

/**
 * Counts ahead of the snapshot in which a campaign is foreseen, where each mail must be rendered: that takes seconds for many,
 * and a snapshot of SQLite holds its one connection. It counts for those contacts only of whom none changed meanwhile.
 */
export async function countAhead(
  tallies: Tallies,
  db: MailDatabase,
  input: BulkInput,
  ctx: BulkContext,
): Promise<void> {
  const named = await readNamed(db, input, ctx)
  if (hasEnded(named)) return
  const outcomes = await outcomesOf(named.template, named.stored, named.given)
  if (!outcomes.renders) return
  const meant = audienceFilterOf(ctx, named.segment)
  const before = await fingerprintOf(db, meant)
  const key = keyOf(named, meant, before)
  if (tallies.has(key)) return
  const counted = await tally(db, meant, outcomes, ctx.signal)
  if ((await fingerprintOf(db, meant)) === before) keep(tallies, key, counted)
}

/** On all that decides who gets a mail: contacts, template, values. */
const keyOf = ({ stored, segment, given }: Named, { tenant }: AudienceFilter, fingerprint: string): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        tenant,
        segment.conditions,
        fingerprint,
        stored.subject,
        stored.body,
        stored.variables,
        stored.fallbacks,
        given,
      ]),
    )
    .digest('hex')

function keep(tallies: Tallies, key: string, counted: Tally): Tally {
  tallies.delete(key)
  tallies.set(key, counted)
  for (const [oldest] of tallies) if (tallies.size > keptTallies) tallies.delete(oldest)
  return counted
}

/** Everybody in the segment with the version of what is known of them, the template, the segment. */
async function anchorOf(db: MailDatabase, { stored, segment }: Named, meant: AudienceFilter, leaving: SendTime) {
  const fingerprint = await fingerprintOf(db, meant)
  const seen: readonly Seen[] = [
    { table: 'mail_templates', key: stored.id, version: stored.version, moves: false },
    { table: 'mail_segments', key: segment.id, version: segment.version, moves: false },
  ]
  return { fingerprint, seen, also: [`audience:${fingerprint}`, ...leaving.also] }
}

/** On what a confirmation rests. */
export async function anchorCampaign(
  { settings }: Pick<MailParts, 'settings'>,
  db: MailDatabase,
  input: BulkInput,
  ctx: BulkContext,
) {
  const named = await readNamed(db, input, ctx)
  if (hasEnded(named)) return named
  return anchorOf(db, named, audienceFilterOf(ctx, named.segment), sendTimeOf(settings.from, input.sendAt, ctx.now()))
}

/** What this campaign would be, or which argument is wrong. */
export async function foreseeCampaign(
  { settings, parts, tallies }: Pick<MailParts, 'settings' | 'parts'> & { readonly tallies: Tallies },
  db: MailDatabase,
  input: BulkInput,
  ctx: BulkContext,
): Promise<CampaignForecast | ToolFailed> {
  const { tenant } = ctx.principal
  const named = await readNamed(db, input, ctx)
  if (hasEnded(named)) return named
  const { stored, template, segment, given, replyTo } = named
  const meant = audienceFilterOf(ctx, segment)
  const leaving = sendTimeOf(settings.from, input.sendAt, ctx.now())
  const anchor = await anchorOf(db, named, meant, leaving)
  const key = keyOf(named, meant, anchor.fingerprint)
  const audience = keep(
    tallies,
    key,
    tallies.get(key) ?? (await tally(db, meant, await outcomesOf(template, stored, given), ctx.signal)),
  )
  const samples = await samplesOf(db, tenant, template, given, audience)
  const links = await everyLink(stored.body)
  const words = wordsIn(ctx.language)
  const secrets = secretsOf(parts.secretsIn, stored, given, samples)
  const { mails, domains } = audience
  const pace = await paceOf(db, settings, { tenant, now: ctx.now(), at: leaving.at, mails }, words)
  return {
    template: stored,
    segment,
    given,
    replaced: template.uses.filter(
      (name) =>
        !(recipientVariables as readonly string[]).includes(name) &&
        given[name] === undefined &&
        stored.fallbacks[name] !== undefined,
    ),
    audience,
    later: leaving.later,
    missed: leaving.missed,
    ...anchor,
    // Told to a person, and nothing rests on it.
    firsts: 'idempotencyKey' in ctx ? 0 : await countFirsts(db, meant, audience),
    samples,
    firstPage: await pageOfRecipients(db, named, ctx, { limit: firstRows }),
    replyTo,
    pacedMs: pace.ms,
    estimatedDurationMs: Math.max(pace.ms, await durationOf(db, mails)),
    secrets,
    links,
    deceits: [
      ...deceits(domains.keys(), [...settings.ownDomains, ...domains.keys()], words.deceits),
      ...deceits(
        new Set(links.map(({ host }) => host)),
        [...settings.ownDomains, ...(await knownDomains(db, tenant))],
        words.deceits,
      ),
      // What a link says may be a value.
      ...new Set(linkDeceits([...links, ...samples.flatMap(({ body }) => body.links)], words.deceits)),
    ],
    obstacle:
      nobody(segment, audience, words) ??
      brokenByCampaign(settings, { domains, mails, secrets }, words) ??
      pace.obstacle,
  }
}

async function countFirsts(db: MailDatabase, meant: AudienceFilter, { leftOut }: Tally): Promise<number> {
  let firsts = await countNeverMailed(db, meant)
  for (let at = 0; at < leftOut.length; at += 5000) {
    const keys = leftOut.slice(at, at + 5000).map(({ contact }) => contact.address_key)
    firsts -= keys.length - (await mailedBefore(db, meant.tenant, keys)).size
  }
  return firsts
}

async function samplesOf(
  db: MailDatabase,
  tenant: string,
  template: Template,
  given: Values,
  { samples }: Tally,
): Promise<readonly SampleMail[]> {
  const mailed = await mailedBefore(
    db,
    tenant,
    samples.map(({ address_key: key }) => key),
  )
  const rendered = samples.map((contact) => ({ contact, mail: template.render(contact, given) }))
  return Promise.all(
    rendered.flatMap(({ contact, mail }) =>
      mail.kind === 'mail'
        ? renderBody(mail.body).then((body) => ({
            contact,
            isNew: !mailed.has(contact.address_key),
            subject: mail.subject,
            body,
          }))
        : [],
    ),
  )
}

function nobody({ name }: Segment, { recipients, mails, leftOut, undeliverable }: Tally, words: MailWords) {
  if (mails > 0) return undefined
  const { bulk } = words
  const reasons = [...new Set(leftOut.map(({ reason }) => reasonInWords(reason, words)))].slice(0, 3)
  return {
    code: 'invalid_recipient' as const,
    title: recipients === 0 ? bulk.empty.title(name) : bulk.nobody(name),
    text:
      recipients === 0
        ? bulk.empty.text
        : [...(undeliverable === 0 ? [] : [bulk.allUndeliverable]), ...reasons].join(' '),
  }
}

/** What must not leave: in the template's own words, in what the call gives, and in how they read together. */
function secretsOf(
  secretsIn: (text: string) => readonly FoundSecret[],
  { subject, body }: StoredTemplate,
  given: Values,
  samples: readonly SampleMail[],
): readonly PlacedSecret[] {
  const own: readonly PlacedSecret[] = [
    ...secretsIn(subject).map(({ what }) => ({ what, where: { at: 'template-subject' } as const })),
    ...secretsIn(body).map(({ what, line }) => ({ what, where: { at: 'template-line', line } as const })),
    ...Object.entries(given).flatMap(([name, value]) =>
      secretsIn(value).map(({ what }) => ({ what, where: { at: 'value', name } as const })),
    ),
  ]
  if (own.length > 0) return own
  return samples
    .slice(0, 1)
    .flatMap((sample) => [
      ...secretsIn(sample.subject).map(({ what }): PlacedSecret => ({ what, where: { at: 'subject' } })),
      ...secretsIn(sample.body.text).map(({ what, line }): PlacedSecret => ({ what, where: { at: 'line', line } })),
    ])
}
