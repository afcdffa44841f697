// The look of cards is their owner's as far as it can be read, and as far as it does not say something else.
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AA, contrast, type Rgb } from '../../../server/cards/contrast.ts'
import { accentProblem, lighter, themeStyle } from '../../../server/cards/theme.ts'
import { readConfigText } from '../../../server/config/file.ts'
import { effective } from '../../../server/compose/settings/config-schema-json.ts'
import { onePixel } from '../../ui/arbitrary-card.ts'
import { gif, jpeg, moving, png } from '../gateway/looks/pictures.ts'
import { runsOf } from '../../full.ts'

const colour = fc.nat(0xffffff).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb

const read = (theme: object) => readConfigText(JSON.stringify({ theme }), 'countersign.json', {})
const problemOf = (theme: object): string => {
  const config = read(theme)
  if (config.ok) throw new Error('It was accepted.')
  return config.failure.problems.map(({ message }) => message).join('\n')
}

describe('an accent', () => {
  test('is refused with the contrast that was found and the one that is needed', () => {
    expect(problemOf({ accent: '#ff8800' })).toContain(
      'theme.accent must be darker: the contrast of #ff8800 with the text upon it, which is white (#ffffff), is 2.39, and 4.5 is needed (WCAG AA)',
    )
    expect(problemOf({ accent_dark: '#303030' })).toContain(
      'theme.accent_dark must be lighter: the contrast of #303030 with the text upon it, which is nearly black (#10182c), is 1.33, and 4.5 is needed (WCAG AA)',
    )
  })

  test.each([
    '#b42318',
    '#c62828',
    '#cc0000',
    '#dc2626',
    '#dc143c',
    '#e60000',
    '#da291c',
    '#8b0000',
    '#7a1f1f',
    '#bf360c',
    '#c2410c',
    '#9a3412',
    '#b83f00',
    '#c2185b',
    '#ad1457',
    '#be185d',
    '#7f0b3b',
  ])('is refused where it looks like a deletion (%s)', (accent) => {
    expect(problemOf({ accent })).toContain(
      `theme.accent must be another: ${accent} looks like the colour of deletions`,
    )
  })

  test.each(['#ff6b6b', '#f87171', '#ff7961', '#ff4500', '#ff4f00', '#ff5100', '#ed4800', '#ff8a65'])(
    'is refused where it is any other red on dark grounds (%s)',
    (red) => {
      expect(problemOf({ accent_dark: red })).toContain('theme.accent_dark must be another')
    },
  )

  test.each([
    '#1f4fd8',
    '#0b6e4f',
    '#6b2fb3',
    '#86198f',
    '#8a5a00',
    '#4a3a38',
    '#7c4a03',
    '#b45309',
    '#b54708',
    '#a34a00',
    '#c04800',
    '#9c3f00',
    '#db2777',
  ])('is taken where it is no red, and so is what is made of it for dark grounds (%s)', (accent) => {
    expect(read({ accent }).ok).toBe(true)
  })

  test('is a red by its hue, on either ground, and its refusal says so', () => {
    const rule = 'as reds do: its hue is 37° in OKLCH, and reds have 2° to 41°'
    expect(accentProblem('#ed4800', 'dark')).toContain(`#ed4800 looks like the colour of deletions (#ff9d92), ${rule}`)
    expect(accentProblem('#9a3412', 'light')).toContain(`#9a3412 looks like the colour of deletions (#b42318), ${rule}`)
  })

  test.each(['#b9460f', '#730037', '#aa235a'])('is refused where a red would be made of it (%s)', (accent) => {
    expect(accentProblem(accent, 'light')).toBeUndefined()
    expect(problemOf({ accent })).toMatch(/theme\.accent_dark is #[0-9a-f]{6}, made of `accent`, and must be another/)
    expect(read({ accent, accent_dark: '#9fc' }).ok).toBe(true)
  })

  test('may be written in three digits', () => {
    expect(read({ accent: '#063', accent_dark: '#9fc' }).ok).toBe(true)
    expect(problemOf({ accent: '#f80' })).toContain('is 2.39')
  })

  test.each(['red', 'rgb(0, 0, 0)', '#12345', '#0b6e4f;}', '#0b6e4f80', 'var(--stop)', ''])(
    'is a colour in hexadecimal, and not %j',
    (accent) => {
      expect(problemOf({ accent })).toContain('must be a colour like "#0b6e4f"')
    },
  )

  test('that is taken can be read, and so can the one that is made of it for dark grounds', () => {
    fc.assert(
      fc.property(colour, (accent) => {
        const dark = lighter(accent)
        expect(dark).toMatch(/^#[0-9a-f]{6}$/)
        expect(contrast(rgb(dark), rgb('#10182c'))).toBeGreaterThanOrEqual(AA)
        const isTaken = contrast(rgb(accent), [255, 255, 255]) >= AA
        expect(accentProblem(accent, 'light')?.includes('WCAG') ?? false).toBe(!isTaken)
        // Of the file as of the function, but where the dark one that is made of it would be a deletion's.
        if (read({ accent }).ok) expect(isTaken).toBe(true)
      }),
      { numRuns: runsOf(300) },
    )
  })

  test('is judged by the colours that the style sheet of cards has', () => {
    const sheet = readFileSync('ui/parts/tokens.css', 'utf8')
    for (const line of [
      '--go: light-dark(#1f4fd8,',
      '--go-ink: light-dark(#fff, #10182c)',
      '--stop: light-dark(#b42318, #ff9d92)',
    ])
      expect(sheet).toContain(line)
    for (const ground of ['light', 'dark'] as const)
      expect(accentProblem(ground === 'light' ? '#1f4fd8' : '#8fb0ff', ground)).toBeUndefined()
  })
})

describe('a logo', () => {
  test.each([
    [2001, 20],
    [20, 30_000],
    [0, 20],
  ])('has as many pixels as a picture may have, and some (%i × %i are refused)', (width, height) => {
    expect(problemOf({ logo: png(width, height) })).toContain('theme.logo must have 1 to 2,000 pixels on either side')
  })

  test.each([png(280, 64), jpeg([280, 64]), gif(1, [280, 64])])('is a picture in the file itself (%#)', (logo) => {
    expect(read({ logo, logo_dark: logo }).ok).toBe(true)
  })

  test.each([
    ['an address of the web', 'https://a.example/logo.png'],
    ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['what moves', moving(8, 8)],
    ['another type than it says', onePixel.replace('png', 'jpeg')],
    ['what would end the style', `${onePixel}</style><script>`],
  ])('is refused where it is %s', (_, logo) => {
    expect(problemOf({ logo })).toContain('theme.logo must be a data: address of a PNG, a JPEG, a WebP or a GIF')
  })

  test('is refused where it is larger than a card should carry', () => {
    expect(problemOf({ logo: `data:image/png;base64,${'A'.repeat(16_000)}` })).toContain(
      'must be at most 16000 characters long; make the picture smaller',
    )
  })

  test('for dark grounds needs one for light ones', () => {
    expect(problemOf({ logo_dark: onePixel })).toContain('theme.logo_dark needs a `logo`')
  })

  test('does not fill the screen of whoever asks what is in force', () => {
    const config = read({ logo: onePixel })
    if (!config.ok) throw new Error(config.failure.message)
    const row = effective(config.value).find(({ path }) => path === 'theme.logo')
    expect(row?.shown).toBe(`${onePixel.slice(0, 40)}… (${onePixel.length} characters)`)
  })
})

test.each([-1, 17, 4.5, '8'])('corners of %j are refused', (radius) => {
  expect(problemOf({ radius })).toContain('theme.radius cannot be')
})

describe('the style of a theme', () => {
  test('is empty where nothing is set, so that the view is the one that everybody has', () => {
    expect(themeStyle({})).toBe('')
  })

  test('says nothing of colours that mean something, or that a host sets', () => {
    const style = themeStyle({ accent: '#0b6e4f', radius: 4, logo: png(280, 64), logoDark: onePixel })
    const set = [...style.matchAll(/(?<=[{;])(--[a-z-]+):/g)].map(([, name]) => name)
    expect([...new Set(set)]).toStrictEqual([
      '--go',
      '--border-radius-lg',
      '--border-radius-sm',
      '--logo',
      '--logo-ground',
    ])
    expect(style).not.toMatch(/<|https?:|@import/)
  })

  test('has the accent for light grounds alone where only the one for dark ones is set', () => {
    expect(themeStyle({ accentDark: '#fff' })).toBe(':root{--go:light-dark(#1f4fd8,#fff)}')
  })

  test('draws a wide logo no wider than a narrow card has room for', () => {
    expect(themeStyle({ logo: png(2_000, 10) })).toContain('width:168px;max-width:100%;height:24px')
    expect(themeStyle({ logo: png(10, 10) })).toContain('width:24px;')
  })
})
