// `auto_approve_high_risk`: the tenant's calls of high risk run without a person. The gate decides it (`policy/decide.ts`);
// here is who has it on, and what the record says of a call that ran under it.
import type { Verdict } from '../../policy/decide.ts'
import type { CallContext } from '../call-context.ts'
import type { EngineSettings } from '../engine.ts'
import { rowEvent } from '../record/activity-row.ts'

/** Whether the operator has it on for this tenant. */
export const autoApproves = ({ autoApproveHigh }: Pick<EngineSettings, 'autoApproveHigh'>, tenant: string): boolean =>
  typeof autoApproveHigh === 'function' ? autoApproveHigh(tenant) : autoApproveHigh.includes(tenant)

/** Writes an event into the row of a call that runs under the setting, before it runs. */
export async function noteAutoApproved(call: CallContext, { kind, rule }: Verdict): Promise<void> {
  if (kind === 'allow' && rule === 'auto-approve-high')
    await rowEvent(call, 'call.auto_approved', { setting: 'auto_approve_high_risk' })
}
