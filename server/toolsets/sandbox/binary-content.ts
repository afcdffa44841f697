// What a person is shown of a file that is not text: how it begins, which anybody can write, how long, its digest, and these bytes.
import { createHash } from 'node:crypto'
import { ok } from '../../errors/result.ts'
import type { CardBlock } from '../../model/card.ts'
import type { Principal } from '../../model/principal.ts'
import { pictureOf } from '../pictures/pictures.ts'
import { noPictureValue, pictureBlocks } from '../pictures/shown.ts'

/** How files begin, in hexadecimal, and what does; with the media type of what can be shown. */
const beginnings: readonly (readonly [hex: string, what: string, type?: string])[] = [
  ['89504e470d0a1a0a', 'PNG picture', 'image/png'],
  ['ffd8ff', 'JPEG picture', 'image/jpeg'],
  ['474946383', 'GIF picture', 'image/gif'],
  ['255044462d', 'PDF document', 'application/pdf'],
  ['504b0304', 'ZIP archive (as .xlsx and .docx do)'],
  ['1f8b', 'gzip archive'],
  ['53514c69746520666f726d6174203300', 'SQLite database'],
  ['0061736d', 'WebAssembly program'],
  ['7f454c46', 'Linux program (ELF)'],
  ['4d5a', 'Windows program'],
]
const shownBytes = 64
const perLine = 16

/** SHA-256 in hexadecimal. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Blocks of a card of this principal for bytes that are no text; `label` says which file they are of. */
export async function binaryBlocks(
  label: string,
  bytes: Uint8Array,
  principal: Principal,
): Promise<readonly CardBlock[]> {
  const first = Buffer.from(bytes.subarray(0, shownBytes)).toString('hex')
  const [, what, type = ''] = beginnings.find(([hex]) => first.startsWith(hex)) ?? []
  const sha256 = digestOf(bytes)
  const drawn = await pictureOf(
    { type, bytes: bytes.length, sha256, read: () => Promise.resolve(ok(bytes)) },
    principal,
  )
  const notShown = noPictureValue(drawn)
  const pairs = first.match(/../g) ?? []
  const lines = Array.from({ length: Math.ceil(pairs.length / perLine) }, (_, line) =>
    pairs.slice(line * perLine, (line + 1) * perLine).join(' '),
  )
  return [
    {
      kind: 'fields',
      fields: [
        { label, value: { kind: 'text', text: what === undefined ? 'Not text' : `Not text; begins like a ${what}` } },
        { label: 'Size', value: { kind: 'text', text: `${bytes.length} bytes` } },
        { label: 'SHA-256', value: { kind: 'code', text: sha256 } },
        ...(notShown === undefined ? [] : [{ label: 'Picture', value: notShown }]),
      ],
    },
    ...pictureBlocks(drawn, label),
    { kind: 'code', label: `${label}: first bytes`, text: lines.join('\n') },
  ]
}
