// What of a page Playwright has no words for, or many: the protocol of Chromium's developer tools itself.
import type { CDPSession, Page } from 'playwright-core'

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** A session with a page, always the same. Rejects where the browser is no Chromium. */
export function devtoolsOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, known)
  return known
}
