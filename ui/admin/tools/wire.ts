// Tools as `/api/v1/contracts` and `/api/v1/definitions` send them; the server's own types.
import type { ListedContract, RatedContract } from '../../../server/http/operators/contracts-api.ts'

export type { ListedContract, RatedContract }

export interface ContractAnswer {
  readonly contract: RatedContract
  /** What an apply must bring at each risk, and who asks for it. */
  readonly gate: {
    readonly proof: Readonly<Record<string, string>>
    readonly confirmation: string
  }
}

/** `GET /definitions`. */
export interface ChangesAnswer {
  readonly changes: readonly {
    readonly name: string
    readonly server: string
    readonly tool: string
    readonly digest: string
    readonly diff: string
  }[]
}
