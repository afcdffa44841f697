// What the records promise about approvals, whoever asks: one at a time for one call, one decision, and an end.
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import type { ApprovalDraft, ApprovalState } from '../../../../server/model/approvals.ts'
import type { Store } from '../../../../server/store/store.ts'
import { approval, voter } from './voters.ts'
import { everything } from '../../../postgres.ts'
import { DAY, HOUR, MINUTE } from '../../../kit/clock.ts'
import { draft, opened, openedWithClock, place } from '../../store/store-fixture.ts'

const fresh = async () => {
  const { clock, store } = await openedWithClock()
  return { clock, store, approvals: store.approvals, plans: store.plans }
}

const waiting = async () => {
  const parts = await fresh()
  await parts.plans.open(draft())
  await parts.approvals.request(approval())
  return parts
}

const stateOf = async (store: Store, id = 'ap_1') => (await store.approvals.find(id))?.state

describe('asking', () => {
  test('keeps what the approver must see, and holds the plan for as long as it waits', async () => {
    const { approvals, plans, clock } = await waiting()
    const { ttlMs, ...kept } = approval()
    expect(await approvals.find('ap_1')).toStrictEqual({
      ...kept,
      state: 'pending',
      createdAt: clock.now(),
      expiresAt: clock.now() + ttlMs,
      decidedAt: undefined,
      decidedBy: undefined,
      reason: undefined,
      votes: [],
    })
    clock.pass(23 * HOUR)
    expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('open')
  })

  test('twice for the same call by the same principal is asking once', async () => {
    const { approvals, plans } = await waiting()
    await plans.open(draft({ id: 'pl_2' }))
    const again = await approvals.request(approval({ id: 'ap_2', planId: 'pl_2' }))
    expect(again).toMatchObject({ existing: true, approval: { id: 'ap_1', planId: 'pl_1' } })
    expect(await approvals.find('ap_2')).toBeUndefined()
  })

  test('for another call, by another principal, or after the end of the first, is asking anew', async () => {
    const { approvals, plans, clock } = await waiting()
    const ask = async (id: number, change: Partial<ApprovalDraft> = {}) => {
      await plans.open(draft({ id: `pl_${id}`, digest: `another plan ${id}`, ttlMs: HOUR }))
      return (await approvals.request(approval({ id: `ap_${id}`, planId: `pl_${id}`, ...change }))).existing
    }
    expect(await ask(2, { digest: 'another call' })).toBe(false)
    expect(await ask(3, { principal: { tenant: 'default', subject: 'bob' } })).toBe(false)
    expect(await ask(4, { principal: { tenant: 'other', subject: 'ada' } })).toBe(false)
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    expect(await ask(5)).toBe(false)
    clock.pass(DAY)
    expect(await ask(6)).toBe(false)
  })

  test('is found again by the call, pending or decided, until its time is over, and by nobody else', async () => {
    const { approvals, plans, clock } = await waiting()
    const call = approval()
    expect(await approvals.findByCall(call)).toMatchObject([{ id: 'ap_1', state: 'pending' }])
    for (const other of [{ digest: 'another call' }, { principal: { tenant: 'default', subject: 'bob' } }])
      expect(await approvals.findByCall({ ...call, ...other })).toStrictEqual([])
    await approvals.decide('ap_1', { decision: 'rejected', by: voter('Eve') })
    expect(await approvals.findByCall(call)).toMatchObject([{ id: 'ap_1', state: 'rejected' }])
    clock.pass(MINUTE)
    await plans.open(draft({ id: 'pl_2', digest: 'another plan' }))
    await approvals.request(approval({ id: 'ap_2', planId: 'pl_2' }))
    await approvals.decide('ap_2', { decision: 'approved', by: voter('Eve') })
    expect(await approvals.findByCall(call)).toMatchObject([{ id: 'ap_2', state: 'approved' }])
    clock.pass(DAY)
    expect(await approvals.findByCall(call)).toStrictEqual([])
  })

  test('is found with every other one of the call that may still run, and those hide what has been rejected since', async () => {
    const { approvals, plans, clock } = await waiting()
    const again = async (n: number) => {
      clock.pass(MINUTE)
      await plans.open(draft({ id: `pl_${n}`, digest: `another plan ${n}` }))
      await approvals.request(approval({ id: `ap_${n}`, planId: `pl_${n}` }))
    }
    const found = async () => (await approvals.findByCall(approval())).map(({ id, state }) => `${id} ${state}`)
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    await again(2)
    expect(await found()).toStrictEqual(['ap_2 pending', 'ap_1 approved'])
    await approvals.decide('ap_2', { decision: 'rejected', by: voter('Eve') })
    expect(await found()).toStrictEqual(['ap_1 approved'])
    await plans.cancel('pl_1')
    expect(await found()).toStrictEqual(['ap_2 rejected'])
  })

  test('keeps what was declared', async () => {
    const { approvals, plans } = await waiting()
    const declared = {
      variant: 'call_tool_write',
      operation: 'write',
      operationSource: 'declared',
      intent: { operation_type: 'write', data_sensitivity: 'private', reason: undefined },
      rationale: 'Because the note is out of date.',
    } as const
    await plans.open(draft({ id: 'pl_2', digest: 'another call' }))
    await approvals.request(approval({ id: 'ap_2', planId: 'pl_2', digest: 'another call', declared }))
    expect((await approvals.find('ap_2'))?.declared).toEqual(declared)
    expect((await approvals.find('ap_1'))?.declared).toBeUndefined()
  })

  test('at once from two connections makes one approval', async () => {
    const file = join(place(), 'plans.db')
    const stores = [await opened({ file }), await opened({ file })]
    const asked = await Promise.all(
      stores.map(async ({ plans, approvals }, at) => {
        await plans.open(draft({ id: `pl_${at}`, digest: `plan ${at}` }))
        return approvals.request(approval({ id: `ap_${at}`, planId: `pl_${at}` }))
      }),
    )
    expect(asked.map(({ existing }) => String(existing)).toSorted()).toStrictEqual(['false', 'true'])
    expect(new Set(asked.map((each) => each.approval.id)).size).toBe(1)
  })

  test('leaves no word of it readable in the file', async () => {
    const file = join(place(), 'plans.db')
    const store = await opened({ file })
    await store.plans.open(draft())
    await store.approvals.request(
      approval({ summary: 'canary-summary', rationale: 'canary-why', card: '"canary-card"' }),
    )
    await store.approvals.decide('ap_1', { decision: 'rejected', by: voter('Eve'), reason: 'canary-reason' })
    expect(await everything(file)).not.toContain('canary')
    expect((await store.approvals.find('ap_1'))?.reason).toBe('canary-reason')
  })
})

