// The documentation as a reader opens it in a clone: built by the first visit, served under its policy, in a browser.
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../eventually.ts'
import { sharedBrowser } from '../../hosts/browser.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'

let docs: string
const wrong: string[] = []

beforeAll(async () => {
  const { mcp } = await demoHere(freshDatabase())
  docs = `${mcp.origin}/docs`
  // The first visit of a clone builds what is missing or old.
  await vi.waitFor(async () => expect((await fetch(`${docs}/`)).status).toBe(200), { timeout: 300_000, interval: 500 })
}, 320_000)

/** A page of the site; what its policy refuses, what it lacks, and whom else it asks ends in `wrong`. */
async function opened(path: string, look: 'light' | 'dark' = 'light', width = 1440): Promise<Page> {
  const browser = await sharedBrowser()
  const context = await browser.newContext({ colorScheme: look, viewport: { width, height: 900 } })
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && wrong.push(`${path}: ${message.text()}`))
  page.on('pageerror', (error) => wrong.push(`${path}: ${error.message}`))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(docs) && !url.startsWith('data:')) wrong.push(`${path} asks ${url}`)
  })
  await page.goto(`${docs}${path}`)
  return page
}

test('a newcomer gets from the first page to the tutorial, and from there to what comes next', async () => {
  const page = await opened('/')
  await page.getByRole('link', { name: 'Follow the tutorial' }).click()
  await page.getByRole('heading', { name: /^Tutorial: from an empty folder/ }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/guides/tutorial')
  await page.getByRole('link', { name: 'Next page A whole server' }).click()
  await page.getByRole('heading', { name: /^A whole server/ }).waitFor()
  expect(await page.locator('.vp-doc code').allTextContents()).toContainEqual(
    expect.stringContaining("name: 'issues.list'"),
  )
})

test('the search finds a guide by what is in it', async () => {
  const page = await opened('/guides/tutorial')
  await page.keyboard.press('/')
  await page.getByRole('searchbox').or(page.locator('.VPLocalSearchBox input')).first().fill('confirmPhrase')
  await page.locator('.VPLocalSearchBox .result').first().waitFor()
  const found = await page.locator('.VPLocalSearchBox .result').allTextContents()
  expect(found).toContainEqual(expect.stringContaining('Cards and blocks'))
  expect(found.join()).not.toMatch(/\d+\. /)
})

describe.each(['light', 'dark'] as const)('in %s', (look) => {
  test('code has colours that can be told from its ground', async () => {
    const page = await opened('/guides/tutorial', look)
    const [ground, ...inks] = await page.evaluate(() => {
      const block = document.querySelector('.vp-doc div[class*=language-ts]')
      const words = [...(block?.querySelectorAll('code span span') ?? [])]
      return [block, ...words].flatMap((each) =>
        each === null ? [] : [getComputedStyle(each)[each === block ? 'backgroundColor' : 'color']],
      )
    })
    expect(new Set(inks).size).toBeGreaterThan(3)
    expect(inks).not.toContain(ground)
  })
})

test.each(['/', '/guides/contracts', '/api/countersign/interfaces/CountersignOptions', '/api/commands'])(
  '%s fits a telephone: nothing but a table or a block of code is wider',
  async (path) => {
    const page = await opened(path, 'dark', 360)
    await eventually(async () =>
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360),
    )
  },
)

test('an option of a function is on the page of its type, with what it says', async () => {
  const page = await opened('/api/countersign/functions/createCountersign')
  await page.locator('.vp-doc').getByRole('link', { name: 'CountersignOptions' }).first().click()
  await page
    .getByRole('row', { name: /^trustedHost\?/ })
    .getByText('counts as recorded')
    .waitFor()
})

test('a page that is not there says so', async () => {
  const page = await opened('/guides/nothing')
  await page.getByText('PAGE NOT FOUND').waitFor()
  expect(wrong.splice(0)).toStrictEqual([expect.stringContaining('404')])
})

test('its policy refused nothing, nothing was missing, and no page has asked anybody else', () => {
  expect(wrong).toStrictEqual([])
})
