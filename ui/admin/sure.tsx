// What cannot be taken back asks once more, in the place where it was pressed, and says what will happen. No dialog: the
// focus stays where it was, and Escape is "no".
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../parts/buttons.tsx'

interface SureProps {
  /** On the first button: "Revoke". */
  readonly label: string
  /** On the second: "Revoke Ada's token". */
  readonly sure: string
  readonly onSure: () => Promise<void>
}

export const Sure = ({ label, sure, onSure }: SureProps): VNode => {
  const [step, go] = useState<'idle' | 'asked' | 'busy'>('idle')
  const place = useRef<HTMLSpanElement>(null)
  const asked = useRef(false)
  useEffect(() => {
    if (step === 'idle' && !asked.current) return
    asked.current = true
    // The button that had the focus is gone, whichever it was.
    place.current?.querySelector('button')?.focus()
  }, [step])
  return (
    <span class="sure" ref={place} onKeyDown={(event) => event.key === 'Escape' && step === 'asked' && go('idle')}>
      {step === 'idle' ? (
        <Button tone="plain" onPress={() => go('asked')}>
          {label}…
        </Button>
      ) : (
        <>
          <Button tone="quiet" disabled={step === 'busy'} onPress={() => go('idle')}>
            No
          </Button>
          <Button
            tone="stop"
            disabled={step === 'busy'}
            onPress={() => {
              go('busy')
              void onSure().finally(() => go('idle'))
            }}
          >
            {sure}
          </Button>
        </>
      )}
    </span>
  )
}
