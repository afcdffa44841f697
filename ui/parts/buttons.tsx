// Buttons and the pill. A button says what will happen; the pill says where the card stands.
import type { ComponentChildren, VNode } from 'preact'

type Tone = 'go' | 'stop' | 'plain' | 'quiet'

export const Button = ({
  tone,
  disabled,
  keepEnter,
  onPress,
  children,
}: {
  readonly tone: Tone
  readonly disabled?: boolean
  /** Called instead of a press when the key was Enter: some decisions are not the default of a key. */
  readonly keepEnter?: () => void
  readonly onPress: (event: MouseEvent) => void
  readonly children: ComponentChildren
}): VNode => (
  <button
    type="button"
    class={tone}
    disabled={disabled ?? false}
    onClick={onPress}
    onKeyDown={(event) => {
      if (!keepEnter || event.key !== 'Enter') return
      event.preventDefault()
      keepEnter()
    }}
  >
    {children}
  </button>
)

export type PillTone = 'plain' | 'ok' | 'warn' | 'danger'

export const Pill = ({ tone, children }: { readonly tone: PillTone; readonly children: ComponentChildren }): VNode => (
  <span class={`pill ${tone}`}>{children}</span>
)
