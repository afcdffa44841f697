// Every recipient of a campaign, in pages, and the mail that each of them will read: the card shows whom it names, and a
// person who signs for thousands can look at any of them.
import type { CardBlock, CardPageRow } from '../../../model/card.ts'
import type { CardList } from '../../../tools/card-reads.ts'
import { hasEnded } from '../../../tools/has-ended.ts'
import { textValue } from '../../say.ts'
import { shownAddress } from '../addresses/address.ts'
import { renderBody } from '../send-external/body.ts'
import type { MailDatabase } from '../schema.ts'
import { linksBlock } from '../send-external/card.ts'
import { fullName } from '../templates/values.ts'
import { inWords } from '../views.ts'
import { wordsIn, type MailWords } from '../words.ts'
import type { BulkInput } from './bulk-input.ts'
import { audienceFilterOf, readNamed, type BulkContext, type Named } from './named.ts'
import { outcomesOf, reasonInWords, type Outcome } from './outcome.ts'
import { contactAt, pageOf, type Contact } from './tally.ts'

export const recipientColumns = ({ labels, bulk }: MailWords) => [
  { label: labels.address },
  { label: labels.name },
  { label: bulk.gets },
]

export const contactInWords = (contact: Contact): string => inWords({ ...contact, name: fullName(contact) })

const getsInWords = (outcome: Outcome, fallbacks: Readonly<Record<string, string>>, words: MailWords): string => {
  const { bulk } = words
  if (outcome.kind !== 'mail') return bulk.nothing(reasonInWords(outcome.reason, words))
  const replaced = outcome.absent.filter((name) => fallbacks[name] !== undefined)
  return replaced.length === 0 ? bulk.theMail : bulk.withFallbacks(replaced)
}

/** A page of those whom the segment means, by address, behind the one that `after` names. */
export async function pageOfRecipients(
  db: MailDatabase,
  { stored, template, segment, given }: Named,
  ctx: BulkContext,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly CardPageRow[]; readonly next?: string }> {
  const words = wordsIn(ctx.language)
  const outcomes = await outcomesOf(template, stored, given)
  const found = await pageOf(db, audienceFilterOf(ctx, segment), after, limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map((contact) => {
      const name = fullName(contact)
      return {
        key: contact.address_key,
        cells: [
          textValue(shownAddress(contact.address)),
          name === null ? { kind: 'unset' } : textValue(name),
          textValue(getsInWords(outcomes(contact), stored.fallbacks, words)),
        ],
      }
    }),
    ...(last === undefined || found.length === page.length ? {} : { next: last.address_key }),
  }
}

/** The list of the card. */
export const recipientsList = (db: MailDatabase, redact: (text: string) => string): CardList<BulkInput> => ({
  async page(input, ctx, at) {
    const named = await readNamed(db, input, ctx)
    return hasEnded(named) ? { rows: [] } : pageOfRecipients(db, named, ctx, at)
  },
  async open(input, ctx, key) {
    const named = await readNamed(db, input, ctx)
    if (hasEnded(named)) return undefined
    const contact = await contactAt(db, audienceFilterOf(ctx, named.segment), key)
    return contact === undefined ? undefined : mailOf(named, contact, redact, wordsIn(ctx.language))
  },
})

async function mailOf(
  { stored, template, given }: Named,
  contact: Contact,
  redact: (text: string) => string,
  words: MailWords,
): Promise<readonly CardBlock[]> {
  const { bulk } = words
  const outcome = (await outcomesOf(template, stored, given))(contact)
  const rendered = template.render(contact, given)
  if (outcome.kind !== 'mail' || rendered.kind !== 'mail')
    return [
      {
        kind: 'alert',
        severity: 'warning',
        title: bulk.noMail(contactInWords(contact)),
        text: outcome.kind === 'mail' ? bulk.cannotRender : reasonInWords(outcome.reason, words),
      },
    ]
  const { text, links } = await renderBody(rendered.body)
  return [
    {
      kind: 'code',
      label: bulk.reads(contactInWords(contact)),
      language: 'markdown',
      text: redact(`${rendered.subject}\n\n${text}`),
      spans: [],
    },
    ...linksBlock(links, redact, words),
  ]
}
