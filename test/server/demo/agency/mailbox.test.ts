// The mailbox of the agency's desk, asked as a browser asks, while mail arrives over SMTP.
import { createTransport } from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { mailboxPages } from '../../../../server/demo/agency/mailbox-pages.ts'
import { openMailbox } from '../../../../server/demo/agency/mailbox.ts'

async function openPages() {
  const mailbox = await openMailbox(() => Date.UTC(2026, 10, 26, 10, 12))
  const smtp = createTransport(mailbox.url, { from: 'hello@agency.example' })
  onTestFinished(async () => {
    smtp.close()
    await mailbox.close()
  })
  const pages = mailboxPages('/mailbox/x', mailbox)
  return {
    send: (mail: object) =>
      smtp.sendMail({ subject: 'A single mail', text: 'Hello', to: 'mara@northwind.example', ...mail }),
    page: async (path = '') => {
      const answer = await pages.request(`/mailbox/x${path}`)
      const text = (await answer.text()).replace(/<style>[^]*<\/style>/, '').replace(/<[^>]+>/g, ' ')
      return { status: answer.status, text: text.replace(/\s+/g, ' ') }
    },
  }
}

const campaign = 'cp_0123456789abcdef0123'
const ofCampaign = (position: number) => ({
  subject: `News for reader ${position}`,
  to: `reader${position}@readers.example`,
  messageId: `<${campaign}.${position}@agency.example>`,
})

test('a campaign is one row, which leads to its newest fifty mails, and pushes out no other', async () => {
  const { send, page } = await openPages()
  expect((await page()).text).toContain('Nothing has arrived yet.')
  await send({})
  for (let position = 1; position <= 60; position += 1) await send(ofCampaign(position))
  const { text } = await page()
  expect(text).toContain(
    '61 mails since the start of the server; of each campaign, and of the mails outside of one, the newest fifty are kept.',
  )
  expect(text).toMatch(/News for reader 60 60 mails of a campaign, the last to reader60@readers\.example · 10:12 UTC/)
  expect(text).toMatch(/A single mail to mara@northwind\.example · 10:12 UTC/)
  expect(text).not.toContain('News for reader 59')
  const { text: mails } = await page(`/campaigns/${campaign}`)
  expect(mails).toContain(`60 mails of a campaign ${campaign} , of which the newest 50 are kept.`)
  expect(mails.match(/News for reader/g)).toHaveLength(50)
  expect((await page('/campaigns/cp_of_nobody')).status).toBe(404)
  expect((await page('/61')).text).toContain('News for reader 60')
  expect((await page('/2')).status).toBe(404)
})

test('a mail is of a campaign by its Message-ID alone, whatever its text says', async () => {
  const { send, page } = await openPages()
  await send({ text: `Message-ID: <${campaign}.1@agency.example>` })
  await send({ messageId: `<cp_short.1@agency.example>`, headers: { 'X-Campaign': campaign } })
  expect((await page()).text).not.toContain('of a campaign')
})
