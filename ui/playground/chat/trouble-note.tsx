import type { VNode } from 'preact'
import { Note } from '../../parts/alert.tsx'
import { Markdown } from './markdown.tsx'
import type { Trouble } from './trouble.ts'

interface TroubleNoteProps {
  readonly trouble: Trouble
  /** Connects anew; absent where what went wrong is not the connection. */
  readonly onConnect?: () => void
}

/** What went wrong and what to do, with the button for it where there is one. */
export const TroubleNote = ({ trouble, onConnect }: TroubleNoteProps): VNode => (
  <Note tone="danger" sign="×" spoken="Error" alert>
    <Markdown text={`**${trouble.message}** ${trouble.next}`} />
    {trouble.output !== undefined && (
      <pre class="json output" tabIndex={0} role="group" aria-label="The last lines that the server wrote to stderr">
        {trouble.output}
      </pre>
    )}
    {trouble.reload ? (
      <button type="button" class="small" onClick={() => location.reload()}>
        Reload
      </button>
    ) : (
      onConnect !== undefined && (
        <button type="button" class="small" onClick={onConnect}>
          Connect again
        </button>
      )
    )}
  </Note>
)
