// The tools of templates as a caller meets them, on a real store.
import { describe, expect, test } from 'vitest'
import { ada, failed, openDesk } from '../mail-fixture.ts'

const nowhere = 'smtp://127.0.0.1:1'
const desk = () => openDesk({ url: nowhere })
type Desk = Awaited<ReturnType<typeof desk>>

const invitation = {
  name: 'Invitation',
  subject: '{{ first_name }}, come to {{ event }}',
  body: 'Dear {{ first_name }},\n\nwe meet on **{{ event }}**.\n\nYours',
  variables: ['event'],
  fallbacks: { first_name: 'Hello' },
}

interface Created {
  readonly template: { readonly templateId: string; readonly version: number; readonly [field: string]: unknown }
  readonly previous: Readonly<Record<string, unknown>>
}

const made = async (mail: Desk, input = {}): Promise<Created['template']> =>
  ((await mail.apply('templates.create', { ...invitation, ...input })) as Created).template

const contact = async (mail: Desk, values: Readonly<Record<string, string>> = {}, tenant = ada.tenant) => {
  const address = values['address'] ?? 'bea@other.example'
  await mail.db
    .insertInto('mail_contacts')
    .values({
      id: `ct_${address}`,
      tenant,
      address,
      address_key: address,
      domain: address.split('@')[1] ?? '',
      created_at: '2026-11-22T12:00:00.000Z',
      version: 1,
      ...values,
    })
    .execute()
  return `ct_${address}`
}

describe('templates.create', () => {
  test('shows subject, body and how it reads, and keeps it as it was shown', async () => {
    const mail = await desk()
    const preview = await mail.preview('templates.create', invitation)
    expect(JSON.stringify(preview.blocks)).toContain('Dear Ann,\\n\\nwe meet on (event).\\n\\nYours')
    expect(preview.warnings).toStrictEqual([])
    const template = await made(mail)
    expect(await mail.read('templates.get', { templateId: template.templateId })).toMatchObject({
      template: { ...invitation, version: 1 },
      uses: [
        { variable: 'first_name', from: 'recipient', fallback: 'Hello' },
        { variable: 'event', from: 'call' },
      ],
      sample: { to: 'Ann Lee <ann.lee@example.org>', subject: 'Ann, come to (event)' },
    })
  })

  test('warns of recipients who would get no mail', async () => {
    const mail = await desk()
    const preview = await mail.preview('templates.create', { ...invitation, fallbacks: {} })
    expect(preview.warnings).toMatchObject([{ title: 'Recipients without first name get no mail.' }])
  })

  test('names every mistake with its field, before anybody is asked', async () => {
    const mail = await desk()
    const answer = await mail.basis('templates.create', { ...invitation, subject: '{{ frist_name }}', body: '{{ oops' })
    expect(failed(answer)).toMatchObject({
      code: 'invalid_template',
      message: expect.stringContaining('Did you mean first_name?') as string,
      fields: [{ pointer: '/subject' }, { pointer: '/body', received: '{{ oops' }],
    })
  })

  test('takes a name once for each tenant, whatever happens between preview and apply', async () => {
    const mail = await desk()
    const basis = await mail.basis('templates.create', invitation)
    await made(mail)
    expect(failed(await mail.basis('templates.create', invitation)).code).toBe('name_taken')
    expect(failed(await mail.run('templates.create', invitation, basis as string)).code).toBe('name_taken')
    const other = { tenant: 'other', subject: 'ada' }
    expect(await mail.apply('templates.create', invitation, undefined, other)).toMatchObject({
      template: { version: 1 },
    })
  })
})

