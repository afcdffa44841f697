// What a contract says of its confirmation is what the gate then does.
import { expect, test } from 'vitest'
import { decide, type Facts } from '../../../server/policy/decide.ts'
import { defaultProof } from '../../../server/policy/proof.ts'
import { risks } from '../../../server/model/risk.ts'
import { toTool } from '../../../server/tools/catalog.ts'
import { defineTool, riskRank } from '../../../server/tools/define-tool.ts'
import { confirmationOf } from '../../../server/tools/public-contract.ts'
import * as orders from './order-contracts.ts'

const cases = risks.flatMap((risk) =>
  [false, true].flatMap((autonomous) =>
    (['never', 'always'] as const).flatMap((stepUp) =>
      (['rail', 'host'] as const).map((asks) => ({ risk, autonomous, stepUp, asks })),
    ),
  ),
)

test.each(cases.filter(({ risk, autonomous }) => !autonomous || riskRank(risk) <= riskRank('medium')))(
  'whether a person must agree: $risk, autonomous $autonomous, step-up $stepUp, $asks',
  ({ risk, autonomous, stepUp, asks }) => {
    const contract = defineTool({ ...orders.write, risk, autonomous, stepUp, basis: () => '1' })
    const said = confirmationOf(toTool(contract, 'orders_create', asks))
    const facts: Facts = {
      operation: 'write',
      risk,
      autonomous,
      stepUp: stepUp === 'always',
      intent: 'apply',
      required: defaultProof,
      proof: 'none',
      cards: 'yes',
      hostConfirms: asks === 'host',
      dryRunRequired: false,
      people: false,
      approved: false,
      autoApproveHigh: false,
      granted: false,
      frozen: false,
    }
    const { kind, rule } = decide(facts)
    const where = {
      allow: rule === 'host-confirms' ? 'host' : undefined,
      preview: 'rail',
      approve: 'approval',
      deny: undefined,
    }[kind]
    // Where the host asks before each call, it asks about harmless ones as well; they need nobody.
    const needed = risk !== 'low' && !(risk === 'medium' && autonomous)
    if (where === 'host' && !needed) expect(said).toEqual({ required: false })
    else expect([said.required, said.by]).toEqual([kind !== 'allow' || where === 'host', where])
  },
)

test('a read needs no confirmation, and says so', () => {
  expect(confirmationOf(toTool(defineTool(orders.read), 'orders_get'))).toEqual({ required: false })
})
