// Preview, basis and run of a contract that is written as a plan and its application (`define-write.ts`).
import type { RunContext, ToolContext, ToolFailed, WriteContract } from './contract.ts'
import { hasEnded } from './has-ended.ts'
import type { AnyWrite } from './define-write.ts'
import {
  bothSides,
  changesNothing,
  fingerprintOf,
  jsonOf,
  previewOf,
  unstablePlace,
  type BothSides,
  type Planned,
  type PlanWords,
} from './planned.ts'

const isPromise = <T>(value: T | Promise<T>): value is Promise<T> =>
  typeof value === 'object' && value !== null && 'then' in value

/** Where both are at once, nothing of this process comes between them: a plan and its application are one step. */
const next = <T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> =>
  isPromise(value) ? value.then(then) : then(value)

export function plannedParts(write: AnyWrite, words: PlanWords): Pick<WriteContract, 'preview' | 'basis' | 'run'> {
  /** What the basis of a call has seen, by its input: the preview that is made next must have seen the same. */
  const seen = new WeakMap<object, BothSides>()
  const [language = 'en'] = write.languages ?? []
  /** The fingerprint must not depend on who reads the card. */
  const inOneLanguage = <Ctx extends ToolContext>(ctx: Ctx): Ctx => ({ ...ctx, language })
  const plan = (input: unknown, ctx: ToolContext): Planned | ToolFailed | Promise<Planned | ToolFailed> =>
    next(write.plan(input, ctx), (planned) => (hasEnded(planned) ? planned : withoutIdleChange(planned)))
  return {
    async basis(input, ctx) {
      const planned = await plan(input, inOneLanguage(ctx))
      if (hasEnded(planned)) return planned
      seen.set(input as object, bothSides(planned))
      return fingerprintOf(planned)
    },
    async preview(input, ctx) {
      const planned = await plan(input, ctx)
      if (hasEnded(planned)) return planned
      const before = seen.get(input as object)
      const place = before === undefined ? undefined : unstablePlace(before, bothSides(planned))
      if (place !== undefined)
        throw new Error(
          `plan answered two different values at ${place} over the same state. Make what is new (ids, times) in apply.`,
        )
      return previewOf(words, planned)
    },
    run: (input, ctx) =>
      next(plan(input, inOneLanguage(ctx)), (planned) => {
        // What the preview read may be gone by now: that is staleness, not a mistake in the arguments.
        if (hasEnded(planned)) return ctx.basis === undefined ? planned : ctx.stale()
        if (ctx.basis !== undefined && ctx.basis !== fingerprintOf(planned)) return ctx.stale()
        if (planned.blocked !== undefined) return blockedFailure(planned.blocked, ctx)
        return next(write.apply({ ...planned, input }, ctx), (applied) =>
          hasEnded(applied) || write.output !== undefined ? applied : writtenOf(planned, applied),
        )
      }),
  }
}

/** A call that would change nothing has nothing to sign. */
const withoutIdleChange = (planned: Planned): Planned =>
  planned.blocked === undefined && changesNothing(planned)
    ? { ...planned, blocked: { title: 'Nothing would change', text: 'It already is as asked.', code: 'unchanged' } }
    : planned

const blockedFailure = ({ code, title, text }: NonNullable<Planned['blocked']>, ctx: RunContext): ToolFailed =>
  ctx.fail(code, `${title}. ${text}`)

/** The record before and after, with what `apply` has made new in it. */
function writtenOf(planned: Planned, applied: unknown): BothSides {
  const { before, after } = bothSides(planned)
  const written = applied === undefined || applied === null ? after : jsonOf(applied)
  return { ...(before === undefined ? {} : { before }), ...(written === undefined ? {} : { after: written }) }
}
