/** A secret in a text, named without showing it. */
export interface FoundSecret {
  /** What it is. */
  readonly what: 'a payment card number' | 'a password' | 'a private key' | 'a key, token or password'
  /** Counted from 1. */
  readonly line: number
}
