// Files that move, of which libvips draws a picture that need be none of those that move: what it says of their frames is 1.

/** Of a PNG that moves (PNG, third edition, 11.3.6): its frames, and whether its still picture is the first of them. */
export function pngFrames(bytes: Uint8Array): { readonly frames: number; readonly hasStill: boolean } | undefined {
  const { buffer, byteOffset, byteLength } = bytes
  const view = new DataView(buffer, byteOffset, byteLength)
  let frames: number | undefined
  let hasStill = false
  // Behind the signature; each chunk has its length, its name, its data and a sum.
  for (let at = 8; at + 12 <= byteLength; at += 12 + view.getUint32(at)) {
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (name === 'IDAT') break
    if (name === 'acTL') frames = view.getUint32(at + 8)
    hasStill ||= name === 'fcTL'
  }
  return frames === undefined ? undefined : { frames, hasStill }
}

/** Whether an AVIF says that it is a sequence (`avis`, AV1 Image File Format, 6.3); its still picture is one beside that. */
export function isSequence(bytes: Uint8Array): boolean {
  const brands = Buffer.from(bytes.subarray(8, new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)))
  return brands.toString('latin1').includes('avis')
}
