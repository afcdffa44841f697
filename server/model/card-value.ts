// Values of a card document, and how stretches of its texts look. Types only, as in `card.ts`.

/**
 * One value as a person reads it. The view formats money and dates with `Intl` from the host's locale and time zone; nothing here
 * is a float: `number.value` and `money.amount` are decimal strings. `unset` is known to have no value, `unknown` is not known.
 */
export type CardValue =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'number'; readonly value: string; readonly unit?: string }
  | { readonly kind: 'money'; readonly amount: string; readonly currency: string }
  | { readonly kind: 'date'; readonly iso: string; readonly precision: 'day' | 'minute' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'list'; readonly items: readonly CardValue[] }
  | { readonly kind: 'unset' }
  | { readonly kind: 'unknown' }

/**
 * What a stretch of a text is. Looks only: whatever the spans say, all of the text is shown, in its order. A `danger` is
 * underlined and bold beside its colour, and is said in words elsewhere.
 */
export interface CardSpan {
  /** In UTF-16 units of the text: its first one, and the one behind its last. */
  readonly from: number
  /** The unit behind the last one. */
  readonly to: number
  /** What the stretch is. */
  readonly as:
    | 'keyword'
    | 'string'
    | 'number'
    | 'comment'
    | 'name'
    | 'danger'
    | 'heading'
    | 'strong'
    | 'emphasis'
    | 'code'
}

/** A value under its name. */
export interface LabelledValue {
  /** Its name. */
  readonly label: string
  /** The value. */
  readonly value: CardValue
}
