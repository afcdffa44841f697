// Whoever decides outside of the chat sees what the person in it would have seen.
import { expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openHouse, openPage, withToken } from './admin-page.ts'

test('the first page of a file stands on the card that an approver reads', async () => {
  const house = await openHouse('--desk', 'mail')
  const agent = await house.agent()
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const call = { fileId: 'fl_0000000000000000000000a1', expiresAt: tomorrow }
  const { data } = await agent.call('files_create_download_link', call)
  const { page, complaints, close } = await openPage(
    await sharedBrowser(),
    `${house.url}/admin/approvals/${String(data['approval_id'])}`,
  )
  await withToken(page)
  const sheet = page.getByRole('article', { name: 'What the agent asks for' })
  const picture = sheet.getByAltText('The first page of Proposal Northwind.pdf')
  await picture.waitFor()
  expect(await picture.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(566)
  expect(complaints).toEqual([])
  await close()
})
