// The world of `bundle-interleavings.test.ts`: two processes that share one real store and each want to apply the same confirmed
// bundle of two notes, and a third one that reaches for a part of it. Every step on the store, and each run of a note, waits
// behind its process's gate.
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { call } from '../../../../server/rail/call.ts'
import { bundlesFor } from '../../../../server/rail/bundles/bundle-contract.ts'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { callPlanTool } from '../../../../server/rail/apply/plan-tools.ts'
import type { Engine } from '../../../../server/rail/engine.ts'
import type { PlanStore } from '../../../../server/model/plan-store.ts'
import { parseApply } from '../../../../server/confirm/message.ts'
import { createCatalog } from '../../../../server/tools/catalog.ts'
import { caller, requestOf } from '../../../kit/calls.ts'
import { createGate, type World } from '../explore-interleavings.ts'
import { gatedPlanStore, type Actor } from '../gated-plan-store.ts'
import { confirmed, createEngine, noteTool, ticketOf, why, type Book } from '../rail-fixture.ts'
import type { Shared } from '../two-processes.ts'

const LEASE = 15_000

export interface BundleScenario {
  readonly third?: 'applies the second step' | 'cancels the second step' | 'cancels the bundle' | 'bundles them anew'
  readonly crashes: number
  /** A process may sleep for longer than its lease, and then does what it was about to do. */
  readonly sleeps?: true
  /** Whether a note can be looked up by its plan. */
  readonly reconcile: boolean
}

interface Applied {
  readonly steps: readonly { readonly plan_id: string; readonly state: string }[]
}

const turn = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns++) await turnOfLoop()
}

let worlds = 0

