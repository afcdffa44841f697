// Every tool for its operators, and how the servers behind stand: what a tool promises, how it is rated here, and what the
// gate does about that rating.
import { Hono } from 'hono'
import type { Engine } from '../../rail/engine.ts'
import type { ContractView, ContractViews } from '../../operators/contract-views.ts'
import { refuseUnknown } from '../refusal.ts'
import type { Operator, OperatorEnv } from './operator.ts'

interface ContractsApiOptions {
  readonly contractViews: Pick<ContractViews, 'contracts' | 'servers'>
  readonly settings: Engine['settings']
}

/** What a list says of a tool. */
const listed = (contract: RatedContract) => ({
  name: contract.name,
  wire_name: contract.wire_name,
  title: contract.title,
  category: contract.category,
  // What asks only because of what it answers is a read to whoever looks for one, as it is to hosts.
  operation: contract.annotations.readOnlyHint ? ('read' as const) : contract.operation,
  risk: contract.risk,
  risk_depends_on_input: contract.risk_depends_on_input,
  rated: contract.rated,
  forbidden: contract.forbidden,
  autonomous: contract.autonomous,
  permissions: contract.permissions,
  ...(contract.upstream === undefined
    ? {}
    : {
        upstream: {
          server: contract.upstream.server,
          held: contract.upstream.held,
          findings: contract.upstream.findings.length,
        },
      }),
})

/** A contract with the operators' own rating for this operator's tenant, where they have one. */
interface RatedContract extends ContractView {
  readonly rated: ContractView['risk'] | null
}

/** The app below `/api/v1/contracts`. */
export function createContractsApi({ contractViews, settings }: ContractsApiOptions) {
  const rated = ({ tenant }: Operator): readonly RatedContract[] =>
    contractViews.contracts().map((contract) => {
      const own = tenant === undefined ? contract.risk : settings.riskOf?.(tenant, contract.wire_name, contract.risk)
      return { ...contract, rated: own === undefined || own === contract.risk ? null : own }
    })
  const { proof, confirmation } = settings
  return new Hono<OperatorEnv>()
    .get('/', async (c) =>
      c.json({ contracts: rated(c.var.operator).map(listed), servers: await contractViews.servers() }),
    )
    .get('/:name', (c) => {
      const name = c.req.param('name')
      const contract = rated(c.var.operator).find((each) => each.wire_name === name || each.name === name)
      if (contract === undefined) return refuseUnknown('tool', 'contracts')
      return c.json({ contract, gate: { proof, confirmation } })
    })
}
