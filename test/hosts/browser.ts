// A browser test that skips itself where no browser is found looks green and proves nothing. So: a browser that the
// machine has, or the one that comes as a package; and where neither starts, an error with the command that helps.
// @sparticuz/chromium is made for AWS Lambda: its flags (one process, no web security) would hide what these tests are
// about, so only its binary is used, and its libraries where the system lacks them.
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import packaged, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const onPath = (): string | undefined => {
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}

const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Chromium refuses to sandbox root; the pages here are our own.
    args: ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })

/** The package unpacks into the temporary folder; a run that was killed half-way leaves half a binary behind. */
const launchPackaged = async (): Promise<Browser> => {
  try {
    return await launch(await packaged.executablePath())
  } catch (error) {
    const why = String(error)
    if (why.includes('shared libraries')) {
      const bin = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin')
      await inflate(join(bin, 'al2023.tar.br'))
      setupLambdaEnvironment(join(tmpdir(), 'al2023', 'lib'))
    } else {
      await rm(join(tmpdir(), 'chromium'), { force: true })
    }
    return launch(await packaged.executablePath())
  }
}

/** Starts Chromium: `CHROMIUM_PATH`, an installed one, or the packaged one. Rejects with what to do when none starts. */
export const launchBrowser = async (): Promise<Browser> => {
  const given = process.env['CHROMIUM_PATH']
  const installed = given ?? onPath()
  try {
    return installed ? await launch(installed) : await launchPackaged()
  } catch (error) {
    const tried = installed ?? 'the packaged Chromium (@sparticuz/chromium)'
    throw new Error(
      `No browser could be started: ${tried} failed. Install one (Debian and Ubuntu: "sudo apt-get install -y chromium"; ` +
        'macOS: "brew install --cask chromium") or name one with CHROMIUM_PATH=/path/to/chromium, then run the tests again.',
      { cause: error },
    )
  }
}
