// What an operator reads at /admin: the record live and page by page, one call's whole story, what agents complain of,
// and what all of it amounts to. Real calls through the running server make the data, but for rows by the hundred and such
// as a test cannot bring about; the pages are the built ones.
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ActivityCompletion } from '../../../server/model/activity.ts'
import { fingerprintOf } from '../../../server/errors/unexplained.ts'
import type { Insights } from '../../../server/operations/insights/report.ts'
import type { Tables } from '../../../server/store/tables.ts'
import { casesOf } from '../../full.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import {
  adminToken,
  goTo,
  openHouse,
  openPage,
  openSignedIn,
  withPassword,
  withToken,
  type House,
} from './admin-page.ts'
import { confirm, overHttp, ticketOf, type Agent } from '../agent.ts'
import { place } from '../at-end.ts'
import { letIn } from '../processes.ts'

let browser: Browser
let house: House
let agent: Agent

beforeAll(async () => {
  browser = await sharedBrowser()
  house = await openHouse()
  agent = await house.agent()
})

const signedIn = (path: string, look: Parameters<typeof openSignedIn>[2] = {}) =>
  openSignedIn(browser, `${house.url}/admin/${path}`, look)

const api = async (method: string, path: string, body?: object): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(`${house.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${adminToken}`,
      'x-countersign-approver': 'Mia',
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return (await response.json()) as Readonly<Record<string, unknown>>
}

interface Recorded extends Pick<ActivityCompletion, 'outcome' | 'verdict' | 'planId' | 'finding'> {
  readonly subject?: string
  readonly tool: string
  readonly rationale: string
  readonly args?: string
}

/** Writes a call into the record that no server has run. */
const record = async ({ subject = 'ada', tool, rationale, args = '{}', ...end }: Recorded): Promise<void> => {
  const { activityLog } = house.records
  const row = await activityLog.begin({
    principal: { tenant: 'default', subject },
    client: 'journey',
    source: 'mcp',
    tool,
    variant: undefined,
    operation: 'write',
    operationSource: 'derived',
    intent: undefined,
    rationale,
    risk: 'high',
    auditEvent: tool,
    args,
    notes: [],
    session: subject,
    told: 'all',
  })
  await activityLog.complete(row, {
    risk: 'high',
    approvalId: undefined,
    durationMs: 1,
    result: undefined,
    error: undefined,
    ...end,
  })
}

const calls = (page: Page) => page.getByRole('table', { name: 'Calls' })
const rows = (page: Page) => calls(page).locator('tbody tr')

