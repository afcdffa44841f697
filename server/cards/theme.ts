// What the cards of a server may have of their owner: the colour of what is confirmed, the roundness of corners, a logo. Nothing
// else: colours that say something (a deletion, a warning) say the same on every card, and the others are the host's (ADR 98).
import { AA, contrast, linear, type Rgb } from './contrast.ts'
import { pictureFacts } from './picture-facts.ts'

/** The look of the cards of a server. Each may be left out. */
export interface CardTheme {
  /** Colour of the button that confirms, on light grounds: `#0b6e4f`. White text stands on it. */
  readonly accent?: string | undefined
  /** The same on dark grounds, with nearly black text; a lighter `accent` when absent. */
  readonly accentDark?: string | undefined
  /** Corners of the card, in pixels: 0 to 16. Buttons and fields have three fifths of it. The host's when absent. */
  readonly radius?: number | undefined
  /** `data:` address of a PNG, JPEG, WebP or GIF of at most 16,000 characters, which stands at the head of each card. */
  readonly logo?: string | undefined
  /** The same for dark grounds; `logo` on white when absent. */
  readonly logoDark?: string | undefined
}

/** What the style sheet of cards has (`ui/parts/tokens.css`): the text upon the accent, and the colour of deletions. */
const sheet = {
  light: { ink: '#ffffff', stop: '#b42318', text: 'white' },
  dark: { ink: '#10182c', stop: '#ff9d92', text: 'nearly black' },
} as const

/** Three or six digits of hexadecimal. */
export const hexColour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Why this colour cannot be the accent on such grounds; nothing where it can. */
export function accentProblem(colour: string, ground: 'light' | 'dark'): string | undefined {
  const { ink, stop, text } = sheet[ground]
  const found = contrast(rgbOf(colour), rgbOf(ink))
  if (found < AA)
    return `must be ${ground === 'light' ? 'darker' : 'lighter'}: the contrast of ${colour} with the text upon it, which is ${text} (${ink}), is ${rounded(found)}, and ${AA} is needed (WCAG AA)`
  const red = redOf(colour)
  if (red === undefined && distance(colour, stop) >= alike) return undefined
  return `must be another: ${colour} looks like the colour of deletions (${stop})${red === undefined ? '' : `, as reds do: its hue is ${Math.round(red)}° in OKLCH, and reds have ${reds[0]}° to ${reds[1]}°`}. That colour means something on every card`
}

/** Downwards, so that what fails by a hair does not read as what is needed. */
const rounded = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2)

/** Colours in OKLab that are nearer to each other are taken for one another in passing. */
const alike = 0.06

/**
 * Any red says what the red of deletions says, however light or dark, and on either ground: from raspberry to orange-red, from
 * this chroma on. Pink, brown and dark orange are colours of their own. In degrees of OKLCH.
 */
const reds = [2, 41] as const
const coloured = 0.08

/** The hue of a red; nothing of any other colour. */
function redOf(colour: string): number | undefined {
  const [, a, b] = labOf(rgbOf(colour))
  const hue = Math.atan2(b, a) * (180 / Math.PI)
  return Math.hypot(a, b) > coloured && hue >= reds[0] && hue <= reds[1] ? hue : undefined
}

const distance = (one: string, other: string): number => {
  const [a, b] = [labOf(rgbOf(one)), labOf(rgbOf(other))]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

type Lab = readonly [lightness: number, a: number, b: number]

/** OKLab (B. Ottosson, 2020), in which distances are as people see them. */
function labOf([red, green, blue]: Rgb): Lab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function rgbOf(colour: string): Rgb {
  const digits = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as unknown as Rgb
}

/** More than is needed: beside the text of a dark card, a colour that just passes looks dull. */
const wanted = 6

/** An accent for dark grounds of one for light ones: the same hue, as light as its text needs. */
export function lighter(colour: string): string {
  const [lightness, a, b] = labOf(rgbOf(colour))
  for (let light = lightness; light < 1; light += 0.02) {
    const raised = rgbIn([light, a, b])
    if (contrast(raised, rgbOf(sheet.dark.ink)) >= wanted)
      return `#${raised.map((part) => part.toString(16).padStart(2, '0')).join('')}`
  }
  return '#ffffff'
}

/** The way back; what no screen can show is cut to what it can. */
function rgbIn([lightness, a, b]: Lab): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((light) => {
    const share = light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
    return Math.round(Math.min(1, Math.max(0, share)) * 255)
  }) as unknown as Rgb
}

/** Pixels: a line of the title is as high, and a name in letters is not as wide as the narrowest card. */
const logoHeight = 24
const logoWidth = 168

/**
 * The style that goes into the view, behind its own; empty where nothing is set. The theme's names are ours, which no host
 * sets, but for the radius: what somebody has set goes before what a host says of all its views.
 */
export function themeStyle({ accent, accentDark, radius, logo, logoDark }: CardTheme): string {
  const root = [
    ...(accent === undefined && accentDark === undefined
      ? []
      : [`--go:light-dark(${accent ?? '#1f4fd8'},${accentDark ?? lighter(accent ?? '#1f4fd8')})`]),
    ...(radius === undefined
      ? []
      : [`--border-radius-lg:${radius}px!important`, `--border-radius-sm:${Math.round((radius * 3) / 5)}px!important`]),
    ...(logo === undefined ? [] : [`--logo:url(${logo})`, '--logo-ground:light-dark(#0000,#fff)']),
  ]
  return [
    ...(root.length === 0 ? [] : [`:root{${root.join(';')}}`]),
    ...(logo === undefined ? [] : [logoRules(logo)]),
    ...(logoDark === undefined || logo === undefined
      ? []
      : [
          `:root[style*="color-scheme: dark"]{--logo:url(${logoDark});--logo-ground:#0000}`,
          '@media (forced-colors:active){:root[style*="color-scheme: dark"] .card>header::before{--logo-ground:#000}}',
        ]),
  ].join('\n')
}

/**
 * Beside the state of the card and above its title, as wide as its picture; on its ground it has a margin. Where the view has
 * one column (`ui/parts/parts.css`), logo, state and title stand below one another.
 */
function logoRules(logo: string): string {
  const { width, height } = pictureFacts(logo) ?? { width: 1, height: 1 }
  const shown = Math.min(logoWidth, Math.max(1, Math.round((width / height) * logoHeight)))
  return [
    '.card>header{grid-template-columns:minmax(0,1fr) auto}',
    `.card>header::before{content:"";grid-area:1/1;width:${shown}px;max-width:100%;height:${logoHeight}px;margin-bottom:8px;border-radius:2px;background:var(--logo) center/contain no-repeat var(--logo-ground);box-shadow:0 0 0 3px var(--logo-ground)}`,
    '.card>header>h1{grid-column:1/-1}',
    '.card>header>.pill{grid-area:1/2;justify-self:end}',
    '@container (max-width:400px){.card>header{grid-template-columns:minmax(0,1fr)}.card>header>.pill{grid-area:2/1;justify-self:start}}',
    // There the ground of a card may be of any colour, whatever the host says of light and dark.
    '@media (forced-colors:active){.card>header::before{forced-color-adjust:none;--logo-ground:#fff}}',
  ].join('')
}
