// A server behind the gateway says something else of its tool than it did when it was accepted. An operator reads what
// has changed on the tool's page and accepts it; until then agents cannot call it.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import { adminToken, openSignedIn } from './admin-page.ts'
import { overHttp } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, misbehavingServer } from '../gateway/reach.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

let browser: Browser
let mcp: URL

beforeAll(async () => {
  browser = await sharedBrowser()
  const db = freshDatabase()
  const tools = { hang: { risk: 'forbidden' } }
  const before = gatewayFile({ rude: misbehavingServer('polite', '', { tools }) })
  const pinned = await runCommand(['tools', 'list', '--config', before, '--db', db])
  expect(pinned.code).toBe(0)
  const after = gatewayFile({ rude: misbehavingServer('redefined', '', { tools }) })
  const started = await webHere(['gateway', '--config', after, '--db', db, '--http', '0'], {
    env: { COUNTERSIGN_ADMIN_TOKEN: adminToken },
  })
  ;({ mcp } = started)
})

describe('tools of other servers', () => {
  test('one that its server has changed is held back until an operator has read and accepted the change', async () => {
    const agent = await overHttp(mcp, { cards: false })
    const call = () =>
      agent.call('call_tool_destructive', {
        name: 'rude:echo',
        args_json: '{}',
        intent: { operation_type: 'destructive' },
      })
    expect((await call()).text).toContain('is held back')

    const { page, complaints, close } = await openSignedIn(browser, `${mcp.origin}/admin/tools`)
    await page.getByRole('region', { name: 'Changed by their server' }).getByRole('link', { name: 'rude:echo' }).click()
    const change = page.getByRole('region', { name: 'Changed since it was accepted' })
    await change.getByText('- Does as its name says.').waitFor()
    await change.getByText('+ Now does something else.').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await change.getByRole('button', { name: 'Accept this change' }).click()
    await page.getByText('The change of rude:echo is accepted.').waitFor()
    await change.waitFor({ state: 'hidden' })
    await page.getByText('unchanged', { exact: true }).waitFor()
    await expect.poll(async () => (await call()).isError).toBe(false)
    expect(complaints).toEqual([])
    await close()
  })

  test('the story of a refused call says what the agent declared, or that nobody did', async () => {
    const agent = await overHttp(mcp, { cards: false })
    const refused = (intent: object) => agent.call('call_tool_read', { name: 'rude:fail', intent })
    await refused({ operation_type: 'write', reason: 'Why not?' })
    await refused({})
    const { page, close } = await openSignedIn(browser, `${mcp.origin}/admin/activity?tool=rude:fail`)
    for (const [nth, words] of [
      [0, 'through call_tool_read as read, derived'],
      [1, 'through call_tool_read declared as write'],
    ] as const) {
      const line = page.getByRole('table').getByRole('row').filter({ hasText: 'rude:fail' }).nth(nth)
      await line.getByText(words.replace('through ', '')).waitFor()
      await line.getByRole('link').click()
      await page.getByText(words).waitFor()
      await page.getByText('Declared intent', { exact: true }).click()
      await page.getByRole('group', { name: 'Declared intent' }).getByText('operation_type').waitFor()
      await page.goBack()
    }
    await close()
  })

  test('one that the operators forbid is found by no agent, and shown to operators as forbidden, with its server', async () => {
    const { page, close } = await openSignedIn(browser, `${mcp.origin}/admin/tools/rude:hang`)
    await page.getByText('Forbidden for agents.').waitFor()
    await page.getByRole('region', { name: 'Behind the gateway' }).getByText('rude', { exact: true }).waitFor()
    const agent = await overHttp(mcp, { cards: false })
    const found = await agent.call('retrieve_tools', { query: 'hang' })
    expect(found.text).not.toContain('rude:hang')
    await close()
  })
})
