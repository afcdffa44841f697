// What a `data:` address of a picture holds, by its bytes: what it calls itself is a claim, and a small file can unpack to any
// size. Nothing is unpacked, so that what is whole may still be nonsense within. Of what moves there is nothing: a picture that
// changes is none that somebody has seen. Nor is there of what browsers would not draw, or would draw with other sides than its
// header has.
import { crc32 } from 'node:zlib'

/** What an address must be to have any. */
export const pictureRule =
  'must be a data: address of a PNG, a JPEG, a WebP or a GIF, by its bytes, that is whole, does not move and is not turned by its EXIF'

/** What the bytes of a picture say. */
export interface PictureFacts {
  readonly type: 'png' | 'jpeg' | 'webp' | 'gif'
  readonly width: number
  readonly height: number
}

/** Reads an address; nothing of what is no PNG, JPEG, WebP or GIF, is another one than it says, or moves. */
export function pictureFacts(address: string): PictureFacts | undefined {
  const [, type, data = ''] = /^data:image\/(png|jpeg|webp|gif);base64,([A-Za-z0-9+/]+={0,2})$/.exec(address) ?? []
  if (type === undefined) return undefined
  const bytes = Buffer.from(data, 'base64')
  // Node decodes what no browser does; a picture that nobody is shown is none.
  if (bytes.toString('base64') !== data) return undefined
  const size = sizes[type as PictureFacts['type']](bytes)
  if (size === undefined) return undefined
  const [width, height] = size
  return { type: type as PictureFacts['type'], width, height }
}

type Size = readonly [width: number, height: number]

/**
 * Whether an EXIF turns or mirrors its picture (CIPA DC-008, 4.6.5, orientation): browsers do so, and each of them in other
 * types of files.
 */
function isTurned(exif: Buffer): boolean {
  const tiff = exif.toString('latin1', 0, 4) === 'Exif' ? exif.subarray(6) : exif
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return false
  const read = (at: number, bytes: number): number => {
    if (at + bytes > tiff.length) return 0
    return order === 'II' ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes)
  }
  const directory = read(4, 4)
  const entries = Array.from({ length: read(directory, 2) }, (_, index) => directory + 2 + 12 * index)
  return entries.some((at) => read(at, 2) === 0x0112 && read(at + 8, 2) >= 2 && read(at + 8, 2) <= 8)
}

/**
 * From the chunks of a PNG (ISO/IEC 15948, 5.3), each as long as it says and with its check, up to its end; none where it moves
 * (`acTL`) or has no pixels.
 */
function pngSize(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, 16).equals(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))) return undefined
  let hasPixels = false
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at)
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return hasPixels ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)] : undefined
    if (type === 'acTL' || (type === 'IHDR' && at > 8)) return undefined
    if (type === 'eXIf' && isTurned(bytes.subarray(at + 8, end))) return undefined
    hasPixels ||= type === 'IDAT'
    at = end + 4
  }
  return undefined
}

/**
 * What stands before the picture itself: tables (DHT, DQT, DRI), what applications and people say, and a frame that browsers
 * draw. Others, such as TEM, have no length, and reading one would find another frame than a browser does.
 */
const isSegment = (marker: number): boolean =>
  isFrameHeader(marker) || [0xc4, 0xdb, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef)
const isFrameHeader = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2

/** Behind it cameras write what is theirs. */
const jpegEnd = Buffer.from('ffd9', 'hex')

/**
 * From the only frame header of a JPEG (ITU-T T.81, B.2.2), whose scan has data and an end; the segments before say how long they
 * are.
 */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  let size: Size | undefined
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const length = bytes.readUInt16BE(at + 2)
    // What follows is the picture itself.
    if (marker === 0xda) return bytes.lastIndexOf(jpegEnd) > at + 2 + length ? size : undefined
    if (!isSegment(marker) || length < 2) return undefined
    if (marker === 0xe1 && isTurned(bytes.subarray(at + 4, at + 2 + length))) return undefined
    const isFrame = isFrameHeader(marker)
    if (isFrame && size !== undefined) return undefined
    if (isFrame) size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    at += 2 + length
  }
  return undefined
}

