// A pill says how risky a call is; an approver who wonders why finds whose rating it is: the contract's, the input's, the
// operators' own, or for another server's tool the rules by which it was rated.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { RatedContract } from '../../../server/http/operators/contracts-api.ts'
import type { AdminContext } from '../desk.ts'
import { useLoaded } from '../load.ts'
import type { ApprovalView } from './wire.ts'
import { riskSentence } from './words.tsx'

const whose = ({ risk, requested_by: asker }: ApprovalView, contract: RatedContract): string => {
  if (contract.risk_depends_on_input && contract.upstream === undefined)
    return risk === contract.risk
      ? 'So its contract rates this input.'
      : `So its contract rates this input; the tool’s most is ${contract.risk}.`
  if (risk === contract.risk) return 'So its contract says.'
  return `So the operators rate it for tenant ${asker.tenant}; its contract says ${contract.risk}.`
}

export const RiskWhy = ({
  approval,
  desk,
}: {
  readonly approval: ApprovalView
  readonly desk: AdminContext
}): VNode => {
  const { state } = useLoaded(approval.tool, () =>
    desk.client.get<{ readonly contract: RatedContract }>(`/contracts/${encodeURIComponent(approval.tool)}`),
  )
  const contract = state.at === 'ready' ? state.value.contract : undefined
  const reasons = contract?.upstream?.reasons ?? []
  return (
    <>
      <small>{riskSentence[approval.risk]}</small>
      {contract !== undefined && reasons.length === 0 && (
        <small>
          <Marked text={whose(approval, contract)} reader={desk.reader} />
        </small>
      )}
      {reasons.map((reason) => (
        <small key={reason}>
          <Marked text={reason} reader={desk.reader} />
        </small>
      ))}
    </>
  )
}
