// Chance over everything at once: previews, applies in both spellings, cancels, clicks, edits, time, in any order, held
// against a model of a dozen lines. The model knows nothing of the store; what it counts is what really ran.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../full.ts'
import { call } from '../../../server/rail/call.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Outcome } from '../../../server/model/outcome.ts'
import { callPlanTool } from '../../../server/rail/apply/plan-tools.ts'
import type { Caller } from '../../../server/rail/engine.ts'
import { parseApply } from '../../../server/confirm/message.ts'
import { createClock, MINUTE } from '../../kit/clock.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { confirmed, createEngine, noteTool, openMemory, ticketOf, why } from './rail-fixture.ts'

interface Told {
  readonly text: string
  readonly subject: string
  readonly preview: Answer
  readonly basis: number
  state: 'open' | 'applied' | 'cancelled' | 'superseded' | 'stale'
  expiresAt: number
  appliedAt?: number
  click?: 'plain' | 'trusted'
}

interface Model {
  readonly plans: Told[]
  ran: number
  version: number
}

interface Real {
  readonly now: () => number
  readonly pass: (ms: number) => void
  readonly written: () => number
  edit(): void
  ask(args: object, as: Caller): Promise<Answer>
  press(
    name: 'countersign_plan_cancel' | 'countersign_plan_confirm' | 'countersign_plan_status',
    plan: Told,
    as: Caller,
  ): Promise<string | undefined>
}

type Command = fc.AsyncCommand<Model, Real>

const TTL = 15 * MINUTE

const isOpen = (plan: Told, now: number): boolean => plan.state === 'open' && plan.expiresAt > now

const person = (subject: string, trusted = false): Caller =>
  caller({ principal: { tenant: 'default', subject }, trusted })

const subjects = fc.constantFrom('ada', 'bob')
const nth = fc.nat(6)
const pick = (model: Model, at: number): Told | undefined => model.plans[at % Math.max(model.plans.length, 1)]

const command = (name: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  toString: () => name,
  run: async (model, real) => {
    await run(model, real)
    expect(real.written()).toBe(model.ran)
  },
})

const previews = fc.tuple(subjects, fc.constantFrom('a', 'b', 'grave')).map(([subject, text]) =>
  command(`${subject} previews ${text}`, async (model, real) => {
    const preview = await real.ask({ text }, person(subject))
    expect(preview.outcome).toBe('previewed')
    const mine = model.plans.filter((plan) => plan.text === text && plan.subject === subject)
    const recent = mine.some((plan) => (plan.appliedAt ?? -Infinity) > real.now() - 10 * MINUTE)
    expect(/identical call/.test(preview.text)).toBe(recent)
    for (const plan of mine) if (isOpen(plan, real.now())) plan.state = 'superseded'
    model.plans.push({ text, subject, preview, basis: model.version, state: 'open', expiresAt: real.now() + TTL })
  }),
)

/** What the engine should say of an apply, and what then becomes of the plan. */
function applied(model: Model, plan: Told, as: string, proof: 'ticket' | 'plan', same: boolean, now: number): Outcome {
  if (plan.subject !== as) return 'refused'
  if (!same) return isOpen(plan, now) || plan.state === 'applied' ? 'mismatch' : 'refused'
  if (plan.state === 'applied') return 'replayed'
  if (!isOpen(plan, now)) return 'refused'
  const enough = plan.text === 'grave' ? proof === 'ticket' && plan.click === 'trusted' : true
  if (!enough) return 'refused'
  if (plan.basis !== model.version) {
    plan.state = 'stale'
    return 'stale'
  }
  Object.assign(plan, { state: 'applied', appliedAt: now })
  model.ran += 1
  model.version += 1
  return 'applied'
}

