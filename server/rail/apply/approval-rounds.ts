// A decision may fall in any process, so every process that serves tools looks for them once a second. A call that was
// approved and cannot run here (its permission is gone, its tool has changed) would be found again each second; so each
// approval is answered once a process, and after that by the agent's own repeat.
import type { Approval, Approvals } from '../../model/approvals.ts'
import type { Answer } from '../answers/outcome.ts'
import type { Engine } from '../engine.ts'
import { runApproved } from './run-approved.ts'

/** How many are started in one round. */
const atOnce = 20

/** What one process knows of approved calls. */
export function createApprovalRounds(engine: Engine) {
  /** The runs of this process: whoever decides and the look of the same moment get one answer, "applied" and not "replayed". */
  const answered = new Map<string, Promise<Answer | undefined>>()
  let looking: Promise<void> | undefined
  let stopped = false

  /** Runs one that was approved in this very process. `undefined` where it does not serve the tool. */
  const run = (approval: Approval): Promise<Answer | undefined> => {
    const known = answered.get(approval.id)
    if (known !== undefined) return known
    const running = runApproved(engine, approval).catch((error: unknown) => {
      // The server failed before anything was decided about the call; the next round may try again.
      answered.delete(approval.id)
      throw error
    })
    answered.set(approval.id, running)
    engine.running?.(running)
    return running
  }

  const start = async (approvals: Approvals): Promise<void> => {
    const found = await approvals.claimable(atOnce + answered.size)
    const ids = new Set(found.map(({ id }) => id))
    // Whatever is not among them has run or expired, and need not be remembered.
    for (const id of answered.keys()) if (!ids.has(id)) answered.delete(id)
    const fresh = found.filter(({ id }) => !answered.has(id)).slice(0, atOnce)
    // Not waited for: a tool that takes its time holds up nobody else's approval.
    for (const approval of fresh)
      run(approval).catch((error: unknown) => engine.report(error, `running ${approval.id}`))
  }

  /** Starts what was approved elsewhere. Does nothing while another look is under way. */
  const look = async (): Promise<void> => {
    if (stopped || looking !== undefined || engine.approvals === undefined) return
    looking = start(engine.approvals)
    try {
      await looking
    } finally {
      looking = undefined
    }
  }

  /** No look begins any more; waits for the one that is under way. */
  const stop = async (): Promise<void> => {
    stopped = true
    // Whoever looks hears of its failure; here only its end matters.
    await looking?.catch(() => undefined)
  }
  return { run, look, stop }
}
