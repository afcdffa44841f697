// The code of an authenticator that some approvals ask for. `server/store/approvals/second-factor.ts` checks it.

/** What a check of a code says. */
export type CodeCheck =
  | { readonly kind: 'right' }
  | { readonly kind: 'not-enrolled' }
  /** `used`: it was the right code once. */
  | { readonly kind: 'wrong'; readonly used: boolean; readonly triesLeft: number }
  /** `until`: epoch milliseconds. */
  | { readonly kind: 'paused'; readonly until: number }

export interface SecondFactorCheck {
  enrolled(): Promise<boolean>
  /** Checks a code against the secret in force, and uses it up. */
  check(code: string): Promise<CodeCheck>
}
