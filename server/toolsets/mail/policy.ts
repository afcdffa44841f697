// What must not leave, whoever confirms it. Each rule that a mail breaks is one obstacle: the card says it and cannot be
// confirmed, and the call fails with its code.
import type { SourceFile } from '../file-source.ts'
import { isUnder, shownDomain } from './domains.ts'
import type { MailSettings } from './options.ts'
import { departures } from './queries.ts'
import type { MailDatabase } from './schema.ts'
import { count, listed, spokenSize } from '../say.ts'

export interface Obstacle {
  readonly code: 'policy_violation' | 'attachment_too_large' | 'rate_limit_exceeded'
  readonly title: string
  readonly text: string
}

/** A secret of a mail, named without showing it. */
export interface PlacedSecret {
  /** "a password". */
  readonly what: string
  /** "line 3 of config.env". */
  readonly where: string
}

interface Planned {
  readonly recipients: readonly { readonly domain: string }[]
  readonly files: readonly SourceFile[]
  readonly secrets: readonly PlacedSecret[]
}

/** The first rule that this mail breaks. */
export function broken({ policy }: MailSettings, { recipients, files, secrets }: Planned): Obstacle | undefined {
  const { allowedDomains, blockedDomains, maxRecipients, maxAttachmentBytes } = policy
  const violation = (title: string, text: string): Obstacle => ({ code: 'policy_violation', title, text })
  const domains = [...new Set(recipients.map(({ domain }) => domain))]
  const shown = (some: readonly string[]): string => listed(some.map(shownDomain))
  const blocked = domains.filter((domain) => isUnder(domain, blockedDomains))
  if (blocked.length > 0)
    return violation(`No mail goes to ${shown(blocked)}.`, 'The operators of this server have blocked that domain.')
  const others = allowedDomains === undefined ? [] : domains.filter((domain) => !isUnder(domain, allowedDomains))
  if (others.length > 0)
    return violation(
      `No mail goes to ${shown(others)}.`,
      `The operators of this server allow ${listed(allowedDomains ?? []) || 'no domain'}.`,
    )
  if (recipients.length > maxRecipients)
    return violation(
      `${count(recipients.length, 'recipient')} are more than one mail may have.`,
      `The operators of this server allow ${maxRecipients}.`,
    )
  if (secrets.length > 0 && policy.secrets === 'refuse')
    return violation(
      `The mail has ${secretsInWords(secrets)}.`,
      'Secrets do not leave this server by mail. Take it out; hand it over another way.',
    )
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  if (size > maxAttachmentBytes)
    return {
      code: 'attachment_too_large',
      title: `The attachments have ${spokenSize(size)} together.`,
      text: `The operators of this server allow ${spokenSize(maxAttachmentBytes)}. Send a download link instead.`,
    }
  return undefined
}

/** "a password in line 3 and a payment card number in line 7": what and where, never which. */
export const secretsInWords = (secrets: readonly PlacedSecret[]): string =>
  listed(secrets.slice(0, 5).map(({ what, where }) => `${what} in ${where}`))

const hourMs = 3_600_000

/** The quota that so many more recipients at this moment would break, in any span of its length. */
export async function overQuota(
  db: MailDatabase,
  { policy }: MailSettings,
  { tenant, at, recipients }: { readonly tenant: string; readonly at: number; readonly recipients: number },
): Promise<Obstacle | undefined> {
  const quotas = [
    { within: 'an hour', most: policy.recipientsPerHour, span: hourMs },
    { within: 'a day', most: policy.recipientsPerDay, span: 24 * hourMs },
  ]
  for (const { within, most, span } of quotas) {
    const around = await departures(db, tenant, at - span, at + span)
    const fullest = fullestSpan(around, at, span)
    if (fullest + recipients > most)
      return {
        code: 'rate_limit_exceeded',
        title: `${count(fullest + recipients, 'recipient')} within ${within} are more than may get mail.`,
        text: `The operators of this server allow ${most}. Wait, or send it later (sendAt).`,
      }
  }
  return undefined
}

/** Recipients in the fullest span in which this moment lies: it begins at this moment or at a departure before it. */
function fullestSpan(around: Awaited<ReturnType<typeof departures>>, at: number, span: number): number {
  const before = around.filter((each) => each.at <= at)
  const within = around.values()
  let [next, inside, fullest] = [within.next(), 0, 0]
  for (const begin of [...before, { at, recipients: 0 }]) {
    for (; next.done !== true && next.value.at < begin.at + span; next = within.next()) inside += next.value.recipients
    fullest = Math.max(fullest, inside)
    inside -= begin.recipients
  }
  return fullest
}
