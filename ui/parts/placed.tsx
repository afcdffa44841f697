// A sentence of ours around something that is drawn: a word to type, a place in a document. It keeps its own direction.
import type { ComponentChildren, VNode } from 'preact'

interface PlacedProps {
  /** With `{0}` where the children stand. */
  readonly sentence: string
  readonly children: ComponentChildren
}

export const Placed = ({ sentence, children }: PlacedProps): VNode => (
  <>
    {sentence.split('{0}').map((part, index) => (
      <>
        {index > 0 && children}
        {part}
      </>
    ))}
  </>
)