describe('templates.update', () => {
  test('shows the changed lines of subject and body, and a mail before and after', async () => {
    const mail = await desk()
    const { templateId } = await made(mail)
    const preview = await mail.preview('templates.update', {
      templateId,
      subject: '{{ first_name }}, see you on {{ event }}',
      body: invitation.body.replace('meet', 'dance'),
    })
    const blocks = preview.blocks ?? []
    expect(blocks.filter((block) => block.kind === 'code' && block.language === 'diff')).toMatchObject([
      { label: 'Subject', text: expect.stringContaining('-{{ first_name }}, come to {{ event }}\n+{{') as string },
      { label: 'Body', text: expect.stringContaining('-we meet on **{{ event }}**.\n+we dance') as string },
    ])
    expect(preview.details).toMatchObject({
      changed: ['subject', 'body'],
      sampleBefore: { subject: 'Ann, come to (event)' },
      sample: { subject: 'Ann, see you on (event)', text: expect.stringContaining('we dance on') as string },
    })
  })

  test('overwrites what is given and nothing else, and is taken back by its undo', async () => {
    const mail = await desk()
    const { templateId } = await made(mail)
    const input = { templateId, fallbacks: { first_name: 'Friend' }, description: 'Once a year' }
    const changed = (await mail.apply('templates.update', input)) as Created
    expect(changed.template).toMatchObject({ ...invitation, fallbacks: { first_name: 'Friend' }, version: 2 })
    const undo = mail.write('templates.update').undo?.(input, changed, { language: 'en' })
    await mail.apply('templates.update', undo?.arguments)
    const { template } = (await mail.read('templates.get', { templateId })) as Created
    expect(template).toMatchObject({ ...invitation, version: 3 })
    expect(template).not.toHaveProperty('description')
  })

  test('is stale where somebody else has changed the template since', async () => {
    const mail = await desk()
    const { templateId } = await made(mail)
    const input = { templateId, subject: 'New' }
    const basis = await mail.basis('templates.update', input)
    await mail.apply('templates.update', { templateId, description: 'Changed meanwhile' })
    expect(await mail.run('templates.update', input, basis as string)).toMatchObject({ kind: 'tool-stale' })
  })

  test('refuses what would break the template, a name that is taken, and a change of nothing', async () => {
    const mail = await desk()
    const { templateId } = await made(mail)
    await made(mail, { name: 'Other' })
    const code = async (input: object) => failed(await mail.basis('templates.update', { templateId, ...input })).code
    expect(await code({ variables: [] })).toBe('invalid_template')
    expect(await code({ name: 'Other' })).toBe('name_taken')
    expect(await code({ subject: invitation.subject, fallbacks: { first_name: 'Hello' } })).toBe('nothing_to_change')
    expect(await code({})).toBe('nothing_to_change')
  })

  test('knows no template of another tenant, and says which one was meant by a name', async () => {
    const mail = await desk()
    const { templateId } = await made(mail)
    const other = { tenant: 'other', subject: 'ada' }
    const input = { templateId, subject: 'New' }
    expect(failed(await mail.basis('templates.update', input, other)).code).toBe('unknown_template')
    expect(failed(await mail.basis('templates.update', { ...input, templateId: 'invitatoin' })).message).toBe(
      `There is no template “invitatoin”. Did you mean ${templateId} (Invitation)?`,
    )
  })
})

describe('templates.get and templates.list', () => {
  test('show a mail as a contact would read it', async () => {
    const mail = await desk()
    const { templateId } = await made(mail, { fallbacks: {} })
    const contactId = await contact(mail, { first_name: '[Bea](http://evil.example)', name: 'Bea' })
    expect(await mail.read('templates.get', { templateId, contactId, values: { event: '28 November' } })).toMatchObject(
      {
        sample: {
          to: 'Bea <bea@other.example>',
          subject: '[Bea](http://evil.example), come to 28 November',
          text: 'Dear [Bea](http://evil.example),\n\nwe meet on 28 November.\n\nYours',
        },
      },
    )
  })

  test('name what is missing for a contact', async () => {
    const mail = await desk()
    const { templateId } = await made(mail, { fallbacks: {} })
    const contactId = await contact(mail)
    expect(await mail.read('templates.get', { templateId, contactId, values: {} })).toMatchObject({
      sample: { problem: 'There is no first_name and no event, and no fallback for it.' },
    })
  })

  test('know no contact of another tenant', async () => {
    const mail = await desk()
    const { templateId } = await made(mail)
    const contactId = await contact(mail, {}, 'other')
    expect(failed(await mail.read('templates.get', { templateId, contactId })).code).toBe('unknown_contact')
  })

  test('list those of the tenant with all words of the query, and say that there are more', async () => {
    const mail = await desk()
    for (const name of ['Spring letter', 'Autumn letter', 'Offer']) await made(mail, { name })
    const names = async (input: object) => {
      const { templates, more } = (await mail.read('templates.list', input)) as {
        readonly templates: readonly { readonly name: string }[]
        readonly more: boolean
      }
      return [templates.map(({ name }) => name), more]
    }
    expect(await names({})).toStrictEqual([['Autumn letter', 'Offer', 'Spring letter'], false])
    expect(await names({ query: 'LETTER event', limit: 1 })).toStrictEqual([['Autumn letter'], true])
  })
})