describe('activity', () => {
  test('shows a call while it happens, without a reload, and only those that the address asks for', async () => {
    const { page, complaints, close } = await signedIn('activity?tool=orders_get')
    await page
      .getByText(/No call matches these filters|orders_get/)
      .first()
      .waitFor()
    const before = await rows(page).count()
    await agent.call('orders_list')
    await agent.call('orders_get', { id: 'SO-1001' })
    await expect.poll(() => rows(page).count()).toBe(before + 1)
    await page.getByText('1 new since you opened this page.').waitFor()
    expect(await calls(page).textContent()).not.toContain('orders_list')
    expect(await page.getByRole('searchbox', { name: 'Tool' }).inputValue()).toBe('orders_get')

    await page.getByLabel('Show new calls as they come').uncheck()
    expect(new URL(page.url()).searchParams.get('live')).toBe('off')
    await agent.call('orders_get', { id: 'SO-1002' })
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed')
    await expect.poll(() => new URL(page.url()).search).toContain('status=failed')
    await page.getByText('No call matches these filters').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect.poll(() => rows(page).count()).toBeGreaterThan(before + 2)
    expect(complaints).toEqual([])
    await close()
  })

  test('goes on page by page to the very first call, each of them once', async () => {
    for (let at = 0; at < 110; at++)
      await record({
        tool: 'orders_list',
        rationale: `Page ${at}`,
        outcome: 'ok',
        verdict: undefined,
        planId: undefined,
      })
    const { page, close } = await signedIn('activity?tool=orders_list')
    await calls(page).waitFor()
    const total = ((await api('GET', '/activity?tool=orders_list&limit=500'))['activity'] as unknown[]).length
    while ((await page.getByRole('button', { name: 'Show more' }).count()) > 0) {
      const before = await rows(page).count()
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(() => rows(page).count()).toBeGreaterThan(before)
    }
    const links = await calls(page)
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toHaveLength(total)
    expect(new Set(links).size).toBe(total)
    await close()
  })

  test('saves the rows that are shown as a file', async () => {
    const { page, close } = await signedIn('activity?tool=orders_get')
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const file = await readFile(await (await saved).path(), 'utf8')
    expect(file.split('\r\n')[0]).toContain('id,time,tenant')
    expect(file).toContain('orders_get')
    expect(file).not.toContain('orders_list')
    await close()
  })

  test('says on demand whether the record is whole, and which row somebody has touched', async () => {
    const { page, close } = await signedIn('activity')
    await page.getByRole('button', { name: 'Check now' }).click()
    await page
      .getByText(/Verified up to entry [\d,]+/)
      .first()
      .waitFor()
    const [victim] = (await house.records.activity.page({ limit: 1, filter: { tools: ['orders_get'] } })).calls
    const db = house.records.db.$extendTables<Tables>()
    const touch = (tool: string) =>
      db
        .updateTable('countersign_activity')
        .set({ tool })
        .where('id', '=', victim?.id ?? '')
        .execute()
    await touch('orders_lost')
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('entries were changed or removed').waitFor()
    expect(await page.getByRole('link', { name: 'Look at that record' }).getAttribute('href')).toBe(
      `/admin/activity/${victim?.id}`,
    )
    await touch('orders_get')
    await page.getByRole('button', { name: 'Check now' }).click()
    await page
      .getByText(/Verified up to entry [\d,]+/)
      .first()
      .waitFor()
    await close()
  })
})