/**
 * From the picture among the chunks of a WebP (RFC 9649, 2.3 to 2.7), each as long as it says; none where the first one says that
 * it moves, or that it has another size.
 */
function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || !/^RIFF.{4}WEBPVP8/s.test(bytes.toString('latin1', 0, 15))) return undefined
  const end = 8 + bytes.readUInt32LE(4)
  if (end > bytes.length) return undefined
  let [canvas, size]: (Size | undefined)[] = []
  let at = 12
  while (at + 8 <= end) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (at + 8 + length > end || (type === 'EXIF' && isTurned(body))) return undefined
    if (type === 'VP8X') {
      if (at > 12 || length < 10 || ((body[0] ?? 0) & 0x02) !== 0) return undefined
      canvas = [body.readUIntLE(4, 3) + 1, body.readUIntLE(7, 3) + 1]
    }
    size ??= webpFrames[type]?.(body)
    at += 8 + length + (length % 2)
  }
  return canvas === undefined || String(canvas) === String(size) ? size : undefined
}

const webpFrames: Readonly<Record<string, (body: Buffer) => Size | undefined>> = {
  'VP8 ': (body) =>
    body.length >= 10 && body.readUIntBE(3, 3) === 0x9d012a && hasFirstPart(body)
      ? [body.readUInt16LE(6) & 0x3fff, body.readUInt16LE(8) & 0x3fff]
      : undefined,
  VP8L: (body) => {
    if (body.length <= 5 || body[0] !== 0x2f) return undefined
    const packed = body.readUInt32LE(1)
    return [(packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1]
  },
}

/** Whether the first part of a lossy frame, behind its head, is as long as that says (RFC 6386, 9.1). */
function hasFirstPart(body: Buffer): boolean {
  const length = body.readUIntLE(0, 3) >>> 5
  return length > 0 && 10 + length <= body.length
}

/** From the screen of a GIF (GIF89a, 18), where it has one picture that lies inside of it: with a second one it moves. */
function gifSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 14 || !['GIF87a', 'GIF89a'].includes(bytes.toString('latin1', 0, 6))) return undefined
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)]
  let at = 13 + colourTable(bytes[10] ?? 0)
  let isSeen = false
  while (at < bytes.length) {
    const sign = bytes[at]
    // The end: what stands behind it is drawn by nobody.
    if (sign === 0x3b) return isSeen ? [width, height] : undefined
    if (sign === 0x21) {
      // One that says how to draw has four bytes (23): readers disagree on where another one ends.
      if (bytes[at + 1] === 0xf9 && bytes[at + 2] !== 4) return undefined
      at = afterBlocks(bytes, at + 2)
    } else {
      if (sign !== 0x2c || isSeen || at + 10 > bytes.length) return undefined
      const isInside =
        bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5) <= width &&
        bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7) <= height
      if (!isInside) return undefined
      isSeen = true
      const data = at + 11 + colourTable(bytes[at + 9] ?? 0)
      if ((bytes[data] ?? 0) === 0) return undefined
      at = afterBlocks(bytes, data)
    }
  }
  return undefined
}

/** Bytes of the table that these flags announce. */
const colourTable = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0)

/** Where a chain of blocks is over, each of which says how long it is. */
function afterBlocks(bytes: Buffer, from: number): number {
  let at = from
  while ((bytes[at] ?? 0) !== 0) at += 1 + (bytes[at] ?? 0)
  return at + 1
}

const sizes: Readonly<Record<PictureFacts['type'], (bytes: Buffer) => Size | undefined>> = {
  png: pngSize,
  jpeg: jpegSize,
  webp: webpSize,
  gif: gifSize,
}
