// The world of `interleavings.test.ts`: processes that share one real store and each want to apply the same confirmed
// plan. Every step on the store, and each step of the tool, waits behind its process's gate.
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { call } from '../../../server/rail/call.ts'
import type { PlanStore } from '../../../server/model/plan-store.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import { callPlanTool } from '../../../server/rail/apply/plan-tools.ts'
import type { Engine } from '../../../server/rail/engine.ts'
import { parseApply } from '../../../server/confirm/message.ts'
import type { Store } from '../../../server/store/store.ts'
import { createCatalog } from '../../../server/tools/catalog.ts'
import type { Contract } from '../../../server/tools/contract.ts'
import { createGate, type World } from './explore-interleavings.ts'
import { claimed, expectTruthful } from './expect-truthful.ts'
import { gatedPlanStore, type Actor } from './gated-plan-store.ts'
import type { Clock } from '../../kit/clock.ts'
import { caller, requestOf } from '../../kit/calls.ts'
import { confirmed, createEngine, noteTool, why, type NoteContract } from './rail-fixture.ts'

const LEASE = 15_000
const RUN_TIMEOUT = 60_000
const TTL = 15 * 60_000

export interface Scenario {
  /** How the tool behaves. */
  readonly conduct: 'writes' | 'writes, then throws' | 'refuses' | 'breaks off half way' | 'answers nonsense'
  readonly reconcile: boolean
  /** Who else reaches for the plan. */
  readonly third?: 'cancels' | 'previews again' | 'edits' | 'clicks'
  /** Both calls arrive at one process. */
  readonly sameProcess?: boolean
  readonly crashes: number
  /** When the lease may lapse by the clock: only after a crash, or under a living owner that stalls. */
  readonly lapses?: 'after a crash' | 'any time'
  readonly expires?: boolean
  /** The caller's patience ends while the tool runs. */
  readonly deadline?: boolean
  /** Whoever runs may sleep in the middle of it, and then does what it was about to do; the other one asks twice. */
  readonly sleeps?: true
  /** How many steps on the store may fail. */
  readonly faults?: number
}

export interface Shared {
  readonly store: Store
  readonly clock: Clock
}

/** Until nobody can move: what is written waits for the next turn of the loop, for company, and what follows for its commit. */
const turn = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns++) await turnOfLoop()
}

let worlds = 0

/**
 * Sets one plan before the processes, as fresh as on the first day, each time that the answered function is called. Only
 * the world that was made last goes on, so the tools, which take long to make, are the same for all and look at that one.
 */
