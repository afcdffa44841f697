// The second desk of the demo as a new user tries it: a mail that is signed and read where it arrives, a file that is given
// out by a link, and what the desk's own policy refuses.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { longest } from '../../longest.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { overHttp } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { openPlayground } from '../playground-page.ts'
import { letIn } from '../processes.ts'

let browser: Browser
let desk: Awaited<ReturnType<typeof demoHere>>

beforeAll(async () => {
  browser = await sharedBrowser()
  desk = await demoHere(freshDatabase(), '--desk', 'mail')
})
afterAll(() => desk.end())

const sum = (numbers: readonly string[]): number =>
  numbers.reduce((all, one) => all + Number(one.replaceAll(',', '')), 0)

const open = () => openPlayground(browser, { playgroundUrl: letIn('/playground', desk.mcp).href })

test('a mail is signed on its card, arrives as it was shown, and is read in the mailbox, in a frame that runs nothing', async () => {
  const { page, card, suggest, complaints } = await open()
  await suggest('Send the proposal to Northwind')
  await card(0).getByText('Proposal Northwind.pdf').first().waitFor()
  await card(0).getByAltText('The first page of Proposal Northwind.pdf').waitFor()
  await card(0).getByRole('button', { name: 'Send mail' }).click()
  await card(1).getByText('Mail sent', { exact: true }).waitFor()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Mailbox' }).click()
  const mailbox = await opened
  await mailbox.getByRole('link', { name: /^Our proposal for your spring campaign/ }).click()
  await mailbox.getByText('Mara Lindqvist <mara@northwind.example>').waitFor()
  const frame = mailbox.locator('iframe')
  expect(await frame.getAttribute('sandbox')).toBe('')
  expect(await frame.contentFrame().locator('body').innerText()).toContain('Kind regards\nThe Agency')
  const download = mailbox.waitForEvent('download')
  await mailbox.getByRole('link', { name: 'Proposal Northwind.pdf' }).click()
  expect((await download).suggestedFilename()).toBe('Proposal Northwind.pdf')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a campaign is tried out, looked through, signed with its number, stopped in the middle, accounts for everybody, and is gone when the demo is started over', async () => {
  const { page, card, suggest, next, complaints } = await open()
  await suggest('Try out the newsletter')
  await card(0).getByText("43 recipients have no first name, fallback 'Hello' will be used.").waitFor()
  await next('Send the newsletter')
  await card(1).getByText('12 email addresses are marked as undeliverable and will be skipped.').waitFor()
  await card(1).getByRole('button', { name: 'Show more' }).click()
  await card(1).getByRole('button', { name: 'aiko.costa@turin-foods.example' }).click()
  await card(1).getByText('As Aiko Costa <aiko.costa@turin-foods.example> reads it').waitFor()
  await card(1).getByRole('textbox').fill('4809')
  await card(1).getByRole('button', { name: 'Send 4,809 emails' }).click()
  await card(2).getByRole('progressbar').waitFor()
  await card(2).getByRole('button', { name: 'Stop…' }).click()
  await card(3).getByRole('button', { name: 'Stop campaign' }).click()
  await card(4).getByText('Campaign stopped', { exact: true }).waitFor()
  await card(2).getByText('Campaign stopped', { exact: true }).waitFor()
  expect(await page.getByRole('list', { name: 'Next steps' }).getByText('Stop the campaign').count()).toBe(0)
  const said =
    (await card(4)
      .getByText(/ sent(?:,| and) .*sent$/)
      .first()
      .textContent()) ?? ''
  expect(sum(said.match(/[\d,]+/g) ?? []), said).toBe(4809)

  const agent = await overHttp(desk.mcp)
  const { data } = await agent.call('emails_list_campaigns')
  const [campaign] = data['campaigns'] as readonly { readonly campaignId: string }[]
  const counts = await vi.waitUntil(async () => {
    const read = await agent.call('emails_get_campaign', { campaignId: campaign?.campaignId })
    const { counts } = read.data['campaign'] as { readonly counts: Readonly<Record<string, number>> }
    // Those that were at the mail server when it was stopped are still answered.
    return counts['sending'] === 0 && counts
  }, longest)
  expect(counts).toMatchObject({ total: 4821, skipped: 12, unknown: 0, refused: 0, pending: 0 })
  const [accepted = 0, stopped = 0] = [counts['accepted'], counts['stopped']]
  expect(accepted + stopped).toBe(4809)
  expect([accepted > 0, stopped > 0]).toEqual([true, true])
  const mailbox = await page.getByRole('link', { name: 'Mailbox' }).getAttribute('href')
  const arrived = await (await fetch(new URL(mailbox ?? '', desk.mcp))).text()
  expect(arrived).toContain(`${accepted.toLocaleString('en')} mails of a campaign`)

  // However long the chat is, the page with its header is as high as the window.
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByRole('region', { name: 'Start over' }).getByRole('button', { name: 'Start over' }).click()
  await page.getByText('The activity log keeps what was done').waitFor()
  expect((await agent.call('emails_list_campaigns')).data).toMatchObject({ campaigns: [] })
  expect(await (await fetch(new URL(mailbox ?? '', desk.mcp))).text()).not.toContain('of a campaign')
  const files = (await agent.call('files_list')).data['files'] as readonly { readonly name: string }[]
  expect(files.map(({ name }) => name).sort()).toEqual(['Briefing.md', 'Media plan.csv', 'Proposal Northwind.pdf'])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a file of one’s own is uploaded into the conversation, and handed on by the next step that it offers', async () => {
  const { page, card, suggest, next, complaints } = await open()
  await suggest('List files')
  await page.getByText('Briefing.md').first().waitFor()
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload a file' }).click()
  await (await chosen).setFiles({ name: 'My offer.pdf', mimeType: 'text/plain', buffer: Buffer.from('%PDF-1.4 offer') })
  await page.getByText('I have uploaded “My offer.pdf”.').waitFor()
  const offered = page.getByRole('list', { name: 'Next steps' })
  expect(await offered.getByRole('button', { name: 'List files' }).count()).toBe(0)
  await next('Send My offer.pdf')
  await card(0).getByText('14 bytes').first().waitFor()
  await card(0).getByRole('button', { name: 'Send mail' }).click()
  await card(1).getByText('Mail sent', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('I have uploaded “My offer.pdf”.').waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a file that is not kept is said where it was chosen, with what to do, until the conversation goes on', async () => {
  const { page, suggest } = await open()
  const input = page.getByLabel('File to upload')
  await input.setInputFiles({ name: '\u202e', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await page.getByText('The file has no name.').waitFor()
  await page.getByText('Give it a name of 1 to 200 visible characters.').waitFor()
  await suggest('List files')
  await page.getByText('The file has no name.').waitFor({ state: 'detached' })
  await page.context().close()
})

test('a file is given out by a link that was signed, and the link gives it to who has no credential', async () => {
  const { page, card, suggest, complaints } = await open()
  await suggest('Share the media plan by a link')
  await card(0).getByText('Whoever has the address, without signing in').waitFor()
  await card(0).getByRole('button', { name: 'Create link' }).click()
  await card(1).getByText('Download link for Media plan.csv', { exact: true }).waitFor()
  await page.getByText('What the agent reads').last().click()
  const address = /http:\/\/\S+\/d\/[\w-]+/.exec((await page.locator('body').textContent()) ?? '')?.[0] ?? ''
  const downloaded = await fetch(address)
  expect([downloaded.status, await downloaded.text()]).toEqual([
    200,
    expect.stringContaining('week,channel,budget_eur'),
  ])
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a mail to a company that the desk blocks cannot be confirmed, and its card says why', async () => {
  const { page, card, suggest, complaints } = await open()
  await suggest('Write to a blocked company')
  await card(0)
    .getByText(/rival\.example/)
    .first()
    .waitFor()
  expect(await card(0).getByRole('button', { name: 'Send mail' }).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.context().close()
})

test('nobody reads the mailbox who was not given its address', async () => {
  for (const path of ['/mailbox', '/mailbox/guess', '/mailbox/guess/1'])
    expect((await fetch(new URL(path, desk.mcp))).status).toBe(404)
})

test('its template reads well for everybody whom its segment means, also where there is no name', async () => {
  const agent = await overHttp(desk.mcp)
  const [template] = (await agent.call('templates_list')).data['templates'] as readonly { templateId: string }[]
  const [segment] = (await agent.call('segments_list')).data['segments'] as readonly { segmentId: string }[]
  const { data } = await agent.call('segments_preview', { segmentId: segment?.segmentId })
  expect(data).toMatchObject({ count: 4, withoutFirstName: 1, undeliverable: 0 })
  const subjects = []
  for (const { contactId } of data['contacts'] as readonly { contactId: string }[]) {
    const read = await agent.call('templates_get', {
      templateId: template?.templateId,
      contactId,
      values: { day: '2 April' },
    })
    subjects.push((read.data['sample'] as { readonly subject: string }).subject)
  }
  expect(subjects).toEqual(['Jonas', 'Mara', 'Hello', 'Priya'].map((name) => `${name}, an evening with us on 2 April`))
})
