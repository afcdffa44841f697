// Who may give a grant, and how one stands.
import { describe, expect, test } from 'vitest'
import { fitsGrant, grantState, pinnedRisk, type GrantFacts } from '../../../server/policy/grant.ts'
import { adminTokenPerson, type Approver } from '../../../server/policy/may-approve.ts'
import { mayGrant, type GrantAsked, type MayGrant } from '../../../server/policy/may-grant.ts'

const admin: Approver = { name: 'Grace', tenant: undefined, roles: [{ kind: 'admin' }], subjects: [] }
const token: Approver = { ...admin, person: adminTokenPerson }
const approver: Approver = { ...admin, roles: [{ kind: 'approver', tools: ['orders_*'] }] }
const limited: Approver = {
  ...admin,
  roles: [{ kind: 'approver', tools: ['*'], maxAmount: { value: '100', currency: 'EUR' } }],
}
const viewer: Approver = { ...admin, roles: [{ kind: 'viewer' }] }
const asked: GrantAsked = { tool: 'orders_create', tenant: 'acme', subject: 'ada', fourEyes: false, approvers: 1 }

describe('giving takes the right to approve every such call', () => {
  test.each<[string, Approver, Partial<GrantAsked>, MayGrant]>([
    ['an admin', admin, {}, 'yes'],
    ['an approver of the tool', approver, {}, 'yes'],
    ['an approver of other tools', approver, { tool: 'mail_send' }, 'other-tools'],
    ['an approver up to an amount', limited, {}, 'needs-no-limit'],
    ['a viewer', viewer, {}, 'no-approver'],
    ['an admin of another tenant', { ...admin, tenant: 'other' }, {}, 'other-tenant'],
    ['an approver, where approving takes two', approver, { approvers: 2 }, 'needs-admin'],
    ['an approver, where who asks never approves', approver, { fourEyes: true }, 'needs-admin'],
    ['an admin, where approving takes two', admin, { approvers: 2 }, 'yes'],
    ['an admin, for everyone, where approving takes two', admin, { approvers: 2, subject: undefined }, 'needs-subject'],
    ['an admin, for themselves, where approving takes two', admin, { approvers: 2, subject: 'grace' }, 'own-request'],
    ['a token that shows nobody, where approving takes two', token, { approvers: 2 }, 'no-person'],
    ['an admin, where who asks never approves', admin, { fourEyes: true }, 'yes'],
    [
      'an admin, for everyone, where who asks never approves',
      admin,
      { fourEyes: true, subject: undefined },
      'needs-subject',
    ],
    [
      'an admin, for themselves, where who asks never approves',
      admin,
      { fourEyes: true, subject: 'grace/claude' },
      'own-request',
    ],
    ['a token that shows nobody, where who asks never approves', token, { fourEyes: true }, 'no-person'],
    ['a token that shows nobody, where that is allowed', token, {}, 'yes'],
    ['an approver, for themselves, where that is allowed', approver, { subject: 'grace/claude' }, 'yes'],
  ])('%s', (_, person, more, expected) => {
    expect(mayGrant(person, { ...asked, ...more })).toBe(expected)
  })
})

const grant: GrantFacts = {
  definition: 'd1',
  risk: 'medium',
  until: 1000,
  revoked: undefined,
  times: 2,
  used: 1,
  per: 'total',
}
const offered = { definition: 'd1', risk: 'medium' } as const

describe('how a permission stands', () => {
  test.each([
    ['active', {}, offered, 0],
    ['active', {}, undefined, 0],
    ['active', {}, { ...offered, risk: 'low' }, 0],
    ['active', { risk: 'high' }, { ...offered, risk: 'critical' }, 0],
    ['suspended', {}, { ...offered, definition: 'd2' }, 0],
    ['suspended', {}, { ...offered, risk: 'high' }, 0],
    ['used-up', { used: 2 }, offered, 0],
    ['expired', {}, offered, 1000],
    ['revoked', { revoked: { at: 1 } }, offered, 2000],
  ] as const)('%s: %j, offered %j, at %d', (state, more, tool, now) => {
    expect(grantState({ ...grant, ...more }, tool, now)).toBe(state)
  })

  test('no permission covers a critical or forbidden call, whatever was pinned in it', () => {
    for (const pinned of ['low', 'medium', 'high', 'critical', 'forbidden'] as const)
      for (const risk of ['critical', 'forbidden'] as const)
        expect(fitsGrant({ definition: 'd1', risk: pinned }, { definition: 'd1', risk })).toBe(false)
    expect(pinnedRisk('critical')).toBe('high')
    expect(pinnedRisk('medium')).toBe('medium')
  })
})
