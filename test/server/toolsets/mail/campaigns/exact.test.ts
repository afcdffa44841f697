// What a person confirms of a campaign is exact: the numbers are those of rendering everybody, and what is written down.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainSentence } from '../../../../../server/cards/figures.ts'
import { undeliverableWords } from '../../../../../server/toolsets/mail/campaigns/start.ts'
import { readingOf } from '../../../../../server/toolsets/mail/templates/presence.ts'
import { whyNot } from '../../../../../server/toolsets/mail/templates/samples.ts'
import { readTemplate, type TemplateText } from '../../../../../server/toolsets/mail/templates/template.ts'
import { runsOf } from '../../../../full.ts'
import { failed, openDesk } from '../mail-fixture.ts'
import { bulk, generous, putCampaign, putContacts, started, warningsIn, type PartialContact } from './bulk-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:1', policy: generous }
/** Nothing goes out while a test looks. */
const later = { sendAt: '2027-06-01T09:00:00Z' }

const value = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(null, 'Ann', 'Lee', '李', 'Élodie') },
  fc.constantFrom('', ' ', '\t', '\u200b', '\u202e', '\ue000', '*', '_~*_', '1.', '{{ email }}', '# Hi'),
  // About as long as a subject and a body may be.
  fc.constantFrom('x'.repeat(41), '*'.repeat(40), 'ß'.repeat(39), '😀'.repeat(20), 'y'.repeat(250), '*'.repeat(999)),
)

const contacts = fc
  .array(
    fc.record({
      first_name: value,
      last_name: value,
      name: value,
      company: value,
      undeliverable: fc.constantFrom(null, null, null, '550 No such user', ''),
    }),
    { maxLength: 12 },
  )
  .map((all): PartialContact[] => all.map((each, at) => ({ address: `p${at}@d${at % 3}.example`, ...each })))

const variable = fc.constantFrom('first_name', 'last_name', 'name', 'company', 'email', 'day')
const output = fc
  .tuple(
    variable,
    fc.constantFrom(
      '',
      '',
      ' | default: "you"',
      ' | upcase',
      ' | url_encode',
      ' | default: company',
      ' | remove: "Ann"',
    ),
  )
  .map(([name, filters]) => `{{ ${name}${filters} }}`)
const part = fc.oneof(
  output,
  fc.constantFrom('Hello ', ' and *this*', ', we ', 'x'.repeat(90)),
  fc.tuple(variable, output).map(([name, inner]) => `{% if ${name} %}${inner}{% endif %}`),
  fc
    .tuple(variable, variable, output)
    .map(([a, b, inner]) => `{% unless ${a} and ${b} %}${inner}{% else %}so{% endunless %}`),
  output.map((inner) => `{% if company == "Lee" %}${inner}{% endif %}`),
  fc.tuple(variable, output).map(([name, inner]) => `{% if ${name} != blank %}${inner}{% endif %}`),
  fc.tuple(variable, variable).map(([a, b]) => `{% assign ${a} = ${b} | append: "!" %}{{ ${a} }}`),
)
const templates = fc.record({
  subject: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
  body: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `Dear ${parts.join(' ')}`),
  variables: fc.constant(['day']),
  fallbacks: fc
    .subarray(['first_name', 'company', 'name', 'day'])
    .map((names) => Object.fromEntries(names.map((name) => [name, `the ${name}`]))),
})

const conditions = fc.constantFrom(
  [],
  [{ field: 'domain' as const, operator: 'is_not' as const, value: 'd1.example' }],
  [{ field: 'first_name' as const, operator: 'exists' as const }],
)

/** What each contact of the segment would get, by rendering the mail of each. */
async function renderAll(
  text: TemplateText,
  meant: readonly (PartialContact & { id: string })[],
  given: Readonly<Record<string, string>>,
) {
  const template = await readTemplate(text)
  if (!('render' in template)) return undefined
  return meant.map((contact) => ({
    id: contact.id,
    undeliverable: contact.undeliverable ?? null,
    rendered: template.render({ first_name: null, last_name: null, name: null, company: null, ...contact }, given),
  }))
}

