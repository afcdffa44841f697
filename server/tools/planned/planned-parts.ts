// Preview, basis and run of a contract that is written as a plan and its application (`define-write.ts`).
import type { ToolContext, ToolFailed, WriteContract } from '../contract.ts'
import type { AnyWrite } from './define-write.ts'
import { hasEnded } from '../has-ended.ts'
import { changesNothing, checkPlan, previewOf, unstablePlace, type CheckedPlan, type PlanWords } from './planned.ts'
import { writtenOf } from './written.ts'

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

/** Where both are at once, nothing of this process comes between them: a plan and its application are one step. */
const next = <T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> =>
  isPromise(value) ? value.then(then) : then(value)

/** `codes`: of the contract's failures. */
export function plannedParts(
  write: AnyWrite,
  words: PlanWords,
  codes: readonly string[],
): Pick<WriteContract, 'preview' | 'basis' | 'run'> {
  /** What the basis of a call is of, by its input: the preview that is made next shows it. */
  const seen = new WeakMap<object, CheckedPlan>()
  const plan = (input: unknown, ctx: ToolContext): CheckedPlan | ToolFailed | Promise<CheckedPlan | ToolFailed> =>
    next(write.plan(input, ctx), (planned) => (hasEnded(planned) ? planned : withoutIdleChange(planned, codes)))
  return {
    async basis(input, ctx) {
      const checked = await plan(input, ctx)
      if (hasEnded(checked)) return checked
      seen.set(input as object, checked)
      return checked.fingerprint
    },
    async preview(input, ctx) {
      const checked = await plan(input, ctx)
      if (hasEnded(checked)) return checked
      const first = seen.get(input as object)
      if (first === undefined) return previewOf(words, checked)
      seen.delete(input as object)
      if (unstablePlace(first, checked) !== undefined) {
        // What moved may be no part of `before`. Then two answers in a row are alike.
        const again = await plan(input, ctx)
        const place = hasEnded(again) ? undefined : unstablePlace(checked, again)
        if (place !== undefined)
          throw new Error(
            `plan was asked three times over the same state, and answered another ${place} each time. Make what is new (ids, times) in apply.`,
          )
      }
      // What the person sees is what the basis is of, and nothing newer: a state that moves there and back again would let what was
      // never shown be applied. One that has moved on makes the call stale.
      return previewOf(words, first)
    },
    run: (input, ctx) =>
      next(plan(input, ctx), (checked) => {
        // What the preview read may be gone by now: that is staleness, not a mistake in the arguments.
        if (hasEnded(checked)) return ctx.basis === undefined ? checked : ctx.stale()
        if (ctx.basis !== undefined && ctx.basis !== checked.fingerprint) return ctx.stale()
        const { planned, said, sides } = checked
        if (said.blocked !== undefined)
          return ctx.fail(said.blocked.code, `${said.blocked.title}. ${said.blocked.text}`)
        return next(write.apply({ ...planned, input }, ctx), (applied) =>
          hasEnded(applied) || write.output !== undefined ? applied : writtenOf(sides, applied, words.hidden),
        )
      }),
  }
}

/** A call that would change nothing has nothing to sign. */
function withoutIdleChange(given: unknown, codes: readonly string[]): CheckedPlan {
  const checked = checkPlan(given, codes)
  if (checked.said.blocked !== undefined || !changesNothing(checked)) return checked
  const blocked = { title: 'Nothing would change', text: 'It already is as asked.', code: 'unchanged' }
  return { ...checked, said: { ...checked.said, blocked } }
}
