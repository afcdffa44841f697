// A picture of what is judged. It is as high as a few lines until somebody opens it: it must not push away what is signed.
import type { VNode } from 'preact'
import { Marked } from './marked.tsx'
import type { Reader } from './reader.ts'

interface PictureBlock {
  readonly label: string
  readonly alt: string
  readonly data: string
  readonly width: number
  readonly height: number
}

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
      <img src={data} alt={alt} width={width} height={height} />
    </summary>
  </details>
)
