import type { VNode } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useDismiss } from '../chat/use-dismiss.ts'

interface StartOverProps {
  /** Whether something would be lost that is worth a question. */
  readonly hasConversation: boolean
  readonly onStartOver: () => void
  readonly onClear: () => void
}

/** Puts a demo back to how it came; asks first where there is a conversation. */
export function StartOver({ hasConversation, onStartOver, onClear }: StartOverProps): VNode {
  const [asking, setAsking] = useState(false)
  const close = useCallback(() => setAsking(false), [])
  const closing = (act: () => void) => () => {
    close()
    act()
  }
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-expanded={hasConversation ? asking : undefined}
        aria-controls={hasConversation ? panelId : undefined}
        onClick={() => (hasConversation ? setAsking(!asking) : onStartOver())}
      >
        Start over
      </button>
      {asking && <Question close={close} onStartOver={closing(onStartOver)} onClear={closing(onClear)} />}
    </>
  )
}

const panelId = 'start-over'

function Question(props: Pick<StartOverProps, 'onStartOver' | 'onClear'> & { readonly close: () => void }): VNode {
  const { close, onStartOver, onClear } = props
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  useDismiss(panelId, close)
  return (
    <section class="drop" id={panelId} aria-label="Start over">
      <p>
        <b>Start the demo over?</b> The chat is cleared, and the data of this desk are as they came. The activity log
        keeps what was done.
      </p>
      <div class="buttons">
        <button type="button" class="go" ref={first} onClick={onStartOver}>
          Start over
        </button>
        <button type="button" onClick={onClear}>
          Only clear the chat
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </section>
  )
}
