// An operator's decision in a test, by the very steps that the web door and the terminal take, with an account in the store. What
// is not real is how they have signed in, and their authenticator: who decides is said with the decision.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import type { Composed } from '../compose/compose.ts'
import { approverParts, deciderOf, operatorOf } from '../http/operators/approver.ts'
import { toToolResult } from '../mcp/result.ts'
import type { Role } from '../model/operators.ts'
import type { SecondFactorCheck } from '../model/second-factor.ts'
import { decideApproval, type DecisionResult } from '../operators/decide-approval.ts'
import type { Account } from '../store/store.ts'
import { readAnswer, type CallAnswer } from './answer.ts'

/** Who decides, and how. */
export interface ApproverOptions {
  /** Two operators are two people where their names differ; "Operator" when absent. */
  readonly name?: string
  /** An admin when absent. */
  readonly roles?: readonly Role[]
  /** Every tenant when absent. */
  readonly tenant?: string
  /** Globs on subjects of principals that are the same person; who has the name of one is that in any case. */
  readonly subjects?: readonly string[]
  /** The code of their authenticator, where the decision asks for one: `right` when absent, `none` without an authenticator. */
  readonly secondFactor?: 'right' | 'wrong' | 'none'
  /** Why, for the agent: of a rejection. */
  readonly reason?: string
}

const factors: Readonly<Record<NonNullable<ApproverOptions['secondFactor']>, SecondFactorCheck>> = {
  right: { enrolled: async () => true, check: async () => ({ kind: 'right' }) },
  wrong: { enrolled: async () => true, check: async () => ({ kind: 'wrong', used: false, triesLeft: 4 }) },
  none: { enrolled: async () => false, check: async () => ({ kind: 'not-enrolled' }) },
}

/** Decides, and runs what is approved with it. A rejection, and an approval that others must join, wait as before. */
export async function decide(
  served: Composed,
  waiting: CallAnswer,
  id: string,
  decision: 'approved' | 'rejected',
  as: ApproverOptions = {},
  tool: Tool | undefined,
): Promise<CallAnswer> {
  const { secondFactor = 'right', reason } = as
  const by = deciderOf(operatorOf(await accountOf(served, as), 'session'))
  const parts = { ...approverParts(served.store, { id: by.person }), secondFactor: factors[secondFactor] }
  const result = await decideApproval(parts, id, { decision, by, reason, code: '000000' })
  if (result.kind === 'refused') return refused(waiting, result)
  if (result.kind === 'waiting' || decision === 'rejected') return waiting
  const answer = await served.runApproved(result.approval)
  return answer === undefined ? waiting : readAnswer(waiting.call, toToolResult(answer), tool)
}

/** The account of that name, made where there is none. One that a test has made by itself stays as it is. */
async function accountOf({ store }: Composed, as: ApproverOptions): Promise<Account> {
  const { name = 'Operator', roles = [{ kind: 'admin' }], tenant, subjects = [] } = as
  const { accounts } = store.operators
  const known = await accounts.fromProvider({ issuer: 'countersign/testing', subject: name, name, tenant, roles })
  const account = known.kind === 'account' ? known.account : await accounts.find(name)
  if (account === undefined) throw new Error(`There is no operator ${name}.`)
  return known.kind === 'account' ? { ...account, subjects } : account
}

/** Why this operator may not decide, in the words that they would read. */
function refused({ call }: CallAnswer, why: Extract<DecisionResult, { kind: 'refused' }>): CallAnswer {
  const { code, message, next } = why
  const text = `${message} ${next}`
  return {
    call,
    status: 'refused',
    changes: [],
    effects: [],
    warnings: [],
    error: { code, message },
    next,
    text,
    raw: { isError: true, content: [{ type: 'text', text }] },
  }
}