describe('a story', () => {
  test('tells an approved call on one page: asked, rejected or approved by whom, run, with what came of it', async () => {
    const why = 'Weber of the warehouse phoned: the parcel came back.'
    const asked = await agent.call('orders_delete', { id: 'SO-1005', rationale: why })
    const id = String(asked.data['approval_id'])
    await api('POST', `/approvals/${id}/approve`)
    const { page, complaints, close } = await signedIn(`activity?approval=${id}`)
    const row = rows(page).filter({
      has: page.getByRole('link', { name: /^Order SO-1005 deleted · ACME · €948\.10$/ }),
    })
    expect(await row.textContent()).toContain('approved by Mia')
    const first = rows(page).filter({ has: page.getByRole('link', { name: 'Delete a sales order: SO-1005' }) })
    expect(await first.textContent()).toContain(why)
    await first.getByRole('link').click()
    const steps = page.getByRole('list', { name: 'Steps, oldest first' })
    await steps.getByText(why).first().waitFor()
    const told = (await steps.textContent()) ?? ''
    expect(told.indexOf('Waits for approval')).toBeLessThan(told.indexOf('approved'))
    expect(told).toContain('The agent says:')
    expect(told).toContain('Mia approved: Delete a sales order')
    expect(told).toContain('asked for approval: Delete a sales order: SO-1005')
    expect(told).toContain('Sent to a person at critical risk, because the client shows no card')
    expect(told).toContain('had it done: Order SO-1005 deleted · ACME · €948.10')
    await page.getByRole('heading', { level: 1, name: 'Order SO-1005 deleted · ACME · €948.10' }).waitFor()
    expect(told.indexOf('approved')).toBeLessThan(told.indexOf('Applied'))
    await steps.locator('summary', { hasText: 'Arguments' }).first().click()
    await steps.getByText('"id": "SO-1005"').first().waitFor()
    expect(await page.getByRole('link', { name: id }).getAttribute('href')).toBe(`/admin/approvals/${id}`)
    expect(complaints).toEqual([])
    await close()
  })

  test('tells a call that was confirmed in its card: preview, click, apply', async () => {
    const chat = await overHttp(house.mcp)
    const preview = await chat.call('orders_modify', { id: 'SO-1007', note: 'Ring twice' })
    await chat.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(preview) } })
    expect((await confirm(chat, preview)).status).toBe('applied')
    const { page, close } = await signedIn(`activity/${preview.planId}`)
    const steps = page.getByRole('list', { name: 'Steps, oldest first' }).getByRole('listitem')
    await steps.first().waitFor()
    const told = await steps.allTextContents()
    expect(told).toHaveLength(3)
    expect(told[0]).toContain('Previewed')
    expect(told[1]).toContain('Confirmed in the card')
    expect(told[2]).toContain('Applied')
    await page.getByRole('heading', { level: 1, name: /^Order SO-1007 changed/ }).waitFor()
    await close()
  })

  test('of a call that a grant let through names it, and leads to its other uses', async () => {
    await record({
      tool: 'orders_modify',
      rationale: 'Weber phoned about the note of his order.',
      outcome: 'applied',
      verdict: 'allow:grant:gr_0123456789abcdef',
      planId: 'pl_granted',
    })
    const { page, close } = await signedIn('activity/pl_granted')
    await page.getByText('under the grant').waitFor()
    await page.getByRole('link', { name: 'gr_0123456789abcdef' }).click()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(await page.getByRole('searchbox', { name: 'Grant' }).inputValue()).toBe('gr_0123456789abcdef')
    await close()
  })

  test('whose texts were erased says so, and tells nothing of them', async () => {
    const secretive = 'Kowalski wrote about a thing that nobody else may know.'
    await record({
      subject: 'kowalski',
      tool: 'orders_create',
      rationale: secretive,
      args: '{"customer":"Kowalski"}',
      outcome: 'previewed',
      verdict: 'preview:asked',
      planId: 'pl_kowalski',
    })
    await house.records.activity.erase({ tenant: 'default', subject: 'kowalski' })
    const { page, close } = await signedIn('activity/pl_kowalski')
    await page.getByText('Texts of this story were erased.').waitFor()
    await page.getByText('Arguments, result and rationale of this call were erased.').waitFor()
    expect((await page.getByRole('main').textContent())?.toLowerCase()).not.toMatch(/kowalski(?!")/)
    await close()
  })

  test('that is not there, or belongs to another tenant, is the same to an operator of one', async () => {
    const code = await house.account('Nora', [{ kind: 'viewer' }], 'elsewhere')
    const [line] = (await house.records.activity.page({ limit: 1 })).calls
    const { page, close } = await openPage(browser, `${house.url}/admin/activity/${line?.id}`)
    await withPassword(page, 'Nora', code())
    await page.getByText('There is no activity of').waitFor()
    const pageLink = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
    // Her own tenant has one row: that she came in.
    await pageLink('Activity').click()
    await calls(page).waitFor()
    expect(await rows(page).allTextContents()).toStrictEqual([expect.stringContaining('operator.signed_in')])
    for (const [name, nothing] of [
      ['Feedback', 'No feedback found'],
      ['Insights', 'No agent has called in this time'],
    ] as const) {
      await pageLink(name).click()
      await page.getByText(nothing).waitFor()
    }
    await close()
  })
})

