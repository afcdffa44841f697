// What became of a link after its call: operators read it where they read the call.
import { expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { confirm, overHttp } from '../agent.ts'
import { runCommand } from '../terminal.ts'
import { openHouse, openPage, withToken } from './admin-page.ts'

test('the story of a call that made a download link says in words who downloaded what, on the page and at the terminal', async () => {
  const house = await openHouse('--desk', 'mail')
  const agent = await overHttp(house.mcp)
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const file = { fileId: 'fl_0000000000000000000000a1', expiresAt }
  const applied = await confirm(agent, await agent.call('files_create_download_link', file))
  const { url } = applied.data['result'] as { readonly url: string }
  await (await fetch(url, { headers: { 'user-agent': 'Reader/1.0' } })).arrayBuffer()

  const story = `${house.url}/admin/activity/${applied.planId}`
  const { page, complaints, close } = await openPage(await sharedBrowser(), story)
  await withToken(page)
  const step = page.getByRole('listitem').filter({ hasText: 'file.downloaded' })
  await step.waitFor()
  const said = (await step.innerText()).replaceAll(/\s+/g, ' ')
  expect(said).toContain('Later, on behalf of')
  expect(said).toMatch(
    /file name Proposal Northwind\.pdf version 1 bytes \d+ link id dl_\w+ address 127\.0\.0\.1 user agent Reader\/1\.0/,
  )
  await page.getByRole('link', { name: 'All of it' }).click()
  await page.getByRole('row').filter({ hasText: 'file.downloaded' }).waitFor()
  expect(complaints).toEqual([])
  await close()

  const told = await runCommand(['activity', 'show', applied.planId, '--db', house.records.file])
  expect(told.stdout).toMatch(/Who +this server, later, on behalf of/)
  expect(told.stdout).toMatch(/Details +\{.*"address":"127\.0\.0\.1","userAgent":"Reader\/1\.0"\}/)
  expect(told.stdout).not.toContain(url.split('/').at(-1))
})
