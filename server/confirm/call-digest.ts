// The fingerprint by which a repeated call is known as the one that was confirmed.
import { canonicalJson, sha256 } from '../canonical-json.ts'

/** Fingerprint of a call: tool, its definition, and the parsed arguments without the reserved names. */
export const callDigest = (tool: string, definition: string, args: string): string =>
  sha256(`${canonicalJson([tool, definition])}\n${args}`)
