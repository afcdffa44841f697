// What becomes of a call that a grant covers, and of every call that it must not cover.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renewGrant } from '../../../../server/operators/end-grant.ts'
import type { Risk } from '../../../../server/model/risk.ts'
import { deskOn, peopleOfToday, storeOn, type Desk, type DeskOptions, type TestStore } from './serve-grants.ts'

describe('a call and grants', () => {
  let base: TestStore
  const at = (options: DeskOptions = {}): Promise<Desk> => deskOn(base.store, options)
  // A PostgreSQL server may have to be started first.
  beforeAll(async () => {
    base = await storeOn()
  })
  afterAll(() => base.end())

  test('a call that says preview=false runs at once, and its answer says under what and how much is left', async () => {
    const desk = await at()
    const grant = await desk.give()
    const answer = await desk.ask({ customer: 'ACME', total: 100, preview: false })
    expect(answer).toMatchObject({
      outcome: 'applied',
      verdict: `allow:grant:${grant.id}`,
      coveringGrant: { id: grant.id, left: 2, times: 3, per: 'total' },
    })
    expect(answer.text).toContain(`Under grant ${grant.id}, 2 of 3 left.`)
    expect(desk.ran).toStrictEqual([{ customer: 'ACME', total: 100 }])
    const [row] = (await desk.store.activity.page({ filter: { grants: [grant.id] }, limit: 10 })).calls
    expect(row).toMatchObject({ status: 'applied', verdict: `allow:grant:${grant.id}` })
    const story = await desk.store.activity.story(answer.planId ?? '')
    expect(story[0]?.events[0]).toMatchObject({ name: 'grant.used' })
    expect(await desk.store.grants.uses(grant.id, 10)).toMatchObject([{ planId: answer.planId, subject: 'ada' }])
  })

  test('a call that does not say previews, says that it is covered, and the plan that it made can be applied', async () => {
    const desk = await at()
    const grant = await desk.give()
    const args = { customer: 'ACME', total: 100 }
    const previewed = await desk.ask(args)
    expect(previewed).toMatchObject({ outcome: 'previewed', verdict: 'preview:granted', coveringGrant: { left: 3 } })
    expect(previewed.text).toContain(`Grant ${grant.id} covers this very call (3 of 3 left`)
    expect(previewed.text).not.toContain('end your turn')
    expect(JSON.stringify(previewed.card)).toContain('A grant covers this.')
    const applied = await desk.ask({ ...args, preview: false, ticket: previewed.planId })
    expect(applied).toMatchObject({ outcome: 'applied', verdict: `allow:grant:${grant.id}`, planId: previewed.planId })
    expect(await desk.ask({ ...args, preview: false, ticket: previewed.planId })).toMatchObject({ outcome: 'replayed' })
    expect(desk.ran).toHaveLength(1)
    expect(await desk.store.grants.find(grant.id)).toMatchObject({ used: 1 })
  })

  test('never more uses than it has; then a person is asked as before', async () => {
    const desk = await at()
    await desk.give({ times: 2 })
    for (let i = 0; i < 2; i++)
      expect(await desk.ask({ customer: 'ACME', total: i, preview: false })).toMatchObject({ outcome: 'applied' })
    const third = await desk.ask({ customer: 'ACME', total: 3, preview: false })
    expect(third).toMatchObject({ outcome: 'previewed', verdict: 'preview:no-ticket' })
    expect(third.coveringGrant).toBeUndefined()
    expect(await desk.ask({ customer: 'ACME', total: 3, preview: false }, { cards: 'no' })).toMatchObject({
      outcome: 'awaiting_approval',
    })
    expect(desk.ran).toHaveLength(2)
  })

  test.each([
    ['whose input does not meet its condition', { total: 500 }, {}],
    ['of somebody else', { total: 1 }, { subject: 'eve' }],
    ['of the same name in another tenant', { total: 1 }, { tenant: 'other' }],
  ])('it does not cover a call %s', async (_, args, by) => {
    const desk = await at()
    await desk.give()
    const principal = { tenant: desk.tenant, subject: 'ada', ...by }
    expect(await desk.ask({ customer: 'ACME', preview: false, ...args }, { principal })).toMatchObject({
      outcome: 'previewed',
      verdict: 'preview:no-ticket',
    })
    expect(desk.ran).toStrictEqual([])
  })

  test('given to a tenant it covers everybody there, and nobody elsewhere', async () => {
    const desk = await at()
    await desk.give({ subject: undefined })
    const args = { customer: 'ACME', total: 1, preview: false }
    expect(await desk.ask(args, { principal: { tenant: desk.tenant, subject: 'eve' } })).toMatchObject({
      outcome: 'applied',
    })
    expect(await desk.ask(args, { principal: { tenant: 'other', subject: 'eve' } })).toMatchObject({
      outcome: 'previewed',
    })
  })

  test.each<[string, DeskOptions, Risk?]>([
    ['a critical call', { risk: 'critical' }],
    ['a tool that somebody has since rated critical', { settings: { riskOf: () => 'critical' } }],
    ['a tool that somebody has since rated above what was agreed to', { settings: { riskOf: () => 'high' } }, 'medium'],
    ['an input that its contract rates critical', { risk: { atMost: 'critical', of: () => 'critical' } }],
    ['a call whose approver must give a second factor', { stepUp: 'always' }],
  ])('it never covers %s', async (_, options, risk = 'high') => {
    const desk = await at(options)
    await desk.give({ risk })
    for (const preview of [{}, { preview: false }]) {
      const answer = await desk.ask({ customer: 'ACME', total: 1, ...preview })
      expect(answer.coveringGrant).toBeUndefined()
      expect(answer.outcome).not.toBe('applied')
    }
    expect(desk.ran).toStrictEqual([])
  })

  test('an input that the same contract rates lower is covered', async () => {
    const desk = await at({ risk: { atMost: 'critical', of: () => 'medium' } })
    await desk.give({ risk: 'medium' })
    expect(await desk.ask({ customer: 'ACME', total: 1, preview: false })).toMatchObject({ outcome: 'applied' })
  })

  test('a freeze stands above it', async () => {
    const desk = await at()
    const grant = await desk.give()
    await desk.store.switches.freeze({ tenant: desk.tenant, reason: 'stock-taking', by: 'grace' })
    expect(await desk.ask({ customer: 'ACME', total: 1, preview: false })).toMatchObject({
      outcome: 'refused',
      verdict: 'deny:frozen',
    })
    expect(await desk.store.grants.find(grant.id)).toMatchObject({ used: 0 })
  })

  test('it stands in for no permission', async () => {
    const desk = await at({ permissions: ['invoices:send'] })
    await desk.give()
    const answer = await desk.ask({ customer: 'ACME', total: 1, preview: false }, { permissions: ['orders:read'] })
    expect(answer.outcome).not.toBe('applied')
    expect(answer.missing).toStrictEqual(['invoices:send'])
    expect(desk.ran).toStrictEqual([])
  })

  test('what must be previewed is previewed once, and that plan then runs', async () => {
    const desk = await at({ dryRunRequired: true })
    const grant = await desk.give()
    const args = { customer: 'ACME', total: 1, preview: false }
    const previewed = await desk.ask(args)
    expect(previewed).toMatchObject({
      outcome: 'previewed',
      verdict: 'preview:granted',
      coveringGrant: { id: grant.id },
    })
    expect(desk.ran).toStrictEqual([])
    expect(await desk.ask({ ...args, ticket: previewed.planId })).toMatchObject({
      outcome: 'applied',
      verdict: `allow:grant:${grant.id}`,
    })
  })

  test('what runs takes the place of a card and of an approval of the same call: nobody agrees to it once more', async () => {
    const desk = await at()
    const args = { customer: 'ACME', total: 1 }
    const asked = await desk.ask({ ...args, preview: false }, { cards: 'no' })
    expect(asked).toMatchObject({ outcome: 'awaiting_approval' })
    await desk.give()
    expect(await desk.ask({ ...args, preview: false })).toMatchObject({
      outcome: 'applied',
      coveringGrant: { left: 2 },
    })
    const approval = await desk.store.approvals.find(asked.approval?.id ?? '')
    expect(approval?.state).toBe('expired')
    const carded = await desk.ask(args)
    expect(await desk.ask({ ...args, preview: false })).toMatchObject({
      outcome: 'applied',
      coveringGrant: { left: 1 },
    })
    const ticket = /cs1_[a-z0-9]+/.exec(JSON.stringify(carded.card))?.[0]
    expect(await desk.ask({ ...args, preview: false, ticket })).toMatchObject({ outcome: 'refused' })
    expect(desk.ran).toHaveLength(2)
    // Another call of the same tool keeps its card.
    const other = await desk.ask({ ...args, total: 2 })
    await desk.ask({ ...args, preview: false })
    expect(await desk.store.plans.find({ by: 'id', id: other.planId ?? '' })).toMatchObject({ state: 'open' })
  })

  test('a call with a ticket from its card uses nothing up', async () => {
    const desk = await at()
    const grant = await desk.give()
    const args = { customer: 'ACME', total: 1 }
    const previewed = await desk.ask(args)
    const ticket = /cs1_[a-z0-9]+/.exec(JSON.stringify(previewed.card))?.[0]
    expect(await desk.ask({ ...args, preview: false, ticket })).toMatchObject({
      outcome: 'applied',
      verdict: 'allow:proof',
    })
    expect(await desk.store.grants.find(grant.id)).toMatchObject({ used: 0 })
  })

  test.each([
    ['fails as declared, without effect', 'fails', 'failed'],
    ['finds that the state has moved', 'moves', 'stale'],
  ] as const)('a run that %s gives its use back', async (_, turn, outcome) => {
    const desk = await at()
    const grant = await desk.give({ times: 1 })
    desk.next.push(turn)
    const args = { customer: 'ACME', total: 1, preview: false }
    expect(await desk.ask(args)).toMatchObject({ outcome, coveringGrant: { left: 1 } })
    expect(await desk.store.grants.find(grant.id)).toMatchObject({ used: 0 })
    expect(await desk.ask(args)).toMatchObject({ outcome: 'applied', coveringGrant: { left: 0 } })
  })

  test('a run of which nobody knows how it ended keeps its use', async () => {
    const desk = await at()
    const grant = await desk.give({ times: 1 })
    desk.next.push('breaks')
    expect(await desk.ask({ customer: 'ACME', total: 1, preview: false })).toMatchObject({ outcome: 'outcome_unknown' })
    await desk.store.sweep()
    expect(await desk.store.grants.find(grant.id)).toMatchObject({ used: 1 })
    expect(await desk.ask({ customer: 'ACME', total: 1, preview: false })).toMatchObject({ outcome: 'previewed' })
  })

  test('revoked in one process, it covers nothing in another from then on', async () => {
    const here = await at()
    const there = await deskOn(await base.open(), { tenant: here.tenant })
    const grant = await here.give()
    const args = { customer: 'ACME', total: 1, preview: false }
    expect(await there.ask(args)).toMatchObject({ outcome: 'applied' })
    expect(await here.store.grants.revoke(grant.id, 'grace')).toBe(true)
    expect(await there.ask(args)).toMatchObject({ outcome: 'previewed', verdict: 'preview:no-ticket' })
    expect(there.ran).toHaveLength(1)
  })

  test('a changed definition suspends it until it is renewed', async () => {
    const { store } = base
    const before = await at()
    const grant = await before.give({ risk: 'medium' })
    const after = await at({ risk: 'medium', tenant: before.tenant })
    const args = { customer: 'ACME', total: 1, preview: false }
    expect(await after.ask(args)).toMatchObject({ outcome: 'previewed' })
    const definition = after.engine.catalog.find('invoices_send')?.definition ?? ''
    expect(await store.grants.renew(grant.id, { definition, risk: 'medium', by: 'grace', giver: 'ac_grace' })).toBe(
      true,
    )
    expect(await after.ask(args)).toMatchObject({ outcome: 'applied' })
    expect(await before.ask(args)).toMatchObject({ outcome: 'previewed' })
  })

  test('renewed for a tool with another argument, it covers the calls that it covered before and no other', async () => {
    const { store } = base
    const before = await at({ risk: 'medium' })
    const schema = (await store.grants.offered('invoices_send'))?.schema ?? ''
    const grant = await before.give({ risk: 'medium', condition: 'total < 500', schema })
    const older = await before.give({ risk: 'medium', condition: 'total < 500', subject: 'somebody of old' })
    const after = await at({ risk: 'medium', tenant: before.tenant, account: true })
    const parts = {
      grants: store.grants,
      activityLog: store.activityLog,
      now: Date.now,
      random: randomBytes,
      rules: [],
    }
    const by = {
      name: 'grace',
      person: 'ac_grace',
      tenant: undefined,
      roles: [{ kind: 'admin' }],
      subjects: [],
    } as const
    expect(
      await renewGrant({ ...parts, approverOf: peopleOfToday }, { ...by, via: 'terminal' }, grant.id),
    ).toMatchObject({
      kind: 'given',
    })
    const args = { customer: 'ACME', total: 1, preview: false }
    expect(await after.ask(args)).toMatchObject({ outcome: 'applied' })
    expect(await after.ask({ ...args, account: 'DE89 3704 0044 0532 0130 00' })).toMatchObject({ outcome: 'previewed' })
    // From before its arguments were kept: what would be new is not known.
    expect(
      await renewGrant({ ...parts, approverOf: peopleOfToday }, { ...by, via: 'terminal' }, older.id),
    ).toMatchObject({
      refusal: { code: 'bad-condition', next: 'Revoke it and give a new one.' },
    })
  })

  test('the last use goes to one of two that ask at once; the other one is asked to confirm', async () => {
    const { store } = base
    const first = await at()
    const second = await deskOn(await base.open(), { tenant: first.tenant })
    const grant = await first.give({ times: 5 })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? first : second).ask({ customer: 'ACME', total: i, preview: false }),
      ),
    )
    const count = (outcome: string): number => answers.filter((answer) => answer.outcome === outcome).length
    expect([count('applied'), count('previewed')]).toStrictEqual([5, 15])
    expect([...first.ran, ...second.ran]).toHaveLength(5)
    expect(await store.grants.find(grant.id)).toMatchObject({ used: 5 })
    // The plans of those who came late are not left open behind the card that they got instead.
    for (const answer of answers.filter((each) => each.outcome === 'previewed'))
      expect(await store.plans.find({ by: 'id', id: answer.planId ?? '' })).toMatchObject({ state: 'open' })
  })

  describe('who gave a permission is asked about at every use', () => {
    const args = { customer: 'ACME', total: 1, preview: false }

    test.each([
      ['an approver of the tool', { giver: 'ac_sam' }],
      ['who holds the admin token', { giver: 'admin-token' }],
      ['somebody for their own calls', { createdBy: 'ada', giver: 'ac_ada' }],
      ['nobody knows whom, in a row of old', { giver: undefined }],
    ])('by %s, it covers a call that no rule binds', async (_, draft) => {
      const desk = await at()
      await desk.give(draft)
      expect(await desk.ask(args)).toMatchObject({ outcome: 'applied' })
    })

    test.each([
      ['whose account is closed', { giver: 'ac_gone' }],
      ['who approves up to an amount now', { giver: 'ac_lou' }],
      ['who approves other tools now', { giver: 'ac_eva' }],
    ])('by somebody %s, it covers nothing', async (_, draft) => {
      const desk = await at()
      await desk.give(draft)
      expect(await desk.ask(args)).toMatchObject({ outcome: 'previewed' })
      expect(desk.ran).toStrictEqual([])
    })

    test('whose account is closed while the call is previewed, they have given nothing, and no use is taken', async () => {
      let looks = 0
      const desk = await at({
        approverOf: async (person) => ((looks += 1) === 1 ? await peopleOfToday(person) : undefined),
      })
      const grant = await desk.give()
      expect(await desk.ask(args)).toMatchObject({ outcome: 'previewed', verdict: 'preview:no-ticket' })
      expect(desk.ran).toStrictEqual([])
      expect(await desk.store.grants.find(grant.id)).toMatchObject({ usedInAll: 0 })
    })

    test('whose account is closed while a plan is applied under it, they have given nothing, and nothing runs', async () => {
      let looks = 0
      const desk = await at({
        approverOf: async (person) => ((looks += 1) <= 2 ? await peopleOfToday(person) : undefined),
      })
      const grant = await desk.give()
      const previewed = await desk.ask({ customer: 'ACME', total: 1 })
      expect(previewed).toMatchObject({ outcome: 'previewed', coveringGrant: { id: grant.id } })
      // The id of a plan is no proof for a call of high risk, so it is left to an approval.
      expect(await desk.ask({ ...args, ticket: previewed.planId })).toMatchObject({ outcome: 'awaiting_approval' })
      expect(desk.ran).toStrictEqual([])
      expect(await desk.store.grants.find(grant.id)).toMatchObject({ usedInAll: 0 })
    })

    test('renewed by somebody else, it is theirs', async () => {
      const desk = await at()
      const grant = await desk.give({ giver: 'ac_gone' })
      const { definition } = grant
      await base.store.grants.renew(grant.id, { definition, risk: 'high', by: 'grace', giver: 'ac_grace' })
      expect(await desk.ask(args)).toMatchObject({ outcome: 'applied' })
    })
  })
})
