// What every browser test stands on: the same browser in the same language and time zone, whatever the machine's are.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { launchBrowser, testBrowser } from './browser.ts'
import { packagedChromium } from './packaged-chromium.ts'

/** What a page of a context that says nothing takes for its own. */
const placeOfPage = async (): Promise<unknown> => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  return page.evaluate(() => {
    const { locale, timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return [navigator.language, locale, timeZone, (1234.5).toLocaleString()]
  })
}

/** For one test; `undefined` is a variable that is not set. */
const environment = (given: Readonly<Record<string, string | undefined>>): void => {
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
}

test.each([[undefined], ['C.UTF-8'], ['de_DE.UTF-8']])('a machine whose LANG is %j changes nothing', async (LANG) => {
  environment({ LANG, LANGUAGE: LANG, LC_ALL: LANG, TZ: 'Asia/Kolkata' })
  expect(await placeOfPage()).toStrictEqual(['en-GB', 'en-GB', 'UTC', '1,234.5'])
})

test('nor does a temporary folder with a long name and a blank in it', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'countersign-'))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }))
  const long = join(outer, `a long name ${'x'.repeat(100)}`)
  mkdirSync(long)
  environment({ TMPDIR: long })
  expect(await placeOfPage()).toContain('en-GB')
})

test('nor does one whose name is not ASCII: what is downloaded arrives', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'räume-'))
  onTestFinished(() => rmSync(outer, { recursive: true, force: true }))
  environment({ TMPDIR: outer })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.setContent('<a href="data:text/plain,rows" download="rows.txt">Save</a>')
  const saved = page.waitForEvent('download')
  await page.getByText('Save').click()
  expect(readFileSync(await (await saved).path(), 'utf8')).toBe('rows')
})

test('a browser on the PATH is not taken; one that is named is, and says so when it does not start', async () => {
  environment({ COUNTERSIGN_TEST_BROWSER: undefined, CHROMIUM_PATH: '/nobody/looks/here' })
  expect((await testBrowser()).path).toMatch(/[/\\]\.cache[/\\]chromium-[\d.]+[/\\]chromium$/)
  environment({ COUNTERSIGN_TEST_BROWSER: '/there/is/no/browser' })
  await expect(launchBrowser()).rejects.toThrow(/\/there\/is\/no\/browser failed\. Name a Chromium/)
})

test('all who start on a fresh checkout at once find one whole browser', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'countersign-'))
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }))
  const found = await Promise.all([packagedChromium(cache), packagedChromium(cache)])
  expect(new Set(found.map(({ path }) => path)).size).toBe(1)
  expect(readdirSync(cache)).toHaveLength(1)
  environment({ COUNTERSIGN_TEST_BROWSER: found[0]?.path })
  expect(await placeOfPage()).toContain('en-GB')
})
