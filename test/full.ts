// `npm test` says within minutes whether a change is good, so of what is explored to the end it takes cases that stand
// for the others, at least one of each kind; `npm run test:full` takes all of them. Which of the two a run is, is read
// here and nowhere else.

/** Whether this run takes all cases. @throws where COUNTERSIGN_TEST has a value that means nothing. */
export function isFull(): boolean {
  const named = process.env['COUNTERSIGN_TEST'] ?? ''
  if (named !== '' && named !== 'full')
    throw new Error(`COUNTERSIGN_TEST is ${JSON.stringify(named)}. Set it to "full", or leave it out.`)
  return named === 'full'
}

/**
 * All cases in a full run, in any other one those with these names, in the order of `all`.
 * @throws where a name fits no case: a selection must not shrink because something was renamed.
 */
export function casesOf<T>(all: readonly T[], nameOf: (one: T) => string, names: readonly string[]): readonly T[] {
  const known = new Set(all.map(nameOf))
  const missing = names.filter((name) => !known.has(name))
  if (missing.length > 0 || names.length === 0) throw new Error(`There is no case ${missing.join(', ') || 'at all'}.`)
  return isFull() ? all : all.filter((one) => names.includes(nameOf(one)))
}

/** How many runs of a property a run of the tests takes: in a full one so many, in any other a tenth of them. */
export const runsOf = (all: number): number => (isFull() ? all : Math.ceil(all / 10))
