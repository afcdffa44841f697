// Where a person stands with the first steps: which are over, and what the one that was taken last waits for. All of it is
// read from the conversation, so that a step may be taken in any order, twice, or through the form.
import type { Guide, Suggestion } from './suggestions.ts'
import type { CallEntry, Entry } from './transcript.ts'

/** A step that was taken, and what of its guide is to be read now. */
export interface Taken {
  readonly step: Suggestion
  readonly guide: Guide
  /** `left`: its card was cancelled. */
  readonly stands: 'open' | 'over' | 'left'
  /** Whether somebody else has done their part. */
  readonly elsewhere: boolean
  /** For what the call waits: its approval, and where an operator decides. */
  readonly approval: { readonly id: string; readonly url: string } | undefined
}

/** Whoever changes a call leaves its reason as a rule, and each call that follows from it gives the same one. */
const isOf = (step: Suggestion, entry: Entry): entry is CallEntry =>
  entry.kind === 'call' && entry.args['rationale'] === step.args['rationale']

function approvalIn(call: CallEntry): Taken['approval'] {
  const { approval_id: id, approval_url: url } = answerOf(call) ?? {}
  return typeof id === 'string' && isWebAddress(url) ? { id, url } : undefined
}

const isWebAddress = (given: unknown): given is string => typeof given === 'string' && /^https?:\/\//.test(given)

const answerOf = ({ end }: CallEntry): Readonly<Record<string, unknown>> | undefined =>
  end.kind === 'answered' ? (end.result.structuredContent ?? {}) : undefined

function ends(until: Guide['until'], call: CallEntry): boolean {
  const answer = answerOf(call)
  if (answer === undefined) return false
  switch (until) {
    case 'answered':
      return true
    case 'revised':
      return call.why === 'previews'
    case 'approval':
      return answer['requires_human_approval'] === true
    case 'applied':
    case 'stale':
      return answer['status'] === until
    default:
      return until satisfies never
  }
}

/** The labels of those steps that are over. */
export const stepsOver = (steps: readonly Suggestion[], entries: readonly Entry[]): readonly string[] =>
  steps
    .filter((step) => entries.some((entry) => isOf(step, entry) && step.guide && ends(step.guide.until, entry)))
    .map(({ label }) => label)

/** The step that was taken last, as far as its guide goes; nothing once the agent was asked for something else. */
export function stepTaken(steps: readonly Suggestion[], entries: readonly Entry[]): Taken | undefined {
  const at = entries.findLastIndex((entry) => entry.kind === 'call' && entry.why === 'asked')
  const asked = entries[at]
  const step = asked && steps.find((one) => isOf(one, asked) && one.tool === asked.tool)
  if (step?.guide === undefined) return undefined
  const since = entries.slice(at)
  const calls = since.filter((entry) => isOf(step, entry))
  const { guide } = step
  const approval = calls.map(approvalIn).find((found) => found !== undefined)
  const isLeft = since.some((entry) => entry.kind === 'person' && entry.text.startsWith('Cancel: '))
  return {
    step,
    guide,
    stands: calls.some((call) => ends(guide.until, call)) ? 'over' : isLeft ? 'left' : 'open',
    elsewhere: since.some((entry) => entry.kind === 'meanwhile'),
    approval,
  }
}

const key = 'countersign.playground.steps.1'

/** The steps that were over before this page was loaded; what is damaged is forgotten. */
export function loadSteps(storage: Storage): readonly string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((one) => typeof one === 'string') : []
  } catch {
    return []
  }
}

export const saveSteps = (storage: Storage, labels: readonly string[]): void =>
  storage.setItem(key, JSON.stringify(labels))
