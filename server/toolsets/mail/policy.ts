// What must not leave, whoever confirms it. Each rule that a mail breaks is one obstacle: the card says it and cannot be
// confirmed, and the call fails with its code.
import type { SourceFile } from '../file-source.ts'
import { isUnder, shownDomain } from './addresses/domains.ts'
import type { MailSettings } from './options.ts'
import type { MailDatabase } from './schema.ts'
import { count, listed, spokenNumber, spokenSize } from '../say.ts'

export interface Obstacle<Code extends string = 'policy_violation' | 'attachment_too_large' | 'rate_limit_exceeded'> {
  readonly code: Code
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
export function broken(settings: MailSettings, { recipients, files, secrets }: Planned): Obstacle | undefined {
  const { maxRecipients, maxAttachmentBytes } = settings.policy
  const domain = forbiddenDomain(
    settings,
    recipients.map((each) => each.domain),
  )
  if (domain !== undefined) return violation(domain.title, domain.text)
  if (recipients.length > maxRecipients)
    return violation(
      `${count(recipients.length, 'recipient')} are more than one mail may have.`,
      `The operators of this server allow ${maxRecipients}.`,
    )
  const secret = secretThatLeaves(settings, secrets)
  if (secret !== undefined) return secret
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  if (size > maxAttachmentBytes)
    return {
      code: 'attachment_too_large',
      title: `The attachments have ${spokenSize(size)} together.`,
      text: `The operators of this server allow ${spokenSize(maxAttachmentBytes)}. Send a download link instead.`,
    }
  return undefined
}

interface PlannedCampaign {
  /** How many mails go to each domain. */
  readonly domains: ReadonlyMap<string, number>
  readonly mails: number
  readonly secrets: readonly PlacedSecret[]
}

/** The first rule that a campaign breaks. */
export function brokenByCampaign(
  settings: MailSettings,
  { domains, mails, secrets }: PlannedCampaign,
): Violation | undefined {
  const { maxCampaignRecipients: most } = settings.policy
  const domain = forbiddenDomain(settings, domains.keys())
  if (domain !== undefined) {
    const there = domain.domains.reduce((sum, each) => sum + (domains.get(each) ?? 0), 0)
    return violation(
      domain.title,
      `${domain.text} ${count(there, 'recipient')} of this campaign ${there === 1 ? 'has' : 'have'} an address there; take a segment without them.`,
    )
  }
  if (mails > most)
    return violation(
      `${count(mails, 'recipient')} are more than one campaign may have.`,
      `The operators of this server allow ${spokenNumber(most)}.`,
    )
  return secretThatLeaves(settings, secrets)
}

type Violation = Obstacle<'policy_violation'>

const violation = (title: string, text: string): Violation => ({ code: 'policy_violation', title, text })

const secretThatLeaves = ({ policy }: MailSettings, secrets: readonly PlacedSecret[]): Violation | undefined =>
  secrets.length > 0 && policy.secrets === 'refuse'
    ? violation(
        `The mail has ${secretsInWords(secrets)}.`,
        'Secrets do not leave this server by mail. Take it out; hand it over another way.',
      )
    : undefined

/** Domains to which no mail goes, and why. */
function forbiddenDomain({ policy }: MailSettings, given: Iterable<string>) {
  const { allowedDomains, blockedDomains } = policy
  const domains = [...new Set(given)]
  const title = (some: readonly string[]): string =>
    `No mail goes to ${listed(some.slice(0, mostNamed).map(shownDomain))}${some.length > mostNamed ? ` and ${spokenNumber(some.length - mostNamed)} more` : ''}.`
  const blocked = domains.filter((domain) => isUnder(domain, blockedDomains))
  if (blocked.length > 0)
    return {
      domains: blocked,
      title: title(blocked),
      text: `The operators of this server have blocked ${blocked.length === 1 ? 'that domain' : 'those domains'}.`,
    }
  const others = allowedDomains === undefined ? [] : domains.filter((domain) => !isUnder(domain, allowedDomains))
  return others.length === 0
    ? undefined
    : {
        domains: others,
        title: title(others),
        text: `The operators of this server allow ${listed(allowedDomains ?? []) || 'no domain'}.`,
      }
}

/** Domains that a sentence names. */
const mostNamed = 10

/** "a password in line 3 and a payment card number in line 7": what and where, never which. */
export const secretsInWords = (secrets: readonly PlacedSecret[]): string =>
  listed([...new Set(secrets.map(({ what, where }) => `${what} in ${where}`))].slice(0, 5))

/** Whoever adds a mail of this tenant waits here for whoever is at it. */
export const takeTurn = async (transaction: MailDatabase, tenant: string): Promise<unknown> =>
  transaction
    .insertInto('mail_turns')
    .values({ tenant, turns: 1 })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet((eb) => ({ turns: eb('mail_turns.turns', '+', 1) })),
    )
    .execute()
