// Makers of blocks are called from plain JavaScript, too, with what a database or a form has left out.
import { expect, test } from 'vitest'
import { CardError, markdownBlocks, pictureBlock } from '../../../server/index.ts'
import type { PictureParts } from '../../../server/cards/picture-block.ts'
import { onePixel } from '../../ui/arbitrary-card.ts'

const [label, alt, data] = [
  'label must be a text that says what it is a picture of, and is',
  'alt must be a text that says what it shows, and is',
  'data must be a text, the `data:` address of a PNG, a JPEG, a WebP or a GIF, and is',
]

test.each<[unknown, string]>([
  [{}, `${label} missing; ${alt} missing; ${data} missing`],
  [{ label: 'Sales', data: onePixel }, `${alt} missing`],
  [{ label: null, alt: 7, data: [onePixel] }, `${label} null; ${alt} a number; ${data} a list`],
  [{ label: 'Sales', alt: 'Sales rose', data: Buffer.from('x') }, `${data} an object`],
  [undefined, 'it must be an object, and is missing'],
  [null, 'it must be an object, and is null'],
  [onePixel, 'it must be an object, and is a text'],
  [[onePixel], 'it must be an object, and is a list'],
])('a picture of %j is refused with each part that is wrong, and how it is made', (parts, problems) => {
  const wrong = `This picture cannot be shown: ${problems}. Call pictureBlock({ label, alt, data }).`
  expect(() => pictureBlock(parts as PictureParts)).toThrow(new CardError(wrong))
})

test.each<[unknown, string]>([
  [undefined, 'missing'],
  [null, 'null'],
  [7, 'a number'],
  [{ text: 'a' }, 'an object'],
  [['a'], 'a list'],
])('Markdown that is %j is refused with what it must be', (text, kind) => {
  const wrong = `This Markdown cannot be shown: it must be a text, and is ${kind}. Call markdownBlocks(text), and leave its blocks out where there is no text.`
  expect(() => markdownBlocks(text as string)).toThrow(new CardError(wrong))
})
