// How many of the secrets of everyday texts are hidden, and how many of the texts that only look like it. Only the part
// that nobody mended for says how good they are. Beside ours, what secretlint's recommended preset does alone.
import { redactionCost } from './redaction-cost.ts'
import { reported } from '../../server/policy/secretlint.ts'
import { isHidden, isLeft, isReported, isUnreported, samplesOf, type Sample } from '../server/policy/secrets/corpus.ts'

const rate = (name: string, samples: readonly Sample[], right: (sample: Sample) => boolean, word: string): void => {
  const count = samples.filter(right).length
  console.log(
    `${name.padEnd(44)} ${count} of ${samples.length} ${word} (${((100 * count) / samples.length).toFixed(1)} %)`,
  )
}

/** In the order in which they were written; only the first is tested sample by sample. */
const parts = ['tuned', 'held-out', 'apart', 'further', 'untouched']

/** Prints both rates for each part of the corpus. */
export function secrets(): Promise<void> {
  const isTaken = (sample: Sample): boolean => !isLeft(sample)
  const isFoundByPeer = (sample: Sample): boolean => isReported(sample, reported)
  const isTakenByPeer = (sample: Sample): boolean => !isUnreported(sample, reported)
  for (const part of parts) {
    rate(`secrets, ${part}`, samplesOf(`${part}-secrets`), isHidden, 'hidden')
    rate(`look-alikes, ${part}`, samplesOf(`${part}-harmless`), isTaken, 'hidden')
    rate(`secrets, ${part}, secretlint's preset`, samplesOf(`${part}-secrets`), isFoundByPeer, 'found')
    rate(`look-alikes, ${part}, secretlint's preset`, samplesOf(`${part}-harmless`), isTakenByPeer, 'found')
  }
  redactionCost()
  return Promise.resolve()
}