describe('deciding', () => {
  test('falls once, and says who and when; whoever comes later sees it as it is', async () => {
    const { approvals, clock } = await waiting()
    clock.pass(MINUTE)
    expect(await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })).toMatchObject({
      kind: 'decided',
      approval: { state: 'approved', decidedBy: 'Eve', decidedAt: clock.now() },
    })
    expect(await approvals.decide('ap_1', { decision: 'rejected', by: voter('Mallory'), reason: 'no' })).toMatchObject({
      kind: 'already',
      approval: { state: 'approved', decidedBy: 'Eve', reason: undefined },
    })
  })

  test('against it takes the plan back and keeps the reason', async () => {
    const { approvals, plans } = await waiting()
    await approvals.decide('ap_1', { decision: 'rejected', by: voter('Eve'), reason: 'Ask the customer first.' })
    expect(await approvals.decide('ap_1', { decision: 'approved', by: voter('Mallory') })).toMatchObject({
      kind: 'already',
      approval: { state: 'rejected', reason: 'Ask the customer first.' },
    })
    expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('cancelled')
  })

  test('comes too late after a day, and for a plan that was cancelled or has run', async () => {
    const late = await waiting()
    late.clock.pass(DAY)
    const cancelled = await waiting()
    await cancelled.plans.cancel('pl_1')
    const ran = await waiting()
    await ran.plans.claim('pl_1', 'me', HOUR)
    for (const { approvals, store } of [late, cancelled, ran]) {
      expect(await stateOf(store)).toBe('expired')
      expect((await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })).kind).toBe('already')
      expect(await stateOf(store)).toBe('expired')
    }
  })

  test('about nothing is said so', async () => {
    const { approvals } = await fresh()
    expect(await approvals.decide('ap_9', { decision: 'approved', by: voter('Eve') })).toStrictEqual({ kind: 'gone' })
  })

  test('for and against at once from two connections leaves one decision, whoever was first', async () => {
    const file = join(place(), 'plans.db')
    const [one, two] = [await opened({ file }), await opened({ file })]
    for (let round = 0; round < 20; round++) {
      const [id, planId] = [`ap_${round}`, `pl_${round}`]
      await one.plans.open(draft({ id: planId, digest: planId }))
      await one.approvals.request(approval({ id, planId, digest: planId }))
      const results = await Promise.all([
        one.approvals.decide(id, { decision: 'approved', by: voter('one') }),
        two.approvals.decide(id, { decision: 'rejected', by: voter('two'), reason: 'no' }),
      ])
      expect(results.map(({ kind }) => kind).toSorted()).toStrictEqual(['already', 'decided'])
      const plan = await one.plans.find({ by: 'id', id: planId })
      expect([await stateOf(one, id), plan?.state]).toStrictEqual(
        results[0].kind === 'decided' ? ['approved', 'open'] : ['rejected', 'cancelled'],
      )
    }
  })
})

