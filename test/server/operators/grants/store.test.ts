// What the store promises of a grant, whatever the order of events: never more uses than it has in its
// period, none under a revoked, expired or foreign one, and a use given back is a use to take again.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import type { GrantDraft } from '../../../../server/model/grants.ts'
import type { Store } from '../../../../server/store/store.ts'
import { everything, present, testSecret } from '../../../postgres.ts'
import { storeOn, type TestStore } from './serve-grants.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 5, 1, 12)
let clock = start
let base: TestStore
let other: Store
let made = 0

beforeAll(async () => {
  base = await storeOn(() => clock)
  other = await base.open()
})
afterAll(() => base.end())

const draft = (more: Partial<GrantDraft> = {}): GrantDraft => ({
  id: `gr_${String((made += 1)).padStart(16, '0')}`,
  tenant: 'default',
  subject: undefined,
  tool: 'invoices_send',
  definition: 'd1',
  risk: 'high',
  condition: 'customer == "Secret Customer"',
  note: 'Monthly round.',
  times: 3,
  per: 'total',
  until: clock + 24 * hour,
  createdBy: 'grace',
  giver: undefined,
  approvalId: undefined,
  ...more,
})

const claim = (planId: string, more: object = {}) => ({
  planId,
  principal: { tenant: 'default', subject: 'ada' },
  tool: 'invoices_send',
  definition: 'd1',
  ...more,
})

test('it comes back as it was given, and its words lie sealed', async () => {
  const given = draft({ subject: 'ada', approvalId: 'ap_0000000000000001' })
  const grant = await base.store.grants.create(given)
  expect(grant).toStrictEqual({
    ...given,
    createdAt: clock,
    renewed: undefined,
    revoked: undefined,
    used: 0,
    usedInAll: 0,
    lastUsedAt: undefined,
  })
  expect(await other.grants.find(given.id)).toStrictEqual(grant)
  expect(await everything(base.url)).not.toMatch(/Secret Customer|Monthly round/)
})

test('two calls that name one plan take one use; a plan of another permission takes none', async () => {
  const one = await base.store.grants.create(draft())
  const two = await base.store.grants.create(draft())
  const plan = `pl_of_${one.id}`
  const takes = await Promise.all([base.store.grants.take(one.id, claim(plan)), other.grants.take(one.id, claim(plan))])
  expect(takes.every(({ kind }) => kind === 'taken')).toBe(true)
  expect(await other.grants.find(one.id)).toMatchObject({ used: 1 })
  expect(await other.grants.take(two.id, claim(plan))).toStrictEqual({ kind: 'refused' })
  expect(await other.grants.giveBack(plan)).toBe(true)
  expect(await other.grants.giveBack(plan)).toBe(false)
  expect(await other.grants.take(one.id, claim(plan))).toStrictEqual({ kind: 'refused' })
})

test.each([
  ['of another tenant', { principal: { tenant: 'other', subject: 'ada' } }],
  ['of somebody else', { principal: { tenant: 'default', subject: 'eve' } }],
  ['of another tool', { tool: 'mail_send' }],
  ['of another definition', { definition: 'd2' }],
])('a call %s takes nothing', async (_, more) => {
  const { grants } = base.store
  const { id } = await grants.create(draft({ subject: 'ada' }))
  expect(await grants.take(id, claim(`pl_odd_${id}`, more))).toStrictEqual({ kind: 'refused' })
  expect(await grants.find(id)).toMatchObject({ used: 0 })
})

test('lists are newest first, of one tenant or tool, active or ended, page by page', async () => {
  const { grants } = base.store
  const tenant = 'of the lists'
  const ids: string[] = []
  for (const tool of ['a', 'b', 'a']) {
    clock += 1
    ids.unshift((await grants.create(draft({ tenant, tool }))).id)
  }
  const list = async (more: object): Promise<string[]> =>
    (await grants.list({ tenant, limit: 10, ...more })).map(({ id }) => id)
  expect(await list({})).toStrictEqual(ids)
  expect(await list({ limit: 2 })).toStrictEqual(ids.slice(0, 2))
  expect(await list({ before: ids[1] })).toStrictEqual(ids.slice(2))
  expect(await list({ tool: 'a' })).toStrictEqual([ids[0], ids[2]])
  await grants.revoke(ids[0] ?? '', 'grace')
  expect(await list({ state: 'active' })).toStrictEqual(ids.slice(1))
  expect(await list({ state: 'ended' })).toStrictEqual(ids.slice(0, 1))
})

test('what a process that died has taken comes back where its plan had no effect, and stays where nobody knows', async () => {
  const { grants, plans } = base.store
  const { id } = await grants.create(draft({ times: 10 }))
  const open = async (name: string): Promise<string> => {
    const planId = `pl_${name}`
    await plans.open({
      id: planId,
      ticketHash: planId,
      digest: planId,
      tool: 'invoices_send',
      definition: 'd1',
      principal: { tenant: 'default', subject: 'ada' },
      basis: undefined,
      args: '{}',
      rationale: '',
      shown: '{}',
      ttlMs: hour,
    })
    await grants.take(id, claim(planId))
    return planId
  }
  await open('never_claimed')
  await plans.cancel(await open('cancelled'))
  await plans.claim(await open('failed'), 'a', hour)
  await plans.finish('pl_failed', 'a', { kind: 'failed', failure: { code: 'x', message: 'x' } })
  await plans.claim(await open('unknown'), 'a', hour)
  await plans.finish('pl_unknown', 'a', { kind: 'unknown', failure: { code: 'x', message: 'x' } })
  await plans.claim(await open('applied'), 'a', hour)
  await plans.finish('pl_applied', 'a', { kind: 'applied', result: '{}' })
  await base.store.sweep()
  expect(await grants.find(id)).toMatchObject({ used: 3 })
  clock += 2 * hour
  await base.store.sweep()
  expect(await grants.find(id)).toMatchObject({ used: 2 })
})