describe('feedback', () => {
  beforeAll(async () => {
    for (const [actual_outcome, severity] of [
      ['There is no tool that deletes purchase orders.', 'low'],
      ['I found no tool for deleting a purchase order.', 'med'],
      ['The address field is unknown to orders_modify.', 'high'],
    ] as const)
      await agent.call('submit_feedback', {
        attempted_action: 'What the person asked for',
        expected_outcome: 'That it works',
        actual_outcome,
        severity,
        tool_called: 'orders_modify',
      })
  })

  test('is read, filtered and resolved with a note, by the keyboard alone', async () => {
    const { page, complaints, close } = await signedIn('feedback?severity=high')
    await page.getByRole('link', { name: /The address field is unknown/ }).waitFor()
    expect(await page.getByRole('main').textContent()).not.toContain('purchase order')
    await page.getByRole('main').getByRole('heading', { level: 1 }).focus()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Feedback of an agent' }).waitFor()
    await page.getByText('That it works').waitFor()
    await page.getByLabel('Note').focus()
    await page.keyboard.type('The field is called delivery_address.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Resolved.').first().waitFor()
    const [item] = await house.records.feedback.list({ severity: 'high', limit: 5 })
    expect(item).toMatchObject({ state: 'done', note: 'The field is called delivery_address.', changedBy: 'Mia' })
    await page.getByText(/Last changed by Mia/).waitFor()
    await page.getByRole('button', { name: 'Open it again' }).click()
    await expect
      .poll(async () => (await house.records.feedback.list({ severity: 'high', limit: 5 }))[0]?.state)
      .toBe('seen')
    expect(complaints).toEqual([])
    await close()
  })

  test('that says the same stands in one group, under one of its sentences', async () => {
    const { page, close } = await signedIn('feedback')
    await page.getByRole('button', { name: 'In groups' }).click()
    await page.getByText('3 pieces of feedback in 2 groups.').waitFor()
    expect(new URL(page.url()).searchParams.get('view')).toBe('groups')
    await page.getByText('Open these 2').click()
    await page.getByRole('link', { name: 'I found no tool for deleting a purchase order.' }).click()
    await page.getByRole('heading', { level: 1, name: 'Feedback of an agent' }).waitFor()
    await close()
  })
})

