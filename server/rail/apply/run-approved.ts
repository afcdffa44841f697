// Approving executes the original call: the process that serves the tool claims it, at once where the decision was made
// there, within a second where it was made elsewhere, and at the agent's repeat if none was alive (DESIGN section 3).
import { failureAnswer } from '../answers/answers.ts'
import type { Approval } from '../../model/approvals.ts'
import { observed } from '../record/observer.ts'
import type { Answer } from '../answers/outcome.ts'
import { recorded } from '../record/journal-row.ts'
import type { CallRequest, Road } from '../engine.ts'
import { travelApproved } from '../dispatch-call.ts'

/** Runs one approved call, for the one who asked for it. `undefined` where this process does not serve its tool. */
export async function runApproved(road: Road, approval: Approval): Promise<Answer | undefined> {
  if (road.catalog.find(approval.tool) === undefined) return undefined
  // Whoever asked may have lost what they had since, and nobody is connected who could show it.
  const known = road.permissionsOf === undefined ? 'all' : await road.permissionsOf(approval.principal)
  const request: CallRequest = {
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
    notes: [`Approved by ${approval.decidedBy ?? 'unknown'} as ${approval.id}.`],
  }
  return observed(road, request, () =>
    recorded(road, request, async (noted) => {
      const answer = known === undefined ? lapsed(road, approval) : await travelApproved(road, noted, approval)
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
const lapsed = (road: Road, { tool }: Approval): Answer =>
  failureAnswer(
    road,
    road.catalog.find(tool),
    { kind: 'not-permitted', tool, missing: ['a credential of the caller that is still valid'] },
    { outcome: 'refused' },
  )
