// Who may approve what: the decision table, line by line, and what holds of every person and every call.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  adminTokenPerson,
  approvalNeeds,
  exceeds,
  matchesGlob,
  isSamePerson,
  largestAmount,
  mayApprove,
  mayReject,
  type Approver,
  type Asked,
} from '../../../server/policy/may-approve.ts'
import type { Role } from '../../../server/model/operators.ts'

const viewer: Role = { kind: 'viewer' }
const admin: Role = { kind: 'admin' }
const orders: Role = { kind: 'approver', tools: ['orders_*'] }
const small: Role = { kind: 'approver', tools: ['orders_*'], maxAmount: { value: '500', currency: 'EUR' } }
const mail: Role = { kind: 'approver', tools: ['mail_send'] }

const eur = (value: string) => ({ value, currency: 'EUR' })
const person = (...roles: readonly Role[]): Approver => ({
  name: 'eve',
  tenant: undefined,
  roles,
  subjects: [],
})
const asked = (more: Partial<Asked> = {}): Asked => ({
  tool: 'orders_delete',
  tenant: 'acme',
  subject: 'bot/claude',
  amount: eur('400.00'),
  fourEyes: false,
  ...more,
})

describe('approving', () => {
  test.each([
    // roles, what is asked, answer
    ['nobody', [], {}, 'no-approver'],
    ['a viewer', [viewer], {}, 'no-approver'],
    ['an admin', [admin], {}, 'yes'],
    ['an admin, of any amount', [admin], { amount: eur('1000000') }, 'yes'],
    ['an admin, of what nobody can tell', [admin], { amount: undefined }, 'yes'],
    ['an approver of the tool', [orders], {}, 'yes'],
    ['an approver of the tool without limit, amount unknown', [orders], { amount: undefined }, 'yes'],
    ['an approver of another tool', [mail], {}, 'other-tools'],
    ['an approver up to an amount, below', [small], { amount: eur('499.99') }, 'yes'],
    ['an approver up to an amount, exactly', [small], { amount: eur('500.00') }, 'yes'],
    ['an approver up to an amount, a cent above', [small], { amount: eur('500.01') }, 'amount-too-high'],
    ['an approver up to an amount, a refund above', [small], { amount: eur('-500.01') }, 'amount-too-high'],
    ['an approver up to an amount, unknown', [small], { amount: undefined }, 'amount-unknown'],
    ['an approver up to an amount, no number', [small], { amount: eur('many') }, 'amount-too-high'],
    [
      'an approver up to an amount, other currency',
      [small],
      { amount: { value: '1', currency: 'USD' } },
      'other-currency',
    ],
    ['several roles, one of which reaches', [viewer, small, mail, orders], { amount: eur('900') }, 'yes'],
    [
      'several roles, none of which reaches: the nearest miss',
      [viewer, mail, small],
      { amount: eur('900') },
      'amount-too-high',
    ],
  ] as const)('%s', (_, roles, more, answer) => {
    expect(mayApprove(person(...roles), asked(more))).toBe(answer)
  })

  test.each([
    ['another tenant', { tenant: 'globex' }, {}, 'other-tenant'],
    ['the same tenant', { tenant: 'acme' }, {}, 'yes'],
    ['every tenant', { tenant: undefined }, {}, 'yes'],
    ['the same name, four eyes', { name: 'Bot' }, { fourEyes: true }, 'own-request'],
    ['the same name, two eyes', { name: 'Bot' }, { fourEyes: false }, 'yes'],
    ['a linked subject, four eyes', { subjects: ['bot/*'] }, { fourEyes: true }, 'own-request'],
    ['a token that shows nobody, four eyes', { person: adminTokenPerson }, { fourEyes: true }, 'no-person'],
    ['a token that shows nobody, two eyes', { person: adminTokenPerson }, { fourEyes: false }, 'yes'],
    ['an account, four eyes', { person: 'op_1' }, { fourEyes: true }, 'yes'],
    ['another subject, four eyes', { subjects: ['robot/*'] }, { fourEyes: true }, 'yes'],
  ] as const)('an admin of %s', (_, who, more, answer) => {
    expect(mayApprove({ ...person(admin), ...who }, asked(more))).toBe(answer)
  })
})

test('rejecting takes the tool, not the amount, and nobody is kept from rejecting their own', () => {
  expect(mayReject(person(small), asked({ amount: eur('900') }))).toBe('yes')
  expect(mayReject(person(small), asked({ amount: undefined }))).toBe('yes')
  expect(mayReject({ ...person(orders), name: 'bot' }, asked({ fourEyes: true }))).toBe('yes')
  expect(mayReject({ ...person(admin), person: adminTokenPerson }, asked({ fourEyes: true }))).toBe('yes')
  expect(mayReject(person(mail), asked())).toBe('other-tools')
  expect(mayReject(person(viewer), asked())).toBe('no-approver')
  expect(mayReject({ ...person(admin), tenant: 'globex' }, asked())).toBe('other-tenant')
})

