// What a person is shown of a file that is not text: how it begins, which anybody can write, how long, its digest, and these bytes.
import { createHash } from 'node:crypto'
import type { CardBlock } from '../../model/card.ts'

/** How files begin, in hexadecimal, and what does. */
const beginnings: readonly (readonly [hex: string, type: string])[] = [
  ['89504e470d0a1a0a', 'PNG picture'],
  ['ffd8ff', 'JPEG picture'],
  ['474946383', 'GIF picture'],
  ['255044462d', 'PDF document'],
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

/** Blocks of a card for bytes that are no text; `label` says which file they are of. */
export function binaryBlocks(label: string, bytes: Uint8Array): readonly CardBlock[] {
  const first = Buffer.from(bytes.subarray(0, shownBytes)).toString('hex')
  const type = beginnings.find(([hex]) => first.startsWith(hex))?.[1]
  const pairs = first.match(/../g) ?? []
  const lines = Array.from({ length: Math.ceil(pairs.length / perLine) }, (_, line) =>
    pairs.slice(line * perLine, (line + 1) * perLine).join(' '),
  )
  return [
    {
      kind: 'fields',
      fields: [
        { label, value: { kind: 'text', text: type === undefined ? 'Not text' : `Not text; begins like a ${type}` } },
        { label: 'Size', value: { kind: 'text', text: `${bytes.length} bytes` } },
        { label: 'SHA-256', value: { kind: 'code', text: digestOf(bytes) } },
      ],
    },
    { kind: 'code', label: `${label}: first bytes`, text: lines.join('\n') },
  ]
}