export function twoProcesses({ store, clock }: Shared, scenario: Scenario): () => Promise<World> {
  let text = ''
  let book: { key: string; text: string }[] = []
  let version = 1
  let actors: Actor[] = []

  const contract = (name: string): Contract => {
    const step = async (label: string): Promise<void> => {
      const actor = actors.find((each) => each.name === name)
      if (actor === undefined) return
      await actor.gate.pass(label)
      actor.seen.push(`${label} at ${version} with ${book.length}`)
    }
    return noteTool([], {
      basis: async () => {
        await step('basis')
        return String(version)
      },
      run: async (input, ctx) => {
        await step('run')
        // As the contract demands of a tool that reconciles; any other may come late.
        if (scenario.reconcile && scenario.sleeps !== true) ctx.signal.throwIfAborted()
        if (ctx.basis !== String(version)) return ctx.stale()
        if (scenario.conduct === 'refuses') return ctx.fail('book_full', 'No page is left.')
        book.push({ key: ctx.idempotencyKey, text: input.text })
        version += 1
        if (scenario.conduct === 'writes, then throws') throw new Error('The pen broke.')
        if (scenario.conduct === 'breaks off half way') return ctx.fail('ink_ran_out', 'Half a note is written.')
        if (scenario.conduct === 'answers nonsense') return { id: 7 } as unknown as { id: string; text: string }
        return { id: `N-${text}`, text: input.text }
      },
      ...(scenario.reconcile ? { reconcile: reconcileFrom(() => book, step) } : {}),
    })
  }
  const catalogs = new Map<string, Engine['catalog']>()
  const catalogOf = (name: string): Engine['catalog'] => {
    const made = catalogs.get(name) ?? createCatalog([contract(name)])
    catalogs.set(name, made)
    return made
  }
  const engineOf = (name: string, owner: string, ledger: PlanStore): Engine => ({
    ...createEngine({
      tools: [],
      ledger,
      now: clock.now,
      owner,
      settings: { leaseMs: LEASE, runTimeoutMs: RUN_TIMEOUT, planTtlMs: TTL },
    }),
    catalog: catalogOf(name),
  })
  const free = engineOf('nobody in particular', 'a process later', store.plans)
  const send = (engine: Engine, tool: string, args: unknown): Promise<Answer> => call(engine, requestOf(tool, args))

  return async () => {
    vi.clearAllTimers()
    text = `note ${(worlds += 1)}`
    book = []
    version = 1
    actors = []
    const opened: string[] = []
    let left = {
      crashes: scenario.crashes,
      lapses: scenario.lapses === undefined ? 0 : scenario.sleeps === true ? 2 : 1,
      expiries: scenario.expires === true ? 1 : 0,
      deadlines: scenario.deadline === true ? 1 : 0,
      faults: scenario.faults ?? 0,
    }

    const preview = await send(free, 'notes_write', { text, rationale: why })
    const planId = preview.planId ?? ''
    opened.push(planId)
    const message = parseApply(confirmed(preview))
    if (!message.ok || message.value.kind !== 'apply') throw new Error('The card has no Apply message.')
    const applied = message.value
    const ticket = preview.card?.plan?.ticket
    const enter = (
      name: string,
      owner: string,
      work: (engine: Engine, actor: Actor) => Promise<Answer | undefined>,
    ): void => {
      const actor: Actor = { name, gate: createGate(), seen: [], dead: false, over: false }
      const engine = engineOf(name, owner, gatedPlanStore(store.plans, actor, opened))
      actors.push(actor)
      void work(engine, actor).then((answer) => {
        actor.answer = answer
        actor.over = true
        return undefined
      })
    }
    const apply = (engine: Engine): Promise<Answer> => send(engine, applied.tool, applied.args)
    enter('A', 'one', apply)
    const applyTwice = (engine: Engine): Promise<Answer> => apply(engine).then(() => apply(engine))
    enter('B', scenario.sameProcess === true ? 'one' : 'two', scenario.sleeps === true ? applyTwice : apply)
    if (scenario.third === 'cancels' || scenario.third === 'clicks') {
      const name = scenario.third === 'cancels' ? 'countersign_plan_cancel' : 'countersign_plan_confirm'
      enter('C', 'three', async (engine) => {
        await callPlanTool(engine, caller({ trusted: true }), name, { ticket })
        return undefined
      })
    }
    if (scenario.third === 'previews again')
      enter('C', 'three', (engine) => send(engine, 'notes_write', { text, rationale: why }))
    if (scenario.third === 'edits')
      enter('C', 'three', async (_road, actor) => {
        await actor.gate.pass('edit')
        version += 1
        return undefined
      })
    await turn()

    const living = (): readonly Actor[] => actors.filter((actor) => !actor.dead)
    const busy = (): readonly Actor[] => living().filter((actor) => actor.gate.waiting.size > 0)

    const moves = (): readonly string[] => {
      const working = busy()
      if (working.length === 0) return []
      const list = working.flatMap((actor) => [...actor.gate.waiting.keys()].map((label) => `${actor.name} ${label}`))
      const onStore = list.filter((move) => !/ (?:basis|run|reconcile|edit)\+*$/.test(move))
      if (left.faults > 0) list.push(...onStore.flatMap((move) => [`break ${move}`, `tear ${move}`]))
      // A process that has not begun might as well not exist.
      if (left.crashes > 0)
        list.push(
          ...working.filter(({ name, seen }) => name !== 'C' && seen.length > 0).map(({ name }) => `crash ${name}`),
        )
      const crashed = actors.some((actor) => actor.dead)
      if (left.lapses > 0 && (crashed || scenario.lapses === 'any time')) list.push('lapse')
      if (left.expiries > 0) list.push('expire')
      if (left.deadlines > 0 && working.some((actor) => !actor.over && claimed(actor))) list.push('deadline')
      return list
    }

    const play = async (move: string): Promise<void> => {
      const [first = '', ...rest] = move.split(' ')
      if (move === 'lapse') {
        left = { ...left, lapses: left.lapses - 1 }
        clock.pass(LEASE)
      } else if (move === 'expire') {
        left = { ...left, expiries: 0, lapses: 0 }
        clock.pass(TTL)
      } else if (move === 'deadline') {
        left = { ...left, deadlines: 0 }
        vi.advanceTimersByTime(RUN_TIMEOUT)
      } else if (first === 'crash') {
        left = { ...left, crashes: left.crashes - 1 }
        const name = rest[0]
        for (const actor of actors)
          if (actor.name === name || (scenario.sameProcess === true && actor.name !== 'C')) {
            actor.dead = true
            actor.gate.kill()
          }
      } else {
        const fault = first === 'break' || first === 'tear' ? first : undefined
        if (fault !== undefined) left = { ...left, faults: left.faults - 1 }
        const [name, label] = fault === undefined ? [first, rest.join(' ')] : [rest[0], rest.slice(1).join(' ')]
        actors.find((actor) => actor.name === name)?.gate.open(label, fault ?? 'go')
      }
      await turn()
    }

    const key = async (): Promise<string> => {
      const rows = await store.db
        .$extendTables<{
          countersign_plans: { id: string; state: string; owner: string | null; lease_until: number }
        }>()
        .selectFrom('countersign_plans')
        .select(['id', 'state', 'owner', 'lease_until'])
        .where('id', 'in', opened)
        .execute()
      return JSON.stringify([
        actors.map(({ seen, dead, over, answer, gate }) => [
          seen,
          dead,
          over,
          answer?.outcome,
          answer?.result,
          [...gate.waiting.keys()],
        ]),
        opened
          .map((id) => rows.find((row) => row.id === id))
          .map((row) => row && [row.state, row.owner?.replace(/ run_.*/, ''), (row.lease_until ?? 0) > clock.now()]),
        version,
        book.length,
        left,
      ])
    }

    const check = (): void => expect(book.length, 'executions').toBeLessThanOrEqual(1)

    const end = (): Promise<void> =>
      expectTruthful(actors, scenario, {
        note: { id: `N-${text}`, text },
        written: () => book.length,
        plan: () => store.plans.find({ by: 'id', id: planId }),
        lapse: () => clock.pass(LEASE),
        apply: () => send(free, applied.tool, applied.args),
      })

    return { moves, play, key, check, end }
  }
}

const reconcileFrom =
  (
    book: () => readonly { readonly key: string; readonly text: string }[],
    step: (label: string) => Promise<void>,
  ): NonNullable<NoteContract['reconcile']> =>
  async (_input, { idempotencyKey }) => {
    await step('reconcile')
    const found = book().find(({ key }) => key === idempotencyKey)
    return found === undefined
      ? { kind: 'not-applied' }
      : { kind: 'applied', result: { id: `N-${found.text}`, text: found.text } }
  }
