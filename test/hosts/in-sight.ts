// Where a text stands is asked of the browser's own layout, not of a picture: each line box of each word in the card must
// lie inside the frame and inside every ancestor that would cut it off.
import type { BareHost } from './bare-host.ts'

/** Sets the frame's width, in CSS pixels, and waits until the card has been laid out for it. */
export const widen = async (host: BareHost, width: number): Promise<void> => {
  await host.page.locator('iframe').evaluate((frame, to) => (frame.style.width = `${to}px`), width)
  await host.card.locator('html').evaluate(
    (root, to) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (root.clientWidth === to) requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
          else requestAnimationFrame(look)
        }
        look()
      }),
    width,
  )
}

/** The texts of the card that are cut off sideways, each with what cuts it; empty where everything can be read. */
export const cutOff = (host: BareHost): Promise<readonly string[]> =>
  host.card.locator('main').evaluate((card) => {
    const cut: string[] = []
    const walk = document.createTreeWalker(card, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const holder = node.parentElement
      if (!holder || !node.nodeValue?.trim() || holder.closest('.sr, textarea')) continue
      // Word by word: the space at the end of a line may hang over the edge, where nobody misses it.
      for (const word of node.nodeValue.matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        for (const line of range.getClientRects()) {
          if (line.width === 0) continue
          for (let box: Element | null = holder; box; box = box.parentElement) {
            const edge = box.getBoundingClientRect()
            const cuts = box === document.documentElement || getComputedStyle(box).overflowX !== 'visible'
            if (cuts && (line.left < edge.left - 1 || line.right > edge.right + 1))
              cut.push(`${box.tagName}.${box.className} cuts ${JSON.stringify(word[0].slice(0, 40))}`)
          }
        }
      }
    }
    for (const box of [document.documentElement, ...card.querySelectorAll('*')])
      if (!box.closest('.sr, textarea, input') && box.clientWidth > 0 && box.scrollWidth > box.clientWidth + 1)
        cut.push(`${box.tagName}.${box.className} holds ${box.scrollWidth} of ${box.clientWidth} pixels`)
    return cut
  })
