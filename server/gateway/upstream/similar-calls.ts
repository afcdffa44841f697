// What became of such calls before is the one thing that we know of somebody else's tool beyond its own words. Only when,
// how it ended and how long it took: what others sent is theirs.
import type { CardBlock, CardValue } from '../../model/card.ts'

/** A call of the same tool by the same tenant that is over. */
export interface PastCall {
  /** Epoch milliseconds. */
  readonly at: number
  readonly outcome: 'applied' | 'failed' | 'outcome_unknown'
  readonly durationMs: number | undefined
  /** Whether whoever asks now made it. */
  readonly own: boolean
}

/** How many are shown. */
export const shownCalls = 5

const outcomes: Readonly<Record<PastCall['outcome'], string>> = {
  applied: 'done',
  failed: 'failed, nothing was changed',
  outcome_unknown: 'nobody knows how it ended',
}

/** The last few of them, newest first; nothing where there was none. */
export function similarBlocks(tool: string, calls: readonly PastCall[]): readonly CardBlock[] {
  if (calls.length === 0) return []
  return [
    {
      kind: 'table',
      label: `Calls of ${tool} before`,
      columns: [{ label: 'When' }, { label: 'Asked by' }, { label: 'Outcome' }, { label: 'Took', align: 'end' }],
      rows: calls
        .slice(0, shownCalls)
        .map(({ at, own, outcome, durationMs }) => [
          { kind: 'date', iso: new Date(at).toISOString(), precision: 'minute' },
          { kind: 'text', text: own ? 'the same' : 'somebody else' },
          { kind: 'text', text: outcomes[outcome] },
          tookValue(durationMs),
        ]),
    },
  ]
}

function tookValue(ms: number | undefined): CardValue {
  if (ms === undefined) return { kind: 'unknown' }
  return ms < 1000
    ? { kind: 'number', value: String(Math.round(ms)), unit: 'ms' }
    : { kind: 'number', value: (ms / 1000).toFixed(1), unit: 's' }
}
