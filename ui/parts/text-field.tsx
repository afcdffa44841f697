import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact'

type TextFieldProps = Omit<InputHTMLAttributes, 'onInput' | 'children' | 'role' | 'type'> & {
  readonly type?: 'text' | 'password' | 'date' | 'number'
  readonly label: ComponentChildren
  /** A sentence below it. */
  readonly hint?: ComponentChildren
  readonly onText?: (text: string) => void
}

/** One line to write into, under its label. Nothing of it is completed or corrected unless its attributes say so. */
export const TextField = ({ label, hint, type = 'text', onText, ...input }: TextFieldProps): VNode => (
  <label class="field">
    <span>{label}</span>
    <input autoComplete="off" spellcheck={false} {...input} onInput={(event) => onText?.(event.currentTarget.value)} />
    {hint !== undefined && <small>{hint}</small>}
  </label>
)
