// What a picture on a card is says its content; whatever else its address says, or however it was made, is refused.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CardError, parseCard } from '../../../server/cards/builders.ts'
import { cardPlain } from '../../../server/cards/card-plain.ts'
import { cardText } from '../../../server/cards/card-text.ts'
import { cardLimits } from '../../../server/cards/limits.ts'
import { pictureBlock } from '../../../server/cards/picture-block.ts'
import { pictureFacts } from '../../../server/cards/picture-facts.ts'
import type { Card, CardBlock } from '../../../server/model/card.ts'
import { readCard } from '../../../ui/card/read-card.ts'
import { createOrder } from '../../hosts/cards.ts'
import { runsOf } from '../../full.ts'
import { onePixel } from '../../ui/arbitrary-card.ts'
import { chunk, gif, jpeg, moving, png, pngChunks, pngOf } from '../gateway/looks/pictures.ts'

const hex = (type: string, bytes: string): string =>
  `data:image/${type};base64,${Buffer.from(bytes.replaceAll(' ', ''), 'hex').toString('base64')}`
const lossyFrame = '56503820 18000000 300100 9d012a 80020e02 0000000000000000000000000000'
const lossy = `52494646 24000000 57454250 ${lossyFrame}`
const lossless = '52494646 1a000000 57454250 5650384c 0d000000 2f 7f423000 000000000000000000'
const extended = (flags: string, size = '7f0200 0d0200', rest = lossyFrame): string => {
  const body = `57454250 56503858 0a000000 ${flags} 000000 ${size} ${rest}`
  return `52494646 ${(body.replaceAll(' ', '').length / 2).toString(16).padStart(2, '0')}000000 ${body}`
}

/** An EXIF that says which way is up (CIPA DC-008), in either order of bytes. */
const exif = (orientation: number, order: 'II' | 'MM' = 'MM'): Buffer => {
  const big = '4d4d 002a 00000008 0001 0112 0003 00000001 00XX 0000 00000000'
  const little = '4949 2a00 08000000 0100 1201 0300 01000000 XX00 0000 00000000'
  const written = (order === 'MM' ? big : little).replaceAll(' ', '')
  return Buffer.from(written.replace('XX', orientation.toString(16).padStart(2, '0')), 'hex')
}
const exifIn = {
  jpeg: (orientation: number, order?: 'II' | 'MM') => {
    const body = Buffer.concat([Buffer.from('Exif\0\0'), exif(orientation, order)])
    return jpegWith(`ffe1${(body.length + 2).toString(16).padStart(4, '0')}${body.toString('hex')}`)
  },
  png: (orientation: number, order?: 'II' | 'MM') => {
    const [head, ...rest] = pngChunks(40, 10)
    return pngOf(head, chunk('eXIf', exif(orientation, order)), ...rest)
  },
  webp: (orientation: number, order?: 'II' | 'MM') => {
    const turned = `45584946 ${exif(orientation, order).length.toString(16)}000000 ${exif(orientation, order).toString('hex')}`
    return hex('webp', extended('08', undefined, `${lossyFrame} ${turned}`))
  },
}

test.each([
  [png(48, 32), { type: 'png', width: 48, height: 32 }],
  [jpeg([640, 427]), { type: 'jpeg', width: 640, height: 427 }],
  [hex('webp', lossy), { type: 'webp', width: 640, height: 526 }],
  [hex('webp', lossless), { type: 'webp', width: 640, height: 194 }],
  [hex('webp', extended('10')), { type: 'webp', width: 640, height: 526 }],
  [gif(1), { type: 'gif', width: 1, height: 1 }],
  [gif(1, [640, 300]), { type: 'gif', width: 640, height: 300 }],
])('a picture is as large as its bytes say (%#)', (address, facts) => {
  expect(pictureFacts(address)).toStrictEqual(facts)
})

const onlyFrame = jpeg([100, 100]).split(',')[1] ?? ''
/** A JPEG with these bytes before its frame. */
const jpegWith = (bytes: string): string => {
  const whole = Buffer.from(onlyFrame, 'base64').toString('hex')
  return hex('jpeg', `${whole.slice(0, 4)}${bytes}${whole.slice(4)}`)
}
const hidden = 'ffc0000b08 2ee0 2ee0 01011100'
const drawn = Buffer.from(gif(1).split(',')[1] ?? '', 'base64').toString('hex')

const jpegHex = Buffer.from(onlyFrame, 'base64').toString('hex')
/** A JPEG without so many of its last bytes, and with others. */
const cutJpeg = (bytes: number, others = ''): string =>
  hex('jpeg', `${jpegHex.slice(0, jpegHex.length - 2 * bytes)}${others}`)
