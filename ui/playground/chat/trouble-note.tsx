import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Markdown } from './markdown.tsx'
import type { Trouble } from './trouble.ts'

/** What went wrong and what to do, with the button for it where a reload is the way. */
export const TroubleNote = ({ trouble }: { readonly trouble: Trouble }): VNode => (
  <Note tone="danger" sign="×" spoken="Error" alert>
    <Markdown text={`**${trouble.message}** ${trouble.next}`} />
    {trouble.reload && (
      <button type="button" onClick={() => location.reload()}>
        Reload
      </button>
    )}
  </Note>
)
