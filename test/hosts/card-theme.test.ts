// A server's own look, in Chromium under the policy that the specification tells hosts to enforce, beside the colours of a host.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { themeStyle, type CardTheme } from '../../server/cards/theme.ts'
import { cardResource } from '../../server/mcp/listing.ts'
import type { Card } from '../../server/model/card.ts'
import { longest } from '../longest.ts'
import { png, pngColour } from '../server/gateway/looks/pictures.ts'
import { createOrder } from './cards.ts'
import type { BareHost } from './bare-host.ts'
import { cutOff, widen } from './in-sight.ts'
import { button, useCards } from './open-card.ts'

const open = useCards()
const view = readFileSync(new URL('../../dist/ui/card/index.html', import.meta.url), 'utf8')
const themed = (theme: CardTheme): string => cardResource(view, themeStyle(theme)).text

/** A state that is longer than any, and a title with a long word. */
const longestHead = ['Pré-visualização · crítico', 'Bestellung der Donaudampfschifffahrtsgesellschaft ändern']

const theme = { accent: '#0b6e4f', radius: 3, logo: png(280, 70) }
const wide = { theme: 'light', locale: 'en-GB', timeZone: 'UTC' }

const lookOf = async (context: Record<string, unknown>, look: CardTheme, card: Card = createOrder, width = 480) => {
  const host = await open({ html: themed(look), context, card, width })
  const confirm = button(host, card.actions.find(({ role }) => role === 'confirm')?.label ?? '')
  await confirm.waitFor()
  const { ground, ink, corner } = await confirm.evaluate((element) => {
    const { backgroundColor, color, borderRadius } = getComputedStyle(element)
    return { ground: backgroundColor, ink: color, corner: borderRadius }
  })
  const logo = await host.card.locator('.card > header').evaluate((head) => {
    const { width: shown, height, content, backgroundColor } = getComputedStyle(head, '::before')
    return { size: [shown, height], content, ground: backgroundColor }
  })
  return { ground, ink, corner, logo: { ...logo, colour: await colourAt(host) }, host }
}

/** What is drawn in the middle of the logo. */
async function colourAt({ page, card }: BareHost): Promise<readonly number[]> {
  const head = card.locator('.card > header')
  const { x, y } = (await head.boundingBox()) ?? { x: 0, y: 0 }
  const [left, top] = await head.evaluate((element) => {
    const [{ paddingLeft, paddingTop }, logo] = [getComputedStyle(element), getComputedStyle(element, '::before')]
    return [paddingLeft, paddingTop].map(
      (edge, at) => Number.parseFloat(edge) + Number.parseFloat(at === 0 ? logo.width : logo.height) / 2,
    ) as [number, number]
  })
  return pixelOf(page, await page.screenshot({ clip: { x: x + left, y: y + top, width: 1, height: 1 } }))
}

/** What a picture of the page has there, as red, green and blue. */
const pixelOf = (page: Page, picture: Buffer, x = 0, y = 0): Promise<readonly number[]> =>
  page.evaluate(
    async ({ data, at: [left, top] }) => {
      const image = new Image()
      image.src = `data:image/png;base64,${data}`
      await image.decode()
      const canvas = document.createElement('canvas').getContext('2d')
      canvas?.drawImage(image, -left, -top)
      return [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])].slice(0, 3)
    },
    { data: picture.toString('base64'), at: [x, y] as const },
  )

