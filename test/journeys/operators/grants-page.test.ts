// Grant in the browser: given below an approval, edited, refused by name, used by a real agent, looked at
// and revoked in Settings; and the form as everybody can use it.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violations } from '../../kit/axe.ts'
import { goTo, openHouse, openPage, openSignedIn, type House } from './admin-page.ts'
import { waitsForApproval, type Agent } from '../agent.ts'

let browser: Browser
let house: House
let agent: Agent

beforeAll(async () => {
  browser = await sharedBrowser()
  house = await openHouse()
  agent = await house.agent()
})

const adjust = (delta: number, reason = 'Counted once more') =>
  agent.call('stock_adjust', { sku: 'DESK-01', delta, reason, preview: false })

const openForm = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Allow the next calls like this…' }).click()
  await page.getByRole('form', { name: 'Grant' }).waitFor()
}

test('the next calls like one: proposed, edited, given; the agent goes on; revoked, it asks again', async () => {
  const approval = String((await adjust(2)).data['approval_id'])
  const { page, complaints, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${approval}`)
  await openForm(page)
  const condition = page.getByRole('textbox', { name: /^Condition/ })
  expect(await condition.inputValue()).toBe(
    'sku == "DESK-01" && delta >= 0 && delta <= 2 && reason == "Counted once more"',
  )

  await condition.fill('sku == "DESK-01" && dleta < 5')
  await page.getByRole('button', { name: 'Create the grant' }).click()
  await page.getByText('The tool has no argument "dleta". Did you mean delta?').waitFor()
  await condition.fill('sku == "DESK-01" && delta > 2 && delta < 5')
  await page.getByRole('button', { name: 'Check only' }).click()
  await page.getByText('does not cover the call above').waitFor()
  await condition.fill('sku == "DESK-01" && delta > 0 && delta < 5')
  await page.getByRole('button', { name: 'Check only' }).click()
  await page.getByText('covers the call above').waitFor()
  await page.getByLabel('At most').fill('3')
  await page.getByLabel('Why').fill('Counting week')
  await page.getByRole('button', { name: 'Create the grant' }).click()
  await page.getByText('Grant created: 3 times in all').waitFor()

  const applied = await adjust(3, 'Counted twice')
  expect(applied).toMatchObject({ status: 'applied', data: { standing_permission: { left: 2, times: 3 } } })
  // The call that it was given from runs too when the agent repeats it, and nobody can agree to it once more.
  expect(await adjust(2)).toMatchObject({ status: 'applied', data: { standing_permission: { left: 1 } } })
  await page.getByText('was cancelled or made in another way').waitFor()

  await page.getByRole('link', { name: 'Grants' }).click()
  const table = page.getByRole('table', { name: 'Grants' })
  const row = table.getByRole('row').filter({ hasText: 'stock_adjust' })
  await row.waitFor()
  expect(await row.innerText()).toContain('1 of 3')
  expect(await row.innerText()).toContain('Counting week')
  await row.locator('summary').click()
  await row.getByText('by ').first().waitFor()
  await row.getByRole('button', { name: 'Revoke…' }).click()
  await row.getByRole('button', { name: 'Revoke stock_adjust' }).click()
  await page.getByText('is revoked.').waitFor()
  expect((await adjust(4, 'Counted again')).data).toStrictEqual(waitsForApproval)

  await page.getByRole('button', { name: 'Show ended grants too' }).click()
  await table.getByText('revoked', { exact: true }).waitFor()
  expect(complaints.filter((text) => !text.includes('400'))).toEqual([])
  await close()
})

test('given in Settings to everyone, by keyboard alone', async () => {
  const { page, close } = await openSignedIn(browser, `${house.url}/admin/settings#grants`)
  const open = page.getByRole('button', { name: 'New grant…' })
  await open.focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('form', { name: 'Grant' })
  await form.getByLabel('Tool').selectOption('orders_fulfill')
  await form.getByLabel('Everyone of the tenant').focus()
  await page.keyboard.press('Space')
  await form.getByRole('textbox', { name: /^Condition/ }).fill('id.startsWith("SO-1")')
  await form.getByLabel('At most').fill('2')
  await form.getByLabel('times').selectOption('day')
  await form.getByRole('button', { name: 'Create the grant' }).focus()
  await page.keyboard.press('Enter')
  const row = page.getByRole('table', { name: 'Grants' }).getByRole('row').filter({ hasText: 'orders_fulfill' })
  await row.waitFor()
  expect(await row.innerText()).toContain('everyone')
  expect(await row.innerText()).toMatch(/2 of 2\s+a day/)
  await close()
})

test('a viewer sees them and gives none; a critical call offers none', async () => {
  await house.account('Vic', [{ kind: 'viewer' }])
  const cookie = await house.session('Vic')
  const approval = String((await adjust(1)).data['approval_id'])
  const viewer = await openPage(browser, `${house.url}/admin/approvals/${approval}`, { cookie })
  await viewer.page.getByText('You cannot approve this.').waitFor()
  expect(await viewer.page.getByRole('button', { name: 'Allow the next calls like this…' }).count()).toBe(0)
  await goTo(viewer.page, '/admin/settings')
  await viewer.page.getByRole('heading', { name: 'Grants' }).waitFor()
  expect(await viewer.page.getByRole('button', { name: 'New grant…' }).count()).toBe(0)
  await viewer.close()

  const critical = String((await agent.call('orders_delete', { id: 'SO-1008', preview: false })).data['approval_id'])
  const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${critical}`)
  await page.getByRole('button', { name: 'Reject…' }).waitFor()
  expect(await page.getByRole('button', { name: 'Allow the next calls like this…' }).count()).toBe(0)
  await close()
})

test.each([
  ['light', 1280],
  ['dark', 360],
] as const)('the form and the list are clean for axe in %s at %d pixels', async (colorScheme, width) => {
  const approval = String((await adjust(1)).data['approval_id'])
  const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${approval}`, {
    colorScheme,
    viewport: { width, height: 800 },
  })
  const clean = async (part: string): Promise<void> => {
    expect(await violations(page, { within: part })).toEqual([])
    const wide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
    expect(wide).toBeLessThanOrEqual(0)
  }
  await openForm(page)
  await clean('.grant-form')
  await goTo(page, '/admin/settings')
  await page.getByRole('button', { name: 'New grant…' }).click()
  await page.getByRole('form', { name: 'Grant' }).waitFor()
  await clean('#grants')
  await close()
})
