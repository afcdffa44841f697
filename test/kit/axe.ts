// axe-core in a page that a test has open: what of it does not meet WCAG 2.2 AA.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Frame, Page } from 'playwright-core'

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme decides; names, roles and order are the same in every one. */
const colours = ['color-contrast', 'link-in-text-block']

export interface Asked {
  /** All rules when absent; those that a theme decides are enough where another theme has been asked for all. */
  readonly rules?: 'all' | 'colours'
  /** A selector; the whole document when absent. */
  readonly within?: string
}

/** What axe-core finds, each with the place. */
export async function violations(
  frame: Page | Frame,
  { rules = 'all', within }: Asked = {},
): Promise<readonly string[]> {
  // It is half a megabyte to read, and stays with the document.
  if (await frame.evaluate(() => !('axe' in globalThis))) await frame.evaluate(await axe)
  return frame.evaluate(
    async ([runOnly, part]) => {
      const { axe: loaded } = globalThis as unknown as {
        axe: { run(root: Document | string, options: unknown): Promise<{ violations: readonly Violation[] }> }
      }
      // What is met is not described: half of the work, and nobody reads it.
      const result = await loaded.run(part ?? document, { runOnly, resultTypes: ['violations'] })
      return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)
    },
    [rules === 'all' ? wcag : colours, within] as const,
  )
}

/** The same in both themes of a page that follows the browser's; nothing moves meanwhile. */
export async function violationsInBothThemes(page: Page, asked: Asked = {}): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const dark = await violations(page, { ...asked, rules: 'colours' })
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  return [...(await violations(page, asked)), ...dark.map((found) => `dark: ${found}`)]
}
