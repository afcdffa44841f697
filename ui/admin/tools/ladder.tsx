// Five risks, and what the gate does on each. A tool stands on one of them, or by its input on that one and those below.
import type { VNode } from 'preact'
import type { ContractAnswer } from '../shapes.ts'
import { risks, type Risk } from '../../../server/model/risk.ts'

const proofs: Readonly<Record<string, string>> = {
  none: 'runs without asking',
  plan: 'needs a preview and its id',
  ticket: 'needs the ticket of its preview, which only the card has',
  recorded: 'needs a click on the card, recorded through a trusted host',
}

const gateAt = (risk: Risk, { contract, gate }: ContractAnswer): string => {
  switch (risk) {
    case 'low':
      return 'Runs at once.'
    case 'medium':
      return contract.autonomous
        ? 'Runs without asking: the tool is autonomous.'
        : `The call ${proofs[gate.proof.medium] ?? ''}.`
    case 'high':
    case 'critical':
      return `The call ${proofs[gate.proof[risk]] ?? 'needs its proof'}; without that, a person must approve it.`
    case 'forbidden':
      return 'Not for agents: they do not find it, and a call is answered like an unknown tool.'
    default:
      return risk satisfies never
  }
}

export const Ladder = (answer: ContractAnswer): VNode => {
  const { contract } = answer
  const risk = contract.rated ?? contract.risk
  const at = risks.indexOf(risk)
  const byInput = contract.risk_depends_on_input
  return (
    <ol class="ladder">
      {risks.map((rung, index) => {
        const here = index === at
        const below = byInput && index < at
        return (
          <li
            class={here ? `rung here ${rung}` : below ? 'rung below' : 'rung'}
            aria-current={here ? 'true' : undefined}
          >
            <b>{rung}</b>
            <span>
              {gateAt(rung, answer)}
              {here && byInput && ' This is the highest; depending on its input, a call may be rated lower.'}
              {here && contract.rated !== null && ` Set by the operators; the contract says ${contract.risk}.`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
