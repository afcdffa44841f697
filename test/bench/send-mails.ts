// Sends so many mails to the mail server at an address: `pool`, as nodemailer's own pool does in a loop; `campaign`, as a
// confirmed campaign does, with its database in a folder. Prints what a million would take: numbers of one process.
import { createInterface } from 'node:readline'
import { createTransport } from 'nodemailer'
import { recordingOf } from '../../server/compose/toolsets.ts'
import { openStore } from '../../server/store/store.ts'
import { renderBody } from '../../server/toolsets/mail/body.ts'
import { startCampaign } from '../../server/toolsets/mail/campaigns/start.ts'
import { openMail } from '../../server/toolsets/mail/open-mail.ts'
import { readOptions } from '../../server/toolsets/mail/options.ts'
import type { ContactRow, MailDatabase } from '../../server/toolsets/mail/schema.ts'

const [, , url = '', folder = ''] = process.argv

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

const contact = (at: number): ContactRow => ({
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
  version: 1,
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

const opened = await openStore({ file: `${folder}/mail.db` })
if (!opened.ok) throw new Error(opened.failure.message)
const set = await openMail(readOptions({ url, from: 'Agency <hello@agency.example>' }), {
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

async function prepare(mails: number): Promise<void> {
  await db.deleteFrom('mail_contacts').execute()
  for (let at = 0; at < mails; at += 1000)
    await db
      .insertInto('mail_contacts')
      .values(Array.from({ length: Math.min(1000, mails - at) }, (_, more) => contact(at + more)))
      .execute()
  await db.transaction().execute((transaction) =>
    startCampaign(transaction, {
      tenant: 'default',
      createdBy: 'bench',
      run: `pl_${process.pid}_${(runs += 1)}`,
      template,
      segment: { id: 'sg_1', name: 'Everybody', conditions: [] },
      sender: { name: 'Agency', address: 'hello@agency.example' },
      replyTo: null,
      given: {},
      now: Date.now(),
    }),
  )
}

console.log(JSON.stringify({ url }))
for await (const line of createInterface({ input: process.stdin })) {
  const [how, number] = line.split(' ')
  const mails = Number(number)
  if (how === 'campaign') await prepare(mails)
  let peak = 0
  const sampling = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 100)
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  await (how === 'campaign' ? set.campaigns.work() : pool(mails))
  const [seconds, used] = [(performance.now() - began) / 1000, process.cpuUsage(cpu)]
  clearInterval(sampling)
  console.log(JSON.stringify([mails / seconds, (used.user + used.system) / 1000 / mails, peak]))
}
process.exit()
