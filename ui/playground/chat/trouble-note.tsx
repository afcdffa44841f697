import type { VNode } from 'preact'
import { Markdown } from './markdown.tsx'
import type { Trouble } from './trouble.ts'

/** What went wrong and what to do, with the button for it where a reload is the way. */
export const TroubleNote = ({ trouble }: { readonly trouble: Trouble }): VNode => (
  <div class="note danger trouble" role="alert">
    <Markdown text={`**${trouble.message}** ${trouble.next}`} />
    {trouble.reload && (
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    )}
  </div>
)