describe('insights', () => {
  beforeAll(async () => {
    for (let at = 0; at < 25; at++)
      await agent.call('orders_get', { id: 'SO-9999', rationale: 'As requested by the user.' })
    for (const id of ['SO-1009', 'SO-1010']) {
      const { data } = await agent.call('orders_delete', { id })
      if (typeof data['approval_id'] === 'string') await api('POST', `/approvals/${data['approval_id']}/approve`)
    }
  })

  test('say the same on the page as the record, and lead to the rows behind a number', async () => {
    const told = (await api('GET', '/insights?since=24h')) as unknown as {
      readonly calls: {
        readonly total: number
        readonly tools: readonly { readonly tool: string | null; readonly calls: number }[]
      }
      readonly failures: readonly { readonly code: string; readonly count: number }[]
    }
    const { page, complaints, close } = await signedIn('insights?since=24h')
    const numbers = page.getByRole('figure').filter({ hasText: 'Calls by tool' })
    await numbers.waitFor()
    await page.getByText(`${told.calls.total.toLocaleString('en-GB')} in all`).waitFor()
    await numbers.getByText('As a table').click()
    const table = numbers.getByRole('table', { name: 'Calls by tool' })
    expect(await table.locator('tbody tr').count()).toBe(told.calls.tools.length)
    await numbers.getByRole('button', { name: 'By what the rules said' }).click()
    await numbers.getByText('Sent to a person').first().waitFor()
    expect(told.failures[0]?.code).toBe('unknown_order')
    await page.getByText('Look the order up with orders_list').first().waitFor()
    await page.getByRole('link', { name: 'unknown_order' }).first().click()
    await expect.poll(() => rows(page).count()).toBe(Math.min(50, told.failures[0]?.count ?? 0))
    expect(complaints).toEqual([])
    await close()
  })

  test('answer whoever points at a bar, by mouse and by keys, and lead to exactly the calls that it counts', async () => {
    const { calls: told, approvals } = (await api('GET', '/insights?since=24h')) as unknown as Insights
    const { page, complaints, close } = await signedIn('insights?since=24h')
    // The hour may have turned since the calls were made.
    const at = told.over_time.findIndex(({ done }) => done > 0)
    const { done, waiting, failed } = told.over_time[at] ?? { done: 0, waiting: 0, failed: 0 }
    expect(done).toBeGreaterThan(0)
    const chart = page.getByRole('group', { name: /^Calls by hour/ })
    await chart.locator('canvas').waitFor()
    await chart.focus()
    await page.keyboard.press('End')
    for (let bar = told.over_time.length - 1; bar > at; bar--) await page.keyboard.press('ArrowLeft')
    await chart.getByRole('status').getByText(`Done ${done}`).waitFor()
    await chart.locator('.tip').getByText(`Done ${done}`).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page).count()).toBe(Math.min(50, done + waiting + failed))
    await page.goBack()
    // The ground of that bar: what went well.
    const box = await chart.locator('.u-over').boundingBox()
    if (box === null) throw new Error('The bars are not drawn.')
    const middle = box.x + box.width * ((at + 0.6) / (told.over_time.length + 0.2))
    await page.mouse.click(middle, box.y + box.height - 3)
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('ok,applied,replayed')
    await expect.poll(() => rows(page).count()).toBe(Math.min(50, done))
    await page.goBack()

    const delays = page.getByRole('figure').filter({ hasText: 'How long decisions took' })
    await delays.getByText('As a table').click()
    const first = approvals.delays[0]
    expect(first?.applied.count).toBeGreaterThan(0)
    await delays.getByRole('row').nth(1).getByRole('link').first().click()
    await expect
      .poll(() => new URL(page.url()).searchParams.get('approval')?.split(','))
      .toStrictEqual(first?.applied.ids)
    await rows(page).first().waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  test('are compared with the period before, and saved as files', async () => {
    const { page, complaints, close } = await signedIn('insights?since=24h')
    await page.getByLabel('Compare with').selectOption('The period before')
    await page.getByText('None in the period before.').first().waitFor()
    expect(new URL(page.url()).searchParams.get('compare')).toBe('before')
    const figure = page.getByRole('figure').filter({ hasText: 'Calls by hour' })
    await figure.getByText('All of the period before').waitFor()
    await figure.locator('canvas').waitFor()
    const file = async (name: string): Promise<Buffer> => {
      const saved = page.waitForEvent('download')
      await figure.getByRole('button', { name }).click()
      return readFile(await (await saved).path())
    }
    const csv = (await file('Save as CSV')).toString('utf8').split('\r\n')
    expect(csv[0]).toBe('\uFEFFFrom,Done,Previewed or waiting,Refused or failed')
    expect(csv.at(-2)).toMatch(/^\d{4}-\d\d-\d\dT[^,]+,\d+,\d+,\d+$/)
    const png = await file('Save as PNG')
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG')
    expect(png.readUInt32BE(16)).toBeGreaterThan(500)
    const saved = page.waitForEvent('download')
    const byTool = page.getByRole('figure').filter({ hasText: 'Calls by tool' })
    await byTool.getByRole('button', { name: 'Save as PNG' }).click()
    expect((await saved).suggestedFilename()).toMatch(/^calls-by-tool-\d{4}-\d\d-\d\d\.png$/)
    expect(complaints).toEqual([])
    await close()
  })

  test('say what agents did after an error, and which errors nothing explains', async () => {
    const text = `The frobnicator of <b>${'wombats-'.repeat(11)}</b> is out of cheese\u202e`
    await record({
      tool: 'odd:look',
      rationale: 'The person asked for a wombat.',
      outcome: 'failed',
      verdict: 'allow:read',
      planId: undefined,
      finding: { errorType: 'upstream_error', rule: 'upstream.unexplained', unexplained: fingerprintOf(text) },
    })
    const { guidance } = (await api('GET', '/insights?since=24h')) as unknown as Insights
    const { page, complaints, close } = await signedIn('insights?since=24h')
    const told = page.getByRole('region', { name: 'Guidance' })
    const { resolved, judged, repeated } = guidance.resolution
    expect(repeated).toBeGreaterThan(0)
    await told.getByText(`${resolved} of ${judged} errors in`).waitFor()
    const type = guidance.types.find(({ error_type: name }) => name === 'unknown_order')
    const row = told.getByRole('table', { name: 'After an error, by type' }).getByRole('row', { name: 'unknown_order' })
    expect(await row.textContent()).toContain(`${type?.errors}${type?.share_percent}% of ${type?.judged}`)
    expect(await told.textContent()).toContain(`of ${guidance.tool_choice.calls} calls`)
    const unexplained = page.getByRole('region', { name: 'Not explained yet' })
    const wombat = unexplained.getByRole('row', { name: 'is out of cheese' })
    expect(await wombat.textContent()).toMatch(
      /the frobnicator of b>wombats.*U\+202E.*profile of its server.*odd:lookof odd11/,
    )
    await wombat.getByRole('link', { name: 'odd:look' }).click()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(complaints).toEqual([])
    await close()
  })

  test('warn of what is waved through, with the numbers behind it and what to do', async () => {
    const { page, close } = await signedIn('insights')
    const advice = page.getByRole('region', { name: 'What to do' })
    await advice.getByText('orders_delete').waitFor()
    expect(await advice.textContent()).toMatch(/\d of \d approvals were given unanimously within five minutes/)
    await page.getByText('Lower its risk').first().waitFor()
    await page.getByRole('link', { name: 'As requested by the user.' }).waitFor()
    await close()
  })

  test('say it of a chart that does not arrive', async () => {
    // A page of its own: one that has loaded the chart before asks for it no more.
    const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
    const errors: string[] = []
    page.on('pageerror', ({ message }) => errors.push(message))
    await page.route(/\/assets\/draw-bars-[^/]*\.js$/, (route) => route.abort())
    await page.goto(`${house.url}/admin/insights?since=24h`)
    await withToken(page)
    await page.getByText('The chart did not arrive.').first().waitFor()
    expect(errors).toEqual([])
    await page.context().close()
  })

  test('keep the time that was chosen in the address', async () => {
    const { page, close } = await signedIn('insights')
    await page.getByLabel('Time').selectOption('Last 30 days')
    await page.getByText('Calls by day').waitFor()
    expect(new URL(page.url()).search).toBe('?since=30d')
    await close()
  })
})

