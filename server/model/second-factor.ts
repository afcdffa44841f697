// The second factor that some approvals ask for: the code of an authenticator. Implemented by
// `server/store/approvals/second-factor.ts`.

/** The result of checking a code. */
export type CodeCheck =
  | { readonly kind: 'right' }
  | { readonly kind: 'not-enrolled' }
  /** `used`: it was the right code once. */
  | { readonly kind: 'wrong'; readonly used: boolean; readonly triesLeft: number }
  /** `until`: epoch milliseconds. */
  | { readonly kind: 'paused'; readonly until: number }

export interface SecondFactorCheck {
  enrolled(): Promise<boolean>
  /** Checks a code against the current secret, and uses it up. */
  check(code: string): Promise<CodeCheck>
}
