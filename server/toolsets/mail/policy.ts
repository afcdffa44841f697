// What must not leave, whoever confirms it. Each rule that a mail breaks is one obstacle: the card says it and cannot be
// confirmed, and the call fails with its code.
import type { FoundSecret } from '../../model/found-secret.ts'
import type { SourceFile } from '../file-source.ts'
import { isUnder, shownDomain } from './addresses/domains.ts'
import type { MailSettings } from './options.ts'
import type { MailDatabase } from './schema.ts'
import { spokenNumber, spokenSize } from '../say.ts'
import { wordsIn, type MailWords } from './words.ts'

export interface Obstacle<Code extends string = 'policy_violation' | 'attachment_too_large' | 'rate_limit_exceeded'> {
  readonly code: Code
  readonly title: string
  readonly text: string
}

/** Where a secret of a mail is. */
export type SecretPlace =
  | { readonly at: 'subject' | 'reply-to' | 'file-name' | 'template-subject' }
  | { readonly at: 'line' | 'template-line'; readonly line: number }
  | { readonly at: 'file-line'; readonly line: number; readonly file: string }
  /** Of a recipient. */
  | { readonly at: 'name'; readonly whom: string }
  /** What the call gives for a variable. */
  | { readonly at: 'value'; readonly name: string }

/** A secret of a mail, named without showing it. */
export interface PlacedSecret {
  readonly what: FoundSecret['what']
  readonly where: SecretPlace
}

interface Planned {
  readonly recipients: readonly { readonly domain: string }[]
  readonly files: readonly SourceFile[]
  readonly secrets: readonly PlacedSecret[]
}

/** The first rule that this mail breaks. */
export function broken(
  settings: MailSettings,
  { recipients, files, secrets }: Planned,
  words = wordsIn('en'),
): Obstacle | undefined {
  const { policy, units } = words
  const { maxRecipients, maxAttachmentBytes } = settings.policy
  const domain = forbiddenDomain(
    settings,
    recipients.map((each) => each.domain),
    words,
  )
  if (domain !== undefined) return violation(domain.title, domain.text)
  if (recipients.length > maxRecipients)
    return violation(policy.tooMany(recipients.length), policy.allow(maxRecipients))
  const secret = secretThatLeaves(settings, secrets, words)
  if (secret !== undefined) return secret
  const size = files.reduce((sum, file) => sum + file.bytes, 0)
  if (size > maxAttachmentBytes)
    return {
      code: 'attachment_too_large',
      title: policy.attachments.title(spokenSize(size, units)),
      text: policy.attachments.text(spokenSize(maxAttachmentBytes, units)),
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
  words: MailWords,
): Violation | undefined {
  const { policy } = words
  const { maxCampaignRecipients: most } = settings.policy
  const domain = forbiddenDomain(settings, domains.keys(), words)
  if (domain !== undefined) {
    const there = domain.domains.reduce((sum, each) => sum + (domains.get(each) ?? 0), 0)
    return violation(domain.title, `${domain.text} ${policy.there(there)}`)
  }
  if (mails > most) return violation(policy.tooManyForCampaign(mails), policy.allow(spokenNumber(most)))
  return secretThatLeaves(settings, secrets, words)
}

type Violation = Obstacle<'policy_violation'>

const violation = (title: string, text: string): Violation => ({ code: 'policy_violation', title, text })

const secretThatLeaves = (
  { policy }: MailSettings,
  secrets: readonly PlacedSecret[],
  words: MailWords,
): Violation | undefined =>
  secrets.length > 0 && policy.secrets === 'refuse'
    ? violation(words.hasSecrets.title(secretsInWords(secrets, words)), words.policy.secrets)
    : undefined

/** Domains to which no mail goes, and why. */
function forbiddenDomain({ policy }: MailSettings, given: Iterable<string>, words: MailWords) {
  const { allowedDomains, blockedDomains } = policy
  const domains = [...new Set(given)]
  const title = (some: readonly string[]): string => {
    const first = words.listed(some.slice(0, mostNamed).map(shownDomain))
    return words.policy.noMailTo(
      some.length > mostNamed ? words.andMore(first, spokenNumber(some.length - mostNamed)) : first,
    )
  }
  const blocked = domains.filter((domain) => isUnder(domain, blockedDomains))
  if (blocked.length > 0)
    return {
      domains: blocked,
      title: title(blocked),
      text: words.policy.blocked(blocked.length),
    }
  const others = allowedDomains === undefined ? [] : domains.filter((domain) => !isUnder(domain, allowedDomains))
  return others.length === 0
    ? undefined
    : {
        domains: others,
        title: title(others),
        text: words.policy.allow(words.listed(allowedDomains ?? []) || words.policy.noDomain),
      }
}

/** Domains that a sentence names. */
const mostNamed = 10

/** "a password in line 3 and a payment card number in line 7": what and where, never which. */
export const secretsInWords = (secrets: readonly PlacedSecret[], { listed, secret }: MailWords): string =>
  listed([...new Set(secrets.map(({ what, where }) => secret(what, where)))].slice(0, 5))

/** Whoever adds a mail of this tenant waits here for whoever is at it. */
export const takeTurn = async (transaction: MailDatabase, tenant: string): Promise<unknown> =>
  transaction
    .insertInto('mail_turns')
    .values({ tenant, turns: 1 })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet((eb) => ({ turns: eb('mail_turns.turns', '+', 1) })),
    )
    .execute()
