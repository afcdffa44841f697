// What speaks against a tool being a plain read, or for asking more of a person. Evidence only ever raises a rating, so
// that no word added to a definition makes anybody less careful.
import type { Operation, Risk } from '../../model/risk.ts'
import type { Hints } from '../call-tools/call-with.ts'
import type { FoundVerb } from './verbs.ts'

/** Everything of a definition that a rating looks at. */
export interface RatedTool {
  /** The server's own name of the tool. */
  readonly name: string
  readonly description?: string | undefined
  readonly inputSchema?: Readonly<Record<string, unknown>> | undefined
  readonly annotations?: Hints | undefined
}

export interface Evidence {
  /** The call is at least so risky. */
  readonly risk: Risk
  /** And does at least this. */
  readonly operation: Operation
  /** One sentence for whoever is asked. */
  readonly reason: string
}

/** A verb as evidence; `where` completes "… says "delete"". */
export const verbEvidence = (where: string, { verb, does, risk, operation }: FoundVerb): Evidence => ({
  risk,
  operation,
  reason: `${where} says "${verb}": it ${does}, so it is ${risk}.`,
})

const operationRank: Readonly<Record<Operation, number>> = { read: 0, write: 1, destructive: 2 }

/** The more far-reaching of two operations. */
export const atLeast = (a: Operation, b: Operation): Operation => (operationRank[a] >= operationRank[b] ? a : b)
