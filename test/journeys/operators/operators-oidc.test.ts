// The organisation's own sign-in as a person has it: the page, another site, and back, in a browser that knows which
// cookies may come along from another site and which may not.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { client, startProvider } from '../../server/http/auth/openid-provider.ts'
import { openPage } from './admin-page.ts'
import { freshDatabase, place } from '../at-end.ts'
import { freePort } from '../../free-port.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

let browser: Browser

beforeAll(async () => {
  browser = await sharedBrowser()
})

test('a person signs in at a provider on another site, comes back to the page they wanted, and is out with the account', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const people = { ada: { preferred_username: 'Ada L.', groups: ['leads'] }, mia: { preferred_username: 'mia' } }
  // To a browser `localhost` and `127.0.0.1` are two sites.
  const { issuer } = await startProvider(people, `${url}/api/v1/session/oidc/callback`, 'localhost')
  const config = join(place(), 'countersign.json')
  const oidc = {
    issuer,
    client_id: client.id,
    client_secret: client.secret,
    label: 'Sign in with Acme',
    roles_claim: 'groups',
    roles: { leads: [{ kind: 'approver', tools: ['orders_*'] }] },
  }
  writeFileSync(config, JSON.stringify({ operators: { oidc } }))
  const here = ['--db', freshDatabase(), '--config', config]
  await webHere(['demo', '--port', String(port), ...here])

  const { page, close } = await openPage(browser, `${url}/admin/activity`)
  await page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await page.waitForURL(`${issuer}/**`)
  await page.locator('input[name=login]').fill('ada')
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
  await page.waitForURL(`${issuer}/**`)
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/admin/activity')
  const cookies = (await page.context().cookies(url)).filter(({ name }) => name.includes('countersign_session'))
  expect(cookies).toMatchObject([{ name: `countersign_session_${port}`, httpOnly: true, sameSite: 'Strict' }])
  const session = await page.evaluate(async () => (await fetch('/api/v1/session')).json() as unknown)
  expect(session).toMatchObject({
    operator: { name: 'Ada L.', via: 'oidc', tenant: null, roles: [{ kind: 'approver', tools: ['orders_*'] }] },
  })
  expect((await runCommand(['account', 'list', ...here])).stdout).toMatch(/Ada L\. +active .*oidc/)
  expect((await runCommand(['account', 'disable', 'Ada L.', ...here])).code).toBe(0)
  expect(await page.evaluate(async () => (await fetch('/api/v1/session')).status)).toBe(401)
  await close()

  const stranger = await openPage(browser, `${url}/admin`)
  await stranger.page.getByRole('link', { name: 'Sign in with Acme' }).click()
  await stranger.page.waitForURL(`${issuer}/**`)
  await stranger.page.locator('input[name=login]').fill('mia')
  await stranger.page.locator('input[name=password]').fill('any')
  await stranger.page.locator('button[type=submit]').click()
  await stranger.page.waitForURL(`${issuer}/**`)
  await stranger.page.locator('button[type=submit]').click()
  await stranger.page.getByRole('heading', { name: 'Not signed in' }).waitFor()
  await stranger.page.getByText('mia is signed in, but has no role on this server').waitFor()
  await stranger.page.getByRole('link', { name: 'Back to the sign-in' }).click()
  await stranger.page.getByRole('link', { name: 'Sign in with Acme' }).waitFor()
  await stranger.close()
})
