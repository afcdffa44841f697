// What a secret member was before is as secret as what it is set to. A plan that has read it says so to the call, nothing of which
// is written down with it from then on: an `apply` that throws may repeat it.
import { fromPointer, valuesAt } from '../../errors/pointer.ts'
import type { ToolContext } from '../contract.ts'
import { hasEnded } from '../has-ended.ts'
import type { AnyWrite } from './define-write.ts'

/** On the context of a call that has secret arguments: takes down more values that are secret. */
export const notesSecrets: unique symbol = Symbol('notes secrets')

/** The plan of a write, which says what stands at these places of its record. It takes as long as it did. */
export function notedPlan({ plan }: AnyWrite, hidden: readonly string[]): AnyWrite['plan'] {
  if (hidden.length === 0) return plan
  return (input, ctx) => {
    const note = (ctx as ToolContext & { [notesSecrets]?: (values: readonly unknown[]) => void })[notesSecrets]
    const noted = <T extends object>(planned: T): T => {
      if (typeof planned !== 'object' || planned === null || hasEnded(planned)) return planned
      const { before, after } = planned as { readonly before?: unknown; readonly after?: unknown }
      note?.(hidden.map(fromPointer).flatMap((path) => [...valuesAt(before, path), ...valuesAt(after, path)]))
      return planned
    }
    const planned = plan(input, ctx)
    return planned instanceof Promise ? planned.then(noted) : noted(planned)
  }
}