test('callers over REST without a rationale have a page, to which settings and notifications lead', async () => {
  const config = join(place(), 'countersign.json')
  writeFileSync(config, JSON.stringify({ rationale: 'grace' }))
  const office = await openHouse('--config', config)
  for (const tool of ['orders_list', 'orders_list', 'products_search'])
    await fetch(letIn(`/api/v1/tools/${tool}`, office.mcp), {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', 'x-countersign-client': 'nightly-job <1>' },
    })
  const { page, complaints, close } = await openSignedIn(browser, `${office.url}/admin/settings`)
  await page.getByRole('link', { name: 'Callers that leave it out' }).click()
  await page.getByRole('heading', { level: 1, name: 'Callers without a rationale' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/insights/callers')
  const listed = page.getByRole('table', { name: 'Callers without a rationale' }).locator('tbody tr')
  await expect.poll(() => listed.count()).toBe(2)
  expect((await listed.allTextContents()).join()).toMatch(/nightly-job <1>.*orders_list\D*2/)
  expect(await page.getByRole('main').textContent()).toContain('From then on their calls are refused.')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await page.setViewportSize({ width: 1280, height: 900 })
  await listed.first().getByRole('link').click()
  await expect.poll(() => rows(page).count()).toBe(3)
  expect(complaints).toEqual([])
  await close()
})

/** What is behind each page's folds as well. */
const unfolded = async (page: Page, path: string): Promise<void> => {
  await goTo(page, `/admin/${path}`)
  await page.getByRole('main').waitFor()
  await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true
  })
  if ((await page.getByRole('button', { name: 'Check now' }).count()) > 0) {
    await page.getByRole('button', { name: 'Check now' }).click()
    await page
      .getByText(/Verified up to/)
      .first()
      .waitFor()
  }
}