/** Sets one bundle before the processes, as fresh as on the first day, each time that the answered function is called. */
export function bundleProcesses({ store, clock }: Shared, scenario: BundleScenario): () => Promise<World> {
  let book: Book = []
  let actors: Actor[] = []
  const catalogOf = (name: string): Engine['catalog'] => {
    const notes = noteTool([], {
      run: async (input, ctx) => {
        const actor = actors.find((each) => each.name === name)
        await actor?.gate.pass('run')
        if (scenario.reconcile) ctx.signal.throwIfAborted()
        actor?.seen.push(`run with ${book.length}`)
        book.push({ key: ctx.idempotencyKey, text: input.text })
        return { id: input.text, text: input.text }
      },
      ...(scenario.reconcile
        ? {
            reconcile: (input, { idempotencyKey }) =>
              book.some(({ key }) => key === idempotencyKey)
                ? { kind: 'applied' as const, result: { id: input.text, text: input.text } }
                : { kind: 'not-applied' as const },
          }
        : {}),
    })
    return createCatalog([notes, ...bundlesFor([notes], false)])
  }
  const catalogs = new Map(['A', 'B', 'C', 'later'].map((name) => [name, catalogOf(name)]))
  const engineOf = (name: string, ledger: PlanStore): Engine => ({
    ...createEngine({
      tools: [],
      ledger,
      now: clock.now,
      owner: `process ${name}`,
      settings: { leaseMs: LEASE, runTimeoutMs: 60_000, planTtlMs: 15 * 60_000 },
    }),
    catalog: catalogs.get(name) ?? catalogOf(name),
  })
  const free = engineOf('later', store.plans)
  const send = (engine: Engine, tool: string, args: unknown): Promise<Answer> => call(engine, requestOf(tool, args))
  const repeat = (engine: Engine, preview: Answer): Promise<Answer> => {
    const message = parseApply(confirmed(preview))
    if (!message.ok || message.value.kind !== 'apply') throw new Error('The card has no Apply message.')
    return send(engine, message.value.tool, message.value.args)
  }

  return async () => {
    vi.clearAllTimers()
    worlds += 1
    book = []
    actors = []
    let left = { crashes: scenario.crashes, lapses: scenario.sleeps === true ? 2 : scenario.crashes > 0 ? 1 : 0 }
    const texts = [`${worlds} first`, `${worlds} second`]
    const bundled = (engine: Engine): Promise<Answer> =>
      send(engine, 'apply_bundle', {
        plans: texts.map((text) => ({ tool: 'notes_write', arguments: { text } })),
        title: `Notes ${worlds}`,
        rationale: why,
        preview: true,
      })
    const preview = await bundled(free)
    const { plans = [] } = (preview.preview?.details ?? {}) as {
      readonly plans?: readonly { readonly plan_id: string }[]
    }
    const members = plans.map(({ plan_id: id }) => id)
    const opened = [...members, preview.planId ?? '']

    const enter = (name: string, work: (engine: Engine) => Promise<Answer | undefined>): void => {
      const actor: Actor = { name, gate: createGate(), seen: [], dead: false, over: false }
      actors.push(actor)
      void work(engineOf(name, gatedPlanStore(store.plans, actor, opened))).then((answer) => {
        actor.answer = answer
        actor.over = true
        return undefined
      })
    }
    enter('A', (engine) => repeat(engine, preview))
    if (scenario.third === undefined) enter('B', (engine) => repeat(engine, preview))
    else
      enter('C', async (engine) => {
        const [, second = ''] = members
        switch (scenario.third) {
          case 'applies the second step':
            return send(engine, 'notes_write', { text: texts[1], rationale: why, ticket: second, preview: false })
          case 'bundles them anew':
            return bundled(engine)
          case 'cancels the second step':
            await engine.plans.cancel(second)
            return undefined
          case 'cancels the bundle':
            await callPlanTool(engine, caller(), 'countersign_plan_cancel', { ticket: ticketOf(preview) })
            return undefined
          default:
            return undefined
        }
      })
    await turn()

    const busy = (): readonly Actor[] => actors.filter((actor) => !actor.dead && actor.gate.waiting.size > 0)
    const moves = (): readonly string[] => {
      const working = busy()
      if (working.length === 0) return []
      const list = working.flatMap((actor) => [...actor.gate.waiting.keys()].map((label) => `${actor.name} ${label}`))
      if (left.crashes > 0)
        list.push(
          ...working.filter(({ name, seen }) => name === 'A' && seen.length > 0).map(({ name }) => `crash ${name}`),
        )
      if (left.lapses > 0 && (scenario.sleeps === true || actors.some((actor) => actor.dead))) list.push('lapse')
      return list
    }
    const play = async (move: string): Promise<void> => {
      const [name = '', ...rest] = move.split(' ')
      if (move === 'lapse') {
        left = { ...left, lapses: left.lapses - 1 }
        clock.pass(LEASE)
      } else if (name === 'crash') {
        left = { ...left, crashes: left.crashes - 1 }
        for (const actor of actors.filter((each) => each.name === rest[0])) {
          actor.dead = true
          actor.gate.kill()
        }
      } else actors.find((actor) => actor.name === name)?.gate.open(rest.join(' '), 'go')
      await turn()
    }
    const states = () => Promise.all(opened.map((id) => store.plans.find({ by: 'id', id })))
    const key = async (): Promise<string> =>
      JSON.stringify([
        actors.map(({ seen, dead, over, answer, gate }) => [
          seen,
          dead,
          over,
          answer?.outcome,
          [...gate.waiting.keys()],
        ]),
        (await states()).map((plan) => plan?.state),
        book.map(({ key: plan }) => members.indexOf(plan)),
        left,
      ]).replaceAll(`${worlds} `, '')
    const check = (): void => expect(new Set(book.map(({ key: plan }) => plan)).size).toBe(book.length)

    /** Whoever is told of a bundle is told of each of its steps what the book says; `late`: after all that can still happen. */
    const expectTruth = (answer: Answer | undefined, late = false): void => {
      if (answer?.outcome !== 'applied' && answer?.outcome !== 'replayed') return
      if (answer.tool !== 'apply_bundle') return
      const { steps } = answer.result as Applied
      for (const { plan_id: plan, state } of steps) {
        const isWritten = book.some(({ key: one }) => one === plan)
        if (state === 'applied') expect(isWritten).toBe(true)
        if (isWritten && late) expect(state).toMatch(scenario.reconcile ? /^applied$/ : /^(?:applied|not_known)$/)
        // Of a note that stands in the book nobody is told that it failed, but while its run slept, of which only that can be known.
        if (isWritten && scenario.sleeps !== true) expect(state).not.toBe('failed')
      }
    }
    const end = async (): Promise<void> => {
      check()
      for (const { answer } of actors) expectTruth(answer)
      if (scenario.crashes === 0) expect(actors.every((actor) => actor.over)).toBe(true)
      const before = book.length
      clock.pass(2 * LEASE)
      const wasOpen = (await store.plans.find({ by: 'id', id: preview.planId ?? '' }))?.state === 'open'
      const later = await repeat(free, preview)
      if (!wasOpen) expect(book.length).toBe(before)
      expectTruth(later)
      check()
      // Once every lease has lapsed and each note can be looked up, every step is known.
      clock.pass(2 * LEASE)
      const again = await repeat(free, preview)
      expectTruth(again, true)
      expect(again.outcome).not.toBe('running')
      if (scenario.reconcile && again.outcome === 'replayed')
        expect((again.result as Applied).steps.map(({ state }) => state)).not.toContain('not_known')
      if (again.outcome === 'outcome_unknown') expect(again.text).not.toMatch(/nothing was (?:changed|run)/i)
      // Where a step has run, no other one can be applied by itself any more.
      const [first, second] = (await states()).map((plan) => plan?.state)
      if (scenario.third === undefined && book.length > 0) expect([first, second]).not.toContain('open')
    }
    return { moves, play, key, check, end }
  }
}
