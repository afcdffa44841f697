import type { VNode } from 'preact'
import { Pill, type PillTone } from '../../parts/buttons.tsx'
import type { Feedback } from '../shapes.ts'

const severities: Readonly<Record<Feedback['severity'], readonly [string, PillTone]>> = {
  high: ['High', 'danger'],
  med: ['Medium', 'warn'],
  low: ['Low', 'plain'],
}
const states: Readonly<Record<Feedback['state'], readonly [string, PillTone]>> = {
  new: ['New', 'plain'],
  seen: ['Seen', 'plain'],
  done: ['Resolved', 'ok'],
}

export const severityChoices = Object.entries(severities).map(([value, [words]]) => [value, words] as const)
export const stateChoices = Object.entries(states).map(([value, [words]]) => [value, words] as const)

/** How bad the agent says it is. */
export const SeverityPill = ({ severity }: { readonly severity: Feedback['severity'] }): VNode => (
  <Pill tone={severities[severity][1]}>
    {severities[severity][0]}
    <span class="sr"> severity</span>
  </Pill>
)

/** What the operators made of it. */
export const StatePill = ({ state }: { readonly state: Feedback['state'] }): VNode => (
  <Pill tone={states[state][1]}>{states[state][0]}</Pill>
)
