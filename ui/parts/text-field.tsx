import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact'

type TextFieldProps = InputHTMLAttributes & {
  readonly label: ComponentChildren
  /** A sentence below it. */
  readonly hint?: ComponentChildren
  readonly onText?: (text: string) => void
}

/** One line to write into, under its label. Nothing of it is completed or corrected unless its attributes say so. */
export const TextField = ({ label, hint, onText, ...input }: TextFieldProps): VNode => (
  <label class="field">
    <span>{label}</span>
    <input autoComplete="off" spellcheck={false} {...input} onInput={(event) => onText?.(event.currentTarget.value)} />
    {hint !== undefined && <small>{hint}</small>}
  </label>
)
