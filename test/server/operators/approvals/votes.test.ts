// A call that takes several people runs once, after so many different people have agreed and nobody has said no, in
// whatever order and however many at once they press.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import type { ApprovalDraft } from '../../../../server/model/approvals.ts'
import type { Store } from '../../../../server/store/store.ts'
import { approval, people } from './voters.ts'
import { createClock, DAY } from '../../../kit/clock.ts'
import { draft, opened, openedWithClock, place } from '../../store/store-fixture.ts'
import { join } from 'node:path'

const waiting = async (store: Store, change: Partial<ApprovalDraft> = {}): Promise<void> => {
  const id = change.planId ?? 'pl_1'
  await store.plans.open(draft({ id, digest: `call of ${id}` }))
  await store.approvals.request(approval({ approvers: 2, ...change }))
}

const fresh = async (change: Partial<ApprovalDraft> = {}) => {
  const { clock, store } = await openedWithClock()
  await waiting(store, change)
  const known = await people(store, ['Eve', 'Bob', 'Cid', 'Dan'])
  return { clock, store, approvals: store.approvals, ...known }
}

describe('two people', () => {
  test('must agree: the first vote counts and waits, the second one decides, and both are on record', async () => {
    const { approvals, clock, voter } = await fresh()
    const first = await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    expect(first).toMatchObject({ kind: 'waiting', approval: { state: 'pending', votes: [{ name: 'Eve' }] } })
    expect(await approvals.claimable(10)).toStrictEqual([])
    clock.pass(1000)
    const second = await approvals.decide('ap_1', {
      decision: 'approved',
      by: voter('Bob', undefined, { via: 'oidc' }),
    })
    expect(second).toMatchObject({ kind: 'decided', approval: { state: 'approved', decidedBy: 'Eve, Bob' } })
    expect((await approvals.find('ap_1'))?.votes).toStrictEqual(
      [['Eve', 'session', clock.now() - 1000] as const, ['Bob', 'oidc', clock.now()] as const].map(
        ([name, via, at]) => ({
          decision: 'approved',
          name,
          person: voter(name).person,
          via,
          at,
          onBehalfOf: undefined,
          delegation: undefined,
        }),
      ),
    )
    expect(await approvals.claimable(10)).toHaveLength(1)
  })

  test('are not one person twice, under whatever name and through whatever door', async () => {
    const { approvals, voter } = await fresh()
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    for (const again of [
      voter('Eve'),
      voter('Eve', undefined, { name: 'Eva' }),
      voter('Eve', undefined, { via: 'terminal' }),
    ])
      expect(await approvals.decide('ap_1', { decision: 'approved', by: again })).toMatchObject({
        kind: 'voted-before',
        approval: { state: 'pending' },
      })
    expect(await approvals.claimable(10)).toStrictEqual([])
  })

  test('are two rights as well: a delegated one does not count beside its giver', async () => {
    const { approvals, voter } = await fresh({ approvers: 3 })
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve', 'Bob') })
    for (const no of [voter('Bob'), voter('Cid', 'Bob'), voter('Eve'), voter('Eve', 'Dan')])
      expect((await approvals.decide('ap_1', { decision: 'approved', by: no })).kind).toBe('voted-before')
    expect((await approvals.decide('ap_1', { decision: 'approved', by: voter('Cid', 'Eve') })).kind).toBe('waiting')
    const last = await approvals.decide('ap_1', { decision: 'approved', by: voter('Dan') })
    expect(last).toMatchObject({ approval: { state: 'approved' } })
    if (last.kind === 'decided')
      expect(last.approval.decidedBy?.split(', ').toSorted()).toStrictEqual(['Cid for Eve', 'Dan', 'Eve for Bob'])
  })

  test('do not outvote one who says no', async () => {
    const { approvals, store, voter } = await fresh()
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    const no = await approvals.decide('ap_1', { decision: 'rejected', by: voter('Eve'), reason: 'On second thoughts.' })
    expect(no).toMatchObject({ kind: 'decided', approval: { state: 'rejected', decidedBy: 'Eve' } })
    expect((await approvals.decide('ap_1', { decision: 'approved', by: voter('Bob') })).kind).toBe('already')
    expect((await store.plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('cancelled')
  })

  test('who vote after it has expired decide nothing', async () => {
    const { approvals, clock, voter } = await fresh()
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    clock.pass(DAY)
    expect((await approvals.decide('ap_1', { decision: 'approved', by: voter('Bob') })).kind).toBe('already')
    expect(await approvals.claimable(10)).toStrictEqual([])
  })
})

describe('a vote counts no longer than the right that it was cast in', () => {
  const ends: readonly (readonly [
    string,
    string | undefined,
    (parts: Awaited<ReturnType<typeof fresh>>) => unknown,
  ])[] = [
    [
      'a person who is disabled',
      undefined,
      ({ store, voter }) => store.operators.accounts.change(voter('Eve').person, { state: 'disabled' }),
    ],
    ['a person who is removed', undefined, ({ store, voter }) => store.operators.accounts.remove(voter('Eve').person)],
    [
      'a lender who is disabled',
      'Dan',
      ({ store, voter }) => store.operators.accounts.change(voter('Dan').person, { state: 'disabled' }),
    ],
    [
      'a right that is taken back',
      'Dan',
      ({ store, delegation }) => store.operators.delegations.revoke(delegation('Eve', 'Dan'), 'root'),
    ],
  ]
  test.each(ends)('%s counts no more', async (_, behalf, end) => {
    const parts = await fresh()
    const { approvals, voter, clock } = parts
    const approve = (by = voter('Bob')) => {
      clock.pass(1000)
      return approvals.decide('ap_1', { decision: 'approved', by })
    }
    expect((await approve(voter('Eve', behalf))).kind).toBe('waiting')
    await end(parts)
    expect((await approvals.find('ap_1'))?.votes).toStrictEqual([])
    expect(await approve()).toMatchObject({ kind: 'waiting', approval: { votes: [{ name: 'Bob' }] } })
    expect(await approvals.claimable(10)).toStrictEqual([])
    expect(await approve(voter('Cid'))).toMatchObject({ kind: 'decided', approval: { decidedBy: 'Bob, Cid' } })
  })

  test('and does not come back to life beside others with the account, whose person votes anew', async () => {
    const { approvals, store, voter } = await fresh()
    const { accounts } = store.operators
    const approve = (name: string) => approvals.decide('ap_1', { decision: 'approved', by: voter(name) })
    await approve('Eve')
    await accounts.change(voter('Eve').person, { state: 'disabled' })
    await approve('Bob')
    await accounts.change(voter('Eve').person, { state: 'active' })
    expect((await approvals.find('ap_1'))?.votes.map(({ name }) => name)).toStrictEqual(['Bob'])
    expect(await approve('Eve')).toMatchObject({ kind: 'decided' })
  })

  test('so that who takes their right back can vote in it themselves', async () => {
    const { approvals, store, voter, delegation } = await fresh()
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve', 'Dan') })
    await store.operators.delegations.revoke(delegation('Eve', 'Dan'), 'Dan')
    expect((await approvals.decide('ap_1', { decision: 'approved', by: voter('Dan') })).kind).toBe('waiting')
    expect((await approvals.decide('ap_1', { decision: 'approved', by: voter('Bob') })).kind).toBe('decided')
  })

  test('and what was decided shows all that it was decided by', async () => {
    const { approvals, store, voter } = await fresh()
    for (const name of ['Eve', 'Bob']) await approvals.decide('ap_1', { decision: 'approved', by: voter(name) })
    await store.operators.accounts.remove(voter('Eve').person)
    expect((await approvals.find('ap_1'))?.votes).toHaveLength(2)
    expect(await approvals.claimable(10)).toHaveLength(1)
  })
})

test('at the same instant in two processes, exactly one vote is the last', async () => {
  const file = join(place(), 'votes.db')
  const [one, two] = [await opened({ file }), await opened({ file })]
  const { voter } = await people(one, ['A', 'B', 'C', 'D'])
  for (let round = 0; round < 10; round++) {
    const id = `ap_${round}`
    await waiting(one, { id, planId: `pl_${round}`, digest: `call of pl_${round}`, approvers: 3 })
    const votes = ['A', 'B', 'C', 'D', 'A'].map((name, at) =>
      (at % 2 === 0 ? one : two).approvals.decide(id, { decision: 'approved', by: voter(name) }),
    )
    const kinds = (await Promise.all(votes)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'decided')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'waiting')).toHaveLength(2)
    expect((await one.approvals.find(id))?.votes).toHaveLength(3)
  }
})