describe('what is left to run', () => {
  test('is what was approved and whose plan is still open', async () => {
    const { approvals, plans } = await waiting()
    expect(await approvals.claimable(10)).toStrictEqual([])
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    expect((await approvals.claimable(10)).map(({ id }) => id)).toStrictEqual(['ap_1'])
    await plans.claim('pl_1', 'me', HOUR)
    expect(await approvals.claimable(10)).toStrictEqual([])
  })

  test('is not what has waited too long for a process that serves it', async () => {
    const { approvals, clock } = await waiting()
    await approvals.decide('ap_1', { decision: 'approved', by: voter('Eve') })
    clock.pass(DAY)
    expect(await approvals.claimable(10)).toStrictEqual([])
  })
})

test('lists by state and tenant, newest first, page by page, and each is in exactly one state', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('approve', 'reject', 'cancel', 'leave'), { minLength: 1, maxLength: 12 }),
      async (fates) => {
        const { approvals, plans, clock, store } = await fresh()
        for (const [at, fate] of fates.entries()) {
          const [id, planId] = [`ap_${at}`, `pl_${at}`]
          if (at % 3 === 0) clock.pass(1)
          await plans.open(draft({ id: planId, digest: planId }))
          await approvals.request(approval({ id, planId, digest: planId }))
          if (fate === 'approve') await approvals.decide(id, { decision: 'approved', by: voter('Eve') })
          if (fate === 'reject') await approvals.decide(id, { decision: 'rejected', by: voter('Eve'), reason: 'no' })
          if (fate === 'cancel') await plans.cancel(planId)
        }
        const all = await approvals.list({ limit: 50 })
        const states: readonly ApprovalState[] = ['pending', 'approved', 'rejected', 'expired']
        const byState = await Promise.all(states.map((state) => approvals.list({ state, limit: 50 })))
        for (const [at, list] of byState.entries())
          expect(list).toStrictEqual(all.filter(({ state }) => state === states[at]))
        expect(byState.flat()).toHaveLength(fates.length)
        const pages = []
        for (let before: string | undefined; ;) {
          const page = await approvals.list({ limit: 2, ...(before === undefined ? {} : { before }) })
          pages.push(...page)
          before = page.at(-1)?.id
          if (before === undefined) break
        }
        expect(pages).toStrictEqual(all)
        expect(await approvals.list({ tenant: 'other', limit: 50 })).toStrictEqual([])
        await store.close()
      },
    ),
    { numRuns: runsOf(25) },
  )
})
