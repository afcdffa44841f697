import type { ComponentChildren, VNode } from 'preact'

interface SelectFieldProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly (readonly [value: T, words: string])[]
  /** A sentence below it. */
  readonly hint?: ComponentChildren
  readonly onPick: (value: T) => void
}

/** One of several, under its label. */
export const SelectField = <T extends string>({ label, value, options, hint, onPick }: SelectFieldProps<T>): VNode => (
  <label class="field">
    <span>{label}</span>
    <select value={value} onChange={(event) => onPick(event.currentTarget.value as T)}>
      {options.map(([own, words]) => (
        <option key={own} value={own} selected={own === value}>
          {words}
        </option>
      ))}
    </select>
    {hint !== undefined && <small>{hint}</small>}
  </label>
)
