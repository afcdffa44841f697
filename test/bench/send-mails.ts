// Sends so many mails to the mail server at an address: `pool`, as nodemailer's own pool does in a loop; `campaign`, as a
// confirmed campaign does, with its database in a file or at postgres://…; `dry-run` only looks at so many. Answers each line
// of its input with how many a second that were, milliseconds of the processor for each, and the most memory that it took
// meanwhile, in bytes.
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { recordingOf } from '../../server/compose/toolsets.ts'
import { openStore } from '../../server/store/store.ts'
import type { ToolContext } from '../../server/tools/contract.ts'
import { renderBody } from '../../server/toolsets/mail/send-external/body.ts'
import { startCampaign } from '../../server/toolsets/mail/campaigns/start.ts'
import { openMail } from '../../server/toolsets/mail/open-mail.ts'
import { readOptions } from '../../server/toolsets/mail/options.ts'
import type { ContactRow, MailDatabase } from '../../server/toolsets/mail/schema.ts'
import { parsed } from '../kit/schemas.ts'

const [, , url = '', database = ''] = process.argv

const template = {
  id: 'tp_1',
  name: 'News',
  subject: 'News for {{ first_name }}',
  body: [
    'Dear {{ first_name }},',
    '',
    'this is what has happened **this month**, and what we plan for the next one:',
    '',
    '- we have moved to a larger office near the river,',
    '- our shop ships to all countries of Europe,',
    '- and on Friday we celebrate: [come by](https://agency.example/party).',
    '',
    'Yours, the agency. You get this mail as {{ email }}.',
  ].join('\n'),
  variables: [],
  fallbacks: {},
}

const contact = (at: number, version: number): ContactRow => ({
  id: `ct_${at}`,
  tenant: 'default',
  name: null,
  first_name: `Ann${at}`,
  last_name: 'Lee',
  address: `ann${at}@other.example`,
  address_key: `ann${at}@other.example`,
  domain: 'other.example',
  company: 'Other Ltd',
  note: null,
  created_at: '2026-01-01T12:00:00.000Z',
  undeliverable: null,
  version,
})

/** The same mails, made beforehand: a mail's text in a template is our own work. */
async function pool(mails: number): Promise<void> {
  const { text, html } = await renderBody(template.body)
  const transport = createTransport({ url, pool: true, maxRequeues: 0 })
  let next = 0
  const worker = async (): Promise<void> => {
    for (let at = next++; at < mails; at = next++) {
      const fill = (source: string): string =>
        source.replaceAll('{{ first_name }}', `Ann${at}`).replaceAll('{{ email }}', `ann${at}@other.example`)
      await transport.sendMail({
        from: { name: 'Agency', address: 'hello@agency.example' },
        to: { name: `Ann${at} Lee`, address: `ann${at}@other.example` },
        subject: fill(template.subject),
        text: fill(text),
        html: fill(html),
      })
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
  transport.close()
}

const opened = await openStore({ file: database, secret: 'a secret for benchmarks and nothing else' })
if (!opened.ok) throw new Error(opened.failure.message)
const most = 1_000_000
const policy = { maxCampaignRecipients: most, recipientsPerHour: most, recipientsPerDay: most }
const set = await openMail(readOptions({ url, from: 'Agency <hello@agency.example>', policy }), {
  db: opened.value.db,
  recording: recordingOf(opened.value),
  now: Date.now,
  deriveKey: () => new Uint8Array(32),
  report: (error) => (console.error(error), 'in_0'),
  publicUrl: () => undefined,
  folder: () => undefined,
  secretsIn: () => [],
  redact: (text) => text,
  files: () => undefined,
})
const db = opened.value.db as unknown as MailDatabase
let runs = 0

/** Others than before: what was counted of the same ones is known. */
async function addContacts(many: number): Promise<void> {
  runs += 1
  await db.deleteFrom('mail_contacts').execute()
  for (let at = 0; at < many; at += 1000)
    await db
      .insertInto('mail_contacts')
      .values(Array.from({ length: Math.min(1000, many - at) }, (_, more) => contact(at + more, runs)))
      .execute()
}

async function prepareCampaign(mails: number): Promise<() => Promise<void>> {
  await addContacts(mails)
  await db.transaction().execute((transaction) =>
    startCampaign(transaction, {
      tenant: 'default',
      createdBy: 'bench',
      run: `pl_${process.pid}_${runs}`,
      template,
      segment: { id: 'sg_1', name: 'Everybody', conditions: [] },
      sender: { name: 'Agency', address: 'hello@agency.example' },
      replyTo: null,
      given: {},
      now: Date.now(),
    }),
  )
  return () => set.campaigns.work()
}

/** What an agent waits for before a person sees anything: the fingerprint and the preview, each of which counts everybody. */
async function prepareDryRun(recipients: number): Promise<() => Promise<void>> {
  await addContacts(recipients)
  // Contacts are added one by one: PostgreSQL has looked at them by itself long before they are so many.
  if (database.startsWith('postgres')) await sql`vacuum analyze mail_contacts`.execute(db)
  const at = '2026-01-01T12:00:00.000Z'
  const { id, name, subject, body } = template
  const keyed = { tenant: 'default', created_at: at, description: null, version: 1 }
  await db
    .insertInto('mail_templates')
    .values({ ...keyed, id, name, subject, body, variables: '[]', fallbacks: '{}', updated_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('mail_segments')
    .values({ ...keyed, id: 'sg_1', name: 'Everybody', conditions: '[]' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const tool = set.tools.find(({ name: of }) => of === 'emails.bulk_send')
  if (tool === undefined || tool.operation === 'read') throw new Error('There is no emails.bulk_send.')
  const input = parsed(tool.input, { templateId: id, segmentId: 'sg_1' })
  const ctx: ToolContext = {
    principal: { tenant: 'default', subject: 'bench' },
    rationale: '',
    now: Date.now,
    signal: new AbortController().signal,
    progress: () => undefined,
    meta: {},
    language: 'en',
    request: undefined,
    locales: ['en'],
    log: { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined },
    guidance: { errors: true, budget: true },
    conclude: () => undefined,
    audit: () => Promise.resolve(),
    fail: (code, message) => ({ kind: 'tool-failed', code, message }),
  }
  return async () => {
    await tool.basis?.(input, ctx)
    const preview = await tool.preview(input, ctx)
    if ('kind' in preview || preview.blocked !== undefined) throw new Error(JSON.stringify(preview))
  }
}

console.log(JSON.stringify({ url }))
for await (const line of createInterface({ input: process.stdin })) {
  const [how, number] = line.split(' ')
  const mails = Number(number)
  const work =
    how === 'campaign'
      ? await prepareCampaign(mails)
      : how === 'dry-run'
        ? await prepareDryRun(mails)
        : () => pool(mails)
  let peak = 0
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 100)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const [seconds, used] = [(performance.now() - began) / 1000, process.cpuUsage(cpu)]
  clearInterval(sampling)
  console.log(JSON.stringify([mails / seconds, (used.user + used.system) / 1000 / mails, peak]))
}
process.exit()
