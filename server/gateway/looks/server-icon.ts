// The icon of a server, where its card may show one (ADR 50). Icons come from the server, so a picture proves nothing: one is
// shown only of a server that the operator's own settings lead to, and only one that needs no network and cannot draw what it
// likes. SVG can take a browser's time without end, and an address would tell its owner who looks at which call.
import { z } from 'zod'
import { cardLimits } from '../../cards/limits.ts'

/** Pixels of either side: a small file can unpack to any size. */
const widest = 512

const iconsSchema = z.array(z.looseObject({ src: z.string(), theme: z.string().optional() })).max(50)

/** The first icon that can be shown, as a `data:` address of a PNG or a JPEG; one for dark grounds only if there is no other. */
export function shownIcon(icons: unknown): string | undefined {
  const read = iconsSchema.safeParse(icons)
  if (!read.success) return undefined
  const inOrder = read.data.toSorted((a, b) => Number(a.theme === 'dark') - Number(b.theme === 'dark'))
  return inOrder.map(({ src }) => src).find(isShown)
}

function isShown(src: string): boolean {
  if (src.length > cardLimits.icon) return false
  const [, type, data = ''] = /^data:image\/(png|jpeg);base64,([\w+/]+=*)$/.exec(src) ?? []
  const bytes = Buffer.from(data, 'base64')
  const size = type === 'png' ? pngSize(bytes) : type === 'jpeg' ? jpegSize(bytes) : undefined
  return size !== undefined && size.every((pixels) => pixels >= 1 && pixels <= widest)
}

type Size = readonly [width: number, height: number]

/** From the header that begins a PNG (ISO/IEC 15948, 11.2.2); none where it moves (`acTL`), which draws the eye from the call. */
const pngSize = (bytes: Buffer): Size | undefined =>
  bytes.length > 32 &&
  !bytes.includes('acTL') &&
  bytes.subarray(0, 16).equals(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
    ? [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
    : undefined

/** From the only frame header of a JPEG (ITU-T T.81, B.2.2); the segments before it say how long they are. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  let at = 2
  let size: Size | undefined
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // What follows is the picture itself.
    if (marker === 0xda) return size
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame && size !== undefined) return undefined
    if (isFrame) size = [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}
