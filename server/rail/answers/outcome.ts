// What a call became. One tagged value for every door: MCP, HTTP and CLI only format it.
import type { Card } from '../../model/card.ts'
import type { BudgetAnalysis } from '../../errors/budget.ts'
import type { ErrorGuidance } from '../../errors/guidance.ts'
import type { Contract, Preview } from '../../tools/contract.ts'
import type { Finding } from '../../model/finding.ts'
import type { Risk } from '../../model/risk.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { CoveringGrant } from './grant-answers.ts'

/** The answer of the rail. What a door needs to format it, and nothing about any wire. */
export interface Answer {
  readonly outcome: Outcome
  /** Wire name as it was called. */
  readonly tool: string
  /** Absent where the tool does not exist (or must look so). */
  readonly contract?: Contract
  /** The contract's output; `applied`, `replayed`, `ok`. */
  readonly result?: unknown
  readonly planId?: string
  /** The approval that this call waits for. */
  readonly approval?: {
    readonly id: string
    readonly summary: string
    readonly ttlSeconds: number
    /** Where a person decides: absolute where a web door is open, else below the server's own address. */
    readonly url: string
    /** The command by which a person approves it, as a shell reads it. */
    readonly command: string
    /** Variables that it needs as this server has them. */
    readonly commandVariables: readonly string[]
  }
  /** The approval that it rested on. */
  readonly approvalId?: string
  /** What the gate said, and by which rule: "allow:proof". */
  readonly verdict?: string
  readonly risk?: Risk
  readonly expiresAt?: number
  readonly preview?: Preview
  /** The caller asked for a dry run in the form of the tool design guide, and is answered in its shape. */
  readonly dryRunForm?: true
  readonly guidance?: ErrorGuidance
  /**
   * Where `guidance` explains what another service answered: the same in the words of the contract. Its `error_type` is the
   * code of the error, which clients know from the contract, and it is all that is said where guidance is withheld.
   */
  readonly declared?: ErrorGuidance
  /** The operator wants callers to be told the code, message and cause of an error, and no more (`guidance.errors`). */
  readonly withholdsGuidance?: true
  /** The error as operators count it. */
  readonly finding?: Finding
  /** What a refusal at a gateway's door names beside its message. */
  readonly details?: Readonly<Record<string, unknown>>
  /** Permissions that the principal lacks. */
  readonly missing?: readonly string[]
  readonly budget?: BudgetAnalysis
  /** The grant that covers the call, or that it ran under. */
  readonly coveringGrant?: CoveringGrant
  readonly card?: Card
  /** Answers with the envelope although no contract says so: `apply_plan` without a tool. */
  readonly envelope?: true
  /** What to do now, in one sentence; where it is absent, the guidance's first step counts. */
  readonly next?: string
  /** One Markdown text that a person can read and a model can act on. */
  readonly text: string
  /** The same without what an upstream answered, for where that stands beside it. */
  readonly textBesideResult?: string
}

/** The error as the contract declares it: the code and message that stand in every answer. */
export const declaredGuidance = ({ declared, guidance }: Answer): ErrorGuidance | undefined => declared ?? guidance

/** The guidance as callers get it. The record, the log and an HTTP status go by the whole of it in any case. */
export const toldGuidance = ({ guidance, withholdsGuidance }: Answer): ErrorGuidance | undefined =>
  withholdsGuidance === true ? undefined : guidance