describe('the look that a server gives its cards', () => {
  test('is the colour of what is confirmed, with white upon it, and a logo at the head', async () => {
    const { ground, ink, logo } = await lookOf(wide, theme)
    expect([ground, ink]).toStrictEqual(['rgb(11, 110, 79)', 'rgb(255, 255, 255)'])
    expect(logo).toStrictEqual({
      size: ['96px', '24px'],
      content: '""',
      ground: 'rgba(0, 0, 0, 0)',
      colour: [...pngColour],
    })
  })

  test('is lighter on dark grounds, with the logo on white', async () => {
    const { ground, ink, logo } = await lookOf({ ...wide, theme: 'dark' }, theme)
    expect([ground, ink]).toStrictEqual(['rgb(87, 171, 137)', 'rgb(16, 24, 44)'])
    expect([logo.ground, logo.colour]).toStrictEqual(['rgb(255, 255, 255)', [...pngColour]])
  })

  test.each([
    ['light', 118, 'darker'],
    ['dark', 154, 'lighter'],
  ] as const)('is further from the colour of the text under a pointer (%s)', async (ground, accent, way) => {
    const host = await open({ html: themed({ accent: '#767676' }), context: { ...wide, theme: ground }, width: 480 })
    const confirm = button(host, createOrder.actions.find(({ role }) => role === 'confirm')?.label ?? '')
    await vi.waitUntil(() => confirm.isEnabled(), { timeout: longest })
    // Between the edge of the button and its words.
    const drawn = async (): Promise<number> => (await pixelOf(host.page, await confirm.screenshot(), 8, 18))[0] ?? 0
    await vi.waitUntil(async () => (await drawn()) === accent, { timeout: longest })
    await confirm.hover()
    await vi.waitUntil(async () => (way === 'darker' ? (await drawn()) < accent - 8 : (await drawn()) > accent + 8), {
      timeout: longest,
    })
    expect(await confirm.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
  })

  test('has its logo on a ground of its own where the person has set all colours', async () => {
    const { host } = await lookOf(wide, theme)
    onTestFinished(() => host.page.emulateMedia({ forcedColors: null }))
    await host.page.emulateMedia({ forcedColors: 'active' })
    const ground = await host.card
      .locator('.card > header')
      .evaluate((head) => getComputedStyle(head, '::before').backgroundColor)
    expect(ground).toBe('rgb(255, 255, 255)')
  })

  test('has the colours and the logo for dark grounds that were given', async () => {
    const dark = { ...theme, accentDark: '#ffffff', logoDark: png(70, 70) }
    const { ground, logo } = await lookOf({ ...wide, theme: 'dark' }, dark)
    expect([ground, logo.ground]).toStrictEqual(['rgb(255, 255, 255)', 'rgba(0, 0, 0, 0)'])
  })

  test('goes before the corners of a host, and leaves a host its colours', async () => {
    const variables = {
      '--border-radius-lg': '14px',
      '--border-radius-sm': '14px',
      '--color-background-primary': '#fffbe8',
      '--color-text-primary': '#222222',
    }
    const { corner, host } = await lookOf({ ...wide, styles: { variables } }, theme)
    expect(corner).toBe('2px')
    const sheet = await host.card.locator('.card').evaluate((card) => {
      const { backgroundColor, borderRadius } = getComputedStyle(card)
      return [backgroundColor, borderRadius]
    })
    expect(sheet).toStrictEqual(['rgb(255, 251, 232)', '3px'])
  })

  test('leaves the colour of a deletion as it is', async () => {
    const card: Card = {
      ...createOrder,
      actions: createOrder.actions.map((action) => (action.role === 'confirm' ? { ...action, tone: 'stop' } : action)),
    }
    expect((await lookOf(wide, theme, card)).ground).toBe('rgb(180, 35, 24)')
  })

  test.each([360, 300])('leaves a state and a title of many words whole at %i pixels and less', async (first) => {
    const { host } = await lookOf(wide, { logo: png(2_000, 100) }, createOrder, first)
    await host.card.locator('.card > header').evaluate((head, [state, title]) => {
      head.querySelector('.pill')?.replaceChildren(state ?? '')
      head.querySelector('h1')?.replaceChildren(title ?? '')
    }, longestHead)
    for (const width of [first, 320, 280, 240]) {
      await widen(host, width)
      expect(
        (await cutOff(host)).filter((cut) => /header|pill|H1|HTML/i.test(cut)),
        `at ${width} pixels`,
      ).toEqual([])
      expect(await placesOf(host), `at ${width} pixels`).toStrictEqual(['::before', 'pill', 'h1'])
    }
  })

  test('has logo and state beside each other where there is room for both, and the title below them', async () => {
    const { host } = await lookOf(wide, { logo: png(2_000, 100) })
    expect(await placesOf(host)).toStrictEqual(['::before pill', 'h1'])
  })
})

/** What stands on each row of the head, from its top. */
const placesOf = (host: BareHost): Promise<readonly string[]> =>
  host.card.locator('.card > header').evaluate((head) => {
    const top = head.getBoundingClientRect().top + Number.parseFloat(getComputedStyle(head).paddingTop)
    const rows = getComputedStyle(head).gridTemplateRows.split(' ').map(Number.parseFloat)
    const gap = Number.parseFloat(getComputedStyle(head).rowGap)
    const rowOf = (element: Element | null): number => {
      const from = element?.getBoundingClientRect().top ?? 0
      let [row, end] = [0, top]
      while (row < rows.length && from >= (end += (rows[row] ?? 0) + gap) - 1) row++
      return row
    }
    const names = [['::before'], [], []] as string[][]
    names[rowOf(head.querySelector('.pill'))]?.push('pill')
    names[rowOf(head.querySelector('h1'))]?.push('h1')
    return names.map((row) => row.join(' ')).filter((row) => row !== '')
  })