const applies = fc
  .record({
    subject: subjects,
    at: nth,
    proof: fc.constantFrom('ticket' as const, 'plan' as const),
    same: fc.boolean(),
    twice: fc.boolean(),
  })
  .map(({ subject, at, proof, same, twice }) =>
    command(
      `${subject} applies ${at} by ${proof}${same ? '' : ', changed'}${twice ? ', twice at once' : ''}`,
      async (model, real) => {
        const plan = pick(model, at)
        if (plan === undefined) return
        const message = parseApply(confirmed(plan.preview))
        if (!message.ok || message.value.kind !== 'apply') throw new Error('no Apply message')
        const ticket = proof === 'plan' ? plan.preview.planId : ticketOf(plan.preview)
        const args = { ...message.value.args, ticket, ...(same ? {} : { text: 'other' }) }
        const expected = applied(model, plan, subject, proof, same || plan.text === 'other', real.now())
        // What is stale or mismatched brings a fresh preview, which opens a plan of its own.
        const answers = await Promise.all([
          real.ask(args, person(subject)),
          ...(twice && expected === 'applied' ? [real.ask(args, person(subject))] : []),
        ])
        const outcomes = answers.map((answer) => answer.outcome)
        expect(outcomes).toContain(expected)
        for (const outcome of outcomes) expect([expected, 'replayed', 'running']).toContain(outcome)
        for (const answer of answers) {
          if (answer.outcome !== 'stale' && answer.outcome !== 'mismatch') continue
          const text = answer.outcome === 'stale' ? plan.text : 'other'
          for (const older of model.plans)
            if (older.text === text && older.subject === subject && isOpen(older, real.now()))
              older.state = 'superseded'
          model.plans.push({
            text,
            subject,
            preview: answer,
            basis: model.version,
            state: 'open',
            expiresAt: real.now() + TTL,
          })
        }
      },
    ),
  )

const presses = fc
  .tuple(subjects, nth, fc.constantFrom('cancel', 'confirm', 'status'), fc.boolean())
  .map(([subject, at, name, trusted]) =>
    command(`${subject} presses ${name} on ${at}${trusted ? ', trusted' : ''}`, async (model, real) => {
      const plan = pick(model, at)
      if (plan === undefined) return
      if (plan.subject === subject && isOpen(plan, real.now())) {
        if (name === 'cancel') plan.state = 'cancelled'
        if (name === 'confirm') {
          if (plan.click === undefined) plan.expiresAt += 5 * MINUTE
          if (plan.click !== 'trusted') plan.click = trusted ? 'trusted' : (plan.click ?? 'plain')
        }
      }
      const state = plan.state === 'open' && !isOpen(plan, real.now()) ? 'expired' : plan.state
      const tool =
        name === 'cancel'
          ? 'countersign_plan_cancel'
          : name === 'confirm'
            ? 'countersign_plan_confirm'
            : 'countersign_plan_status'
      expect(await real.press(tool, plan, person(subject, trusted))).toBe(plan.subject === subject ? state : undefined)
    }),
  )

const edits = fc.constant(
  command('somebody edits the book', async (model, real) => {
    real.edit()
    model.version += 1
    await Promise.resolve()
  }),
)

const waits = fc.constantFrom(1, MINUTE, 5 * MINUTE, 10 * MINUTE, TTL - 1, TTL).map((ms) =>
  command(`wait ${ms} ms`, async (_model, real) => {
    real.pass(ms)
    await Promise.resolve()
  }),
)

test('whatever people, agents and time do, each plan runs at most once and every answer is as the model says', async () => {
  const clock = createClock()
  const store = await openMemory(clock.now)
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.commands([previews, applies, applies, presses, edits, waits], { maxCommands: 30, size: 'max' }),
      async (commands) => {
        // One store for all runs; each has tenants of its own, and the book starts empty.
        run += 1
        const tenant = `run ${run}`
        const book: { key: string; text: string }[] = []
        let version = 1
        const engine = createEngine({
          tools: [
            noteTool(book, {
              risk: { atMost: 'critical', of: ({ text }) => (text === 'grave' ? 'critical' : 'medium') },
              basis: () => String(version),
              run: (input, ctx) => {
                if (ctx.basis !== String(version)) return ctx.stale()
                book.push({ key: ctx.idempotencyKey, text: input.text })
                version += 1
                return { id: `N-${book.length}`, text: input.text }
              },
            }),
          ],
          ledger: store.plans,
          now: clock.now,
        })
        const inTenant = (as: Caller): Caller => ({ ...as, principal: { ...as.principal, tenant } })
        const real: Real = {
          now: clock.now,
          pass: clock.pass,
          written: () => book.length,
          edit: () => {
            version += 1
          },
          ask: (args, as) => call(engine, requestOf('notes_write', { rationale: why, ...args }, inTenant(as))),
          press: async (name, plan, as) =>
            (await callPlanTool(engine, inTenant(as), name, { ticket: ticketOf(plan.preview) }))?.state,
        }
        await fc.asyncModelRun(() => ({ model: { plans: [], ran: 0, version: 1 }, real }), commands)
        expect(new Set(book.map(({ key }) => key)).size).toBe(book.length)
      },
    ),
    { numRuns: runsOf(150) },
  )
})
