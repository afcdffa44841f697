// The cards of mail in seven languages: that each speaks its own alone.
import { expect, test } from 'vitest'
import { languages, wordsIn } from '../../../../server/toolsets/mail/words.ts'
import { besideEnglish, shapeOf, textsIn } from '../../../kit/languages.ts'
import { shown } from '../../../kit/toolset.ts'
import { nowhere, people, putCampaign, putContacts } from './campaigns/bulk-fixture.ts'
import { openDesk, type MailDesk } from './mail-fixture.ts'

/** What stands on the cards of these tests whatever the language, and the fields of templates. */
const named =
  /\{\{[^}]*\}\}|undefined|https:\S+|`\S+`|\S+@[\w.-]+|\b(?:one|two|acme|other)\.example|\w+_\w+|Example Ltd|Newsletter|Readers|Offer|Invitation|Party|Launch|Ann|Lee|Cy|Acme|Hello|HTML|No such user|said/g

/** Words that a language shares with English where it says the same thing. */
// oxfmt-ignore
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ['an', 'bcc', 'cc', 'domain', 'domains', 'id', 'in', 'mail', 'mails', 'minute', 'name', 'rest', 'segment', 'text'],
  fr: ['cc', 'conditions', 'contact', 'contacts', 'mail', 'mails', 'minute', 'moment', 'note', 'quota', 'segment'],
  es: ['cc', 'id', 'no'],
  ja: ['bcc', 'cc', 'id'],
  ar: ['bcc', 'cc'],
  pt: ['cc', 'id', 'links', 'mail', 'mails', 'no'],
}

type Cards = Readonly<Record<string, unknown>>

const inEach = async (draw: (language: string) => unknown): Promise<Cards> => {
  const cards: Record<string, unknown> = {}
  for (const language of languages) cards[language] = await draw(language)
  return cards
}

/** The preview of a call. */
const previews = (desk: MailDesk, name: string, input: object): Promise<Cards> =>
  inEach(async (language) => {
    const { details: _, ...preview } = shown(await desk.previewIn(language, name, input))
    return preview
  })

/** That, and what its success card says and offers; with what it answered. */
async function confirmed(desk: MailDesk, name: string, input: object) {
  const contract = desk.write(name)
  const preview = await previews(desk, name, input)
  const output = await desk.apply(name, input)
  const after = await inEach((language) => [
    contract.cards?.success?.(input, output, { language }),
    contract.undo?.(input, output, { language })?.label,
  ])
  return { output, cards: [preview, after] }
}

/** Cards of every tool that a person signs, of what can be seen without a mail server. */
async function cardsOf(): Promise<readonly Cards[]> {
  const desk = await openDesk(nowhere)
  const cards: Cards[] = []
  const sign = async <O>(name: string, input: object): Promise<O> => {
    const { output, cards: own } = await confirmed(desk, name, input)
    cards.push(...own)
    return output as O
  }
  await putContacts(desk, people)
  const soon = new Date(desk.clock.now() + 3_600_000).toISOString()

  const { contact } = await sign<{ contact: { contactId: string } }>('contacts.create', {
    address: 'dan@two.example',
    name: 'Lee',
  })
  await sign('contacts.update', { contactId: contact.contactId, name: 'Ann Lee', company: 'Acme' })
  await sign('segments.create', {
    name: 'Party',
    conditions: [
      { field: 'company', operator: 'is', value: 'Acme' },
      { field: 'last_name', operator: 'exists' },
    ],
  })
  const { template } = await sign<{ template: { templateId: string } }>('templates.create', {
    name: 'Invitation',
    subject: '{{ first_name }}, Launch',
    body: '{{ first_name }}: {{ company }}',
    variables: [],
    fallbacks: { first_name: 'Hello' },
  })
  await sign('templates.update', { templateId: template.templateId, subject: 'Launch' })

  const mail = { to: ['bea@two.example', 'new@acme.example'], subject: 'Offer', body: 'Offer <b>' }
  const made = await sign<{ draft: { draftId: string } }>('emails.create_draft', mail)
  const { draftId } = made.draft
  await sign('emails.update_draft', { draftId, subject: 'Launch', cc: ['ann@one.example'] })
  await sign('emails.delete_draft', { draftId })
  cards.push(await previews(desk, 'emails.send_external', { ...mail, bcc: ['ann@one.example'] }))
  const { emailId } = await sign<{ emailId: string }>('emails.send_external', { ...mail, sendAt: soon })
  await sign('emails.cancel_scheduled', { emailId })

  const campaign = await putCampaign(desk, { subject: '{{ first_name }}', body: '[said](https://acme.example/)' })
  cards.push(await previews(desk, 'emails.bulk_send', campaign))
  const { campaignId } = await sign<{ campaignId: string }>('emails.bulk_send', { ...campaign, sendAt: soon })
  await sign('emails.pause_campaign', { campaignId })
  await sign('emails.resume_campaign', { campaignId })
  await sign('emails.stop_campaign', { campaignId })
  return cards
}

test('the languages say the same things', () => {
  expect(languages).toStrictEqual(['en', 'de', 'fr', 'es', 'ja', 'ar', 'pt'])
  for (const language of languages) expect(shapeOf(wordsIn(language))).toStrictEqual(shapeOf(wordsIn('en')))
})

test('no word of English is left on a card in another language, and every figure of it is there', async () => {
  const cards = await cardsOf()
  expect(cards.length).toBeGreaterThan(25)
  const used = Object.fromEntries(languages.slice(1).map((language) => [language, new Set<string>()]))
  const wrong: unknown[] = []
  for (const card of cards) {
    const english = textsIn(card['en'])
    for (const language of languages.slice(1)) {
      const own = textsIn(card[language])
      expect([...own.keys()]).toStrictEqual([...english.keys()])
      for (const { at, text, left, figures, asked } of besideEnglish(english, own, named)) {
        left.forEach((word) => used[language]?.add(word))
        const stray = left.filter((word) => !shared[language]?.includes(word))
        if (stray.length > 0 || figures.join() !== asked.join()) wrong.push([language, at, text, stray, figures, asked])
      }
    }
  }
  expect(wrong).toStrictEqual([])
  expect(
    Object.fromEntries(Object.entries(used).map(([language, words]) => [language, [...words].sort()])),
  ).toStrictEqual(shared)
})

test.each(languages.slice(1))('in %s, what a mail server said cannot end its quotation', (language) => {
  const { progress, halt, reasons } = wordsIn(language)
  const forged = 'a“ b” c» d」 e\n\n**f**'
  const said = [progress.because(undefined, forged), halt.tookNothing.text(forged), reasons.undeliverable(forged)]
  for (const text of said)
    expect(text.match(/[“”»」]|\*\*|\n/g)?.length ?? 0).toBeLessThanOrEqual(language === 'pt' ? 2 : 1)
})

test('a variable of a template that is called as what every object has is called by its name', () => {
  for (const language of languages) expect(wordsIn(language).reasons.missing(['constructor'])).toContain('constructor')
})
