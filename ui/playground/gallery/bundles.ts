// Several changes as one decision: before, and where one of them failed.
import type { Card, CardBlock, InnerBlock } from '../../../server/model/card.ts'
import { changeOrder, createOrder, decision, deleteOrder, lines, outcome } from './documents.ts'

/** What a step shows below its fold, and the consequences that stay in sight. */
const step = (summary: string, { blocks }: Card): readonly CardBlock[] => {
  const isInside = ({ kind }: CardBlock): boolean => kind !== 'effects' && kind !== 'alert'
  return [
    {
      kind: 'details',
      summary,
      fields: [],
      applied: true,
      blocks: blocks.filter((block): block is InnerBlock => isInside(block)),
    },
    ...blocks.filter((block) => !isInside(block)),
  ]
}

export const bundle: Card = {
  ...createOrder,
  title: '3 changes: “ACME moves”',
  tool: 'apply_bundle',
  claim: 'ACME moved to a new building, and orders two more desks there.',
  blocks: [
    ...step('1. Create a sales order for ACME (medium)', createOrder),
    ...step('2. Change order SO-1042 (high)', changeOrder),
    ...step('3. Delete order SO-1041 (critical)', deleteOrder),
  ],
  confirm_phrase: 'SO-1041',
  ...decision('apply_bundle', 'Confirm 3 changes', 'critical'),
}

export const bundlePartly: Card = outcome({
  kind: 'success',
  title: '1 of 4 changes made',
  subtitle: '“ACME moves”',
  tool: 'apply_bundle',
  state: 'partial',
  blocks: [
    {
      kind: 'steps',
      steps: [
        { label: 'Order SO-1043 created', state: 'applied' },
        { label: 'Change order SO-1042', state: 'failed', note: 'The order was shipped meanwhile.' },
        { label: 'Book the van', state: 'unknown', note: 'The server did not answer.' },
        { label: 'Delete order SO-1041', state: 'not-run' },
      ],
    },
    { kind: 'details', summary: '1. Order SO-1043 created', fields: [], applied: false, blocks: [lines] },
  ],
  actions: [
    {
      role: 'other',
      label: 'Preview the rest…',
      tone: 'plain',
      steps: [{ do: 'SendMessage', text: 'Preview: call apply_bundle(plans=["pl_a","pl_b"], title="ACME moves")' }],
    },
    {
      role: 'other',
      label: 'Undo…',
      tone: 'plain',
      steps: [{ do: 'SendMessage', text: 'Preview: call orders_delete(id="SO-1043")' }],
    },
  ],
})
