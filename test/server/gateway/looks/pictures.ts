// Pictures as servers send them: as small as their formats allow, with any size in their header.

const dataOf = (type: string, bytes: Buffer): string => `data:image/${type};base64,${bytes.toString('base64')}`

const one = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A PNG that says that it is so large. */
export function png(width: number, height: number): string {
  const bytes = Buffer.from(one, 'base64')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return dataOf('png', bytes)
}

/** The same with a chunk that says that further pictures follow (APNG). */
export function moving(width: number, height: number): string {
  const bytes = Buffer.from(png(width, height).split(',')[1] ?? '', 'base64')
  const control = Buffer.from('000000086163544c0000000200000000f38d9370', 'hex')
  return dataOf('png', Buffer.concat([bytes.subarray(0, 33), control, bytes.subarray(33)]))
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

/** The segments of a JPEG, up to its picture. */
export const jpeg = (...sizes: readonly (readonly [number, number])[]): string => {
  const frames = sizes.flatMap(([width, height]) => frame(width, height))
  const head = [0xff, 0xd8, ...segment(0xe0, ...Buffer.from('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0)]
  return dataOf('jpeg', Buffer.from([...head, ...frames, ...segment(0xda, 1, 1, 0, 0, 63, 0), 0xff, 0xd9]))
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