test('no order of votes, refusals, expiry and claims runs a call twice, without enough people, or after a no', async () => {
  const names = ['A', 'B', 'C', 'D']
  const someone = fc.record({
    name: fc.constantFrom(...names),
    behalf: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 3 }),
    process: fc.constantFrom(0, 1),
  })
  const step = fc.oneof(
    { weight: 6, arbitrary: someone.map((who) => ({ does: 'approve' as const, who })) },
    { weight: 1, arbitrary: someone.map((who) => ({ does: 'reject' as const, who })) },
    { weight: 3, arbitrary: fc.constantFrom(0, 1).map((process) => ({ does: 'run' as const, process })) },
    { weight: 1, arbitrary: fc.constant({ does: 'wait' as const }) },
  )
  const file = join(place(), 'orders.db')
  const clock = createClock()
  const stores = [await opened({ file, now: clock.now }), await opened({ file, now: clock.now })] as const
  const { voter } = await people(stores[0], names)
  let at = 0
  await fc.assert(
    fc.asyncProperty(
      // Steps of one burst are under way at the same time.
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      async (bursts, approvers) => {
        at += 1
        const [id, planId] = [`ap_${at}`, `pl_${at}`]
        const [first] = stores
        if (first === undefined) throw new Error('There is no store.')
        await waiting(first, { id, planId, digest: `call of ${planId}`, approvers })
        let runs = 0
        const doStep = async (each: (typeof bursts)[number][number]): Promise<void> => {
          if (each.does === 'wait') return clock.pass(DAY / 3)
          const store = stores[each.does === 'run' ? each.process : each.who.process]
          if (store === undefined) return
          if (each.does === 'run') {
            // As the engine does: whoever claims the plan of an approved call runs it.
            const ready = (await store.approvals.claimable(1000)).some((one) => one.id === id)
            if (ready && (await store.plans.claim(planId, 'owner', 1000)).kind === 'claimed') runs += 1
            return
          }
          const { name, behalf } = each.who
          const by = voter(name, behalf === name ? undefined : behalf)
          const decision = each.does === 'approve' ? 'approved' : 'rejected'
          await store.approvals.decide(id, { decision, by, reason: decision === 'rejected' ? 'No.' : undefined })
        }
        for (const burst of bursts) await Promise.all(burst.map(doStep))
        const end = await first.approvals.find(id)
        const yes = end?.votes.filter(({ decision }) => decision === 'approved') ?? []
        const hands = new Set(yes.map(({ person }) => person))
        const rights = new Set(
          yes.map(({ person, onBehalfOf }) => (onBehalfOf === undefined ? person : voter(onBehalfOf).person)),
        )
        expect([hands.size, rights.size]).toStrictEqual([yes.length, yes.length])
        expect(runs).toBeLessThanOrEqual(1)
        if (runs === 1 || end?.state === 'approved') expect(yes).toHaveLength(approvers)
        if (runs === 1) expect(end?.state).toBe('approved')
        if (end?.state === 'pending') expect(yes.length).toBeLessThan(approvers)
      },
    ),
    { numRuns: runsOf(60) },
  )
})
