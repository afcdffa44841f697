// What grants are worth: calls that ran under one, each of which a person would have been asked about without it.
import type { CallSum, Facts } from './facts.ts'
import { callsOf } from './call-figures.ts'

/** The grants with the most calls that are listed. */
const MOST_GRANTS = 50

/** Calls that ran under grants, over time and by grant. */
export function savedCalls({ slices }: Pick<Facts, 'slices'>) {
  const all = slices.flatMap(({ sums }) => sums.filter(isUnderGrant))
  const grants = [...Map.groupBy(all, ({ grant }) => grant)]
    .flatMap(([grant, sums]) =>
      grant === undefined ? [] : [{ grant, tool: sums.at(-1)?.tool ?? null, ...ranOf(sums) }],
    )
    .filter(({ ran, failed }) => ran + failed > 0)
    .toSorted((one, other) => other.ran - one.ran || (one.grant < other.grant ? -1 : 1))
  return {
    ...ranOf(all),
    /** The fifty under which the most ran. */
    grants: grants.slice(0, MOST_GRANTS),
    over_time: slices.map(({ since, until, sums }) => {
      const under = sums.filter(isUnderGrant)
      return {
        since: new Date(since).toISOString(),
        until: new Date(until).toISOString(),
        ...ranOf(under),
        /** Ids of the grants under which they ran. */
        grants: [...new Set(under.flatMap(({ grant }) => grant ?? []))].toSorted().slice(0, MOST_GRANTS),
      }
    }),
  }
}

const isUnderGrant = ({ grant }: CallSum): boolean => grant !== undefined

/** A repeat of a call that ran, and one that was turned away before it could, has saved nobody a question. */
const ranOf = (sums: readonly CallSum[]) => ({
  ran: callsOf(sums.filter(({ outcome }) => outcome === 'applied' || outcome === 'ok')),
  failed: callsOf(sums.filter(({ outcome }) => outcome === 'failed' || outcome === 'outcome_unknown')),
})
