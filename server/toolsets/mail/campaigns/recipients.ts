// Every recipient of a campaign, in pages, and the mail that each of them will read: the card shows whom it names, and a
// person who signs for thousands can look at any of them.
import type { CardBlock, CardPageRow } from '../../../model/card.ts'
import type { CardList } from '../../../tools/card-reads.ts'
import { hasEnded } from '../../rehearsal.ts'
import { listed, textValue } from '../../say.ts'
import { shownAddress } from '../addresses/address.ts'
import { renderBody } from '../send-external/body.ts'
import type { MailDatabase } from '../schema.ts'
import { linksBlock } from '../send-external/card.ts'
import { fullName } from '../templates/values.ts'
import { inWords } from '../views.ts'
import type { BulkInput } from './bulk-input.ts'
import { audienceFilterOf, readNamed, type BulkContext, type Named } from './named.ts'
import { outcomesOf, type Outcome } from './outcome.ts'
import { contactAt, pageOf, type Contact } from './tally.ts'

export const recipientColumns = [{ label: 'Address' }, { label: 'Name' }, { label: 'Gets' }] as const

/** What a variable is called in a sentence. */
export const spoken = (variable: string): string => variable.replaceAll('_', ' ')

export const contactInWords = (contact: Contact): string => inWords({ ...contact, name: fullName(contact) })

const getsInWords = (outcome: Outcome, fallbacks: Readonly<Record<string, string>>): string => {
  if (outcome.kind !== 'mail') return `Nothing. ${outcome.reason}`
  const replaced = outcome.absent.filter((name) => fallbacks[name] !== undefined)
  return replaced.length === 0 ? 'The mail' : `The mail, with a fallback for ${listed(replaced.map(spoken))}`
}

/** A page of those whom the segment means, by address, behind the one that `after` names. */
export async function pageOfRecipients(
  db: MailDatabase,
  { stored, template, segment, given }: Named,
  ctx: BulkContext,
  { after = '', limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly CardPageRow[]; readonly next?: string }> {
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
          textValue(getsInWords(outcomes(contact), stored.fallbacks)),
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
    return contact === undefined ? undefined : mailOf(named, contact, redact)
  },
})

async function mailOf(
  { stored, template, given }: Named,
  contact: Contact,
  redact: (text: string) => string,
): Promise<readonly CardBlock[]> {
  const outcome = (await outcomesOf(template, stored, given))(contact)
  const rendered = template.render(contact, given)
  if (outcome.kind !== 'mail' || rendered.kind !== 'mail')
    return [
      {
        kind: 'alert',
        severity: 'warning',
        title: `${contactInWords(contact)} gets no mail.`,
        text: outcome.kind === 'mail' ? 'It cannot be rendered.' : outcome.reason,
      },
    ]
  const { text, links } = await renderBody(rendered.body)
  return [
    {
      kind: 'code',
      label: `As ${contactInWords(contact)} reads it`,
      language: 'markdown',
      text: redact(`${rendered.subject}\n\n${text}`),
      spans: [],
    },
    ...linksBlock(links, redact),
  ]
}
