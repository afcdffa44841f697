// How well a text can be read upon its ground. The server asks it of colours that somebody sets, the view of those of its host,
// so this file has no imports.

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number]

/** What a text needs (WCAG 2, level AA). */
export const AA = 4.5

/** Of light that adds up: half of it is half as bright. */
export const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = ([r, g, b]: Rgb): number => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)

/** Contrast ratio of WCAG 2. */
export const contrast = (a: Rgb, b: Rgb): number => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}
