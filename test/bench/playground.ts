// How long does somebody wait who opens the playground on a phone, over a slow network? Each time the browser has nothing of it.
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../hosts/browser.ts'
import type { Aim } from './aims.ts'
import { median, ms, quantile, table } from './figures.ts'
import { start, withFolder } from './processes.ts'

const visits = 9

/** A slow phone: bytes a second of 1.6 Mbit/s, the latency of such a network in milliseconds, and a fourth of this processor. */
const phone = { bytesASecond: 1_600_000 / 8, latencyMs: 150, slower: 4 } as const

/** Measures and prints. */
export function playground(): Promise<readonly Aim[]> {
  return withFolder(async (folder) => {
    console.log(
      'playground: opened on a phone, 1.6 Mbit/s down and up, 150 ms for each request, a fourth of this processor',
    )
    const served = await start('serve-playground.ts', join(folder, 'playground.db'))
    const browser = await launchBrowser()
    const usable: number[] = []
    const card: number[] = []
    let bytes = 0
    try {
      for (let visit = 0; visit < visits; visit++) {
        const taken = await visited(browser, served.url)
        usable.push(taken.usable)
        card.push(taken.card)
        bytes = taken.bytes
      }
    } finally {
      await browser.close()
      await served.stop()
    }
    const row = (name: string, taken: readonly number[]): string[] => [
      name,
      ms(median(taken)),
      ms(quantile(taken, 0.9)),
      ms(Math.max(...taken)),
    ]
    console.log()
    console.log(
      table([
        ['', 'p50', 'p90', 'max'],
        row('address → connected, a first step can be pressed', usable),
        row('first step pressed → Confirm stands on the card', card),
      ]),
    )
    console.log()
    console.log(
      `  ${visits} visits, each with an empty cache; ${(bytes / 1024).toFixed(0)} KB came over the network in each`,
    )
    return [
      {
        what: 'playground on a slow phone network, until it can be used',
        aim: 2,
        measured: median(usable) / 1000,
        unit: 'seconds',
      },
    ]
  })
}

/** One visit. Milliseconds, and bytes as they were sent. */
async function visited(
  browser: Browser,
  url: string,
): Promise<{ readonly usable: number; readonly card: number; readonly bytes: number }> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    let bytes = 0
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: phone.latencyMs,
      downloadThroughput: phone.bytesASecond,
      uploadThroughput: phone.bytesASecond,
    })
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: phone.slower })
    const begun = performance.now()
    await page.goto(url, { waitUntil: 'commit' })
    await page.getByText(/^Connected to/).waitFor({ state: 'attached' })
    const step = page.getByRole('button', { name: /^Create an order for ACME/ })
    await step.waitFor()
    const usable = performance.now() - begun
    await step.click()
    const pressed = performance.now()
    await page
      .frameLocator('.card-frame.shown iframe')
      .frameLocator('iframe')
      .getByRole('button', { name: 'Create order', exact: true })
      .waitFor()
    return { usable, card: performance.now() - pressed, bytes }
  } finally {
    await context.close()
  }
}
