// What arrived, as its recipients see it. A mail is a stranger's page: it is shown in a frame that runs nothing and loads
// nothing from anywhere.
import { html, raw } from 'hono/html'
import { Hono, type Context } from 'hono'
import type { Attachment, Email } from 'postal-mime'
import { typeName } from '../../toolsets/files/contents/content-type.ts'
import { plainSize } from '../../toolsets/say.ts'
import type { DeliveredMail, Mailbox, MailGroup } from './mailbox.ts'

/** A mail as HTML has no script here, no form, no picture from elsewhere; its styles are its own. */
const mailPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'none'"

const headersOf = (policy: string): Readonly<Record<string, string>> => ({
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-store',
})

/** The pages below `path`, which is all that guards them: it must be one that nobody guesses. */
export function mailboxPages(path: string, mailbox: Pick<Mailbox, 'count' | 'groups'>): Hono {
  const app = new Hono().basePath(path)
  const find = async (c: Context): Promise<ReadMail | undefined> => {
    const all = mailbox.groups().flatMap(({ newest }) => newest)
    const found = all.find(({ number }) => String(number) === c.req.param('number'))
    return found && readMail(found)
  }
  const page = (
    c: Context,
    title: string,
    body: ReturnType<typeof html>,
    refresh = false,
  ): Response | Promise<Response> =>
    c.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <title>${title}</title>
            ${refresh ? raw('<meta http-equiv="refresh" content="3" />') : ''}
            <style>
              ${raw(style)}
            </style>
          </head>
          <body>
            <main>${body}</main>
          </body>
        </html>`,
      200,
      headersOf(pagePolicy),
    )
  app.get('/', async (c) => page(c, 'Mailbox', await listOf(path, mailbox.count(), mailbox.groups()), true))
  app.get('/campaigns/:campaign', async (c) => {
    const found = mailbox.groups().find(({ campaignId }) => campaignId === c.req.param('campaign'))
    return found === undefined ? c.notFound() : page(c, 'Mails of a campaign', await campaignPage(path, found), true)
  })
  app.get('/:number', async (c) => {
    const found = await find(c)
    return found === undefined ? c.notFound() : page(c, subjectOf(found), mailOf(path, found))
  })
  app.get('/:number/content', async (c) => {
    const found = await find(c)
    return found === undefined
      ? c.notFound()
      : c.html(contentOf(found), 200, headersOf(`${mailPolicy}; sandbox; frame-ancestors 'self'`))
  })
  app.get('/:number/attachments/:at', async (c) => {
    const attachment = (await find(c))?.mail.attachments[Number(c.req.param('at'))]
    if (attachment === undefined) return c.notFound()
    return c.body(bytesOf(attachment), 200, {
      ...headersOf("default-src 'none'; sandbox"),
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(nameOf(attachment))}`,
    })
  })
  return app
}

/** A mail that was taken apart. */
interface ReadMail extends DeliveredMail {
  readonly mail: Email
}

const readMail = async (delivered: DeliveredMail): Promise<ReadMail> => ({ ...delivered, mail: await delivered.read() })

const subjectOf = ({ mail }: ReadMail): string => mail.subject || '(no subject)'

const nameOf = ({ filename }: Attachment): string => filename ?? 'attachment'

const bytesOf = ({ content }: Attachment): ArrayBuffer =>
  typeof content === 'string' ? new TextEncoder().encode(content).buffer : new Uint8Array(content).buffer

const timeOf = (at: string): ReturnType<typeof html> => html`<time datetime="${at}">${at.slice(11, 16)} UTC</time>`

