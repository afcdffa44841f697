// Every kind and state of a card as a document that a server could have sent, so that a change of the card can be looked
// at everywhere at once. What a person reaches only by a click (pending, sent, refused) is one click away here, too: the
// host profile decides what becomes of the message.
import type { Card } from '../../../server/model/card.ts'
import type { PlanState } from '../../../server/model/plan-store.ts'
import { figures, partly, recipients, records, shared, tableOf120 } from './blocks.ts'
import { bundle, bundlePartly } from './bundles.ts'
import {
  blocked,
  changed,
  changeOrder,
  createOrder,
  deleteOrder,
  details,
  edited,
  hostile,
  lines,
  manyLines,
  outcome,
  preview,
  problem,
  stale,
} from './documents.ts'
import { campaignReads, changeable, goingOn, longList, readList, revisions, type Reads } from './reading.ts'
import { commitFiles, deleteRows, openIssue, runLine } from './upstream-cards.ts'

/** What the plan's server says of it. `silent`: nothing. */
export type PlanAnswer = PlanState | 'silent'

export interface Example {
  readonly id: string
  readonly title: string
  readonly group: 'Decisions' | 'Life of a card' | 'Outcomes' | 'Blocks' | 'Strange content'
  readonly card: Card
  readonly plan: PlanAnswer
  /** Answers what the card reads on; made anew for each frame. */
  readonly reads?: () => Reads
}

const example = (
  group: Example['group'],
  id: string,
  title: string,
  card: Card,
  plan: PlanAnswer = 'open',
): Example => ({ group, id, title, card, plan })

const lives: readonly (readonly [PlanAnswer, string])[] = [
  ['silent', 'The server does not answer'],
  ['applying', 'Applying'],
  ['applied', 'Applied elsewhere'],
  ['failed', 'Failed'],
  ['stale', 'Stale'],
  ['unknown', 'Outcome unknown'],
  ['cancelled', 'Cancelled'],
  ['superseded', 'Superseded'],
  ['expired', 'Expired'],
]

/** All examples, in the order in which they are shown. */
export const examples: readonly Example[] = [
  example('Decisions', 'medium', 'Medium: one click', createOrder),
  { ...example('Decisions', 'revise', 'Medium: values that may be changed', changeable), reads: () => revisions },
  example('Decisions', 'high', 'High: what changes', changeOrder),
  example('Decisions', 'critical', 'Critical: for good', deleteOrder),
  example('Decisions', 'bundle', 'Bundle: several changes as one', bundle),
  example('Decisions', 'blocked', 'Blocked', blocked),
  example('Decisions', 'three-way', 'Stale: saw, now, would become', stale),
  ...lives.map(([plan, title]) => example('Life of a card', plan, title, createOrder, plan)),
  example('Outcomes', 'success', 'Success', changed, 'applied'),
  example('Outcomes', 'bundle-partly', 'Bundle that stopped', bundlePartly, 'applied'),
  { ...example('Outcomes', 'follow', 'Success that goes on', goingOn, 'applied'), reads: campaignReads },
  example(
    'Outcomes',
    'error',
    'Error, nothing changed',
    problem(
      'Order was not changed',
      'failed',
      'unknown_sku',
      'SKU `DESK-1` does not exist.',
      'Did you mean `DESK-01`?',
    ),
    'failed',
  ),
  example(
    'Outcomes',
    'outcome-unknown',
    'Error, outcome unknown',
    problem(
      'Nobody knows',
      'unknown',
      'outcome_unknown',
      'The connection broke.',
      'Look at the order before trying again.',
    ),
    'unknown',
  ),
  example(
    'Outcomes',
    'approval',
    'Waiting for an approver',
    outcome({
      kind: 'approval',
      title: 'Waiting for approval',
      state: 'info',
      risk: 'critical',
      blocks: [{ kind: 'text', text: 'Somebody with the right to approve has been asked.' }, lines],
    }),
  ),
  example(
    'Outcomes',
    'info',
    'Information',
    outcome({ kind: 'info', title: 'Nothing to do', state: 'info', blocks: [{ kind: 'text', text: 'All is well.' }] }),
  ),
  example('Decisions', 'typed', 'Critical: type what is shown', recipients),
  example('Outcomes', 'partial', 'Partly applied', partly, 'unknown'),
  example('Blocks', 'table', 'Table of 120 rows', tableOf120),
  { ...example('Blocks', 'pages', 'List of 4,821 rows', longList), reads: () => readList },
  example('Blocks', 'picture', 'First page of a file', shared),
  example('Blocks', 'metrics', 'Metrics', figures),
  example('Blocks', 'records', 'Records that come, change and go', records),
  example('Blocks', 'code', 'Code as a diff', edited),
  example('Blocks', 'sql', 'SQL of another server, with what is dangerous', deleteRows),
  example('Blocks', 'shell', 'Line of a shell, with what is dangerous', runLine),
  example('Blocks', 'commit', 'Commit with a file that nobody expects', commitFiles),
  example('Blocks', 'markdown', 'Markdown of another server', openIssue),
  example('Blocks', 'details', 'Details, folded away', preview('Move the launch', details)),
  example('Strange content', 'hostile', 'Hostile text', hostile),
  example('Strange content', 'many', '200 lines', manyLines),
]
