// A browser test that skips itself where no browser is found looks green and proves nothing; one that takes whatever
// browser, language and time zone the machine has proves something else on each. So every run starts the Chromium that
// comes as a package, in one language and one time zone, and another one only by name.
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { inFewProcesses } from '../../server/testing/host/browser.ts'
import { isFull } from '../full.ts'
import { atEnd } from '../journeys/at-end.ts'
import { longest } from '../longest.ts'
import { beside, packagedChromium } from './packaged-chromium.ts'

/** What to start, and the environment to start it in. */
export interface Executable {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

/** The browser of the tests: the one that COUNTERSIGN_TEST_BROWSER names, or the packaged one. */
export const testBrowser = async (): Promise<Executable> => {
  const named = process.env['COUNTERSIGN_TEST_BROWSER']
  return named === undefined || named === '' ? await packagedChromium() : { path: named, env: {} }
}

/** Of the browser itself, for pages of a context that says nothing of its own. */
const LOCALE = 'en-GB'
const TIME_ZONE = 'UTC'

/**
 * Starts the browser of the tests, whose pages wait nearly as long as tests may. Full runs have the processes that people's browsers
 * have. Rejects with what to do when it does not start.
 */
export const launchBrowser = async (
  processes: readonly string[] = isFull() ? [] : inFewProcesses,
): Promise<Browser> => {
  const { path, env } = await testBrowser()
  try {
    const browser = await chromium.launch({
      executablePath: path,
      // Chromium takes its language from here on Linux, and from the flag elsewhere.
      env: { ...process.env, ...env, LC_ALL: `${LOCALE.replace('-', '_')}.UTF-8`, TZ: TIME_ZONE },
      // In a locale that the machine lacks it writes no file into a folder whose name is not ASCII, as the machine's
      // temporary one may be.
      downloadsPath: join(beside, 'downloads'),
      // Chromium refuses to sandbox root; the pages here are our own.
      args: [`--lang=${LOCALE}`, '--disable-gpu', ...processes, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    })
    // Sooner than the test gives up, which does not say what it waited for.
    browser.on('context', (context) => context.setDefaultTimeout((2 / 3) * longest))
    return browser
  } catch (error) {
    throw new Error(
      `No browser could be started: ${path} failed. Name a Chromium that runs on this machine with ` +
        'COUNTERSIGN_TEST_BROWSER=/path/to/chromium, then run the tests again.',
      { cause: error },
    )
  }
}

let shared: Promise<Browser> | undefined

/** The one browser of all test files that this process runs. What a file opens in it is closed when the file is through. */
export const sharedBrowser = async (): Promise<Browser> => {
  shared ??= launchBrowser()
  const browser = await shared
  browser.once('disconnected', () => (shared = undefined))
  atEnd(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}
