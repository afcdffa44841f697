// A picture of what is judged. It is as high as a few lines until somebody opens it: it must not push away what is signed.
import type { VNode } from 'preact'
import { Marked, splitUnseen } from './marked.tsx'
import type { Reader } from './reader.ts'

interface PictureBlock {
  readonly label: string
  readonly alt: string
  readonly data: string
  readonly width: number
  readonly height: number
}

/** For the ear, and where it is not drawn: what cannot be seen by its code point, as in every other text. */
const said = (text: string): string =>
  splitUnseen(text, false)
    .map((part) => (typeof part === 'string' ? part : `${part.letter ?? ''}[${part.code}]`))
    .join('')

export const Picture = ({
  block: { label, alt, data, width, height },
  reader,
}: {
  readonly block: PictureBlock
  readonly reader: Reader
}): VNode => (
  <details class="picture">
    <summary>
      <Marked text={label} reader={reader} />
      <img src={data} alt={said(alt)} width={width} height={height} />
    </summary>
  </details>
)