test('a person is who has their name, alone or before a slash, or one of their subjects', () => {
  const ada = { name: 'Ada', subjects: ['svc-7', 'oauth|*|ada'] }
  for (const subject of ['ada', 'ADA', ' ada ', 'ada/claude', 'svc-7', 'oauth|github|ada'])
    expect([subject, isSamePerson(ada, subject)]).toStrictEqual([subject, true])
  for (const subject of ['adam', 'adam/claude', 'svc-77', 'x/ada', 'oauth|ada', ''])
    expect([subject, isSamePerson(ada, subject)]).toStrictEqual([subject, false])
})

describe('amounts', () => {
  test('are compared as decimals, whatever their length', () => {
    for (const [amount, limit, more] of [
      ['0.1', '0.10', false],
      ['0.30000000000000004', '0.3', true],
      ['9007199254740993', '9007199254740992', true],
      ['1000', '999.99', true],
      ['999.99', '1000', false],
      ['1e3', '5000', true],
      ['', '5000', true],
      ['12,50', '5000', true],
    ] as const)
      expect([amount, exceeds(amount, limit)]).toStrictEqual([amount, more])
  })

  test('of a call are its largest total, and unknown where they cannot be compared', () => {
    expect(largestAmount([eur('100'), eur('-900'), eur('850.00')])).toStrictEqual(eur('-900'))
    expect(largestAmount([])).toBeUndefined()
    expect(largestAmount([eur('1'), { value: '1', currency: 'USD' }])).toBeUndefined()
    expect(largestAmount([eur('1'), eur('a lot')])).toBeUndefined()
  })
})

test('a glob fits what a regular expression of it fits', () => {
  const piece = fc.constantFrom('a', 'b', 'ab', '_', '.', '+', '(')
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.constant('*')), { maxLength: 6 }),
      fc.array(piece, { maxLength: 8 }),
      (glob, name) => {
        const text = glob.join('')
        const pattern = new RegExp(`^${text.replaceAll(/[.+()]/g, String.raw`\$&`).replaceAll('*', '.*')}$`)
        expect(matchesGlob(text, name.join(''))).toBe(pattern.test(name.join('')))
      },
    ),
  )
})

test('a role more never takes a right away, and four eyes never give one', () => {
  const role = fc.constantFrom(viewer, admin, orders, small, mail)
  const call = fc.record({
    tool: fc.constantFrom('orders_delete', 'mail_send', 'files_edit'),
    tenant: fc.constantFrom('acme', 'globex'),
    subject: fc.constantFrom('eve', 'eve/x', 'bot'),
    amount: fc.option(fc.constantFrom(eur('1'), eur('501')), { nil: undefined }),
    fourEyes: fc.boolean(),
  })
  fc.assert(
    fc.property(
      fc.array(role, { maxLength: 4 }),
      role,
      call,
      fc.constantFrom('acme', undefined),
      (roles, more, what, tenant) => {
        const who = { ...person(...roles), tenant }
        if (mayApprove(who, what) === 'yes') {
          expect(mayApprove({ ...who, roles: [more, ...roles] }, what)).toBe('yes')
          expect(mayApprove(who, { ...what, fourEyes: false })).toBe('yes')
          expect(mayReject(who, what)).toBe('yes')
        }
      },
    ),
  )
})

test('the first rule that fits says how many must agree; without one it is one person, whoever it is', () => {
  const rules = [
    { tools: ['orders_delete'], risk: ['critical'], approvers: 2, fourEyes: true },
    { tools: ['orders_*'], approvers: 1, fourEyes: true },
    { tools: ['*'], risk: ['critical'], approvers: 3, fourEyes: false },
  ] as const
  expect(approvalNeeds(rules, 'orders_delete', 'critical')).toStrictEqual({ approvers: 2, fourEyes: true })
  expect(approvalNeeds(rules, 'orders_delete', 'high')).toStrictEqual({ approvers: 1, fourEyes: true })
  expect(approvalNeeds(rules, 'mail_send', 'critical')).toStrictEqual({ approvers: 3, fourEyes: false })
  expect(approvalNeeds(rules, 'mail_send', 'high')).toStrictEqual({ approvers: 1, fourEyes: false })
  expect(approvalNeeds([], 'mail_send', 'critical')).toStrictEqual({ approvers: 1, fourEyes: false })
})
