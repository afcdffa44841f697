// A card that comes late is a card that people click past. What counts is the moment when it stands on the screen, so the
// clock is read inside the frame, right after the frame's paint, and compared with the host's at the moment of sending.
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { type BareHost, openBareHost, readCardHtml } from '../hosts/bare-host.ts'
import { launchBrowser } from '../hosts/browser.ts'
import { createOrder, resultOf } from '../hosts/cards.ts'
import { scriptedPlan } from '../hosts/scripted-plan.ts'
import { median, ms, quantile, table } from './figures.ts'

const warmUp = 3
const mounts = 40
const patience = 10_000

declare global {
  interface Window {
    benchPainted(at: number): Promise<void>
  }
}

/** Measures and prints. */
export async function card(): Promise<void> {
  const html = Buffer.from(await readCardHtml())
  const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
  console.log('card: dist/ui/card/index.html, in Chromium, in a sandboxed frame of the official AppBridge')
  console.log(`  raw ${kilobytes(html.length)}, gzip ${kilobytes(gzipSync(html, { level: 9 }).length)} (at most 25 KB)`)
  console.log()
  const browser = await launchBrowser()
  try {
    const host = await openBareHost(browser, { callTool: scriptedPlan().callTool })
    const nextPaint = await watchPaints(host.page)
    const line = async (name: string, measure: () => Promise<number>): Promise<string[]> => {
      const taken: number[] = []
      for (let mount = 0; mount < warmUp + mounts; mount++) {
        const time = await measure()
        if (mount >= warmUp) taken.push(time)
      }
      return [name, ms(median(taken)), ms(quantile(taken, 0.9)), ms(Math.max(...taken))]
    }
    const rows = [
      await line('tool result → painted card', () => fromResult(host, nextPaint)),
      await line('empty frame → painted card', () => fromNothing(host, nextPaint)),
    ]
    console.log(table([['', 'p50', 'p90', 'max'], ...rows]))
    console.log()
    console.log(`  ${mounts} mounts each after ${warmUp} to warm up; the screen is drawn 60 times a second`)
    console.log('  tool result   the view has loaded and greeted, as it has while the tool still runs')
    console.log('  empty frame   the host makes the frame, loads the view over HTTP, greets it, sends the result')
    console.log('  aim: a card within 50 ms of its tool result')
    await host.close()
  } finally {
    await browser.close()
  }
}

const result = resultOf(createOrder)

/** The view waits, the result comes. */
async function fromResult(host: BareHost, nextPaint: () => Promise<number>): Promise<number> {
  await host.page.evaluate(() => void window.bareHost.wire.splice(0))
  await host.remount()
  await host.page.waitForFunction(() =>
    window.bareHost.wire.some(
      ({ message }) => 'method' in message && message.method === 'ui/notifications/initialized',
    ),
  )
  const painted = nextPaint()
  const sent = await host.page.evaluate((given) => {
    const now = performance.timeOrigin + performance.now()
    void window.bareHost.sendResult(given)
    return now
  }, result)
  return (await painted) - sent
}

/** The result is there before the view is. */
async function fromNothing(host: BareHost, nextPaint: () => Promise<number>): Promise<number> {
  const painted = nextPaint()
  const made = host.page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const main = document.querySelector('main') as HTMLElement
        const observer = new MutationObserver(() => {
          if (main.querySelector('iframe') === null) return
          observer.disconnect()
          resolve(performance.timeOrigin + performance.now())
        })
        main.querySelector('iframe')?.remove()
        observer.observe(main, { childList: true })
      }),
  )
  await host.remount({ result })
  return (await painted) - (await made)
}

/** Answers a function that waits for the next card on the screen: its time, by the clock that all frames share. */
async function watchPaints(page: Page): Promise<() => Promise<number>> {
  let tell: ((at: number) => void) | undefined
  await page.exposeFunction('benchPainted', (at: number) => tell?.(at))
  await page.addInitScript((title) => {
    if (window.parent === window) return
    const observer = new MutationObserver(() => {
      // The first changes come before there is a body.
      const shown = document.querySelector('body')?.textContent ?? ''
      if (!shown.includes(title)) return
      observer.disconnect()
      // The callback runs before the frame is painted; a message posted in it arrives after.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => void window.benchPainted(performance.timeOrigin + performance.now())
        port2.postMessage(undefined)
      })
    })
    observer.observe(document, { childList: true, subtree: true, characterData: true })
  }, createOrder.title)
  return () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The card was not painted within ten seconds.')), patience)
      tell = (at) => {
        clearTimeout(late)
        resolve(at)
      }
    })
}
