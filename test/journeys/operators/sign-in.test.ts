// The ways in of a server that nobody has an account at: the admin token, once, and a link of the terminal without it.
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import type { Tables } from '../../../server/store/tables.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { violationsInBothThemes } from '../../kit/axe.ts'
import { freePort } from '../../free-port.ts'
import { freshDatabase } from '../at-end.ts'
import { webHere } from '../in-process.ts'
import { atTerminal, runCommand } from '../terminal.ts'
import { adminToken, openPage } from './admin-page.ts'

const env = { COUNTERSIGN_ADMIN_TOKEN: adminToken }
const db = freshDatabase()
let browser: Browser
let origin: string

beforeAll(async () => {
  browser = await sharedBrowser()
  ;({ origin } = (await webHere(['demo', '--port', '0', '--db', db], { env })).mcp)
})

const open = (...more: readonly string[]) =>
  atTerminal(['admin', 'open', '--db', db, '--by', 'Mia', ...more], [], { env })

const linkOf = async (by = 'Mia'): Promise<string> => {
  const { stdout, stderr, code } = await open('--by', by)
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).toContain('It signs you in once, within 5 minutes.')
  return stdout.trim()
}

describe('`countersign admin open`', () => {
  test('prints a link that signs in once, stays through a reload, and is nowhere in the address', async () => {
    const link = await linkOf()
    expect(link).toMatch(new RegExp(`^${origin}/admin#sign-in=[\\w-]{43}$`))
    const { page, complaints, close } = await openPage(browser, link)
    await page.getByRole('banner').getByText('Mia').waitFor()
    expect(page.url()).toBe(`${origin}/admin/approvals`)
    await page.reload()
    await page.getByRole('heading', { name: 'Approvals', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await close()

    const again = await openPage(browser, link)
    await again.page.getByRole('alert').getByText('This link was used already: it signs in once.').waitFor()
    await again.page.getByText('countersign admin open').first().waitFor()
    await again.close()
  })

  test('prints one that is refused with a sentence when it is too old', async () => {
    const link = await linkOf()
    const records = await openStore({ file: db })
    if (!records.ok) throw new Error(records.failure.message)
    const tables = records.value.db.$extendTables<Pick<Tables, 'countersign_sign_in_links'>>()
    await tables.updateTable('countersign_sign_in_links').set({ expires_at: 1 }).execute()
    await records.value.close()
    const { page, close } = await openPage(browser, link)
    await page.getByRole('alert').getByText('This link is too old: it signs in for five minutes.').waitFor()
    await close()
  })

  test('opens in a page that is open already', async () => {
    const { page, close } = await openPage(browser, `${origin}/admin/tools`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const secret = new URL(await linkOf()).hash
    await page.evaluate((hash) => void (location.hash = hash), secret)
    await page.getByRole('heading', { name: 'Tools', level: 1 }).waitFor()
    await close()
  })

  test('asks before it takes the place of somebody who is signed in, and uses the link only then', async () => {
    const { page, complaints, close } = await openPage(browser, await linkOf())
    await page.getByRole('banner').getByText('Mia').waitFor()
    const { hash } = new URL(await linkOf('Zenobia'))
    const openAgain = () => page.evaluate((to) => void (location.hash = to), hash)
    const question = page.getByRole('heading', { name: 'Sign in with the admin token instead?' })
    await openAgain()
    await question.waitFor()
    await page.getByText('You are signed in as Mia.').waitFor()
    expect(page.url()).not.toContain('#')
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByText('Mia').waitFor()
    await openAgain()
    await page.getByRole('button', { name: 'Sign in with the admin token' }).click()
    await page.getByRole('banner').getByText('Zenobia').waitFor()
    expect(complaints).toEqual([])

    const elsewhere = await openPage(browser, await linkOf())
    await elsewhere.page.getByRole('banner').getByText('Mia').waitFor()
    await page.goto(`${origin}/admin/settings`)
    await page.getByRole('button', { name: 'End all other sessions…' }).click()
    await page.getByRole('button', { name: 'End them now' }).click()
    await page
      .getByRole('status')
      .getByText(/^Ended: \d+ other session/)
      .waitFor()
    await elsewhere.page.reload()
    await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await elsewhere.close()
    await close()
  })

  test('says so where no server runs, where another one does, and where nobody reads', async () => {
    const alone = freshDatabase()
    const none = await atTerminal(['admin', 'open', '--db', alone], [], { env })
    expect(none).toMatchObject({ code: 1, stdout: '' })
    expect(none.stderr).toContain(`No running server was found for the database ${alone}. Start one`)
    // A server that was killed left its file, and another one has the port.
    const { port } = new URL(origin)
    writeFileSync(`${alone}.addresses-${port}.json`, JSON.stringify({ listens: origin, operators: `${origin}/admin` }))
    const strange = await atTerminal(['admin', 'open', '--db', alone], [], { env })
    expect(strange.stderr).toContain('No running server was found')
    const named = await atTerminal(['admin', 'open', '--db', alone, '--url', origin], [], { env })
    expect(named.stderr).toContain(`The server at ${origin} does not run on the database`)
    const nowhere = `http://127.0.0.1:${await freePort()}`
    expect((await open('--url', nowhere)).stderr).toContain(`No server answers at ${nowhere}.`)
    const piped = await runCommand(['admin', 'open', '--db', db], { env })
    expect(piped).toMatchObject({ code: 1, stdout: '' })
    expect(piped.stderr).toContain('the link signs in whoever reads it')
    const toFile = await atTerminal(['admin', 'open', '--db', db], [], { env, isPiped: true })
    expect(toFile).toMatchObject({ code: 1, stdout: '' })
  })
})

test('a link is made for no address but the one that the server has proved, also where another program passes the proof on', async () => {
  const relay = createServer((request, response) => {
    void fetch(new URL(request.url ?? '/', origin)).then(async (answer) => response.end(await answer.text()))
  })
  await new Promise<void>((resolve) => void relay.listen(0, '127.0.0.1', resolve))
  const at = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
  try {
    const named = await open('--url', at)
    expect(named).toMatchObject({ code: 1, stdout: '' })
    expect(named.stderr).toContain(`the pages of that server are at ${origin}`)
    // As a server leaves it that was killed, before the one that runs now: it would be asked first.
    const note = `${db}.addresses-1.json`
    writeFileSync(note, JSON.stringify({ listens: at, operators: `${at}/admin` }))
    expect(await linkOf()).toContain(`${origin}/admin#`)
    rmSync(note)
  } finally {
    relay.close()
  }
})

test('the admin token is asked for once, with where to find it, and is nowhere in the browser', async () => {
  const { page, close } = await openPage(browser, `${origin}/admin`, { viewport: { width: 360, height: 740 } })
  await page.getByText('the value of COUNTERSIGN_ADMIN_TOKEN').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await violationsInBothThemes(page)).toEqual([])
  await page.keyboard.type('not the token of this server')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('This is not the admin token of this server.').waitFor()
  await page.getByLabel('Admin token').fill(adminToken)
  await page.getByLabel('Your name, for the record').fill('Zoë')
  await page.keyboard.press('Enter')
  await page.getByRole('banner').getByText('Zoë').waitFor()
  await page.reload()
  await page.getByRole('banner').getByText('Zoë').waitFor()
  const cookies = await page.context().cookies()
  const kept = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.documentElement.outerHTML]),
  )
  expect(`${kept}${JSON.stringify(cookies)}`).not.toContain(adminToken)
  expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toStrictEqual([[true, 'Strict']])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await close()
})
