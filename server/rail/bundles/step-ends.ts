// How a step ended where the rail says it: these sentences stand in the result of the bundle, and its card, in whatever language,
// knows them again there. By their code alone it could not: a tool may have failures of its own that are called "stale".
import { refusalCauses } from '../../errors/table.ts'
import type { PlanState } from '../../model/plan-store.ts'
import { runningNext } from '../answers/plan-answers.ts'
import type { BundleStep } from './bundle-contract.ts'

type StepError = NonNullable<BundleStep['error']>

/** What is said of a step by its plan alone. */
export const ended = {
  applying: 'It is being applied right now.',
  unknown: 'Nobody saw how it ended.',
  stale: 'What it rests on has changed since you looked.',
  cancelled: 'It was cancelled.',
  superseded: 'A newer preview has taken its place.',
  expired: 'It had expired.',
} as const satisfies Partial<Record<PlanState, string>>

/** `at`: counted from 0. */
export const staleStep = (at: number): StepError => ({
  code: 'stale',
  message: `What it rests on has changed since you looked${at === 0 ? '' : ', maybe by a step before it'}. Preview it again.`,
})

/** What a card has words of its own for. */
export type OwnEnd = 'stale' | 'cancelled' | 'running' | 'superseded' | 'expired'

const refused = (reason: keyof typeof refusalCauses): StepError => ({
  code: 'confirmation_refused',
  message: refusalCauses[reason],
})
const byPlan = (state: keyof typeof ended): StepError => ({ code: state, message: ended[state] })

const ownEnds: Readonly<Record<OwnEnd, readonly StepError[]>> = {
  stale: [staleStep(0), staleStep(1), byPlan('stale'), refused('stale')],
  cancelled: [byPlan('cancelled'), refused('cancelled')],
  running: [byPlan('applying'), { code: 'running', message: runningNext }],
  superseded: [byPlan('superseded'), refused('superseded')],
  expired: [byPlan('expired'), refused('expired')],
}

/** How a step ended, where these are our words and not its tool's. */
export const ownEndOf = ({ code, message }: StepError): OwnEnd | undefined =>
  (Object.keys(ownEnds) as OwnEnd[]).find((end) =>
    ownEnds[end].some((ours) => ours.code === code && ours.message === message),
  )
