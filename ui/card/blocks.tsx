// A block of the card document meets the piece that draws it. The record is exhaustive and each entry is typed by its
// own block, so a new kind in the document, or a value that no piece can show, does not compile.
import type { ComponentChildren, VNode } from 'preact'
import { Alert } from '../parts/alert.tsx'
import { Diff } from '../parts/diff.tsx'
import { Details, Fields } from '../parts/fields.tsx'
import { Lines, Table } from '../parts/lines.tsx'
import { Marked, Prose, Quote } from '../parts/marked.tsx'
import { Pages } from '../parts/pages.tsx'
import { People } from '../parts/people.tsx'
import { Picture } from '../parts/picture.tsx'
import type { Reader } from '../parts/reader.ts'
import { Metrics, Progress, Steps } from '../parts/steps.tsx'
import { Code, Effects, Links, Text } from '../parts/text.tsx'
import type { Card, CardBlock } from '../../server/model/card.ts'

type Pieces = {
  readonly [K in CardBlock['kind']]: (props: {
    readonly block: Extract<CardBlock, { kind: K }>
    readonly reader: Reader
    readonly draw: (blocks: readonly unknown[]) => ComponentChildren
  }) => VNode
}

const pieces = {
  text: Text,
  effects: Effects,
  fields: Fields,
  diff: Diff,
  lines: Lines,
  table: Table,
  pages: Pages,
  people: People,
  steps: Steps,
  progress: Progress,
  metrics: Metrics,
  alert: Alert,
  code: Code,
  picture: Picture,
  links: Links,
  details: Details,
} satisfies Pieces

/** One block, or what a newer server wants to be shown in its place. */
const Block = ({ block, reader }: { readonly block: CardBlock; readonly reader: Reader }): VNode => {
  if (!Object.hasOwn(pieces, block.kind)) {
    return (
      <div class="text">
        {block.fallback === undefined ? (
          <i class="unset">{reader.words.$newBlock}</i>
        ) : (
          <Marked text={block.fallback} reader={reader} lines />
        )}
      </div>
    )
  }
  const Piece = pieces[block.kind] as (
    props: Omit<Parameters<Pieces['text']>[0], 'block'> & { block: CardBlock },
  ) => VNode
  return (
    <Piece
      block={block}
      reader={reader}
      draw={(blocks) => (blocks as readonly CardBlock[]).map((inner) => <Block block={inner} reader={reader} />)}
    />
  )
}

interface CardProps {
  readonly card: Card
  readonly reader: Reader
}

/** Who serves the tool, and on what it acts. */
export const Subline = ({ card: { source, subtitle = '', icon }, reader }: CardProps): VNode | null => {
  // Another server may call itself by a longer name that begins with this one.
  const who = subtitle === source || subtitle.startsWith(`${source} · `) ? '' : source
  if (!who && !subtitle) return null
  return (
    <p class="sub">
      {who && <Marked text={who} reader={reader} />}
      {who && subtitle && ' · '}
      {subtitle && <Prose text={subtitle} reader={reader} />}
      {icon && <img src={icon} alt="" />}
    </p>
  )
}

/** What changes and what follows from it, and what the agent says of it. */
export const Blocks = ({ card, reader }: CardProps): VNode => (
  <>
    {card.blocks.map((block) => (
      <Block block={block} reader={reader} />
    ))}
    {card.claim && (
      <p class="claim">
        {reader.words.$says} <Quote text={card.claim} reader={reader} lines />
      </p>
    )}
  </>
)
