// Real contents of files, made here: a PNG of any size, a PDF of any pages, and what hostile senders make of both.
import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(data.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}

type Colour = readonly [red: number, green: number, blue: number]

const pngOf = (
  width: number,
  height: number,
  deflated: Uint8Array,
  before: readonly Buffer[] = [],
): Buffer<ArrayBuffer> => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits of red, green and blue.
  header.set([8, 2], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    ...before,
    chunk('IDAT', deflated),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG whose pixels are these. */
export function pngFile(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Buffer<ArrayBuffer> {
  const row = width * 3 + 1
  const pixels = Buffer.alloc(row * height)
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) pixels.set(colourAt(x, y), y * row + 1 + x * 3)
  return pngOf(width, height, deflateSync(pixels))
}

/** A PNG that says that it is so large, with next to nothing in it. */
export const pngClaiming = (width: number, height: number): Buffer<ArrayBuffer> =>
  pngOf(width, height, deflateSync(Buffer.alloc(1000)))

/** A black PNG that says that it moves, in so many frames; its still picture is the first of them, or none. */
export function pngMoving(frames: number, { still }: { readonly still: boolean }): Buffer<ArrayBuffer> {
  const plays = Buffer.alloc(8)
  plays.writeUInt32BE(frames, 0)
  const frame = Buffer.alloc(26)
  frame.writeUInt32BE(2, 4)
  frame.writeUInt32BE(2, 8)
  const before = [chunk('acTL', plays), ...(still ? [chunk('fcTL', frame)] : [])]
  return pngOf(2, 2, deflateSync(Buffer.alloc(2 * 7)), before)
}

/** An object of a PDF: its dictionary, and its stream where it has one. */
type PdfObject = readonly [dictionary: string, stream?: Uint8Array]

/** A PDF of these objects, the first of which is its catalogue, with a table of where they are. */
export function pdfFile(objects: readonly PdfObject[], trailer = ''): Buffer<ArrayBuffer> {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]?.length ?? 0
  const places = objects.map(([dictionary, stream], at) => {
    const place = length
    const part = Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n${dictionary}\n`),
      ...(stream === undefined ? [] : [Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')]),
      Buffer.from('endobj\n'),
    ])
    parts.push(part)
    length += part.length
    return place
  })
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(table + end)])
}

const streamOf = (content: Uint8Array, dictionary = ''): PdfObject => [
  `<< /Length ${content.length} ${dictionary} >>`,
  content,
]

/** A page with these lines in it, and further pages that are empty. */
export function pdfOf(
  lines: readonly string[],
  { pages = 1, size = '0 0 595 842', trailer = '' } = {},
): Buffer<ArrayBuffer> {
  const shown = lines
    .map((line, at) => `BT /F1 ${at === 0 ? 24 : 12} Tf 60 ${760 - at * 26} Td (${line}) Tj ET`)
    .join('\n')
  const page = (at: number): PdfObject => [
    `<< /Type /Page /Parent 2 0 R /MediaBox [${size}] /Resources << /Font << /F1 3 0 R >> >>${at === 0 ? ' /Contents 4 0 R' : ''} >>`,
  ]
  const kids = Array.from({ length: pages }, (_, at) => `${at + 5} 0 R`).join(' ')
  return pdfFile(
    [
      ['<< /Type /Catalog /Pages 2 0 R >>'],
      [`<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`],
      ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
      streamOf(Buffer.from(`1 0 0 rg 60 800 120 12 re f\n0 g\n${shown}`)),
      ...Array.from({ length: pages }, (_, at) => page(at)),
    ],
    trailer,
  )
}

interface PdfShowing {
  /** What draws the picture. */
  readonly within?: 'page' | 'form' | 'annotation'
  /** So many bytes more, which nothing shows and a reader keeps. */
  readonly spare?: number
}

/** A page that is one picture. */
const pdfShowing = (
  side: number,
  pixels: Uint8Array,
  how: string,
  { within = 'page', spare = 0 }: PdfShowing = {},
): Buffer<ArrayBuffer> => {
  const draws = (object: number): string => `/Resources << /XObject << /I ${object} 0 R >> >>`
  const drawn = Buffer.from('q 600 0 0 600 0 0 cm /I Do Q')
  const stamp = '/Annots [<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 600 600] /AP << /N 6 0 R >> >>]'
  const page = {
    page: `${draws(5)} /Contents 4 0 R`,
    form: `/Resources << /XObject << /I 6 0 R >> >> /Contents 7 0 R`,
    annotation: stamp,
  }[within]
  return pdfFile([
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Kids [3 0 R] /Count 1 >>'],
    [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] ${page} >>`],
    streamOf(drawn),
    streamOf(pixels, `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} ${how}`),
    streamOf(drawn, `/Type /XObject /Subtype /Form /BBox [0 0 600 600] ${draws(5)}`),
    streamOf(Buffer.from('/I Do')),
    streamOf(Buffer.alloc(spare)),
  ])
}

/** A page that is one picture of so many pixels, all of them white: a few kilobytes that unpack to gigabytes. */
export const pdfBomb = (side: number): Buffer<ArrayBuffer> =>
  pdfShowing(
    side,
    deflateSync(Buffer.alloc(1_000_000, 255)),
    '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode',
  )

/** A page that is one black picture of so many pixels, an eighth of a byte each, all of which a reader needs at once. */
export function pdfBlack(side: number, options?: PdfShowing): Buffer<ArrayBuffer> {
  // JBIG2 (ITU-T T.88, 7.4.8): one segment, of a page whose pixels are black where nothing else is said.
  const segment = Buffer.alloc(30)
  segment.set([48, 0, 1], 4)
  segment.writeUInt32BE(19, 7)
  segment.writeUInt32BE(side, 11)
  segment.writeUInt32BE(side, 15)
  segment[27] = 4
  return pdfShowing(side, segment, '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode', options)
}

/** A PDF that asks for a password. */
export const pdfLocked = (): Buffer<ArrayBuffer> => {
  const id = `<${'0'.repeat(32)}>`
  const keys = `/Filter /Standard /V 1 /R 2 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> /P -4`
  return pdfOf(['Salaries'], { trailer: `/ID [${id} ${id}] /Encrypt << ${keys} >>` })
}

/** A ZIP with these files, or the same one under many names. */
export function zipFile(names: readonly string[], content: Uint8Array): Buffer<ArrayBuffer> {
  const packed = deflateRawSync(content)
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(8, 4)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(packed.length, 14)
  facts.writeUInt32LE(content.length, 18)
  const parts: Buffer[] = []
  const places: Buffer[] = []
  let at = 0
  for (const name of names) {
    facts.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), facts, Buffer.from(name), packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    places.push(Buffer.concat([Buffer.from('504b01021400', 'hex'), facts, place, Buffer.from(name)]))
    parts.push(local)
    at += local.length
  }
  const directory = Buffer.concat(places)
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, directory, end])
}

/** An archive of archives of archives, a few kilobytes that unpack to four gigabytes. */
export function zipBomb(name = (at: number): string => `${at}.zip`): Buffer<ArrayBuffer> {
  const sixteen = Array.from({ length: 16 }, (_, at) => name(at))
  const leaves = zipFile(sixteen, Buffer.alloc(16 * 1024 * 1024))
  return zipFile(sixteen, leaves)
}
