// The card that the agent's host would have shown, drawn by the card's own pieces from the stored document: an approver
// must see what a person in the chat would have seen, no more and no less. Only the frame around it is the page's.
import type { ComponentChildren, RefObject, VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Prose } from '../../parts/marked.tsx'
import type { Reader } from '../../parts/reader.ts'
import { Blocks, Subline } from '../../card/blocks.tsx'
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
  const { card } = reading
  return (
    <article class="card" aria-label="What the agent asks for">
      <header>
        <h2>
          <Prose text={card.title} reader={reader} />
        </h2>
        {pill}
        <Subline card={card} reader={reader} />
      </header>
      <div class="body" ref={inside}>
        <Blocks card={card} reader={reader} />
      </div>
      {children}
    </article>
  )
}
