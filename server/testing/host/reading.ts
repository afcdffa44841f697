// Before a person signs they read: what is folded is opened, and what is longer than its box is scrolled through, screen
// by screen. A view whose button waits for that must find it in the scripted host, too.
import type { View } from './host-page.ts'

/** Runs in the view: opens what is folded, scrolls each box on by its height, and answers whether it found either. */
const readOn = `(body) => new Promise((resolve) => {
  let moved = false
  for (const fold of body.querySelectorAll('details:not([open]) > summary')) {
    if (!fold.checkVisibility()) continue
    fold.click()
    moved = true
  }
  for (const box of body.querySelectorAll('*')) {
    if (box.scrollHeight <= box.clientHeight + 1 || box.tagName === 'TEXTAREA') continue
    if (!/auto|scroll/.test(getComputedStyle(box).overflowY)) continue
    const from = box.scrollTop
    box.scrollBy({ top: box.clientHeight, behavior: 'instant' })
    moved ||= box.scrollTop > from
  }
  requestAnimationFrame(() => setTimeout(() => resolve(moved)))
})`

/** A view that has something new at every end is not read to its end. */
const most = 1_000

/** Reads a view to its end. Answers whether there was anything that was not in sight before. */
export async function readThrough({ frame }: View): Promise<boolean> {
  let steps = 0
  while (steps < most && (await frame.evaluate(`(${readOn})(document.body)`)) === true) steps += 1
  return steps > 0
}
