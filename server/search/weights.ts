// How much each kind of evidence counts. The figures are round because the plateau is broad: on the tasks of
// `test/bench/retrieval.ts`, halving or doubling any one of them moved recall@5 by 0.05 at most, half of its own 95 %
// interval, and weights drawn at random beat plain BM25 on average. Tuning them finer to one set of tasks would be
// self-deception.
import type { Field } from './tool-text.ts'

export interface Weights {
  /** What a word is worth in each field. */
  readonly field: Readonly<Record<Field, number>>
  /** How strongly a field's length counts against it, 0 to 1 (BM25F's `b`). */
  readonly length: Readonly<Record<Field, number>>
  /** Where repetition stops counting (BM25's `k1`). */
  readonly saturation: number
  /** What a thesaurus neighbour is worth beside the word itself. */
  readonly neighbour: number
  /** Words that never occur in any name are seldom what a task is about. */
  readonly nameless: number
  /** Words that lead many names (get, list, search) say little about which. */
  readonly verb: number
  /** Share of the score that depends on how much of the tool's name the task covers. */
  readonly coverage: number
  /** What the server's own fit adds to each of its tools. */
  readonly serverFit: number
  /** The best step of a task, beside the task as a whole. */
  readonly step: number
  /** A file or folder that a task names. */
  readonly path: number
  /** A day or hour that is relative to now. */
  readonly now: number
  /** What a tool passes on to the tools of its server that bring its arguments. */
  readonly prerequisite: number
  /** What resemblance to a better hit's name costs. */
  readonly resemblance: number
  /** What each better hit of the same server leaves of a score. */
  readonly sameServer: number
}

export const WEIGHTS: Weights = {
  field: { name: 3, summary: 1.5, detail: 0.7, parameter: 0.8, parameterText: 0.3, server: 1.5 },
  length: { name: 0.3, summary: 0.5, detail: 0.6, parameter: 0.7, parameterText: 0.7, server: 0.2 },
  saturation: 1.2,
  neighbour: 0.45,
  nameless: 0.8,
  verb: 0.5,
  coverage: 0.5,
  serverFit: 1,
  step: 0.4,
  path: 1.1,
  now: 0.8,
  prerequisite: 0.6,
  resemblance: 0.3,
  sameServer: 0.95,
}
