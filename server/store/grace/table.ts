/** Who called which tool without a rationale while that was still allowed. */
export interface GraceCallerTable {
  readonly tenant: string
  readonly subject: string
  readonly client: string
  readonly tool: string
  readonly calls: number
  readonly first_at: number
  readonly last_at: number
}
