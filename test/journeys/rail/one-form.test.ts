// The same amounts on their way: the preview, what it became, the approval's page, and a read in the playground.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openHouse, openPage, withToken, type House } from '../operators/admin-page.ts'
import { overHttp } from '../agent.ts'
import { openDesk, openPlayground } from '../playground-page.ts'

let browser: Browser
let house: House
beforeAll(async () => {
  browser = await sharedBrowser()
  house = await openHouse()
})

const forms = {
  'en-GB': /€[\d,]+\.\d\d/g,
  'de-DE': /[\d.]+,\d\d\s€/g,
} as const

/** Each amount of a text is in the locale's form: none is left when those are taken away. */
const expectOneForm = (text: string, form: RegExp): void => {
  expect(text.match(form)?.length).toBeGreaterThan(1)
  // A day, as the foot of a card has it, is no amount.
  const rest = text.replaceAll(form, '').replaceAll(/\d{1,2}\.\d{1,2}\.\d{4}/g, '')
  expect(rest).not.toMatch(/€|EUR|\d[.,]\d\d/)
}

/** In every run the one whose form is not that of the texts for agents. */
const locales = casesOf(['en-GB', 'de-DE'] as const, String, ['de-DE'])

test.each(locales)('an approval and the list of them, read in %s, show amounts in one form', async (locale) => {
  const order = locale === 'en-GB' ? 'SO-1006' : 'SO-1007'
  const agent = await house.agent()
  const { data } = await agent.call('orders_modify', { id: order, discount_percent: 15, preview: false })
  const id = String(data['approval_id'])
  // An agent has no locale.
  const reader = await overHttp(house.mcp)
  const preview = await reader.call('orders_modify', { id: order, discount_percent: 16 })
  expect(preview.data['warnings']).toMatchObject([{ title: expect.stringMatching(/^16 % is above/) }])
  expect(data['summary']).toMatch(/the total becomes EUR \d+\.\d\d\./)
  const { page, close } = await openPage(browser, `${house.url}/admin/approvals/${id}`, { locale })
  await withToken(page)
  const sheet = page.getByRole('article', { name: 'What the agent asks for' })
  await sheet.getByText('The total goes from').first().waitFor()
  expectOneForm(await sheet.innerText(), forms[locale])
  // The page forgets the admin token when it is loaded again.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Approvals' }).click()
  const row = page.getByRole('link', { name: new RegExp(`Changes .* of order ${order}`) })
  await row.waitFor()
  expect(await row.innerText()).toMatch(new RegExp(forms[locale].source))
  expect(await row.innerText()).not.toMatch(/EUR/)
  await close()
})

const chooseLanguage = async (page: Page, language: string): Promise<void> => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByLabel('Language').fill(language)
  await page.getByRole('button', { name: 'Settings' }).click()
}

test.each(locales)('the cards and the reads of the playground, in %s, show amounts in one form', async (locale) => {
  const desk = await openDesk()
  try {
    const { page, suggest, call, card } = await openPlayground(browser, desk.door)
    await chooseLanguage(page, locale)
    await suggest('Create an order for ACME')
    const confirm = card(0).getByRole('button', { name: /^(?:Create order|Auftrag anlegen)$/ })
    await confirm.waitFor()
    const seen = async (index: number): Promise<string> => card(index).locator('main').innerText()
    expectOneForm(await seen(0), forms[locale])
    await confirm.click()
    await card(1)
      .getByText(/^(?:Order SO-\d+ created|Auftrag SO-\d+ angelegt)$/)
      .waitFor()
    expectOneForm(await seen(1), forms[locale])
    await call('List sales orders')
    const read = page.locator('.sheet').last()
    await read.getByText('SO-1001').first().waitFor()
    expectOneForm(await read.locator('.sheet-text').innerText(), forms[locale])
  } finally {
    await desk.close()
  }
})
