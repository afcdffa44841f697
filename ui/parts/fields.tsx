// Facts with names. Also what is folded away: the fields that stay, the details that few will ask for.
import type { ComponentChildren, VNode } from 'preact'
import { Label, Marked, type Span } from './marked.tsx'
import type { Reader } from './reader.ts'
import { Spanned, Text } from './text.tsx'
import { isFolded, Value, type ShownValue } from './value.tsx'

export interface Labelled {
  readonly label: string
  readonly value: ShownValue
}

interface FieldsProps {
  readonly block: { readonly fields: readonly Labelled[] }
  readonly reader: Reader
}

export const Fields = ({ block, reader }: FieldsProps): VNode => (
  <dl class="fields">
    {block.fields.map(({ label, value }) => (
      <div>
        <dt>
          <Marked text={label} reader={reader} />
        </dt>
        <dd>
          <Value value={value} reader={reader} />
        </dd>
      </div>
    ))}
  </dl>
)

interface DetailsProps {
  readonly block: {
    readonly summary: string
    readonly fields: readonly Labelled[]
    readonly text?: string
    readonly spans?: readonly Span[]
    readonly applied?: boolean
    readonly blocks?: readonly unknown[]
  }
  readonly reader: Reader
  /** Draws the blocks inside, as the card draws its own. */
  readonly draw?: (blocks: readonly unknown[]) => ComponentChildren
}

/** What will be applied has to be opened: where its author says so, and where nobody said and it holds something long. */
export const Details = ({ block, reader, draw }: DetailsProps): VNode => {
  const { text = '', spans, blocks } = block
  const applied = block.applied ?? block.fields.some(({ value }) => isFolded(value))
  return (
    <details class={applied ? 'must' : undefined} data-read={applied ? '' : undefined}>
      <summary>
        <Label text={block.summary} reader={reader} />
      </summary>
      {block.fields.length > 0 && <Fields block={block} reader={reader} />}
      {spans ? (
        <div class="said">
          <Spanned block={{ text, spans }} reader={reader} />
        </div>
      ) : (
        text && <Text block={{ text }} reader={reader} />
      )}
      {blocks && draw?.(blocks)}
    </details>
  )
}
