// What a call became and what the gate said, in words that a person uses; the record's own names stay in the address and
// in the exports.
import type { VNode } from 'preact'
import { Pill, type PillTone } from '../../parts/buttons.tsx'
import type { Line } from '../shapes.ts'

const outcomes: Readonly<Record<Line['status'], readonly [words: string, tone: PillTone]>> = {
  ok: ['Done', 'ok'],
  previewed: ['Previewed', 'plain'],
  applied: ['Applied', 'ok'],
  replayed: ['Repeated answer', 'plain'],
  running: ['Still running', 'plain'],
  mismatch: ['Arguments differed', 'warn'],
  stale: ['Data had changed', 'warn'],
  refused: ['Refused', 'warn'],
  awaiting_approval: ['Waits for approval', 'plain'],
  failed: ['Failed', 'danger'],
  outcome_unknown: ['Outcome unknown', 'danger'],
  open: ['Running', 'plain'],
  unknown: ['End not recorded', 'danger'],
}

/** What who called did, before and after the sentence of the call: "ada asked for approval: Delete a sales order". */
export const deeds: Readonly<Record<Line['status'], readonly [before: string, after: string]>> = {
  ok: ['asked:', ', and was answered.'],
  previewed: ['asked to see what would happen:', '.'],
  applied: ['had it done:', '.'],
  replayed: ['asked once more for what was done already:', '.'],
  running: ['began:', '. It was still running when the answer was given.'],
  mismatch: ['came back with other arguments than were confirmed:', '. Nothing was run.'],
  stale: ['came back too late, the data had changed:', '. Nothing was run.'],
  refused: ['was refused:', '.'],
  awaiting_approval: ['asked for approval:', '.'],
  failed: ['tried, and it failed:', '.'],
  outcome_unknown: ['began:', '. Nobody knows how it ended: look whether it took effect.'],
  open: ['began:', '. It is running.'],
  unknown: ['began:', '. Its end was never recorded, because the process died: check whether it took effect.'],
}

export const outcomeWords = (status: string): string =>
  Object.hasOwn(outcomes, status) ? outcomes[status as Line['status']][0] : status

export const outcomeChoices = Object.entries(outcomes).map(([value, [words]]) => [value, words] as const)

export const OutcomePill = ({ status }: { readonly status: Line['status'] }): VNode => {
  const [words, tone] = outcomes[status]
  return <Pill tone={tone}>{words}</Pill>
}

const verdicts: Readonly<Record<string, string>> = {
  allow: 'Let through',
  preview: 'Preview first',
  approve: 'Sent to a person',
  deny: 'Turned away',
  vote: 'Agreed to, others must too',
  decided: 'Decided',
  none: 'Not judged',
}

/** What the gate said: `allow` of `allow:proof`. */
export const verdictWords = (verdict: string): string => verdicts[verdict] ?? verdict

export const verdictChoices = ['allow', 'preview', 'approve', 'deny'].map((name) => [name, verdictWords(name)] as const)

const sources: Readonly<Record<string, string>> = {
  mcp: 'over MCP',
  rest: 'over REST',
  cli: 'at the terminal',
  approval: 'after an approval',
  operator: 'an operator',
  later: 'by itself, later',
}

/** Of everything on record, which. */
export const sourceChoices = [
  ['mcp,rest,cli,approval', 'Calls of agents'],
  ['operator', 'What people did'],
  ['later', 'What happened later'],
] as const

/** Through which door a call came. */
export const sourceWords = (source: string): string => sources[source] ?? source

/** A duration as a person says it. */
export const durationWords = (ms: number | null): string => {
  if (ms === null) return ''
  if (ms < 1000) return `${ms} ms`
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}

/** What the agent declared at a call tool; what it did not is said to be derived. */
export const intentWords = ({ intent_type, intent_source }: Pick<Line, 'intent_type' | 'intent_source'>): string =>
  intent_source === 'declared' ? `declared as ${intent_type}` : `as ${intent_type}, derived`
