// How an approval is called at each place of its life, and the pills that say so.
import type { VNode } from 'preact'
import { Pill, type PillTone } from '../../parts/buttons.tsx'
import { riskWords } from '../../../server/model/risk.ts'
import type { Approval, ApprovalDetail, Risk } from '../shapes.ts'

const riskTones: Readonly<Record<Risk, PillTone>> = {
  low: 'plain',
  medium: 'plain',
  high: 'warn',
  critical: 'danger',
  forbidden: 'danger',
}

export function RiskPill({ risk, byInput = false }: { readonly risk: Risk; readonly byInput?: boolean }): VNode {
  const words = riskWords(risk, byInput && risk !== 'forbidden')
  return (
    <Pill tone={riskTones[risk]}>
      {words.charAt(0).toUpperCase()}
      {words.slice(1)}
      {risk === 'forbidden' ? '' : ' risk'}
    </Pill>
  )
}

/** What the operators' own rating means, in one sentence. */
export const riskSentence: Readonly<Record<Risk, string>> = {
  low: 'Reads, or leaves nothing lasting.',
  medium: 'Creates data in a narrow scope.',
  high: 'Changes relevant state, or touches others.',
  critical: 'Pays, deletes, sends to the outside, or changes who may do what.',
  forbidden: 'Not for agents at all.',
}

const calls: Readonly<Record<string, readonly [string, PillTone]>> = {
  open: ['Approved, not run yet', 'warn'],
  applying: ['Running', 'plain'],
  applied: ['Applied', 'ok'],
  failed: ['Approved, failed', 'danger'],
  stale: ['Approved, not applied', 'warn'],
  unknown: ['Outcome unknown', 'danger'],
  cancelled: ['Cancelled', 'plain'],
  superseded: ['Replaced', 'plain'],
  expired: ['Approved, not run in time', 'warn'],
}

/** The state of an approval, or of its call once it was approved. */
export const statePill = (approval: Approval, call?: ApprovalDetail['call']): readonly [string, PillTone] => {
  switch (approval.state) {
    case 'pending':
      return [`Waiting · ${approval.risk} risk`, riskTones[approval.risk]]
    case 'rejected':
      return ['Rejected', 'plain']
    case 'expired':
      return ['Expired', 'plain']
    case 'approved':
      return calls[call?.state ?? ''] ?? ['Approved', 'ok']
    default:
      return approval.state satisfies never
  }
}

/** What became of an approved call, in a sentence. */
export const callSentence: Readonly<Record<string, string>> = {
  open: 'It runs in the process that serves the tool, usually within a second. If none is alive, it runs when the agent repeats its call.',
  applying: 'It is running now.',
  applied: 'The call ran once, as it was shown here.',
  stale:
    'Something else had changed the same data since it was asked for, so it was not applied. The agent is told so and can ask again.',
  unknown: 'Nobody saw how the call ended. It may or may not have happened; check before it is tried again.',
  cancelled: 'It was cancelled before it ran. Nothing was changed.',
  superseded: 'A newer call took its place. Nothing was changed.',
  expired: 'Its time was over before it ran. Nothing was changed.',
}
