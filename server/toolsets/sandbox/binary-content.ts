// What a person is shown of a file that is not text: how it begins, which anybody can write, how long, its digest, and these bytes.
import { createHash } from 'node:crypto'
import { ok } from '../../errors/result.ts'
import type { CardBlock } from '../../model/card.ts'
import type { ToolContext } from '../../tools/contract.ts'
import { pictureOf } from '../pictures/pictures.ts'
import { noPictureValue, pictureBlocks } from '../pictures/shown.ts'
import { pictureWordsIn } from '../pictures/words.ts'
import { wordsIn, type ContentKind } from './words.ts'

/** How files begin, in hexadecimal, and what does; with the media type of what can be shown. */
const beginnings: readonly (readonly [hex: string, kind: ContentKind, type?: string])[] = [
  ['89504e470d0a1a0a', 'png', 'image/png'],
  ['ffd8ff', 'jpeg', 'image/jpeg'],
  ['474946383', 'gif', 'image/gif'],
  ['255044462d', 'pdf', 'application/pdf'],
  ['504b0304', 'zip'],
  ['1f8b', 'gzip'],
  ['53514c69746520666f726d6174203300', 'sqlite'],
  ['0061736d', 'wasm'],
  ['7f454c46', 'linuxProgram'],
  ['4d5a', 'windowsProgram'],
]
const shownBytes = 64
const perLine = 16

/** SHA-256 in hexadecimal. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Blocks of a card for bytes that are no text; `label` says which file they are of. */
export async function binaryBlocks(
  label: string,
  bytes: Uint8Array,
  { principal, language }: Pick<ToolContext, 'principal' | 'language'>,
): Promise<readonly CardBlock[]> {
  const { bytes: bytesOf, export: words } = wordsIn(language)
  const pictures = pictureWordsIn(language)
  const first = Buffer.from(bytes.subarray(0, shownBytes)).toString('hex')
  const [, kind, type = ''] = beginnings.find(([hex]) => first.startsWith(hex)) ?? []
  const sha256 = digestOf(bytes)
  const drawn = await pictureOf(
    { type, bytes: bytes.length, sha256, read: () => Promise.resolve(ok(bytes)) },
    principal,
  )
  const notShown = noPictureValue(drawn, pictures)
  const pairs = first.match(/../g) ?? []
  const lines = Array.from({ length: Math.ceil(pairs.length / perLine) }, (_, line) =>
    pairs.slice(line * perLine, (line + 1) * perLine).join(' '),
  )
  return [
    {
      kind: 'fields',
      fields: [
        { label, value: { kind: 'text', text: words.binary(kind) } },
        { label: words.size, value: { kind: 'text', text: bytesOf(bytes.length) } },
        { label: 'SHA-256', value: { kind: 'code', text: sha256 } },
        ...(notShown === undefined ? [] : [{ label: pictures.label, value: notShown }]),
      ],
    },
    ...pictureBlocks(drawn, label, pictures),
    { kind: 'code', label: words.firstBytes(label), text: lines.join('\n') },
  ]
}