const headOnly = '56503820 0a000000 300100 9d012a 80020e02'

test('a JPEG may have something behind its end, as those of cameras do', () => {
  expect(pictureFacts(cutJpeg(0, '0000'))).toMatchObject({ width: 100 })
})

test('a JPEG has tables, words and their lengths before its frame', () => {
  expect(pictureFacts(jpegWith('fffe0004 6162 ffdd0004 0000'))).toStrictEqual({ type: 'jpeg', width: 100, height: 100 })
})

describe.each(['jpeg', 'png', 'webp'] as const)('a %s whose EXIF turns it, as browsers do', (type) => {
  test.each([2, 3, 6, 8])('is none (%i)', (orientation) => {
    expect(pictureFacts(exifIn[type](orientation))).toBeUndefined()
    expect(pictureFacts(exifIn[type](orientation, 'II'))).toBeUndefined()
  })

  test('is one where it does not', () => {
    expect(pictureFacts(exifIn[type](1))).toMatchObject({ type })
    expect(pictureFacts(exifIn[type](0, 'II'))).toMatchObject({ type })
  })
})

const [head, pixels, end] = pngChunks(8, 8)
const spoilt = Buffer.from(pixels)
spoilt.writeUInt8(spoilt.readUInt8(spoilt.length - 1) ^ 1, spoilt.length - 1)

test.each([
  ['a PNG without pixels', pngOf(head, end)],
  ['a PNG whose end is within its words', pngOf(head, pixels, chunk('tEXt', Buffer.from('IEND')))],
  ['a PNG with a wrong check', pngOf(head, spoilt, end)],
  ['a PNG with a part that is longer than itself', pngOf(head, pixels, Buffer.from('ffffffff49444154', 'hex'), end)],
  ['a PNG with two headers', pngOf(head, head, pixels, end)],
  ['a WebP that is cut', hex('webp', lossy.replaceAll(' ', '').slice(0, 80))],
  ['a WebP with a part that is longer than itself', hex('webp', lossy.replace('18000000', '1a000000'))],
  ['an extended WebP without a picture', hex('webp', extended('00', undefined, '54455854 08000000 0000000000000000'))],
  ['an extended WebP that is not as large as its picture', hex('webp', extended('00', '7f0200 0e0200'))],
  ['a JPEG with a frame behind a marker without a length', jpegWith(`ff01${hidden}`)],
  ...['ff00', 'ff01', 'ffd0', 'ffd8', 'ffd9', 'ffff', 'ffc3', 'ffc8', 'ffcc', 'ffdc', 'fff0'].map(
    (marker): [string, string] => [
      `a JPEG with ${marker} before its frame`,
      jpegWith(`${marker}000d${'00'.repeat(11)}`),
    ],
  ),
  ['a JPEG with a segment of no length', jpegWith('ffe00001')],
  ['a JPEG that ends at the head of its scan', cutJpeg(3)],
  ['a JPEG whose scan has no data', cutJpeg(3, 'ffd9')],
  ['a JPEG whose scan is not over', cutJpeg(2)],
  ['a JPEG with a scan of no length', hex('jpeg', `${jpegHex.slice(0, jpegHex.lastIndexOf('ffda'))}ffda`)],
  ['a lossy WebP that is only the head of its frame', hex('webp', `52494646 16000000 57454250 ${headOnly}`)],
  ['a lossy WebP whose first part is longer than itself', hex('webp', lossy.replace('300100', 'f00100'))],
  ['a lossy WebP whose first part is empty', hex('webp', lossy.replace('300100', '100000'))],
  [
    'a lossless WebP that is only its head',
    hex('webp', '52494646 1e000000 57454250 5650384c 05000000 2f 7f423000 00 4a554e4b 04000000 00000000'),
  ],
  ['a GIF whose picture has no data', hex('gif', drawn.replace('0202440100', '0200'))],
  ['base64 of addresses', png(48, 32).replace(/,(.{40})./, ',$1_')],
  ['base64 with too many signs of its end', `${png(8, 8)}==`],
  ['base64 that lacks a part', png(8, 8).replace(/={1,2}$/, '')],
  [
    'a PNG that does not end',
    `data:image/png;base64,${Buffer.from(png(8, 8).slice(22), 'base64').subarray(0, -12).toString('base64')}`,
  ],
  ['a GIF whose word on drawing has another length', hex('gif', drawn.replace('21f904010a000000', '21f903010a0000'))],
  ['an address', 'https://a.example/a.png'],
  ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
  ['SVG that says it is a PNG', `data:image/png;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg"/>')}`],
  ['a GIF that says it is a PNG', `data:image/png;base64,${btoa('GIF89a'.padEnd(60, '\0'))}`],
  ['a PNG that says it is a WebP', png(8, 8).replace('png', 'webp')],
  ['a PNG that moves', moving(8, 8)],
  ['a WebP that moves', hex('webp', extended('02'))],
  ['a GIF that moves', gif(2)],
  ['a GIF without a picture', gif(0)],
  ['a GIF whose picture is larger than it says', gif(1, [1, 0])],
  ['a GIF that does not end', gif(1).slice(0, -4)],
  ['a WebP of no known kind', hex('webp', lossy.replace('56503820', '56503859'))],
  ['a lossy WebP without its mark', hex('webp', lossy.replace('9d012a', '9d012b'))],
  ['a line break in it', onePixel.replace(',', ',\n')],
  ['nothing', 'data:image/png;base64,'],
])('%s is none', (_, address) => {
  expect(pictureFacts(address)).toBeUndefined()
})

