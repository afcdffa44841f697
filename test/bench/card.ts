// A card that comes late is a card that people click past. What counts is the moment when it stands on the screen, so the
// clock is read inside the frame, right after the frame's paint, and compared with the host's at the moment of sending.
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { type BareHost, openBareHost, readCardHtml } from '../hosts/bare-host.ts'
import { launchBrowser } from '../hosts/browser.ts'
import { createOrder, manyLines, resultOf, revisableOrder } from '../hosts/cards.ts'
import { scriptedPlan } from '../hosts/scripted-plan.ts'
import type { Aim } from './aims.ts'
import { median, ms, quantile, table, times } from './figures.ts'
import { type Peer, readPeers } from './peers.ts'

const warmUp = 3
const mounts = 40
/** The largest card of the slowest peer, on a machine that does something else beside. */
const patience = 300_000

declare global {
  interface Window {
    benchPainted(at: number): Promise<void>
  }
}

/** Measures and prints. */
export async function card(): Promise<readonly Aim[]> {
  const html = Buffer.from(await readCardHtml())
  console.log('card: dist/ui/card/index.html, in Chromium, in a sandboxed frame of the official AppBridge')
  console.log(`  raw ${kilobytes(html.length)}, gzip ${kilobytes(gzipped(html))} (at most 32 KB)`)
  console.log()
  const browser = await launchBrowser()
  try {
    const host = await openBareHost(browser, { callTool: scriptedPlan().callTool })
    const nextPaint = await watchPaints(host.page)
    const mounted = async (measure: () => Promise<number>): Promise<readonly number[]> => {
      const taken: number[] = []
      for (let mount = 0; mount < warmUp + mounts; mount++) {
        const time = await measure()
        if (mount >= warmUp) taken.push(time)
      }
      return taken
    }
    const line = (name: string, taken: readonly number[]): string[] => [
      name,
      ms(median(taken)),
      ms(quantile(taken, 0.9)),
      ms(Math.max(...taken)),
    ]
    const fromTheResult = await mounted(() => fromResult(host, nextPaint))
    const rows = [
      line('tool result → painted card', fromTheResult),
      line('empty frame → painted card', await mounted(() => fromNothing(host, nextPaint))),
      line('the same with values to change', await mounted(() => fromNothing(host, nextPaint, revisable))),
      line('“Edit values” → painted form', await mounted(() => fromPress(host))),
    ]
    console.log(table([['', 'p50', 'p90', 'max'], ...rows]))
    console.log()
    console.log(`  ${mounts} mounts each after ${warmUp} to warm up; the screen is drawn 60 times a second`)
    console.log('  tool result   the view has loaded and greeted, as it has while the tool still runs')
    console.log('  empty frame   the host makes the frame, loads the view over HTTP, greets it, sends the result')
    // A closed page is used for the next card, and one counts its paints and its memory once.
    await host.page.context().close()
    console.log()
    const compared = await againstPeers(browser)
    return [
      { what: 'a card painted after its tool result, p50', aim: 50, unit: 'ms', measured: median(fromTheResult) },
      ...compared,
    ]
  } finally {
    await browser.close()
  }
}

/** Lines of the preview, and how often it is mounted: some take seconds for the last. */
const sizes = [
  [1, 20],
  [50, 20],
  [5_000, 4],
] as const

