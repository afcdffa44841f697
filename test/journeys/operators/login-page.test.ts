// What operators see of servers behind: one that waits for a login has no tools, so the page says that it is there, which
// command helps, and afterwards what the login is.
import { expect, test } from 'vitest'
import { longest } from '../../longest.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import { adminToken, openSignedIn } from './admin-page.ts'
import { webHere } from '../in-process.ts'
import { logInHere, loginScene } from '../login/scene.ts'

test('an operator reads which server waits for a login and which command helps, and what the login is once it is there', async () => {
  const { server, config } = await loginScene()
  const { mcp } = await webHere(['gateway', '--config', config, '--http', '0'], {
    env: { COUNTERSIGN_ADMIN_TOKEN: adminToken },
  })
  const { page, complaints, close } = await openSignedIn(await sharedBrowser(), `${mcp.origin}/admin/tools`)
  const row = page.getByRole('table', { name: 'Servers behind' }).locator('tbody tr')
  await row.locator('code').getByText(`countersign login tracker --config ${config}`).waitFor()
  expect(await violationsInBothThemes(page)).toEqual([])

  expect((await logInHere(['tracker', '--config', config])).code).toBe(0)
  // The page asks again by itself while a server is not there.
  await expect
    .poll(() => row.textContent(), { timeout: longest })
    .toMatch(
      /connected.*at http.* as the client .*refreshed by itself, its token until .*; scopes: issues:read offline_access/,
    )
  expect(await row.textContent()).toContain(server.issuer)
  const text = (await page.textContent('body')) ?? ''
  expect(server.refreshTokens.filter((token) => text.includes(token))).toEqual([])
  expect(server.refreshTokens.length).toBeGreaterThan(0)
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(complaints).toEqual([])
  await close()
})
