// The plan's life in a dozen lines that need no database, and the store held against it over arbitrary commands, with the
// clock in the test's hand and two doors to one file.
import * as fc from 'fast-check'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { runsOf } from '../../full.ts'
import { openStore } from '../../../server/store/store.ts'
import type { PlanEnding, PlanState } from '../../../server/model/plan-store.ts'
import type { Store } from '../../../server/store/store.ts'
import { createClock, MINUTE, type Clock } from '../../kit/clock.ts'
import { draft, place } from './store-fixture.ts'

interface Told {
  readonly id: string
  readonly digest: string
  state: PlanState
  expiresAt: number
  owner?: string
  leaseUntil?: number
  click?: { at: number; trusted: boolean }
  appliedAt?: number
  ending?: PlanEnding
  /** Whether it was a reconcile that said how it ended. */
  reconciled?: boolean
  /** Executions; the one number that everything is about. */
  claims: number
}

type Model = { readonly plans: Told[] }
type Real = { readonly doors: readonly [Store, Store]; readonly clock: Clock }

const TTL = 15 * MINUTE
const LEASE = MINUTE
const RECENT = 10 * MINUTE
const EXTENSION = 5 * MINUTE

/** What time alone has done by `now`. */
const age = (plan: Told, now: number): Told => {
  if (plan.state === 'open' && plan.expiresAt <= now) plan.state = 'expired'
  if (plan.state === 'applying' && (plan.leaseUntil ?? 0) <= now) {
    plan.state = 'unknown'
    plan.ending = { kind: 'unknown', failure: { code: 'owner_lost', message: expect.any(String) as string } }
  }
  return plan
}

const endingOf = (kind: PlanEnding['kind']): PlanEnding => {
  if (kind === 'applied') return { kind, result: '{"id":"SO-1"}' }
  if (kind === 'stale') return { kind }
  return { kind, failure: { code: 'out_of_stock', message: 'None left.' } }
}

const end = (plan: Told, kind: PlanEnding['kind'], now: number): void => {
  plan.state = kind
  plan.ending = endingOf(kind)
  if (kind === 'applied') plan.appliedAt = now
}

const command = (
  name: string,
  run: (model: Model, real: Real, door: Store) => Promise<void>,
  door: 0 | 1,
  look = true,
): fc.AsyncCommand<Model, Real> => ({
  check: () => true,
  toString: () => `${name} at door ${door}`,
  run: async (model, real) => {
    for (const plan of model.plans) age(plan, real.clock.now())
    await run(model, real, real.doors[door])
    // Reading writes down that a lease lapsed; what comes after a wait must also hold where nobody has read.
    if (!look) return
    for (const plan of model.plans) {
      age(plan, real.clock.now())
      const { state, expiresAt, click, ending } = plan
      const found = await real.doors[door].plans.find({ by: 'id', id: plan.id })
      expect(found).toMatchObject({ state, expiresAt, click, ending, resultErased: false })
      expect(plan.claims).toBeLessThanOrEqual(1)
    }
  },
})

const doors = fc.constantFrom(0 as const, 1 as const)
const owners = fc.constantFrom('me', 'you')
const kinds = fc.constantFrom<PlanEnding['kind'][]>('applied', 'failed', 'stale', 'unknown')
/** One of the plans there are, wherever the list ends by then. */
const nth = fc.nat(7)
const pick = ({ plans }: Model, at: number): Told | undefined => plans[at % Math.max(plans.length, 1)]

const opens = fc.tuple(doors, fc.constantFrom('a', 'b')).map(([door, digest]) =>
  command(
    `open ${digest}`,
    async ({ plans }, { clock }, store) => {
      const now = clock.now()
      const id = `pl_${plans.length}`
      const older = plans.find((plan) => plan.digest === digest && plan.state === 'open')
      const applied = plans.flatMap((plan) =>
        plan.digest === digest && plan.state === 'applied' ? [plan.appliedAt ?? 0] : [],
      )
      const last = Math.max(...applied, 0)
      expect(await store.plans.open(draft({ id, digest, ttlMs: TTL }))).toMatchObject({
        superseded: older?.id,
        appliedAt: last > now - RECENT ? last : undefined,
      })
      if (older) older.state = 'superseded'
      plans.push({ id, digest, state: 'open', expiresAt: now + TTL, claims: 0 })
    },
    door,
  ),
)

const claims = fc.tuple(doors, nth, owners).map(([door, at, owner]) =>
  command(
    `${owner} claims ${at}`,
    async (model, { clock }, store) => {
      const plan = pick(model, at)
      const kind = plan === undefined ? 'gone' : plan.state === 'open' ? 'claimed' : 'taken'
      const claim = await store.plans.claim(plan?.id ?? 'pl_none', owner, LEASE)
      expect(claim.kind).toBe(kind)
      if (claim.kind !== 'claimed' || plan === undefined) return
      Object.assign(plan, { state: 'applying', owner, leaseUntil: clock.now() + LEASE, claims: plan.claims + 1 })
    },
    door,
  ),
)

