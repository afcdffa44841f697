// How many of the secrets of everyday texts are hidden, and how many of the texts that only look like it. Only the part
// that nobody mended for says how good they are.
import { redactionCost } from './redaction-cost.ts'
import { isHidden, isLeft, samplesOf, type Sample } from '../server/secrets/corpus.ts'

const rate = (name: string, samples: readonly Sample[], right: (sample: Sample) => boolean, word: string): void => {
  const count = samples.filter(right).length
  console.log(
    `${name.padEnd(28)} ${count} of ${samples.length} ${word} (${((100 * count) / samples.length).toFixed(1)} %)`,
  )
}

/** In the order in which they were written; only the first is tested sample by sample. */
const parts = ['tuned', 'held-out', 'apart', 'further']

/** Prints both rates for each part of the corpus. */
export function secrets(): Promise<void> {
  const isTaken = (sample: Sample): boolean => !isLeft(sample)
  for (const part of parts) {
    rate(`secrets, ${part}`, samplesOf(`${part}-secrets`), isHidden, 'hidden')
    rate(`look-alikes, ${part}`, samplesOf(`${part}-harmless`), isTaken, 'hidden')
  }
  redactionCost()
  return Promise.resolve()
}
