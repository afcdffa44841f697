// A program with a mistake, as a new user of the playground meets it: what is wrong and what to change stand on the card, and
// with that change it runs.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../server/config/file.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { openDesk, openPlayground, type Desk } from '../playground-page.ts'

let browser: Browser
let desk: Desk

beforeAll(async () => {
  const settings = readConfig(undefined, {}, [])
  if (!settings.ok) throw new Error(settings.failure.message)
  ;[browser, desk] = await Promise.all([sharedBrowser(), openDesk({ sandbox: settings.value.server.sandbox })])
})
afterAll(() => desk.close())

test('a program that fails is shown with its edit and its fuel, and runs once the edit is made', async () => {
  const { page, card, suggest, complaints } = await openPlayground(browser, desk.door)
  await suggest('Run a program with a mistake')
  await card(0).getByText('The program ran, and failed: exit code 1', { exact: true }).waitFor()
  const failed = await card(0).locator('body').innerText()
  expect(failed).toContain("NameError: name 'price' is not defined")
  expect(failed).toMatch(/- total = sum\(price\)\s+\+ total = sum\(prices\)/)
  expect(failed).toMatch(/^Failed$/m)
  expect(failed).not.toContain('Applied')
  expect(await card(0).getByRole('progressbar').count()).toBe(1)
  await page.getByRole('button', { name: / of \d+ steps$/ }).click()
  await page.getByRole('button', { name: 'Change first: Run a program with a mistake' }).click()
  await page.getByLabel('Code').fill('prices = [129.5, 89, 42]\ntotal = sum(prices)\nprint(f"{total:.2f}")\n')
  await page.getByRole('button', { name: 'Let the agent call it' }).click()
  await card(1).getByText('The program ran to its end', { exact: true }).waitFor()
  expect(await card(1).locator('body').innerText()).toContain('260.50')
  expect(complaints).toEqual([])
  await page.context().close()
})

test('a session imports openpyxl once: the second program is cheap, and its card shows the fuel of both', async () => {
  const { page, card, suggest, next, complaints } = await openPlayground(browser, desk.door)
  await suggest('Begin a session for programs')
  await card(0).getByText('Session begun', { exact: true }).waitFor()
  await next('Write a sheet with openpyxl in the session')
  await card(1).getByText('The program ran to its end', { exact: true }).waitFor()
  expect(await card(1).locator('body').innerText()).toContain('prices.xlsx')
  await next('Read the sheet in the same session')
  await card(2).getByText('The program ran to its end', { exact: true }).waitFor()
  expect(await card(2).locator('body').innerText()).toContain('260.5')
  const [first = 0, second = 0, ...others] = await card(2)
    .getByRole('progressbar')
    .evaluateAll((bars) => bars.map((bar) => (bar as HTMLProgressElement).value))
  expect(others).toEqual([])
  expect(second).toBeGreaterThan(0)
  expect(second).toBeLessThan(first / 3)
  expect(complaints).toEqual([])
  await page.context().close()
})