const renewals = fc.tuple(doors, nth, owners).map(([door, at, owner]) =>
  command(
    `${owner} renews ${at}`,
    async (model, { clock }, store) => {
      const plan = pick(model, at)
      const holds = plan?.state === 'applying' && plan.owner === owner
      expect(await store.plans.renew(plan?.id ?? 'pl_none', owner, LEASE)).toBe(holds)
      if (holds) plan.leaseUntil = clock.now() + LEASE
    },
    door,
  ),
)

const finishes = fc.tuple(doors, nth, owners, kinds).map(([door, at, owner, kind]) =>
  command(
    `${owner} finishes ${at} as ${kind}`,
    async (model, { clock }, store) => {
      const plan = pick(model, at)
      const may = plan?.owner === owner && (plan.state === 'applying' || plan.state === 'unknown')
      // What stands there already counts as said: whoever lost the answer says it again.
      const said = plan?.owner === owner && plan.state === kind
      expect(await store.plans.finish(plan?.id ?? 'pl_none', owner, endingOf(kind))).toBe(may || said)
      if (may) end(plan, kind, clock.now())
    },
    door,
  ),
)

const settlements = fc.tuple(doors, nth, kinds).map(([door, at, kind]) =>
  command(
    `a reconcile finds ${at} ${kind}`,
    async (model, { clock }, store) => {
      const plan = pick(model, at)
      const may = plan?.state === 'unknown' && (kind === 'applied' || kind === 'failed')
      expect(await store.plans.settle(plan?.id ?? 'pl_none', endingOf(kind))).toBe(may)
      if (!may) return
      end(plan, kind, clock.now())
      plan.reconciled = true
    },
    door,
  ),
)

const corrections = fc.tuple(doors, nth, owners, kinds).map(([door, at, owner, kind]) =>
  command(
    `${owner} corrects ${at} to ${kind}`,
    async (model, { clock }, store) => {
      const plan = pick(model, at)
      const sure = plan?.owner === owner && (kind === 'applied' || kind === 'unknown')
      const may = sure && plan.state === 'failed' && plan.reconciled === true
      const said = sure && plan.state === kind && isDeepStrictEqual(plan.ending, endingOf(kind))
      expect(await store.plans.correct(plan?.id ?? 'pl_none', owner, endingOf(kind))).toBe(may || said)
      if (!may) return
      end(plan, kind, clock.now())
      plan.reconciled = false
    },
    door,
  ),
)

const cancellations = fc.tuple(doors, nth).map(([door, at]) =>
  command(
    `cancel ${at}`,
    async (model, _real, store) => {
      const plan = pick(model, at)
      if (plan?.state === 'open') plan.state = 'cancelled'
      expect((await store.plans.cancel(plan?.id ?? 'pl_none'))?.state).toBe(plan?.state)
    },
    door,
  ),
)

const clicks = fc.tuple(doors, nth, fc.boolean()).map(([door, at, trusted]) =>
  command(
    `${trusted ? 'trusted' : 'plain'} click on ${at}`,
    async (model, { clock }, store) => {
      const plan = pick(model, at)
      if (plan?.state === 'open') {
        if (plan.click === undefined) plan.expiresAt += EXTENSION
        if (plan.click === undefined || (trusted && !plan.click.trusted)) plan.click = { at: clock.now(), trusted }
      }
      expect((await store.plans.click(plan?.id ?? 'pl_none', trusted, EXTENSION))?.click).toStrictEqual(plan?.click)
    },
    door,
  ),
)

// Around each limit, so that being on it, before it and after it are all common.
const steps = fc.constantFrom(0, 1, LEASE - 1, LEASE, EXTENSION, RECENT - LEASE, RECENT, TTL - LEASE, TTL)
const waits = fc
  .tuple(doors, steps)
  .map(([door, ms]) => command(`wait ${ms} ms`, async (_model, { clock }) => clock.pass(ms), door, false))

test('the life of a plan is what it was declared to be, whatever order the commands come in', async () => {
  const directory = place()
  let files = 0
  const commands = [opens, claims, renewals, finishes, settlements, corrections, cancellations, clicks, waits]
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (some) => {
      files += 1
      const clock = createClock()
      const options = { file: join(directory, `${files}.db`), now: clock.now, secret: 'a secret of many characters' }
      const results = [await openStore(options), await openStore(options)]
      const [one, two] = results.map((result) => (result.ok ? result.value : undefined))
      if (!one || !two) throw new Error(JSON.stringify(results))
      try {
        await fc.asyncModelRun(() => ({ model: { plans: [] }, real: { doors: [one, two] as const, clock } }), some)
      } finally {
        await one.close()
        await two.close()
      }
    }),
    { numRuns: runsOf(100) },
  )
})