const counted = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'mail' : 'mails'}`

const item = (path: string, one: ReadMail): ReturnType<typeof html> =>
  html`<li>
    <a href="${path}/${one.number}">
      <b>${subjectOf(one)}</b>
      <span class="minor">to ${one.recipients.join(', ')} · ${timeOf(one.at)}</span>
    </a>
  </li>`

/** A campaign is one row, whatever came of it, in the place of its newest mail. */
async function rowOf(path: string, { campaignId, count, newest }: MailGroup): Promise<readonly Row[]> {
  const mails = await Promise.all(newest.map(readMail))
  const [last] = mails
  if (campaignId === undefined || last === undefined)
    return mails.map((one) => ({ number: one.number, shown: item(path, one) }))
  const shown = html`<li>
    <a href="${path}/campaigns/${campaignId}">
      <b>${subjectOf(last)}</b>
      <span class="minor"
        >${counted(count)} of a campaign, the last to ${last.recipients.join(', ')} · ${timeOf(last.at)}</span
      >
    </a>
  </li>`
  return [{ number: last.number, shown }]
}

interface Row {
  readonly number: number
  readonly shown: ReturnType<typeof html>
}

async function listOf(path: string, count: number, groups: readonly MailGroup[]): Promise<ReturnType<typeof html>> {
  const rows = (await Promise.all(groups.map((group) => rowOf(path, group)))).flat()
  return html`<h1>Mailbox</h1>
    <p class="minor">Every mail that this desk sends arrives here, and none leaves this machine.</p>
    ${
      count === 0
        ? html`<p class="empty">Nothing has arrived yet. This page looks again every three seconds.</p>`
        : html`<p class="minor">${counted(count)} since the start of the server${olderGone(groups)}.</p>
            <ol>
              ${rows.toSorted((a, b) => b.number - a.number).map(({ shown }) => shown)}
            </ol>`
    }`
}

const olderGone = (groups: readonly MailGroup[]): string =>
  groups.some(({ count, newest }) => count > newest.length)
    ? '; of each campaign, and of the mails outside of one, the newest fifty are kept'
    : ''

async function campaignPage(path: string, { count, newest, campaignId }: MailGroup): Promise<ReturnType<typeof html>> {
  const mails = await Promise.all(newest.map(readMail))
  return html`<p><a href="${path}">← Mailbox</a></p>
    <h1>${counted(count)} of a campaign</h1>
    <p class="minor">
      <code>${campaignId}</code>${count > newest.length ? `, of which the newest ${newest.length} are kept` : ''}.
    </p>
    <ol>
      ${mails.map((one) => item(path, one))}
    </ol>`
}

const row = (label: string, value: string): ReturnType<typeof html> =>
  value === ''
    ? html``
    : html`<dt>${label}</dt>
        <dd>${value}</dd>`

const addresses = (list: Email['to']): string =>
  (list ?? [])
    .map(({ name, address }) => (name === '' || name === undefined ? (address ?? '') : `${name} <${address ?? ''}>`))
    .join(', ')

function mailOf(path: string, read: ReadMail): ReturnType<typeof html> {
  const { number, at, recipients, mail } = read
  const named = [...(mail.to ?? []), ...(mail.cc ?? [])].map(({ address }) => address)
  const hidden = recipients.filter((address) => !named.includes(address))
  return html`<p><a href="${path}">← Mailbox</a></p>
    <h1>${subjectOf(read)}</h1>
    <dl>
      ${row('From', addresses(mail.from === undefined ? [] : [mail.from]))} ${row('To', addresses(mail.to))}
      ${row('Cc', addresses(mail.cc))} ${row('Bcc', hidden.join(', '))}
      <dt>Arrived</dt>
      <dd>${timeOf(at)}</dd>
    </dl>
    <iframe title="The mail" sandbox src="${path}/${number}/content"></iframe>
    ${
      mail.attachments.length === 0
        ? ''
        : html`<h2>Attachments</h2>
            <ul>
              ${mail.attachments.map(
                (attachment, index) =>
                  html`<li>
                    <a href="${path}/${number}/attachments/${index}">${nameOf(attachment)}</a>
                    <span class="minor"
                      >${typeName(attachment.mimeType)} · ${plainSize(bytesOf(attachment).byteLength)}</span
                    >
                  </li>`,
              )}
            </ul>`
    }`
}

/** The mail's own HTML, or its text. */
const contentOf = ({ mail }: ReadMail): ReturnType<typeof html> | string =>
  mail.html ??
  html`<!doctype html><meta charset="utf-8" />
    <pre style="white-space:pre-wrap">${mail.text ?? ''}</pre>`

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0; background: light-dark(#f2f1ed, #191917); color: light-dark(#1b1b1a, #ececea) }
main { max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem; margin: 0 0 .25rem; overflow-wrap: anywhere }
h2 { font-size: 1rem }
a { color: inherit }
.minor { color: light-dark(#5c5c58, #a5a5a0) }
.empty { padding: 2rem; border: 1px dashed light-dark(#c9c8c2, #4a4a46); border-radius: 8px }
ol { list-style: none; padding: 0 }
ol a { display: block; padding: .75rem 1rem; margin: .5rem 0; border-radius: 8px; text-decoration: none; background: light-dark(#fff, #242422); border: 1px solid light-dark(#e2e1db, #3a3a37) }
ol b, ol span { display: block; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
dt { color: light-dark(#5c5c58, #a5a5a0) }
dd { margin: 0; overflow-wrap: anywhere }
iframe { width: 100%; height: 24rem; border: 1px solid light-dark(#e2e1db, #3a3a37); border-radius: 8px; background: #fff }
`
