// From one desk of the demo to the other and back, as a new user does it: in the playground, while both go on.
import { existsSync, mkdirSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../free-port.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { freshDatabase, place } from '../at-end.ts'
import { demoHere, startHere, webHere } from '../in-process.ts'
import { openPlayground } from '../playground-page.ts'
import { accessSecret, letIn } from '../processes.ts'
import { runCommand } from '../terminal.ts'

let browser: Browser

beforeAll(async () => {
  browser = await sharedBrowser()
})

const open = ({ mcp }: { readonly mcp: URL }) =>
  openPlayground(browser, { playgroundUrl: letIn('/playground', mcp).href })

const connectedTo = (page: Page, server: string) => page.getByText(`Connected to ${server}`).waitFor()

async function switchTo(page: Page, label: string, server: string): Promise<URL> {
  await page.getByRole('navigation', { name: 'Desks' }).getByRole('link', { name: label }).click()
  await connectedTo(page, server)
  return new URL(page.url())
}

const besideIt = (db: string, desk: string) => db.replace(/\.db$/, `-${desk}.db`)

const toolsOnRecord = async (db: string): Promise<readonly string[]> => {
  const { stdout } = await runCommand(['activity', 'list', '--db', db, '--output', 'json'])
  return (JSON.parse(stdout) as readonly { readonly tool: string }[]).map(({ tool }) => tool)
}

test('the other desk is opened by the first switch to it, with conversation, data and activity of its own, and is there again after a restart', async () => {
  const db = freshDatabase()
  const port = await freePort()
  const start = () => webHere(['demo', '--port', String(port), '--db', db])
  const first = await start()
  const { page, call, complaints } = await open(first)
  await call('List sales orders')
  await page.getByRole('region', { name: 'Orders' }).waitFor()
  expect(existsSync(besideIt(db, 'mail'))).toBe(false)

  const mail = await switchTo(page, 'Mail and files', 'Agency desk')
  expect([mail.port === String(port), mail.search]).toEqual([false, ''])
  expect(await page.getByRole('navigation', { name: 'Desks' }).locator('[aria-current]').innerText()).toBe(
    'Mail and files',
  )
  await call('List templates')
  await page.getByText('To an evening at the agency').first().waitFor()

  const back = await switchTo(page, 'Orders', 'Order desk')
  expect(back.port).toBe(String(port))
  await page.getByRole('region', { name: 'Orders' }).waitFor()
  await first.end()
  expect(await toolsOnRecord(db)).toEqual(['orders_list'])
  expect(await toolsOnRecord(besideIt(db, 'mail'))).toEqual(['templates_list'])

  const second = await start()
  await page.goto(letIn('/playground', second.mcp).href)
  await connectedTo(page, 'Order desk')
  expect((await switchTo(page, 'Mail and files', 'Agency desk')).host).toBe(mail.host)
  await page.getByText('To an evening at the agency').first().waitFor()
  expect(complaints).toEqual([])
  await page.context().close()
  await second.end()
})

test('tabs that switch at once come to one desk, and each goes on by itself', async () => {
  const desk = await demoHere(freshDatabase(), '--desk', 'mail')
  const one = await open(desk)
  const other = await one.page.context().newPage()
  await other.goto(one.page.url())
  await connectedTo(other, 'Agency desk')
  const [at, too] = await Promise.all([one.page, other].map((page) => switchTo(page, 'Orders', 'Order desk')))
  expect(at?.host).toBe(too?.host)
  await switchTo(other, 'Mail and files', 'Agency desk')
  await connectedTo(one.page, 'Order desk')
  expect(one.complaints).toEqual([])
  await one.page.context().close()
  await desk.end()
})

test('who has not opened the playground with the secret opens no desk', async () => {
  const db = freshDatabase()
  const desk = await demoHere(db)
  const answer = await fetch(new URL('/playground/desks/mail', desk.mcp), { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([401, null])
  expect(existsSync(besideIt(db, 'mail'))).toBe(false)
  await desk.end()
})

test('a desk that cannot be opened says why, and the one before it goes on', async () => {
  const db = freshDatabase()
  const desk = await demoHere(db)
  mkdirSync(besideIt(db, 'mail'))
  const { page } = await open(desk)
  await page.getByRole('navigation', { name: 'Desks' }).getByRole('link', { name: 'Mail and files' }).click()
  await page.getByRole('heading', { name: besideIt(db, 'mail') }).waitFor()
  await page.goBack()
  await connectedTo(page, 'Order desk')
  await page.context().close()
  await desk.end()
})

test('without a database of its own name each desk has one in the data directory', async () => {
  const home = place()
  const env = { XDG_DATA_HOME: home, COUNTERSIGN_ACCESS_SECRET: accessSecret }
  for (const [desk, file] of [
    ['orders', 'countersign.db'],
    ['mail', 'countersign-mail.db'],
  ] as const) {
    const started = startHere(['demo', '--stdio', '--desk', desk], { env })
    await started.end()
    expect(existsSync(`${home}/countersign/${file}`), desk).toBe(true)
  }
})