describe('a campaign', () => {
  test('counts, skips and warns as rendering every mail does, and writes down just that', async () => {
    let [run, compared] = [0, 0]
    const desk = await openDesk(nowhere)
    await fc.assert(
      fc.asyncProperty(contacts, templates, conditions, fc.boolean(), async (drawn, text, rule, hasDay) => {
        for (const table of ['mail_contacts', 'mail_templates', 'mail_segments', 'mail_campaign_mails'] as const)
          await desk.db.deleteFrom(table).execute()
        run += 1
        // No contact has ever had the id and the version of another.
        const people = drawn.map((each) => ({ ...each, id: `ct_${run}_${each.address}` }))
        await putContacts(desk, people)
        const ids = { ...(await putCampaign(desk, { ...text, conditions: rule })), ...later }
        const values = hasDay ? { day: 'Monday' } : undefined
        const input = { ...ids, ...(values === undefined ? {} : { values }) }
        const meant = (await desk.read('segments.preview', { segmentId: 'sg_1', limit: 100 })) as {
          contacts: readonly { contactId: string }[]
        }
        const inSegment = people.filter(({ id }) => meant.contacts.some(({ contactId }) => contactId === id))
        const all = await renderAll(text, inSegment, values ?? {})
        const basis = await desk.basis(bulk, input)
        if (all === undefined) {
          expect(failed(basis).code).toBe('invalid_template')
          return
        }
        if (typeof basis !== 'string') {
          expect(failed(basis).code).toBe('invalid_values')
          return
        }
        const preview = await desk.preview(bulk, input)
        const mails = all.filter(({ undeliverable, rendered }) => undeliverable === null && rendered.kind === 'mail')
        if (mails.length === 0) {
          expect(preview.blocked).toBeDefined()
          return
        }
        compared += 1
        expect(preview.details).toMatchObject({ recipientCount: all.length, mailCount: mails.length })
        const withFallback = mails.filter(
          ({ rendered }) => rendered.kind === 'mail' && rendered.fallbacks.includes('first_name'),
        ).length
        const said = warningsIn(preview).map(plainSentence)
        if (withFallback > 0)
          expect(said.join('\n')).toContain(
            `${withFallback} recipient${withFallback === 1 ? ' has' : 's have'} no first name, fallback 'the first_name' will be used.`,
          )
        else expect(said.join('\n')).not.toMatch(/no first name, fallback/)
        const { campaignId } = started(await desk.run(bulk, input, basis))
        const rows = await desk.db
          .selectFrom('mail_campaign_mails')
          .select(['contact_id', 'state', 'response'])
          .where('campaign_id', '=', campaignId)
          .execute()
        const written = new Map(rows.map(({ contact_id: id, state, response }) => [id, { state, response }]))
        const expected = all.map(({ id, undeliverable, rendered }): readonly [string, unknown] => [
          id,
          undeliverable !== null
            ? { state: 'skipped', response: undeliverableWords(undeliverable) }
            : rendered.kind === 'mail'
              ? { state: 'pending', response: null }
              : { state: 'skipped', response: whyNot(rendered) },
        ])
        expect(written).toStrictEqual(new Map(expected))
      }),
      { numRuns: runsOf(400) },
    )
    // A property of which no case gets to the point would hold of anything.
    expect(compared).toBeGreaterThan(runsOf(400) / 8)
  })
})

test('of a template it matters what those values are that it compares, cuts or joins, and of the others whether they are there', async () => {
  const of = async (body: string) => [
    ...(await readingOf({ subject: 'News', body, variables: [], fallbacks: {} })).byValue,
  ]
  for (const [body, byValue] of [
    [
      '{{ first_name | default: "you" }}{% if company and name %}{{ company | upcase }}{% else %}.{% endif %}{% unless name == blank or company != "" %}.{% endunless %}',
      [],
    ],
    ['{{ first_name }}{% if company == "Acme" %}a{% endif %}', ['company']],
    ['{{ first_name }}{{ name | remove: "x" }}', ['name']],
    ['{% assign who = name %}{{ who }}{{ email }}', ['name']],
    ['{% assign first_name = last_name %}{{ first_name }}', ['first_name', 'last_name']],
    ['{% case company %}{% when "Acme" %}a{% when last_name %}b{% endcase %}', ['company', 'last_name']],
    ['{{ name.size }}', ['name']],
    ['{{ name[0] }}', ['name']],
    ['{% if name contains "x" %}a{% endif %}', ['name']],
    ['{% if email > company %}a{% endif %}', ['email', 'company']],
  ] as const)
    expect([body, await of(body)]).toStrictEqual([body, byValue])
})
