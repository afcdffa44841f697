// playwright-core brings no browser of its own, and people have theirs in many places.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { withPackages } from '../../errors/optional-package.ts'
import { addIt } from './app-bridge.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

/** `CHROMIUM_PATH`, or a Chromium or Chrome on the PATH. */
const installed = (): string | undefined =>
  process.env['CHROMIUM_PATH'] ??
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

/**
 * A page, its frames and what draws them in as few processes as Chromium allows, which it does by itself where memory is scarce:
 * a fifth of what browser tests cost is the starting of more. What pages may do is the same.
 */
export const inFewProcesses = [
  '--disable-site-isolation-trials',
  '--process-per-site',
  '--renderer-process-limit=1',
  '--in-process-gpu',
]

/**
 * Starts a Chromium of this machine.
 * @throws an Error that says what to install, where playwright-core or a browser is missing.
 */
export async function launchChromium(): Promise<Browser> {
  const playwright = await withPackages(['playwright-core'], () => import('playwright-core'), addIt('playwright-core'))
  const executablePath = installed()
  try {
    return await playwright.chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      // Chromium refuses to sandbox root; what is drawn here is the server's own view.
      args: ['--disable-gpu', ...inFewProcesses, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
  } catch (cause) {
    throw new Error(
      `No Chromium could be started${executablePath === undefined ? '' : ` (${executablePath})`}. Name one with CHROMIUM_PATH=/path/to/chromium, or run \`npx playwright-core install chromium\`.`,
      { cause },
    )
  }
}
