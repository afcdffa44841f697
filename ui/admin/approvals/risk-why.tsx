// A pill says how risky a call is; an approver who wonders why finds whose rating it is: the contract's, the input's, the
// operators' own, or for another server's tool the rules by which it was rated.
import type { VNode } from 'preact'
import { Marked } from '../../parts/marked.tsx'
import type { AppProps } from '../context.ts'
import { useLoaded } from '../load.ts'
import type { Approval, Contract } from '../shapes.ts'
import { riskSentence } from './words.tsx'

const whose = ({ risk, requested_by: asker }: Approval, contract: Contract): string => {
  if (contract.risk_depends_on_input && contract.upstream === undefined)
    return risk === contract.risk
      ? 'The tool’s contract gives these arguments this risk.'
      : `The tool’s contract gives these arguments this risk; others may be rated up to ${contract.risk}.`
  if (risk === contract.risk) return 'This is the risk that the tool’s contract says.'
  return `Operators set this risk for the tenant ${asker.tenant}; the tool’s contract says ${contract.risk}.`
}

export const RiskWhy = ({ approval, app }: AppProps<{ approval: Approval }>): VNode => {
  const name = approval.tool
  const contract = useLoaded(app, name, (api) => api.contracts[':name'].$get({ param: { name } })).value?.contract
  const reasons = contract?.upstream?.reasons ?? []
  return (
    <>
      <small>{riskSentence[approval.risk]}</small>
      {contract !== undefined && reasons.length === 0 && (
        <small>
          <Marked text={whose(approval, contract)} reader={app.reader} />
        </small>
      )}
      {reasons.map((reason) => (
        <small key={reason}>
          <Marked text={reason} reader={app.reader} />
        </small>
      ))}
    </>
  )
}
