// V8 reads a function when it is called first, and Zod compiles each part of a schema at its first use: the first answer with a
// card took 7 to 12 ms of the processor, the later ones take less than one. So two answers are made once before anybody waits.
import { previewCard, successCard } from '../../cards/builders.ts'
import { cardText } from '../../cards/card-text.ts'
import { formatApply, formatCancel } from '../../confirm/message.ts'
import type { Card, CardBlock } from '../../model/card.ts'
import { checkCardMessages } from '../preview/check-card-messages.ts'

const identity = { tool: 'notes_write', source: 'rehearsal', title: 'Write the note plan' }
const text = { kind: 'text', text: 'Launch on 28 November' } as const

/** What most cards have something of. */
const blocks: readonly CardBlock[] = [
  { kind: 'alert', severity: 'warning', title: 'An identical call was applied.', text: 'Confirming does it again.' },
  { kind: 'fields', fields: [{ label: 'Text', value: text }] },
  { kind: 'code', label: 'Output', text: '1 + 1\n', language: 'python' },
  {
    kind: 'table',
    label: 'Files',
    columns: [{ label: 'File' }, { label: 'Bytes', align: 'end' }],
    rows: [
      [
        { kind: 'code', text: 'plan.txt' },
        { kind: 'number', value: '21' },
      ],
    ],
  },
  { kind: 'progress', label: 'Fuel', done: 1, total: 4, marks: [50, 75, 90] },
]

/** What is rehearsed: the card of a preview, and that of a success. */
export const rehearsedCards: readonly (() => Card)[] = [
  () =>
    previewCard({
      ...identity,
      risk: 'medium',
      claim: 'The person asked for it.',
      changes: [{ pointer: '/text', label: 'Text', before: { kind: 'unset' }, after: text }],
      blocks,
      effects: ['The note is written.'],
      confirmLabel: 'Write note',
      plan: { id: 'pl_rehearsal', ticket: 'cs1_rehearsal', expires_in_ms: 1000 },
      applyText: formatApply('notes_write', [
        ['text', text.text],
        ['ticket', 'cs1_rehearsal'],
      ]),
      cancelText: formatCancel('the note', 'pl_rehearsal'),
    }),
  () => successCard({ ...identity, blocks, at: '2026-01-01T00:00:00.000Z' }),
]

/** Makes these answers, twice, in steps between which calls are answered. Nobody waits for its end. */
export async function rehearseAnswers(): Promise<void> {
  for (const make of [...rehearsedCards, ...rehearsedCards]) {
    await new Promise((resume) => setImmediate(resume))
    cardText(checkCardMessages(make()))
  }
}
