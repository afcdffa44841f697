// A card that paints its own dark text on a host's dark page passes every other check and cannot be read.
import type { Frame } from 'playwright-core'

/** Runs in the view: the least contrast between a heading or paragraph and what lies behind it. */
const measure = `(body) => {
  const rgba = (color) => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 1
    const draw = canvas.getContext('2d')
    draw.fillStyle = color
    draw.fillRect(0, 0, 1, 1)
    return [...draw.getImageData(0, 0, 1, 1).data]
  }
  const light = ([r, g, b]) => {
    const part = (one) => (one / 255 <= 0.03928 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
  }
  // Behind a view that says it knows the dark lies the host's page; behind any other one lies white.
  const dark = getComputedStyle(document.documentElement).colorScheme.includes('dark')
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor)
      if (color[3] > 200) return color
    }
    return dark ? [18, 18, 18, 255] : [255, 255, 255, 255]
  }
  const texts = [...body.querySelectorAll('h1, h2, h3, p, td, dd, label')].filter((one) => one.innerText?.trim()).slice(0, 40)
  const contrasts = texts.map((one) => {
    const [a, b] = [light(rgba(getComputedStyle(one).color)), light(behind(one))]
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  })
  return Math.min(21, ...contrasts)
}`

/** The least contrast of the view's texts, from 1 to 21. */
export async function contrastOf(frame: Frame): Promise<number> {
  const measured: unknown = await frame.evaluate(`(${measure})(document.body)`)
  return Number(measured)
}
