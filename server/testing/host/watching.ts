// Waiting for a view, in the view: its own document says when something has changed, so nobody has to ask again and again. As
// texts, because they run there.
import type { View } from './host-page.ts'
import { inTime, longestMs } from './waiting.ts'

const changes = '{ childList: true, characterData: true, attributes: true, subtree: true }'

const comesToText = `(least) => new Promise((resolve) => {
  const has = () => (document.body?.innerText.trim().length ?? 0) > least
  if (has()) return resolve()
  const observer = new MutationObserver(() => {
    if (!has()) return
    observer.disconnect()
    resolve()
  })
  observer.observe(document, ${changes})
})`

const settles = `(ms) => new Promise((resolve) => {
  const read = () => document.body?.innerText ?? ''
  let text = read()
  const done = () => {
    observer.disconnect()
    resolve()
  }
  let timer = setTimeout(done, ms)
  const observer = new MutationObserver(() => {
    const now = read()
    if (now === text) return
    text = now
    clearTimeout(timer)
    timer = setTimeout(done, ms)
  })
  observer.observe(document, ${changes})
})`

/**
 * Resolves once the view has drawn what it was sent: there is a text, and it stays as it is for a moment. Rejects where it is gone,
 * or nothing comes in time.
 */
export async function drawnWhole(view: View): Promise<void> {
  // One that never says that it is ready was sent nothing, and may show something all the same.
  await inTime(view.received, readyMs, late).catch(() => undefined)
  await inTime(view.frame.evaluate(`(${comesToText})(${blank})`), longestMs, late)
  await settled(view, momentMs)
}

/** So many characters are no view yet. */
const blank = 10
const late = 'nothing came in time'
const readyMs = 5_000
const momentMs = 100

/** Resolves once the view has not changed its text for so many milliseconds, or is gone. */
export const settled = (view: View, ms: number): Promise<unknown> =>
  view.frame.evaluate(`(${settles})(${ms})`).catch(() => undefined)
