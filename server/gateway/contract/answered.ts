// What an upstream's answer says of its own failure, for the rail to explain, with what the profile of its server knows of it.
import type { Answered } from '../../errors/explain/stated.ts'
import type { ToolFailed } from '../../tools/contract.ts'
import { textOf } from '../upstream/connection/upstream-call.ts'
import type { RawResult } from '../upstream/upstream.ts'
import type { Called } from './called-tool.ts'

/** The texts and the data of an answer that says that it failed. */
export const answeredIn = (answer: RawResult): Answered => ({
  text: textOf(answer),
  ...(answer.structuredContent === undefined ? {} : { structured: answer.structuredContent }),
})

/** The failure with what the profile of the server says of it. */
export async function withKnown({ knows }: Called, input: unknown, failed: ToolFailed): Promise<ToolFailed> {
  const { answered } = failed
  if (answered === undefined) return failed
  const known = await knows(answered.text ?? '', input)
  return known === undefined ? failed : { ...failed, answered: { ...answered, known } }
}

/** What a read's own answer reports, where its server says that it is an error: a file may well begin with "Error:". */
export async function reportedIn({ knows }: Called, answer: RawResult, input: unknown): Promise<Answered | undefined> {
  if (answer.isError !== true) return undefined
  const answered = answeredIn(answer)
  const known = await knows(answered.text ?? '', input)
  return known === undefined ? answered : { ...answered, known }
}
