// Approving executes the original call: the process that serves the tool claims it, at once where the decision was made
// there, within a second where it was made elsewhere, and at the agent's repeat if none was alive (docs/DESIGN.md, section 3).
import { failureAnswer } from '../answers/answers.ts'
import type { Approval } from '../../model/approvals.ts'
import { observed } from '../record/observer.ts'
import type { Answer } from '../answers/outcome.ts'
import { withActivityRow } from '../record/activity-row.ts'
import { callContext, type CallContext } from '../call-context.ts'
import type { Engine } from '../engine.ts'
import { dispatchApproved } from '../dispatch-call.ts'

/** Runs one approved call, for the one who asked for it. `undefined` where this process does not serve its tool. */
export async function runApproved(engine: Engine, approval: Approval): Promise<Answer | undefined> {
  if (engine.catalog.find(approval.tool) === undefined) return undefined
  // Whoever asked may have lost what they had since, and nobody is connected who could show it.
  const known = engine.permissionsOf === undefined ? 'all' : await engine.permissionsOf(approval.principal)
  const call = callContext(engine, {
    tool: approval.tool,
    args: {},
    caller: {
      principal: approval.principal,
      permissions: known ?? [],
      client: approval.client,
      cards: 'unknown',
      trusted: false,
    },
    signal: new AbortController().signal,
    source: 'approval',
    ...(approval.declared === undefined ? {} : { declared: approval.declared }),
    notes: [`Approved by ${approval.decidedBy ?? 'unknown'} as ${approval.id}.`],
  })
  return observed(call, () =>
    withActivityRow(call, async (noted) => {
      const answer = known === undefined ? lapsed(noted) : await dispatchApproved(noted, approval)
      // What did not run belongs to the approval's story as much as what did.
      return { ...(answer ?? notServed(approval)), approvalId: approval.id }
    }),
  )
}

const notServed = ({ tool }: Approval): Answer => ({
  outcome: 'refused',
  tool,
  text: 'This process does not serve that tool.',
})

/** Nothing ran and nothing is lost: the approval stands, and the agent's own repeat brings its own credential. */
const lapsed = ({ engine, named, request: { tool } }: CallContext): Answer =>
  failureAnswer(
    { engine, tool: named },
    { kind: 'not-permitted', tool, missing: ['a credential of the caller that is still valid'] },
    { outcome: 'refused' },
  )
