// The story, as an operator lives it: the page is open, an agent asks, the approval is there without a reload, a
// person with a code decides, the agent gets its outcome, and the record has all of it on one page.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openHouse, openPage, openSignedIn, withPassword, withToken, type House } from './admin-page.ts'
import type { Agent } from '../agent.ts'

let browser: Browser
let house: House
let agent: Agent

beforeAll(async () => {
  browser = await sharedBrowser()
  house = await openHouse()
  agent = await house.agent()
})

/** The agent's call as it waits; answers the approval's id. */
const ask = async (tool: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
  const { data } = await agent.call(tool, args)
  if (typeof data['approval_id'] !== 'string') throw new Error(`Nothing waits: ${JSON.stringify(data)}`)
  return data['approval_id']
}

const repeat = (tool: string, args: Readonly<Record<string, unknown>>, id: string) =>
  agent.call(tool, { ...args, ticket: id, preview: false })

describe('an approval', () => {
  test('appears on the open page, is approved with a code, runs once, reaches the agent, and is one story', async () => {
    const code = await house.account('Ada', [{ kind: 'approver', tools: ['orders_*'] }])
    const { page, complaints, close } = await openPage(browser, `${house.url}/admin`)
    await withPassword(page, 'Ada', code())
    await page.getByText('No approval is waiting').waitFor()
    expect(new URL(page.url()).pathname).toBe('/admin/approvals')

    const args = { id: 'SO-1005' }
    const id = await ask('orders_delete', args)
    const row = page.getByRole('link', { name: /Deletes order SO-1005/ })
    await row.waitFor()
    await page.getByRole('link', { name: 'Approvals 1 waiting' }).waitFor()
    await row.click()

    const sheet = page.getByRole('article', { name: 'What the agent asks for' })
    await sheet.getByRole('heading', { name: 'Delete order SO-1005' }).waitFor()
    await sheet.getByText('The agent says:').waitFor()
    const approve = sheet.getByRole('button', { name: 'Approve: Delete order SO-1005' })
    expect(await approve.isDisabled()).toBe(true)
    await sheet.getByLabel('Six digits of your authenticator').fill(code())
    expect(await approve.isDisabled()).toBe(true)
    await sheet.getByLabel('To approve, type SO-1005').fill('SO-1005')
    await approve.click()
    await sheet.getByText('The call ran once, as it was shown here.').waitFor()
    await sheet.getByText('Ada approved it.').waitFor()
    expect(await page.getByText('Nothing has happened yet').count()).toBe(0)

    const outcome = await repeat('orders_delete', args, id)
    expect(outcome.isError).toBe(false)
    expect(['applied', 'replayed']).toContain(outcome.status)
    const list = await agent.call('orders_list')
    expect(list.text).not.toContain('SO-1005')

    await sheet.getByRole('link', { name: 'The whole story' }).click()
    const steps = page.getByRole('list', { name: 'Steps, oldest first' })
    await steps.waitFor()
    const story = (await steps.textContent()) ?? ''
    expect(story).toContain('orders_delete')
    expect(story).toContain('Ada approved: Delete a sales order')
    expect(complaints).toEqual([])
    await close()
  })

  test('that is rejected changes nothing, and the agent reads why', async () => {
    const args = { id: 'SO-1006' }
    const id = await ask('orders_delete', args)
    const { page, complaints, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${id}`)
    const sheet = page.getByRole('article')
    await sheet.getByRole('button', { name: 'Reject…' }).click()
    await page.getByLabel('Why not?').fill('This customer still pays for it.')
    await sheet.getByRole('button', { name: 'Reject it' }).click()
    await sheet.getByText('Nothing was changed.').waitFor()
    await sheet.getByText('Mia rejected it.').waitFor()
    const about = page.getByRole('complementary', { name: 'About this request' })
    await about.getByText(/^Mia\s+rejected/).waitFor()
    expect(await about.getByText('Agreed').count()).toBe(0)

    const answer = await repeat('orders_delete', args, id)
    expect(answer.text).toContain('This customer still pays for it.')
    expect((await agent.call('orders_list')).text).toContain('SO-1006')
    expect(complaints).toEqual([])
    await close()
  })

  test('is not approved by Enter, and is by Space, once what it takes is there', async () => {
    const args = { id: 'SO-1007', note: 'Ring twice' }
    const id = await ask('orders_modify', { ...args, preview: false })
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${id}`)
    const approve = page.getByRole('button', { name: /^Approve: / })
    await approve.and(page.locator(':enabled')).waitFor()
    // The key that leads to the decision takes the focus there, and presses nothing.
    await page.keyboard.press('a')
    await expect.poll(() => approve.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.getByText('Enter does not approve here').waitFor()
    expect((await house.records.approvals.find(id))?.state).toBe('pending')
    await page.keyboard.press('Space')
    await page.getByText('The call ran once, as it was shown here.').waitFor()
    expect((await house.records.approvals.find(id))?.decidedBy).toBe('Mia')
    await close()
  })

  test('stays waiting after a wrong code, and says how many tries are left', async () => {
    await house.account('Bo', [{ kind: 'admin' }])
    const id = await ask('orders_delete', { id: 'SO-1008' })
    const { page, close } = await openPage(browser, `${house.url}/admin/approvals/${id}`, {
      cookie: await house.session('Bo'),
    })
    await page.getByLabel('To approve, type SO-1008').fill('SO-1008')
    await page.getByLabel('Six digits of your authenticator').fill('000000')
    await page.getByRole('button', { name: /^Approve: / }).click()
    await page.getByText('4 of 5 tries are left').waitFor()
    expect(await page.getByLabel('Six digits of your authenticator').inputValue()).toBe('')
    expect((await house.records.approvals.find(id))?.state).toBe('pending')
    await close()
  })

  test('can be read and not decided by somebody who approves other tools, and the page says why', async () => {
    await house.account('Cy', [{ kind: 'approver', tools: ['purchases_*'] }])
    const id = await ask('orders_modify', { id: 'SO-1006', note: 'Ring once', preview: false })
    const { page, close } = await openPage(browser, `${house.url}/admin/approvals/${id}`, {
      cookie: await house.session('Cy'),
    })
    await page.getByText('You cannot approve this.').waitFor()
    await page.getByText('You approve other tools than orders_modify.').waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    await close()
  })

  test('leads to the next one that waits, the one whose time ends first', async () => {
    const first = await ask('orders_modify', { id: 'SO-1007', note: 'Knock', preview: false })
    await ask('orders_modify', { id: 'SO-1006', note: 'Knock', preview: false })
    const [soonest] = (await house.records.approvals.list({ state: 'pending', limit: 200 }))
      .filter(({ id }) => id !== first)
      .toSorted((a, b) => a.expiresAt - b.expiresAt)
    if (soonest === undefined) throw new Error('Nothing else waits.')
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${first}`)
    await page.getByRole('button', { name: 'Reject…' }).click()
    // A reason may be left out; one that nobody could act on may not be sent.
    await page.getByLabel('Why not?').fill('No')
    expect(await page.getByRole('button', { name: 'Reject it' }).isDisabled()).toBe(true)
    await page.getByLabel('Why not?').fill('')
    await page.getByRole('button', { name: 'Reject it' }).click()
    const next = page.getByRole('link', { name: /^Next: / })
    await next.waitFor()
    await page.setViewportSize({ width: 360, height: 900 })
    const tops = await next.evaluate((link) => {
      const range = document.createRange()
      const walk = document.createTreeWalker(link, NodeFilter.SHOW_TEXT)
      const word = walk.nextNode() as Text
      range.setStart(word, 0)
      range.setEnd(word, 'Next:'.length)
      return new Set([...range.getClientRects()].map(({ top }) => top)).size
    })
    expect(tops).toBe(1)
    await next.click()
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/approvals/${soonest.id}`)
    await page.getByRole('button', { name: 'Reject…' }).waitFor()
    await close()
  })

  test.each(['en-US@posix', 'C', '', 'not a language'])(
    'is read in a browser that calls its language %j',
    async (language) => {
      const id = await ask('orders_modify', { id: 'SO-1007', note: `Knock ${language}`, preview: false })
      const { page, complaints, close } = await openPage(browser, `${house.url}/admin/approvals/${id}`)
      const script = await page.addInitScript((given) => {
        Object.defineProperty(navigator, 'language', { get: () => given })
      }, language)
      await withToken(page)
      await page.reload()
      await page.getByRole('button', { name: 'Reject…' }).waitFor()
      await page.getByRole('heading', { name: 'Change order SO-1007' }).waitFor()
      expect(complaints).toEqual([])
      await script.dispose()
      await close()
    },
  )

  test('that somebody else decides meanwhile shows so on the page that is open', async () => {
    const id = await ask('orders_modify', { id: 'SO-1006', note: 'Back door', preview: false })
    const { page, close } = await openSignedIn(browser, `${house.url}/admin/approvals/${id}`)
    await page.getByRole('button', { name: 'Reject…' }).waitFor()
    const headers = {
      authorization: 'Bearer the-admin-token-of-these-journeys',
      'x-countersign-approver': 'Eve',
      'content-type': 'application/json',
    }
    const body = JSON.stringify({ reason: 'Not today.' })
    await fetch(`${house.url}/api/v1/approvals/${id}/reject`, { method: 'POST', headers, body })
    await page.getByText('Not today.').waitFor()
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    await close()
  })
})

