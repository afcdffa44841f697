// Where an operator's rule asks for several people, or for somebody else than who asks, an approval is the only way in:
// whatever the agent brings, whatever its host vouches for, and whatever else the operator has let through.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import type { EngineSettings } from '../../../../server/rail/engine.ts'
import type { Risk } from '../../../../server/model/risk.ts'
import type { Voter } from '../../../../server/model/approvals.ts'
import { deskOn, storeOn, type Desk, type DeskOptions, type TestStore } from '../grants/serve-grants.ts'
import { voter } from './voters.ts'

const two: EngineSettings['approvals'] = [{ tools: ['*'], approvers: 2, fourEyes: true }]
const args = { customer: 'ACME', total: 100 }
const ticketOf = (answer: Answer): string | undefined => answer.card?.plan?.ticket

describe('a rule of several people', () => {
  let base: TestStore
  const voters: Voter[] = []
  // A PostgreSQL server may have to be started first.
  beforeAll(async () => {
    base = await storeOn()
    for (const name of ['Eve', 'Bob']) {
      const made = {
        name,
        tenant: undefined,
        roles: [{ kind: 'admin' }],
        subjects: [],
        password: 'correct horse',
      } as const
      const account = await base.store.operators.accounts.add(made)
      if (account !== undefined) voters.push(voter(name, { person: account.id }))
    }
  })
  afterAll(() => base.end())
  const at = ({ settings, ...options }: DeskOptions = {}): Promise<Desk> =>
    deskOn(base.store, { ...options, settings: { approvals: two, ...settings } })

  test.each<[string, Risk, DeskOptions, (desk: Desk, previewed: Answer) => Promise<string | undefined>]>([
    ['the plan’s id of a medium call', 'medium', {}, async (_, { planId }) => planId],
    ['the ticket of a high call’s card', 'high', {}, async (_, previewed) => ticketOf(previewed)],
    [
      'a click that a trusted host recorded, of a critical call',
      'critical',
      {},
      async (desk, previewed) => {
        await desk.store.plans.click(previewed.planId ?? '', true, 0)
        return ticketOf(previewed)
      },
    ],
    ['a host that asks its person', 'high', { settings: { confirmation: 'host' } }, async () => undefined],
    ['high calls that run unasked', 'high', { settings: { autoApproveHigh: () => true } }, async () => undefined],
    ['a risk so low that nobody is asked', 'low', {}, async () => undefined],
  ])('%s is not enough: two others must agree, and then it runs once', async (_, risk, options, ticketFor) => {
    const desk = await at({ risk, ...options })
    const previewed = await desk.ask(args, { trusted: true })
    expect(previewed).toMatchObject({ outcome: 'previewed', verdict: 'preview:people' })
    expect(previewed.text).toContain('An approval outside of this chat decides this')
    expect(previewed.text).not.toContain('decides there')
    const ticket = await ticketFor(desk, previewed)
    const asked = { ...args, preview: false, ...(ticket === undefined ? {} : { ticket }) }
    const waiting = await desk.ask(asked, { trusted: true })
    expect(waiting).toMatchObject({ outcome: 'awaiting_approval', verdict: 'approve:people' })
    expect(waiting.text).toContain('2 people must agree')
    expect(desk.ran).toStrictEqual([])
    const id = waiting.approval?.id ?? ''
    const [eve, bob] = voters
    if (eve === undefined || bob === undefined) throw new Error('There are no voters.')
    await desk.store.approvals.decide(id, { decision: 'approved', by: eve })
    expect(await desk.ask({ ...args, preview: false, ticket: id })).toMatchObject({ outcome: 'awaiting_approval' })
    await desk.store.approvals.decide(id, { decision: 'approved', by: bob })
    expect(await desk.ask({ ...args, preview: false, ticket: id })).toMatchObject({ outcome: 'applied' })
    expect(await desk.ask({ ...args, preview: false, ticket: id })).toMatchObject({ outcome: 'replayed' })
    expect(desk.ran).toHaveLength(1)
  })

  test('four eyes alone are a rule as well, and one approver of anybody’s is none', async () => {
    const eyes = await at({ settings: { approvals: [{ tools: ['*'], approvers: 1, fourEyes: true }] } })
    expect(await eyes.ask({ ...args, preview: false })).toMatchObject({ outcome: 'awaiting_approval' })
    const anybody = await at({ settings: { approvals: [{ tools: ['*'], approvers: 1, fourEyes: false }] } })
    expect(await anybody.ask({ ...args, preview: false })).toMatchObject({ verdict: 'preview:no-ticket' })
  })

  test('the command that is to be pasted comes with the variables that it needs, where it needs some', async () => {
    const operatorVariables = ['COUNTERSIGN_DB', 'COUNTERSIGN_SECRET']
    const waiting = await (await at({ settings: { operatorVariables } })).ask({ ...args, preview: false })
    const told = `${waiting.approval?.command}\` in a terminal that has COUNTERSIGN_DB and COUNTERSIGN_SECRET of this server,`
    expect(waiting.text).toContain(told)
    expect(waiting.next).toContain(told)
    expect((await (await at()).ask({ ...args, preview: false })).text).not.toContain('in a terminal')
  })

  test('it binds the tools and risks that it names, and a client without cards waits at once', async () => {
    const critical = [{ tools: ['invoices_*'], risk: ['critical'], approvers: 2, fourEyes: true }] as const
    const medium = await at({ risk: 'medium', settings: { approvals: critical } })
    const { planId } = await medium.ask(args)
    expect(await medium.ask({ ...args, preview: false, ticket: planId })).toMatchObject({ outcome: 'applied' })
    const rated = await at({ risk: 'medium', settings: { approvals: critical, riskOf: () => 'critical' } })
    expect(await rated.ask(args, { cards: 'no' })).toMatchObject({
      outcome: 'awaiting_approval',
      verdict: 'approve:people',
    })
  })

  test('a preview that was asked for stays one, and says who decides', async () => {
    const desk = await at()
    const answer = await desk.ask({ ...args, preview: true })
    expect(answer).toMatchObject({ outcome: 'previewed', verdict: 'preview:asked' })
    expect(answer.text).toContain('An approval outside of this chat decides this')
  })

  test('a grant that an admin gave for somebody else’s calls covers them', async () => {
    const desk = await at()
    const grant = await desk.give()
    expect(await desk.ask(args)).toMatchObject({ outcome: 'previewed', verdict: 'preview:granted' })
    expect(await desk.ask({ ...args, preview: false })).toMatchObject({
      outcome: 'applied',
      verdict: `allow:grant:${grant.id}`,
    })
  })

  test.each([
    ['for everybody', { subject: undefined }],
    ['for their own calls', { createdBy: 'ada', giver: 'ac_ada' }],
    ['by somebody whose account is closed', { giver: 'ac_gone' }],
    ['by an approver, who alone could not agree today,', { giver: 'ac_sam' }],
    ['by who holds the admin token, which shows nobody,', { giver: 'admin-token' }],
    ['by nobody knows whom', { giver: undefined }],
  ])('one that was given %s before the rule was written covers nothing', async (_, draft) => {
    for (const rule of [two, [{ tools: ['*'], approvers: 2, fourEyes: false }]]) {
      const desk = await at({ settings: { approvals: rule } })
      const grant = await desk.give(draft)
      const answer = await desk.ask({ ...args, preview: false })
      expect(answer).toMatchObject({ outcome: 'awaiting_approval', verdict: 'approve:people' })
      expect(answer.text).toContain(`Grant ${grant.id} would cover this call, but is suspended`)
      expect(desk.ran).toStrictEqual([])
    }
  })

  test('nor does one ever cover a critical call', async () => {
    const desk = await at({ risk: 'critical' })
    await desk.give()
    expect(await desk.ask({ ...args, preview: false })).toMatchObject({ verdict: 'approve:people' })
  })
})
