// A sentence of the card's own: `*what it is about*` in bold, keys to press between backticks look like keys.
import type { VNode } from 'preact'

export const InlineMarkup = ({ note }: { readonly note: string }): VNode => (
  <>
    {note.split(/(\*[^*]+\*|`[^`]+`)/).map((part, index) => {
      if (index % 2 === 0) return part
      const inner = part.slice(1, -1)
      return part.startsWith('*') ? <b>{inner}</b> : <kbd>{inner}</kbd>
    })}
  </>
)

/** The same for the ear. */
export const withoutMarkup = (note: string): string => note.replace(/[*`]/g, '')
