// A chart as a file, as somebody puts it into a report: its title, its legend and the drawing, in the colours of the page. A
// canvas has no stylesheet, so what the looks and the ink are is read from elements that have one.
import type { Part } from './charts.tsx'

export interface Ink {
  readonly text: string
  readonly strong: string
  readonly line: string
  readonly page: string
  readonly font: string
}

/** The colours of drawings in this figure. */
export const inkOf = (figure: Element): Ink =>
  probed(figure, document.createElement('div'), 'plot', (style) => ({
    text: style.color,
    strong: style.outlineColor,
    line: style.borderTopColor,
    page: style.backgroundColor,
    font: style.fontFamily,
  }))

/** The colour of a look. */
export const fillOf = (figure: Element, look: string): string =>
  probed(figure, document.createElementNS('http://www.w3.org/2000/svg', 'svg'), look, ({ fill }) => fill)

/** It is gone again before anything is painted. */
function probed<T>(into: Element, probe: Element, look: string, read: (style: CSSStyleDeclaration) => T): T {
  probe.setAttribute('class', look)
  into.append(probe)
  const found = read(getComputedStyle(probe))
  probe.remove()
  return found
}

interface PictureOptions {
  readonly title: string
  readonly keys: readonly { readonly label: string; readonly colour: string }[]
  readonly ink: Ink
  /** Of the drawing, in pixels of the page. */
  readonly width: number
  readonly height: number
  readonly draw: (ctx: CanvasRenderingContext2D) => void
}

const MARGIN = 16
const HEAD = 60

/** Draws it; `draw` begins at the upper left corner of the drawing. */
export function pictureOf({ title, keys, ink, width, height, draw }: PictureOptions): Promise<Blob | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * MARGIN) * devicePixelRatio
  canvas.height = (height + HEAD + MARGIN) * devicePixelRatio
  const ctx = canvas.getContext('2d')
  if (ctx === null) return Promise.resolve(undefined)
  ctx.scale(devicePixelRatio, devicePixelRatio)
  ctx.fillStyle = ink.page
  ctx.fillRect(0, 0, canvas.width, canvas.height)
  ctx.textBaseline = 'middle'
  ctx.fillStyle = ink.strong
  ctx.font = `600 15px ${ink.font}`
  ctx.fillText(title, MARGIN, 20)
  ctx.font = `12px ${ink.font}`
  let x = MARGIN
  for (const { label, colour } of keys) {
    ctx.fillStyle = colour
    ctx.fillRect(x, 39, 10, 10)
    ctx.fillStyle = ink.text
    ctx.fillText(label, x + 15, 44)
    x += ctx.measureText(label).width + 31
  }
  ctx.translate(MARGIN, HEAD)
  draw(ctx)
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob ?? undefined), 'image/png'))
}

/** A bar with its name before it and its number behind it. */
export interface RowBar {
  readonly name: string
  readonly parts: readonly Part[]
  readonly text: string
}

const ROW = 26

/** Bars one below the other, the longest as wide as there is room. */
export function pictureOfRows(
  figure: Element,
  { title, rows, most }: { readonly title: string; readonly rows: readonly RowBar[]; readonly most: number },
): Promise<Blob | undefined> {
  const ink = inkOf(figure)
  const looks = [...new Map(rows.flatMap(({ parts }) => parts).map((part) => [part.look, part.label]))]
  const colours = new Map(looks.map(([look]) => [look, fillOf(figure, look)]))
  const [names, bars, texts] = [220, 560, 160]
  return pictureOf({
    title,
    keys: looks.map(([look, label]) => ({ label, colour: colours.get(look) ?? ink.text })),
    ink,
    width: names + bars + texts,
    height: rows.length * ROW,
    draw: (ctx) => {
      for (const [at, { name, parts, text }] of rows.entries()) {
        const y = at * ROW
        ctx.fillStyle = ink.strong
        ctx.fillText(name, 0, y + ROW / 2, names - 12)
        let x = names
        for (const { look, value } of parts) {
          const width = (value / Math.max(1, most)) * bars
          ctx.fillStyle = colours.get(look) ?? ink.text
          ctx.fillRect(x, y + 6, Math.max(0, width - 1), ROW - 12)
          x += width
        }
        ctx.fillStyle = ink.text
        ctx.fillText(text, names + bars + 12, y + ROW / 2, texts - 12)
      }
    },
  })
}