test('what ended a month ago is removed with its uses; what stands stays', async () => {
  const { grants } = base.store
  const old = await grants.create(draft({ until: clock + hour }))
  const standing = await grants.create(draft({ until: clock + 60 * 24 * hour }))
  for (const { id } of [old, standing]) await grants.take(id, claim(`pl_kept_${id}`))
  clock += 32 * 24 * hour
  await base.store.sweep()
  expect(await grants.find(old.id)).toBeUndefined()
  expect(await grants.uses(old.id, 10)).toStrictEqual([])
  expect(await grants.find(standing.id)).toMatchObject({ usedInAll: 1 })
})

type Event =
  | { readonly kind: 'take'; readonly there: boolean; readonly definition: string }
  | { readonly kind: 'back'; readonly which: number }
  | { readonly kind: 'revoke' }
  | { readonly kind: 'renew' }
  | { readonly kind: 'pass'; readonly minutes: number }

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      there: fc.boolean(),
      definition: fc.constantFrom('d1', 'd1', 'd1', 'd2'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('back' as const), which: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), minutes: fc.nat(90) }) },
  { weight: 1, arbitrary: fc.constantFrom<Event>({ kind: 'revoke' }, { kind: 'renew' }) },
)

test('no sequence of uses, returns, renewals, revocations and hours takes more than there is', async () => {
  const runs = fc.record({
    times: fc.integer({ min: 1, max: 4 }),
    per: fc.constantFrom('hour' as const, 'day' as const, 'total' as const),
    hours: fc.integer({ min: 1, max: 30 }),
    events: fc.array(event, { maxLength: 30 }),
  })
  await fc.assert(
    fc.asyncProperty(runs, async ({ times, per, hours, events }) => {
      const until = clock + hours * hour
      const { id } = await base.store.grants.create(draft({ times, per, until }))
      const windowMs = { hour, day: 24 * hour, total: Infinity }[per]
      // The model: what has been taken and not given back, when.
      let uses: { readonly plan: string; readonly at: number }[] = []
      let [definition, revoked, plan] = ['d1', false, 0]
      for (const each of events) {
        const counted = uses.filter(({ at }) => at > clock - windowMs).length
        if (each.kind === 'pass') clock += each.minutes * 60_000
        else if (each.kind === 'revoke') {
          expect(await other.grants.revoke(id, 'grace')).toBe(!revoked)
          revoked = true
        } else if (each.kind === 'renew') {
          definition = definition === 'd1' ? 'd2' : 'd1'
          const renewed = await other.grants.renew(id, { definition, risk: 'high', by: 'grace', giver: 'ac_grace' })
          expect(renewed).toBe(!revoked && clock < until)
          if (!renewed) definition = definition === 'd1' ? 'd2' : 'd1'
        } else if (each.kind === 'back') {
          const use = uses[each.which % Math.max(1, uses.length)]
          if (use === undefined) continue
          expect(await other.grants.giveBack(use.plan)).toBe(true)
          uses = uses.filter((one) => one !== use)
        } else {
          const name = `pl_${id}_${(plan += 1)}`
          const { grants } = each.there ? other : base.store
          const allowed = !revoked && clock < until && each.definition === definition && counted < times
          const standing = await grants.active({ tenant: 'default', subject: 'ada' }, 'invoices_send')
          expect(standing.some((grant) => grant.id === id)).toBe(!revoked && clock < until && counted < times)
          expect(await grants.take(id, claim(name, { definition: each.definition }))).toStrictEqual(
            allowed ? { kind: 'taken', left: times - counted - 1 } : { kind: 'refused' },
          )
          if (allowed) uses = [...uses, { plan: name, at: clock }]
        }
      }
      await base.store.grants.revoke(id, 'grace')
      expect(await other.grants.find(id)).toMatchObject({
        used: uses.filter(({ at }) => at > clock - windowMs).length,
        usedInAll: uses.length,
      })
    }),
    { numRuns: runsOf(present === 'sqlite' ? 60 : 25) },
  )
})

test('processes that take at the same time never take more than there is', async () => {
  const { id } = await base.store.grants.create(draft({ times: 20, per: 'hour', until: Date.now() + 365 * 24 * hour }))
  const worker = join(import.meta.dirname, 'worker.ts')
  const workers = ['a', 'b', 'c'].map((name) => {
    const child = spawn(process.execPath, ['--no-warnings', worker, base.url, id, '15', name], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, COUNTERSIGN_SECRET: testSecret },
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    return {
      child,
      ready: once(child.stdout, 'data'),
      ended: once(child, 'exit').then(() => Number(said.split('\n')[1])),
    }
  })
  await Promise.all(workers.map(({ ready }) => ready))
  for (const { child } of workers) child.stdin.write('go\n')
  const taken = await Promise.all(workers.map(({ ended }) => ended))
  expect(taken.reduce((sum, each) => sum + each, 0)).toBe(20)
  expect(await base.store.grants.uses(id, 100)).toHaveLength(20)
})
