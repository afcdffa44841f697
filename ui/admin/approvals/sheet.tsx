// The card that the agent's host would have shown, drawn by the card's own pieces from the stored document: an approver
// must see what a person in the chat would have seen, no more and no less. Only the frame around it is the page's.
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Marked, Prose } from '../../parts/marked.tsx'
import type { Reader } from '../../parts/reader.ts'
import { Block } from '../../card/blocks.tsx'
import type { CardReading } from '../../card/read-card.ts'

interface SheetProps {
  /** The card document as it is stored, read. */
  readonly reading: CardReading
  readonly pill: ComponentChildren
  readonly reader: Reader
  /** What holds the body, for who must know whether all of it was seen. */
  readonly inside: RefObject<HTMLDivElement | null>
  /** The decision. */
  readonly children: ComponentChildren
}

export const CardSheet = ({ reading, pill, reader, inside, children }: SheetProps): VNode => {
  if (reading.kind === 'malformed')
    return (
      <article class="card">
        <div class="body" ref={inside}>
          <Note tone="danger" sign="×" spoken="Error">
            <b>This card cannot be shown.</b> What is stored is not a card that this page can read (first fault at{' '}
            <code>{reading.at}</code>). Reject the request, or decide at a terminal:{' '}
            <code>countersign approvals show</code>.
          </Note>
        </div>
        {children}
      </article>
    )
  const { title, subtitle, source, blocks, claim } = reading.card
  const who = subtitle?.startsWith(source) === true ? '' : source
  return (
    <article class="card" aria-label="What the agent asks for">
      <div class="card-head">
        <h2>
          <Prose text={title} reader={reader} />
        </h2>
        {pill}
        <p class="sub">
          {who !== '' && <Marked text={who} reader={reader} />}
          {who !== '' && subtitle !== undefined && ' · '}
          {subtitle !== undefined && <Prose text={subtitle} reader={reader} />}
        </p>
      </div>
      <div class="body" ref={inside}>
        {blocks.map((block, index) => (
          <Block key={index} block={block} reader={reader} />
        ))}
        {claim !== undefined && claim !== '' && (
          <p class="claim">
            {reader.words.$says}{' '}
            <q>
              <Marked text={claim} reader={reader} lines />
            </q>
          </p>
        )}
      </div>
      {children}
    </article>
  )
}
