// The part of a preview card's document that says what of its call may be changed. Types only, as `card.ts`.

/** A value of the call that the person may change before anything is confirmed. */
export interface CardEdit {
  /** JSON Pointer (RFC 6901) of the argument. */
  readonly at: string
  /** What the field is called. */
  readonly label: string
  /** `long` is a text of several lines. */
  readonly as: 'text' | 'long' | 'number' | 'date' | 'choice' | 'switch'
  /** As it is written into its field: a number in digits, a switch as "true" or "false". Absent where it is not set. */
  readonly value?: string
  /** Of a choice. */
  readonly choices?: readonly string[]
  /** Of an amount of money, by ISO 4217. */
  readonly currency?: string
  /** It may be left empty. */
  readonly optional?: true
}

/** A list of the call: values of its members may be changed, and members left out. */
export interface CardEditList {
  /** What the list is called. */
  readonly label: string
  /** Members may be left out. */
  readonly removable?: true
  /** Its members, of which each may be left out. */
  readonly members: readonly {
    /** JSON Pointer of the member. */
    readonly at: string
    readonly label: string
    readonly fields: readonly CardEdit[]
  }[]
}

/** What the person may change on a preview card. A changed call is previewed anew; nothing is applied by it. */
export interface CardEdits {
  /** Single values. */
  readonly fields: readonly CardEdit[]
  /** Lists. */
  readonly lists: readonly CardEditList[]
}
