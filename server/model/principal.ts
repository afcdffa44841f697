/** A value that JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

/** What is said of a principal beside who it is: roles, a mail address, the claims of a verified token. */
export type Claims = Readonly<Record<string, JsonValue | undefined>>

/** Tenant and subject of the authenticated transport. The client's own name is a label and not in here. */
export interface Principal {
  /** The group that nobody outside of it sees anything of: a team, a customer. */
  readonly tenant: string
  /** Who calls, within the tenant. */
  readonly subject: string
  /**
   * What the program or a verified token says of them, for tools to read. Plans are neither compared by it nor stored with
   * it, so it is absent where a call runs without its caller: one that was approved, say.
   */
  readonly claims?: Claims
}

/** A principal as plans know it, and apart from that what is said of it. */
export const withoutClaims = ({
  tenant,
  subject,
  claims,
}: Principal): { readonly principal: Principal; readonly claims?: Claims } => ({
  principal: { tenant, subject },
  ...(claims === undefined ? {} : { claims }),
})
