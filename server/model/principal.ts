/** Tenant and subject of the authenticated transport. The client's own name is a label and not in here. */
export interface Principal {
  readonly tenant: string
  readonly subject: string
}
