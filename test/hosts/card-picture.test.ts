// A picture on a card, in Chromium under the policy that the specification tells hosts to enforce: it is seen, it is the page
// that it says it is, and it stands in nobody's way.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { markdownBlocks } from '../../server/cards/markdown-blocks.ts'
import { pictureBlock } from '../../server/cards/picture-block.ts'
import { ok } from '../../server/errors/result.ts'
import type { Card } from '../../server/model/card.ts'
import { pictureOf } from '../../server/toolsets/pictures/pictures.ts'
import { pictureBlocks } from '../../server/toolsets/pictures/shown.ts'
import { pdfOf } from '../kit/contents.ts'
import { ada } from '../kit/toolset.ts'
import { gif } from '../server/gateway/looks/pictures.ts'
import { createOrder } from './cards.ts'
import { button, useCards } from './open-card.ts'

const open = useCards()

/** The first of two pages, with a red bar at its top. */
async function pageCard(): Promise<Card> {
  const bytes = pdfOf(['Quarter three', 'All is well.'], { pages: 2 })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const content = { type: 'application/pdf', bytes: bytes.length, sha256, read: () => Promise.resolve(ok(bytes)) }
  const blocks = pictureBlocks(await pictureOf(content, ada), 'plan.pdf')
  return { ...createOrder, blocks: [...blocks, ...createOrder.blocks] }
}

test('the first page of a file is drawn, the right way up, and need not be opened to confirm', async () => {
  const host = await open({ card: await pageCard(), width: 480 })
  const picture = host.card.getByAltText('The first page of plan.pdf')
  await picture.waitFor()
  const drawn = await picture.evaluate(async (element) => {
    const image = element as HTMLImageElement
    await image.decode()
    const canvas = document.createElement('canvas')
    ;[canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight]
    const brush = canvas.getContext('2d')
    brush?.drawImage(image, 0, 0)
    const at = (x: number, y: number) => [...(brush?.getImageData(x, y, 1, 1).data ?? [])]
    return { size: [canvas.width, canvas.height], bar: at(110, 34), paper: at(500, 700) }
  })
  expect(drawn.size).toStrictEqual([566, 800])
  const [red = 0, green = 255, blue = 255] = drawn.bar
  expect([red > 200, green < 60, blue < 60]).toStrictEqual([true, true, true])
  expect(drawn.paper).toStrictEqual([255, 255, 255, 255])
  expect(await host.card.locator('.unread').count()).toBe(0)
  await button(host, 'Create order').and(host.card.locator(':enabled')).waitFor()
})

test('it is small until somebody opens it, by a click or a key, and never wider than the card', async () => {
  const host = await open({ card: await pageCard(), width: 360 })
  const picture = host.card.getByAltText('The first page of plan.pdf')
  await picture.waitFor()
  const size = async () => await picture.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])
  expect(await size()).toStrictEqual([171, 238])
  await picture.click()
  const [width = 0, height = 0] = await size()
  expect(width).toBeGreaterThan(300)
  expect(width).toBeLessThan(360)
  expect(height / width).toBeCloseTo(800 / 566, 1)
  await host.page.keyboard.press('Enter')
  expect(await size()).toStrictEqual([171, 238])
})

test('whatever it shows, it lies in a frame with a margin, apart from the buttons of the card', async () => {
  const button = pictureBlock({ label: 'A button', alt: 'A picture of a button', data: gif(1, [300, 36]) })
  const host = await open({ card: { ...createOrder, blocks: [button, ...createOrder.blocks] }, width: 360 })
  const picture = host.card.getByAltText('A picture of a button')
  const look = await picture.evaluate(async (element) => {
    await (element as HTMLImageElement).decode()
    const { padding, borderStyle, borderWidth } = getComputedStyle(element)
    return { padding, borderStyle, borderWidth, inside: element.closest('footer, button, a') }
  })
  expect(look).toStrictEqual({ padding: '4px', borderStyle: 'solid', borderWidth: '1px', inside: null })
  await picture.click()
  expect(host.messages).toStrictEqual([])
})

test('Markdown is drawn as parts of a card, and none of it as elements of its own', async () => {
  const blocks = markdownBlocks(
    '# Notes\n\n**Bold** and `npm i`, [here](https://a.example).\n\n- one\n\n<img src=x>\n\n| A |\n|---|\n| 1 |',
  )
  const host = await open({ card: { ...createOrder, blocks } })
  const body = host.card.locator('.body')
  expect(await body.locator('b').allInnerTexts()).toStrictEqual(['Notes', 'Bold'])
  expect(await body.locator('code').allInnerTexts()).toStrictEqual(['npm i', 'https://a.example', '<img src=x>'])
  expect(await body.locator('li').allInnerTexts()).toStrictEqual(['one'])
  expect(await body.locator('table').count()).toBe(1)
  expect(await body.locator('img, a').count()).toBe(0)
})
