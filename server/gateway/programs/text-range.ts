/** A stretch of a text, in UTF-16 units: its first one, and the one behind its last. */
export interface TextRange {
  readonly from: number
  readonly to: number
}