/** A phone, a desk, and what lies between. */
const lookedAt = casesOf([360, 640, 760, 820, 1000, 1120], String, ['360', '820'])

const looked = async (): Promise<readonly string[]> => {
  const { calls: lines } = await house.records.activity.page({
    limit: 1,
    filter: { tools: ['orders_delete'], statuses: ['applied'] },
  })
  const [item] = await house.records.feedback.list({ limit: 1 })
  const pages = {
    activity: 'activity',
    story: `activity/${lines[0]?.id}`,
    feedback: 'feedback',
    groups: 'feedback?view=groups',
    'one of them': `feedback/${item?.id}`,
    insights: 'insights?since=24h',
  }
  // `admin-pages.test.ts` looks at the lists in every run, with less in them.
  return casesOf(Object.entries(pages), ([name]) => name, ['story', 'groups', 'insights']).map(([, path]) => path)
}

test('axe finds nothing in either theme, whatever is unfolded', async () => {
  const { page, close } = await signedIn('activity')
  const found: string[] = []
  for (const path of await looked()) {
    await unfolded(page, path)
    for (const violation of await violationsInBothThemes(page)) found.push(`${path}: ${violation}`)
  }
  expect(found).toEqual([])
  await close()
})

test('nothing is cut at 360 pixels, nor between a phone and a desk', async () => {
  const { page, close } = await openPage(browser, `${house.url}/admin/activity`, {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
  })
  await withToken(page)
  const wide: string[] = []
  for (const path of await looked()) {
    await unfolded(page, path)
    for (const width of lookedAt) {
      await page.setViewportSize({ width, height: 740 })
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (over > 0) wide.push(`${path} at ${width}: ${over}`)
    }
  }
  expect(wide).toEqual([])
  await close()
})

test('in forced colours the parts of a bar are told apart, and without motion nothing moves', async () => {
  await agent.call('orders_list')
  await agent.call('orders_get', { id: 'SO-9999' })
  const { page, close } = await signedIn('insights?since=24h', { forcedColors: 'active', reducedMotion: 'reduce' })
  const bars = page.getByRole('figure').filter({ hasText: 'Calls by tool' }).locator('.bar rect')
  await bars.first().waitFor({ state: 'attached' })
  const looks = await bars.evaluateAll((all) =>
    all.map((bar) => [bar.getAttribute('class'), getComputedStyle(bar).fill]),
  )
  const fills = new Map(looks.map(([look, fill]) => [look, fill]))
  expect(fills.size).toBeGreaterThan(1)
  expect(new Set(fills.values()).size).toBe(fills.size)
  const moving = await page.evaluate(() => document.getAnimations().length)
  expect(moving).toBe(0)
  await close()
})

// After the insights, which count failures.
test('says of a refused call by what it was refused, in words, with the code behind them', async () => {
  await agent.call('orders_get', { id: 7 })
  const { page, close } = await signedIn('activity?status=refused')
  const row = rows(page).first()
  await row.waitFor()
  const said = await row.textContent()
  expect(said).toContain('Get a sales order: 7')
  expect(said).toMatch(/Refused by the check of its arguments\. .*one argument is wrong.*validation_error/)
  await close()
})

