// Which mechanical edit belongs to which rule. An edit is offered only where the text says what is meant: a wrong one costs
// the agent a run.
import type { CodeEdit } from '../../../errors/guidance.ts'
import type { Mistake } from './mistake.ts'

type Maker = (mistake: Mistake) => readonly CodeEdit[]

const makers = {} satisfies Readonly<Record<string, Maker>>

export type EditName = string

/** The edits that mend the program, or none where nothing mechanical is likely to. */
export function editsFor(name: EditName | undefined, mistake: Mistake): readonly CodeEdit[] {
  const maker = name === undefined ? undefined : (makers as Record<string, Maker>)[name]
  return maker?.(mistake) ?? []
}
