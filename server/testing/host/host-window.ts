// A window of the browser in which hosts are played one after the other. Opening one, and the processes that a browser starts for
// it, costs more than a journey in it; so a window is cleared and used again by the next host of its kind.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Browser, Frame, Page } from 'playwright-core'
import { z } from 'zod'
import { answered, devtoolsOf } from './devtools.ts'
import type { HostProfile } from './profiles.ts'
import { openViewServer, type ViewServer } from './view-server.ts'

export interface HostWindow {
  readonly page: Page
  /** Takes what the browser has to complain about. */
  onComplaint: (text: string) => void
  /** Draws a view in a frame of this id, whose messages go to the wire. */
  draw(id: string, wire: Transport, view: { readonly body: string; readonly policy: string }): Promise<Frame>
  tell(id: string, message: string): Promise<void>
  resize(id: string, height: number): Promise<void>
  /** An id that no view of this window has had. */
  newId(): string
  /** Takes a view away. */
  drop(id: string): Promise<void>
  /** Takes all views away. */
  clear(): Promise<void>
  close(): Promise<void>
}

/** A message of a view, as text: scripts of a view can call the binding, too. */
const heardSchema = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return ctx.addIssue('is not JSON')
    }
  })
  .pipe(z.object({ id: z.string(), message: JSONRPCMessageSchema }))

/** What a window must be like for this host: hosts of one kind can follow each other. */
export const windowKind = (profile: HostProfile): string =>
  `${profile.theme} ${needsClock(profile) ? 'clock' : 'real time'}`

/** Only hosts that keep the person waiting need a clock that can be moved; a view's own timers run on it. */
const needsClock = ({ message }: HostProfile): boolean => message === 'hang' || message === 'lose'

/** Opens a window for hosts of the kind of this one. */
export async function openWindow(browser: Browser, profile: HostProfile, views: ViewServer): Promise<HostWindow> {
  const dark = profile.theme === 'media'
  const context = await browser.newContext({
    viewport: { width: 520, height: 900 },
    locale: 'en-GB',
    colorScheme: dark ? 'dark' : 'light',
  })
  const page = await context.newPage()
  // A function that Playwright exposes answers each message by another one.
  const devtools = await devtoolsOf(page)
  const wires = new Map<string, Transport>()
  let made = 0
  const run = async (
    name: 'draw' | 'tell' | 'resize' | 'drop' | 'dropAll',
    ...values: readonly unknown[]
  ): Promise<void> => {
    const expression = `${name}(${values.map((value) => JSON.stringify(value)).join(',')})`
    const { exceptionDetails: thrown } = await answered(
      devtools.send('Runtime.evaluate', { expression, awaitPromise: true }),
    )
    if (thrown !== undefined) throw new Error(`The host page failed: ${thrown.exception?.description ?? thrown.text}`)
  }
  const opened: HostWindow = {
    page,
    onComplaint: () => undefined,
    draw: async (id, wire, view) => {
      const url = views.serve(view)
      wires.set(id, wire)
      const isIt = (frame: Frame): boolean => frame.name() === id && frame.url() === url
      // A frame in another process is known a little later than it has loaded.
      const come = page.waitForEvent('framenavigated', { predicate: isIt })
      const [frame] = await Promise.all([come, run('draw', id, url)])
      return frame
    },
    tell: (id, message) => run('tell', id, message),
    resize: (id, height) => run('resize', id, height),
    drop: async (id) => {
      wires.delete(id)
      await run('drop', id)
    },
    newId: () => `view-${(made += 1)}`,
    clear: async () => {
      wires.clear()
      await run('dropAll')
    },
    close: () => context.close(),
  }
  page.on('pageerror', (error) => opened.onComplaint(error.message))
  page.on('console', (line) => {
    if (line.type() === 'error') opened.onComplaint(line.text())
  })
  if (needsClock(profile)) await page.clock.install()
  await page.goto(views.hostUrl(dark))
  devtools.on('Runtime.bindingCalled', ({ name, payload }) => {
    const heard = name === 'hear' ? heardSchema.safeParse(payload).data : undefined
    if (heard !== undefined) wires.get(heard.id)?.onmessage?.(heard.message)
  })
  await devtools.send('Runtime.addBinding', { name: 'hear' })
  return opened
}

/** Windows that are free, by their kind. */
export interface Windows {
  take(profile: HostProfile): Promise<HostWindow>
  /** Clears a window for the next host. */
  give(profile: HostProfile, window: HostWindow): Promise<void>
  close(): Promise<void>
}

/** Windows of a browser that are used again. */
export async function openWindows(browser: Browser): Promise<Windows> {
  const views = await openViewServer()
  const free = new Map<string, HostWindow[]>()
  return {
    take: async (profile) => free.get(windowKind(profile))?.pop() ?? (await openWindow(browser, profile, views)),
    give: async (profile, window) => {
      window.onComplaint = () => undefined
      await window.clear()
      const kind = windowKind(profile)
      free.set(kind, [...(free.get(kind) ?? []), window])
    },
    close: async () => {
      await Promise.all([...free.values()].flat().map((window) => window.close()))
      await views.close()
    },
  }
}