describe('a freeze', () => {
  test('with its reason stops the agent at once and rejects what waits; lifting it lets the agent go on', async () => {
    const change = { id: 'SO-1006', note: 'Side door', preview: false }
    const id = await ask('orders_modify', change)
    const { page, complaints, close } = await openSignedIn(browser, `${house.url}/admin/settings#freeze`)
    const section = page.getByRole('region', { name: 'Freeze' })
    await section.getByLabel('Tenant').fill('default')
    await section.getByLabel('Reason').fill('An agent ran wild.')
    await section.getByRole('button', { name: 'Freeze…' }).click()
    await section.getByRole('button', { name: 'Freeze default' }).click()
    await section.getByText('Tenant default is frozen.').waitFor()
    const frozen = await agent.call('orders_modify', change)
    expect([frozen.isError, frozen.text]).toStrictEqual([true, expect.stringContaining('An agent ran wild.')])
    expect((await house.records.approvals.find(id))?.state).not.toBe('pending')
    expect((await agent.call('orders_list')).isError).toBe(false)

    await section.getByRole('button', { name: 'Unfreeze…' }).click()
    await section.getByRole('button', { name: 'Unfreeze now' }).click()
    await section.getByText('Nothing is frozen:').waitFor()
    expect((await agent.call('orders_modify', change)).isError).toBe(false)
    expect(complaints).toEqual([])
    await close()
  })
})
