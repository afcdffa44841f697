// Icons of servers: small pictures that need no network and no more time than they look like.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shownIcon } from '../../../../server/gateway/looks/server-icon.ts'
import { jpeg, moving, png } from './pictures.ts'

test.each([
  ['a PNG', png(48, 48)],
  ['a JPEG', jpeg([48, 32])],
  ['one of the largest size', png(512, 512)],
])('%s is shown', (_, src) => {
  expect(shownIcon([{ src, mimeType: 'image/x', sizes: ['any'] }])).toBe(src)
})

test.each([
  ['an address', 'https://icons.example/a.png'],
  ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
  ['a script', 'javascript:alert(1)'],
  ['a page that says it is a PNG', `data:image/png;base64,${btoa('<html><script>alert(1)</script></html>')}`],
  ['a PNG that says it is a JPEG', png(8, 8).replace('png', 'jpeg')],
  ['a PNG as wide as a wall', png(40_000, 1)],
  ['a PNG without a size', png(0, 0)],
  ['a PNG that moves', moving(8, 8)],
  ['a JPEG as high as a house', jpeg([1, 60_000])],
  ['a JPEG with two sizes', jpeg([8, 8], [60_000, 60_000])],
  ['a JPEG without a size', jpeg()],
  ['more than a card holds', `${png(8, 8)}${'A'.repeat(16_000)}`],
  ['a second part behind the picture', `${png(8, 8)}" onerror="alert(1)`],
  ['nothing', ''],
])('%s is not', (_, src) => {
  expect(shownIcon([{ src }])).toBeUndefined()
})

test('one for dark grounds is shown only where there is no other, and what is no list shows none', () => {
  const [dark, light] = [png(1, 1), png(2, 2)]
  expect(shownIcon([{ src: dark, theme: 'dark' }, { src: 'https://a.example' }, { src: light }])).toBe(light)
  expect(shownIcon([{ src: dark, theme: 'dark' }])).toBe(dark)
  for (const icons of [undefined, {}, 'x', [{}], [{ src: 1 }], [null]]) expect(shownIcon(icons)).toBeUndefined()
})

test('any bytes are looked at to an end', () => {
  const bytes = fc.uint8Array({ maxLength: 80 }).map((some) => Buffer.from([0xff, 0xd8, ...some]).toString('base64'))
  fc.assert(
    fc.property(bytes, fc.constantFrom('png', 'jpeg'), (data, type) => {
      const src = `data:image/${type};base64,${data}`
      expect([undefined, src]).toContain(shownIcon([{ src }]))
    }),
  )
})
