// What of a page Playwright has no words for, or many: the protocol of Chromium's developer tools itself.
import type { CDPSession, Page } from 'playwright-core'
import { inTime, longestMs } from './waiting.ts'

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** A session with a page, always the same. Rejects where the browser is no Chromium. */
export function devtoolsOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, known)
  return known
}

/** What a browser answers. Playwright waits without end for a page that never answers, because its script does not end. */
export const answered = <T>(work: Promise<T>): Promise<T> =>
  inTime(work, longestMs, 'the view does not answer any more')