test.each([
  ['an address of the web', { data: 'https://a.example/a.png' }, 'data: must be a data: address of a PNG'],
  ['another type than it says', { data: onePixel.replace('png', 'jpeg') }, 'by its bytes'],
  ['SVG', { data: 'data:image/svg+xml;base64,PHN2Zy8+' }, 'by its bytes'],
  ['no words', { alt: '' }, 'alt: must say in words what the picture shows'],
  ['too many characters', { data: `data:image/png;base64,${'A'.repeat(64_000)}` }, 'at most 64000 characters, which'],
  ['more pixels than anybody sees', { data: png(2_001, 1) }, 'width: '],
])('a tool that makes a picture of %s hears what is wrong with it', (_, wrong, sentence) => {
  const parts = { label: 'Chart', alt: 'Sales went up', data: onePixel, ...wrong }
  expect(() => pictureBlock(parts)).toThrow(CardError)
  expect(() => pictureBlock(parts)).toThrow(sentence)
})

test('a tool says what a picture shows, and not how large it is', () => {
  const parts = { label: 'Chart', alt: 'Sales went up', data: gif(1, [640, 300]) }
  expect(pictureBlock(parts)).toStrictEqual({ kind: 'picture', ...parts, width: 640, height: 300 })
  expect(readCard(parseCard(cardOf(pictureBlock(parts)))).kind).toBe('card')
})

const cardOf = (...blocks: readonly CardBlock[]): Card => ({ ...createOrder, blocks })
const block = { kind: 'picture', label: 'Page 1 of 3', alt: 'The first page of plan.pdf', width: 1, height: 1 } as const

test('whatever a card is given as a picture, only what its bytes say gets onto it, and all of that can be drawn', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .tuple(fc.constantFrom(lossy, lossless, extended('00'), '89504e470d0a1a0a0000000d49484452'), fc.uint8Array())
      .map(([head, rest]) => Buffer.concat([Buffer.from(head.replaceAll(' ', ''), 'hex'), rest])),
  )
  const address = fc
    .tuple(fc.constantFrom('png', 'jpeg', 'webp', 'gif', 'svg+xml'), bytes)
    .map(([type, content]) => `data:image/${type};base64,${Buffer.from(content).toString('base64')}`)
  const side = fc.constantFrom(1, 640, 526, 194)
  fc.assert(
    fc.property(address, side, side, (data, width, height) => {
      const card = cardOf({ ...block, data, width, height })
      const facts = pictureFacts(data)
      if (facts?.width === width && facts.height === height) expect(readCard(parseCard(card)).kind).toBe('card')
      else expect(() => parseCard(card)).toThrow(CardError)
    }),
    { numRuns: runsOf(300) },
  )
})

test('a card has so many pictures and no more, because it passes through hosts that fail on megabytes', () => {
  const pictures = Array.from({ length: cardLimits.pictures }, () => ({ ...block, data: onePixel }))
  expect(parseCard(cardOf(...pictures)).blocks).toHaveLength(4)
  expect(() => parseCard(cardOf(...pictures, { ...block, data: onePixel }))).toThrow(
    'blocks: may have at most 4 pictures',
  )
})

test('where a card is text, a picture is what it shows, and none of its bytes', () => {
  const card = cardOf({ ...block, label: 'Page 1\nof 3', alt: 'The first page of a\u202Eb.pdf', data: onePixel })
  for (const text of [cardText(card), cardPlain(card)]) {
    expect(text).toContain('Page 1 ⏎ of 3: The first page of a[U+202E]b.pdf')
    expect(text).toContain('(a picture of 1 × 1 pixels, which only a card shows)')
    expect(text).not.toContain('base64')
  }
})
