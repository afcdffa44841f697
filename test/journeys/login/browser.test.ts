// `countersign login` as a person meets it: a real browser that signs in and agrees, or declines, at a real authorization
// server, and the page that it ends on.
import { expect, test, vi } from 'vitest'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import { longest } from '../../longest.ts'
import { addressIn, loginScene } from './scene.ts'
import { binary, start } from '../processes.ts'
import { runCommand } from '../terminal.ts'

/** Starts a login and signs in at the authorization server; what it asks then is open in the page. */
async function signedIn() {
  const { server, config } = await loginScene()
  const running = start([...binary, 'login', 'tracker', '--config', config])
  const address = await vi.waitUntil(() => addressIn(running.stderr()), { timeout: longest, interval: 10 })
  const page = await (await sharedBrowser()).newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(address)
  await page.locator('input[name=login]').fill('ada')
  await page.locator('input[name=password]').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  return { server, config, running, page, complaints }
}

test('a person signs in and agrees, reads that the window may be closed, and is logged in', async () => {
  const { server, config, running, page, complaints } = await signedIn()
  // What is agreed to stands there.
  await page.getByRole('listitem').filter({ hasText: 'issues:read' }).first().waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'You can close this window' }).waitFor()
  expect(new URL(page.url()).hostname).toBe('127.0.0.1')
  expect(await violationsInBothThemes(page)).toEqual([])
  expect(complaints).toEqual([])
  const ended = await running.ended
  expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('Logged in at tracker.')])
  const list = await runCommand(['login', '--list', '--json', '--config', config])
  expect(JSON.parse(list.stdout)).toMatchObject([{ server: 'tracker', issuer: server.issuer }])
  await page.close()
})

test('a person who declines reads the same, nobody is logged in, and the terminal says why', async () => {
  const { config, running, page, complaints } = await signedIn()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByRole('heading', { name: 'You can close this window' }).waitFor()
  const ended = await running.ended
  expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('it was declined in the browser')])
  expect((await runCommand(['login', '--list', '--config', config])).stderr).toContain('There are no logins')
  expect(complaints).toEqual([])
  await page.close()
})
