/** A secret in a text, named without showing it. */
export interface FoundSecret {
  /** "a payment card number". */
  readonly what: string
  /** Counted from 1. */
  readonly line: number
}