test('finds rows by words, in the part of the time that is dragged over or written, under a name that is kept', async () => {
  const { page, complaints, close } = await signedIn('activity')
  await page.getByRole('searchbox', { name: 'Search' }).fill('SO-1005 releas')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^Order SO-1005 deleted/ }).waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  const address = (): URLSearchParams => new URL(page.url()).searchParams
  expect(address().get('search')).toBe('SO-1005 releas')

  const fold = (name: string) => page.locator('summary', { hasText: name })
  await fold('Saved filters').click()
  await page.getByLabel('Name for these filters').fill('The <b>lost</b> parcel')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => rows(page).count()).toBeGreaterThan(1)

  const bars = page.locator('.timeline-bars')
  const box = await bars.boundingBox()
  if (box === null) throw new Error('There are no bars.')
  await page.mouse.move(box.x + box.width * 0.25, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.75, box.y + 30)
  await page.mouse.up()
  await expect.poll(() => address().get('until')).not.toBeNull()
  const [since, until] = [Date.parse(address().get('since') ?? ''), Date.parse(address().get('until') ?? '')]
  expect(until).toBeGreaterThan(since)
  await page.getByRole('button', { name: 'All time' }).click()
  await expect.poll(() => address().get('since')).toBeNull()

  const list = page.getByRole('listbox', { name: 'Rows by time' })
  const picked = list.getByRole('option', { selected: true })
  await list.focus()
  expect(await picked.count()).toBe(0)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => picked.count()).toBe(3)
  const active = await list.getAttribute('aria-activedescendant')
  expect(await picked.first().getAttribute('id')).toBe(active)
  expect(await picked.last().getAttribute('aria-label')).toMatch(/\d\d:\d\d:\d\d: (nothing|[\d,]+ \w+)/)
  await page.keyboard.press('Escape')
  await expect.poll(() => picked.count()).toBe(0)
  expect(address().get('until')).toBeNull()
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+Home')
  const all = await list.getByRole('option').count()
  await expect.poll(() => picked.count()).toBe(all)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => address().get('until')).not.toBeNull()
  expect(Date.parse(address().get('until') ?? '')).toBeGreaterThan(Date.parse(address().get('since') ?? ''))
  await page.getByRole('button', { name: 'All time' }).click()
  await expect.poll(() => address().get('since')).toBeNull()
  await page.getByLabel('From', { exact: true }).fill('2020-01-31T12:00:00')
  await page.keyboard.press('Enter')
  await expect.poll(() => address().get('since')).toBe('2020-01-31T12:00:00.000Z')
  await page.locator('figcaption').getByText('31 Jan 2020').waitFor()

  await fold('Saved filters').waitFor()
  await page.getByRole('link', { name: 'The <b>lost</b> parcel' }).click()
  await expect.poll(() => address().get('search')).toBe('SO-1005 releas')
  await expect.poll(() => rows(page).count()).toBe(1)
  await fold('Columns').click()
  await page.getByRole('checkbox', { name: 'Verdict' }).check()
  await page.getByRole('checkbox', { name: 'Tool' }).uncheck()
  const heads = () => calls(page).getByRole('columnheader').allTextContents()
  expect(await heads()).toStrictEqual(['What happened', 'Outcome', 'Verdict', 'Risk', 'When'])
  await goTo(page, '/admin/tools')
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor()
  await goTo(page, '/admin/activity')
  await calls(page).waitFor()
  expect(await heads()).toStrictEqual(['What happened', 'Outcome', 'Verdict', 'Risk', 'When'])
  await fold('Saved filters').click()
  await page.getByRole('button', { name: 'Remove The <b>lost</b> parcel' }).click()
  expect(await page.evaluate(() => localStorage.getItem('countersign-activity-filters'))).toBe('[]')
  await page.evaluate(() => {
    localStorage.setItem('countersign-activity-filters', '{"not":"ours"}')
    localStorage.setItem('countersign-activity-columns', 'no JSON')
  })
  await goTo(page, '/admin/tools')
  await goTo(page, '/admin/activity')
  await calls(page).waitFor()
  expect(await heads()).toStrictEqual(['What happened', 'Outcome', 'Tool', 'Risk', 'When'])

  await unfolded(page, 'activity')
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(complaints).toEqual([])
  await page.evaluate(() => localStorage.clear())
  await close()
})
