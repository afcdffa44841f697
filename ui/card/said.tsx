// A sentence of the card's own: what it is about in bold, then the rest; keys to press look like keys.
import type { VNode } from 'preact'

export const Said = ({ note }: { readonly note: { readonly title?: string; readonly text?: string } }): VNode => (
  <>
    {note.title && <b>{note.title} </b>}
    {note.text?.split('`').map((part, index) => (index % 2 ? <kbd>{part}</kbd> : part))}
  </>
)