const kilobytes = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`
const gzipped = (bytes: Buffer | string): number => gzipSync(bytes, { level: 9 }).length

/** The same preview by everyone, in the same browser: what has to be loaded, and how long it takes to stand there. */
async function againstPeers(browser: Browser): Promise<readonly Aim[]> {
  const ours: Peer = {
    name: 'countersign',
    html: await readCardHtml(),
    resultOf: (lines) => resultOf(manyLines(lines)),
  }
  const rows: string[][] = []
  let own: readonly number[] = []
  const others: (readonly number[])[] = []
  for (const peer of [ours, ...(await readPeers())]) {
    const taken = await measurePeer(browser, peer)
    if (own.length === 0) own = [taken.gzip, ...taken.times]
    else others.push(taken.times)
    const compared = [taken.gzip, ...taken.times].map((value, at) => times(value / (own[at] ?? Number.NaN)))
    rows.push([
      peer.name,
      kilobytes(taken.raw),
      `${kilobytes(taken.gzip)} ${compared[0]}`,
      ...taken.times.map((time, at) => `${ms(time)} ${compared[at + 1]}`),
      ...taken.heaps.map(kilobytes),
    ])
  }
  const lines = sizes.map(([size]) => (size === 1 ? '1 line' : `${size} lines`))
  console.log('card: the same preview, drawn by others (empty frame → painted, p50; JS heap of the page with it)')
  console.log(table([['', 'raw', 'gzip', ...lines, ...lines.map((name) => `heap, ${name}`)], ...rows]))
  console.log(`  ${sizes.map(([, mounts]) => mounts).join(', ')} mounts; bytes are the page and all that it loads`)
  return sizes.map(([size], at) => {
    const fastest = Math.min(...others.map((all) => all[at] ?? Number.NaN))
    return {
      what: `a card of ${size} ${size === 1 ? 'line' : 'lines'} painted in an empty frame, p50 to the fastest of others`,
      aim: 1,
      unit: 'times',
      measured: (own[at + 1] ?? Number.NaN) / fastest,
      peer: 1,
    }
  })
}

interface Taken {
  readonly raw: number
  readonly gzip: number
  readonly times: readonly number[]
  readonly heaps: readonly number[]
}

async function measurePeer(browser: Browser, peer: Peer): Promise<Taken> {
  const loaded = new Map<string, Buffer>([['/', Buffer.from(peer.html)]])
  const { assets } = peer
  const host = await openBareHost(browser, {
    html: peer.html,
    callTool: scriptedPlan().callTool,
    ...(assets === undefined
      ? {}
      : {
          assets: async (path) => {
            const asset = await assets(path)
            if (asset !== undefined) loaded.set(path, asset)
            return asset
          },
        }),
  })
  const nextPaint = await watchPaints(host.page)
  const metrics = await host.page.context().newCDPSession(host.page)
  await metrics.send('Performance.enable')
  const heap = async (): Promise<number> => {
    await metrics.send('HeapProfiler.collectGarbage')
    const { metrics: found } = await metrics.send('Performance.getMetrics')
    return found.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  }
  const medians: number[] = []
  const heaps: number[] = []
  for (const [size, peerMounts] of sizes) {
    const given = peer.resultOf(size)
    const taken: number[] = []
    for (let mount = 0; mount <= peerMounts; mount++) {
      const time = await fromNothing(host, nextPaint, given)
      if (mount > 0) taken.push(time)
    }
    medians.push(median(taken))
    heaps.push(await heap())
  }
  await host.page.context().close()
  const bytes = [...loaded.values()]
  return {
    raw: bytes.reduce((sum, one) => sum + one.length, 0),
    gzip: bytes.reduce((sum, one) => sum + gzipped(one), 0),
    times: medians,
    heaps,
  }
}

const result = resultOf(createOrder)
const revisable = resultOf(revisableOrder)

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
async function fromNothing(host: BareHost, nextPaint: () => Promise<number>, given = result): Promise<number> {
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
  await host.remount({ result: given })
  return (await painted) - (await made)
}

/** The card stands there, a person presses the button that opens the form. */
async function fromPress(host: BareHost): Promise<number> {
  await host.remount({ result: revisable })
  const edit = host.card.getByRole('button', { name: 'Edit values' })
  await edit.waitFor()
  return edit.evaluate(
    (button) =>
      new Promise<number>((resolve) => {
        const pressed = performance.now()
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - pressed)
        // The callback runs before the frame is painted; a message posted in it arrives after.
        new MutationObserver((_, observer) => {
          if (document.querySelector('.revision') === null) return
          observer.disconnect()
          requestAnimationFrame(() => port2.postMessage(undefined))
        }).observe(document, { childList: true, subtree: true })
        ;(button as HTMLElement).click()
      }),
  )
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
  }, 'Create a')
  return () =>
    new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The card was not painted within five minutes.')), patience)
      tell = (at) => {
        clearTimeout(late)
        resolve(at)
      }
    })
}
