// Pictures as servers send them: PNGs that browsers draw, and others as small as their formats allow, with any size in their
// header.
import { crc32, deflateSync } from 'node:zlib'

const dataOf = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`

const unsigned = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A part of a PNG, with its check. */
export const chunk = (type: string, body: Buffer = Buffer.alloc(0)): Buffer => {
  const checked = Buffer.concat([Buffer.from(type), body])
  return Buffer.concat([unsigned(body.length), checked, unsigned(crc32(checked))])
}

/** A PNG of these parts. */
export const pngOf = (...chunks: readonly Buffer[]): string =>
  dataOf('png', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]))

/** The colour of each pixel of `png`. */
export const pngColour = [200, 30, 90] as const

/** The parts of a PNG in one colour: its header, its pixels, its end. */
export const pngChunks = (width: number, height: number): readonly [Buffer, Buffer, Buffer] => {
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(3 * width, Buffer.from(pngColour))])
  return [
    chunk('IHDR', Buffer.concat([unsigned(width), unsigned(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc(row.length * height, row))),
    chunk('IEND'),
  ]
}

/** A PNG of this size. */
export const png = (width: number, height: number): string => pngOf(...pngChunks(width, height))

/** The same with a chunk that says that further pictures follow (APNG). */
export function moving(width: number, height: number): string {
  const [head, ...rest] = pngChunks(width, height)
  return pngOf(head, chunk('acTL', Buffer.concat([unsigned(2), unsigned(0)])), ...rest)
}

const segment = (marker: number, ...body: readonly number[]): readonly number[] => [
  0xff,
  marker,
  (body.length + 2) >> 8,
  (body.length + 2) & 255,
  ...body,
]
const frame = (width: number, height: number): readonly number[] =>
  segment(0xc0, 8, height >> 8, height & 255, width >> 8, width & 255, 1, 1, 0x11, 0)

/** A JPEG of these frames, with one byte for what they show. */
export const jpeg = (...sizes: readonly (readonly [number, number])[]): string => {
  const frames = sizes.flatMap(([width, height]) => frame(width, height))
  const head = [0xff, 0xd8, ...segment(0xe0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0)]
  return dataOf('jpeg', Buffer.from([...head, ...frames, ...segment(0xda, 1, 1, 0, 0, 63, 0), 0x00, 0xff, 0xd9]))
}

/** A GIF of so many pictures, each of one pixel where its screen is not said to be larger. */
export const gif = (pictures: number, [width, height]: readonly [number, number] = [1, 1]): string =>
  dataOf(
    'gif',
    Buffer.concat([
      Buffer.from('GIF89a'),
      Buffer.from([width & 255, width >> 8, height & 255, height >> 8, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
      ...Array.from({ length: pictures }, () => Buffer.from('21f904010a0000002c0000000001000100000202440100', 'hex')),
      Buffer.from([0x3b]),
    ]),
  )
