// The story once more with two server processes on one PostgreSQL behind a plain round-robin: each request of a page goes
// to the other server than the one before, and neither the pages nor the agent can tell. Here two people must agree.
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openPage, openTwoHouses, withPassword, type House } from './admin-page.ts'

let browser: Browser
let house: House

beforeAll(async () => {
  browser = await sharedBrowser()
  house = await openTwoHouses()
})

test('two people agree on two pages, the call runs once, the agent gets its outcome, and the story is one page', async () => {
  const approver = [{ kind: 'approver', tools: ['orders_*'] }] as const
  const [ada, bo] = [await house.account('Ada', approver), await house.account('Bo', approver)]
  const agent = await house.agent()
  const first = await openPage(browser, `${house.url}/admin`)
  await withPassword(first.page, 'Ada', ada())
  const second = await openPage(browser, `${house.url}/admin`, { cookie: await house.session('Bo') })

  const { data } = await agent.call('orders_delete', { id: 'SO-1005' })
  const id = String(data['approval_id'])
  for (const { page } of [first, second]) await page.getByRole('link', { name: /Deletes order SO-1005/ }).click()

  await first.page.getByText('Nothing runs yet: after you, 1 more must agree.').waitFor()
  for (const { page } of [first, second]) await page.getByLabel('To approve, type SO-1005').fill('SO-1005')
  await first.page.getByLabel('Six digits of your authenticator').fill(ada())
  await first.page.getByRole('button', { name: 'Agree' }).click()
  await first.page.getByText('You have agreed.').waitFor()
  await second.page.getByText('1 of 2 agreed, 1 more needed').waitFor()

  await second.page.getByLabel('Six digits of your authenticator').fill(bo())
  await second.page.getByRole('button', { name: 'Approve: Delete order SO-1005' }).click()
  for (const { page } of [second, first]) await page.getByText('The call ran once, as it was shown here.').waitFor()

  const outcome = await agent.call('orders_delete', { id: 'SO-1005', ticket: id, preview: false })
  expect([outcome.isError, outcome.status]).toStrictEqual([false, 'replayed'])
  expect((await agent.call('orders_list')).text).not.toContain('SO-1005')

  await first.page.getByRole('link', { name: 'The whole story' }).click()
  const steps = first.page.getByRole('list', { name: 'Steps, oldest first' })
  await steps.waitFor()
  for (const name of ['Ada', 'Bo']) expect(await steps.textContent()).toContain(name)
  for (const { complaints, close } of [first, second]) {
    expect(complaints).toEqual([])
    await close()
  }
})
