// What the routes give, by the names that the pages use. Every shape is the server's own.
import type { Api, Value } from './client.ts'

export type ActivityPage = Value<Api['activity']['$get']>
export type Bars = Value<Api['activity']['histogram']['$get']>
export type Line = ActivityPage['activity'][number]
export type Story = Value<Api['activity'][':id']['story']['$get']>
/** A row with everything. */
export type Call = Story['story'][number]
export type Chains = Value<Api['activity']['chain']['$get']>

export type Approval = Value<Api['approvals']['$get']>['approvals'][number]
/** With what this operator may do. `card` is read with `readCard` before it is drawn. */
export type ApprovalDetail = Value<Api['approvals'][':id']['$get']>
export type Risk = Approval['risk']

export type Feedback = Value<Api['feedback'][':id']['$get']>
export type FeedbackGroups = Value<Api['feedback']['groups']['$get']>

export type Grant = Value<Api['grants']['$get']>['grants'][number]
export type GrantableTool = Value<Api['grants']['tools']['$get']>['tools'][number]
/** What `check_only` says: `covers_approved_call` is `null` where there is no approved call to compare with. */
export type GrantCheck = Extract<Value<Api['grants']['$post']>, { ok: true }>

export type ListedContract = Value<Api['contracts']['$get']>['contracts'][number]
export type ListedServer = Value<Api['contracts']['$get']>['servers'][number]
/** A contract, with what an apply must bring at each risk and who asks for it. */
export type ContractAnswer = Value<Api['contracts'][':name']['$get']>
export type Contract = ContractAnswer['contract']
export type Change = Value<Api['definitions']['$get']>['changes'][number]

/** Who calls without a rationale, and until when they may. */
export type GraceList = Value<Api['grace']['$get']>
export type Insights = Value<Api['insights']['$get']>
export type Settings = Value<Api['settings']['$get']>['settings']
export type Token = Value<Api['tokens']['$get']>['tokens'][number]
export type Delegation = Value<Api['delegations']['$get']>['delegations'][number]
export type Webhook = Value<Api['webhooks']['$get']>['webhooks'][number]
export type Freeze = Value<Api['freeze']['$get']>['freezes'][number]
