// What the records promise about the people who decide: one name is one person, and what ends trust ends it everywhere.
import * as fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { checkPassword, hashPassword, makePassword, weakness } from '../../../../server/store/accounts/password.ts'
import { holderOf } from '../../../../server/http/auth/session.ts'
import { network } from '../../../../server/store/accounts/guesses.ts'
import { everything } from '../../../postgres.ts'
import { createClock, DAY, HOUR, MINUTE } from '../../../kit/clock.ts'
import { opened, openedWithClock, place } from '../../store/store-fixture.ts'
import { join } from 'node:path'

const password = 'correct horse battery'

const fresh = async () => {
  const clock = createClock()
  const { operators } = await opened({ file: ':memory:', now: clock.now })
  const add = async (name: string, more: object = {}) => {
    const account = await operators.accounts.add({
      name,
      tenant: undefined,
      roles: [{ kind: 'admin' }],
      subjects: [],
      password,
      ...more,
    })
    if (account === undefined) throw new Error(`The name ${name} is taken.`)
    return account
  }
  return { ...operators, clock, add }
}

describe('an account', () => {
  test('is kept with its roles, subjects and tenant', async () => {
    const { accounts, add, clock } = await fresh()
    const roles = [
      { kind: 'approver', tools: ['orders_*'], maxAmount: { value: '500.00', currency: 'EUR' } },
      { kind: 'viewer' },
    ] as const
    const made = await add('Ada', { tenant: 'acme', roles, subjects: ['ada/*'] })
    expect(made).toStrictEqual({
      id: expect.stringMatching(/^op_[0-9a-f]{16}$/) as string,
      name: 'Ada',
      tenant: 'acme',
      roles,
      subjects: ['ada/*'],
      state: 'active',
      signIn: 'password',
      createdAt: clock.now(),
      changedAt: clock.now(),
      seenAt: undefined,
    })
    expect(await accounts.find('ada')).toStrictEqual(made)
    expect(await accounts.byId(made.id)).toStrictEqual(made)
    expect(await accounts.list()).toStrictEqual([made])
  })

  test('has a name that nobody else can have, however they write it', async () => {
    const { accounts, add } = await fresh()
    await add('Zoë')
    for (const name of ['Zoë', 'zoë', ' ZOË ', 'Zoe\u0308', 'Ｚoë'])
      expect(await accounts.add({ name, tenant: undefined, roles: [], subjects: [], password })).toBeUndefined()
    expect(await accounts.list()).toHaveLength(1)
  })

  test('is let in by its password and nothing else', async () => {
    const { accounts, add } = await fresh()
    const { id } = await add('ada')
    expect((await accounts.check('ADA', password))?.id).toBe(id)
    expect((await accounts.check('ada', password.normalize('NFD')))?.id).toBe(id)
    for (const wrong of ['', ' ', `${password} `, password.toUpperCase(), password.slice(1)])
      expect(await accounts.check('ada', wrong)).toBeUndefined()
    expect(await accounts.check('bob', password)).toBeUndefined()
  })

  test('that is disabled is let in no more, and again when it is enabled', async () => {
    const { accounts, add } = await fresh()
    const { id } = await add('ada')
    await accounts.change(id, { state: 'disabled' })
    expect(await accounts.check('ada', password)).toBeUndefined()
    await accounts.change(id, { state: 'active' })
    expect(await accounts.check('ada', password)).toBeDefined()
  })

  test('leaves nothing of its password in the database, in any form that could be read', async () => {
    const file = join(place(), 'accounts.db')
    const { operators } = await opened({ file })
    const secret = 'a very secret password'
    await operators.accounts.add({ name: 'ada', tenant: undefined, roles: [], subjects: [], password: secret })
    const kept = await everything(file)
    expect(kept).toContain('scrypt$n=')
    expect(kept).not.toContain(secret)
  })

  test('from a provider is found by who the provider says it is, not by its name', async () => {
    const { accounts, add } = await fresh()
    const ada = {
      issuer: 'https://id.example',
      subject: '1',
      name: 'ada',
      tenant: 'acme',
      roles: [{ kind: 'viewer' }],
    } as const
    const first = await accounts.fromProvider(ada)
    expect(first).toMatchObject({ kind: 'account', account: { name: 'ada', tenant: 'acme', signIn: 'oidc' } })
    const again = await accounts.fromProvider({ ...ada, name: 'ada.l', tenant: 'globex', roles: [{ kind: 'admin' }] })
    // What the provider says of roles counts at every sign-in; the name in the record stays.
    expect(again).toMatchObject({
      kind: 'account',
      account: { name: 'ada', tenant: 'globex', roles: [{ kind: 'admin' }] },
    })
    expect(await accounts.fromProvider({ ...ada, subject: '2' })).toStrictEqual({ kind: 'name-taken', name: 'ada' })
    expect(await accounts.fromProvider({ ...ada, issuer: 'https://other.example' })).toMatchObject({
      kind: 'name-taken',
    })
    await add('bob')
    expect(await accounts.fromProvider({ ...ada, subject: '3', name: 'BOB' })).toMatchObject({ kind: 'name-taken' })
    expect(await accounts.check('ada', '')).toBeUndefined()
    if (first.kind === 'account') await accounts.change(first.account.id, { state: 'disabled' })
    expect(await accounts.fromProvider(ada)).toStrictEqual({ kind: 'disabled' })
  })

  test('that two processes meet for the first time at once is one account', async () => {
    const { accounts } = await fresh()
    const ada = { issuer: 'https://id.example', subject: '1', name: 'ada', tenant: undefined, roles: [] }
    const all = await Promise.all(Array.from({ length: 5 }, () => accounts.fromProvider(ada)))
    expect(new Set(all.map((each) => (each.kind === 'account' ? each.account.id : each.kind))).size).toBe(1)
  })
})

describe('a password', () => {
  test('is hashed anew when its hash has been outgrown, and the old one worked until then', async () => {
    const weak = { n: 10, r: 8, p: 1 }
    const old = await hashPassword(password, weak)
    expect(old).toMatch(/^scrypt\$n=10,r=8,p=1\$/)
    expect(await checkPassword(password, old, weak)).toStrictEqual({ right: true, outgrown: false })
    expect(await checkPassword(password, old)).toStrictEqual({ right: true, outgrown: true })
    expect(await checkPassword('another password', old)).toMatchObject({ right: false })
    expect(await hashPassword(password, weak)).not.toBe(old)
  })

  test('of nobody is never right, not even the empty one', async () => {
    for (const guess of ['', password]) expect((await checkPassword(guess, undefined)).right).toBe(false)
  })

  test('must be long, and nothing that is guessed first', () => {
    for (const weak of [
      '',
      'short',
      'elevenchars',
      'aaaaaaaaaaaaaa',
      'abcabcabcabc',
      'Ada.Lovelace1815',
      'x'.repeat(201),
    ])
      expect([weak, weakness(weak, 'Ada Lovelace')]).toStrictEqual([weak, expect.any(String)])
    for (const good of [password, 'ünïcödé ist auch gut', makePassword()])
      expect([good, weakness(good, 'Ada Lovelace')]).toStrictEqual([good, undefined])
    expect(new Set(Array.from({ length: 50 }, makePassword)).size).toBe(50)
  })
})

describe('a session', () => {
  test('belongs to its account until it is ended, and is unknown by anything but its value', async () => {
    const { sessions, add } = await fresh()
    const ada = await add('ada')
    const { value } = await sessions.open(ada.id, 'session', 12 * HOUR)
    expect(value).toMatch(/^[\w-]{43}$/)
    expect(await sessions.find(value)).toMatchObject({ account: { name: 'ada' }, via: 'session' })
    for (const other of ['', value.slice(1), `${value}A`, value.toLowerCase()])
      expect(await sessions.find(other)).toBeUndefined()
    await sessions.end(value)
    expect(await sessions.find(value)).toBeUndefined()
  })

  test('ends some time after the sign-in however busy it is, and after an hour of silence', async () => {
    const { sessions, add, clock } = await fresh()
    const ada = await add('ada')
    const [busy, quiet] = [
      await sessions.open(ada.id, 'session', 3 * HOUR),
      await sessions.open(ada.id, 'session', 3 * HOUR),
    ]
    clock.pass(59 * MINUTE)
    expect(await sessions.find(busy.value)).toBeDefined()
    clock.pass(MINUTE)
    expect([await sessions.find(quiet.value), (await sessions.find(busy.value))?.via]).toStrictEqual([
      undefined,
      'session',
    ])
    for (let minutes = 60; minutes < 180; minutes += 30) {
      expect(await sessions.find(busy.value)).toBeDefined()
      clock.pass(30 * MINUTE)
    }
    expect(await sessions.find(busy.value)).toBeUndefined()
  })

  test.each(['password', 'disabled', 'removed'] as const)('ends when its account is changed: %s', async (how) => {
    const { accounts, sessions, add } = await fresh()
    const [ada, bob] = [await add('ada'), await add('bob')]
    const values = await Promise.all([ada, ada, bob].map(({ id }) => sessions.open(id, 'session', HOUR)))
    if (how === 'password') await accounts.setPassword(ada.id, 'another good password')
    else if (how === 'disabled') await accounts.change(ada.id, { state: 'disabled' })
    else await accounts.remove(ada.id)
    if (how === 'disabled') await accounts.change(ada.id, { state: 'active' })
    const found = await Promise.all(values.map(({ value }) => sessions.find(value)))
    expect(found.map((each) => each && holderOf(each).name)).toStrictEqual([undefined, undefined, 'bob'])
  })

  test('is nowhere in the database, so that who reads it cannot sign in', async () => {
    const file = join(place(), 'sessions.db')
    const store = await opened({ file })
    const account = await store.operators.accounts.add({
      name: 'ada',
      tenant: undefined,
      roles: [],
      subjects: [],
      password,
    })
    const { value } = await store.operators.sessions.open(account?.id ?? '', 'session', HOUR)
    expect(await everything(file)).not.toContain(value)
    expect(await store.operators.sessions.find(value)).toBeDefined()
  })

  test('and counted tries are swept once they have ended', async () => {
    const { clock, store } = await openedWithClock()
    const { accounts, sessions, guesses } = store.operators
    const account = await accounts.add({ name: 'ada', tenant: undefined, roles: [], subjects: [], password })
    await sessions.open(account?.id ?? '', 'session', HOUR)
    await guesses.begin({ name: 'ada', address: '192.0.2.1' })
    clock.pass(DAY)
    await store.sweep()
    expect(await sessions.endAll(account?.id ?? '')).toBe(0)
  })
})

describe('guessing', () => {
  const from = (address: string, name = 'ada') => ({ name, address })

  test('one name from many addresses runs out of tries, and a new window begins by itself', async () => {
    const { guesses, clock } = await fresh()
    const tries = async (count: number) => {
      const kinds = []
      for (let at = 0; at < count; at++) kinds.push((await guesses.begin(from(`192.0.2.${at}`))).kind)
      return kinds.filter((kind) => kind === 'go').length
    }
    expect(await tries(14)).toBe(10)
    clock.pass(14 * MINUTE)
    // Trying on prolongs nothing.
    expect(await tries(20)).toBe(0)
    clock.pass(MINUTE)
    expect(await tries(14)).toBe(10)
  })

  test('many names from one address runs out of tries, also over a whole IPv6 network', async () => {
    const { guesses } = await fresh()
    const kinds = []
    for (let at = 0; at < 60; at++)
      kinds.push((await guesses.begin(from(`2001:db8:0:1::${at.toString(16)}`, `name ${at}`))).kind)
    expect(kinds.filter((kind) => kind === 'go')).toHaveLength(50)
    expect((await guesses.begin(from('2001:db8:0:2::1', 'name x'))).kind).toBe('go')
  })

  test('does not lock out whoever has signed in with this browser before', async () => {
    const { guesses } = await fresh()
    for (let at = 0; at < 100; at++) await guesses.begin(from('192.0.2.66'))
    expect(await guesses.begin(from('192.0.2.66'))).toMatchObject({ kind: 'paused', begins: false })
    expect((await guesses.begin({ ...from('192.0.2.66'), device: 'op_ada' })).kind).toBe('go')
  })

  test('a right one does not count', async () => {
    const { guesses } = await fresh()
    for (let at = 0; at < 40; at++) {
      expect((await guesses.begin(from('192.0.2.1'))).kind).toBe('go')
      await guesses.right(from('192.0.2.1'))
    }
  })

  test('a hundred at the same instant get no further than one after the other', async () => {
    const { guesses } = await fresh()
    const all = await Promise.all(Array.from({ length: 40 }, () => guesses.begin(from('192.0.2.1'))))
    expect(all.filter(({ kind }) => kind === 'go')).toHaveLength(10)
  })

  test('addresses of one IPv6 network are one, however they are written', () => {
    for (const [one, other] of [
      ['2001:db8::1', '2001:0DB8:0:0:ffff::9'],
      ['::1', '0:0:0:0:1:2:3:4'],
      ['fe80::1%eth0', 'fe80::2'],
      ['::ffff:192.0.2.1', '192.0.2.1'],
    ] as const)
      expect(network(one)).toBe(network(other))
    expect(network('2001:db8::1')).not.toBe(network('2001:db8:0:1::1'))
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(network(address)).toBe(network(address.toUpperCase()))
      }),
    )
  })
})

describe('a second factor of an account', () => {
  test('is its own, counts its own wrong codes, and goes with the account', async () => {
    const { accounts, add, clock } = await fresh()
    const [ada, bob] = [await add('ada'), await add('bob')]
    const enrol = async (id: string) => {
      const { secret } = await accounts.factor(id).begin('x')
      const totp = new TOTP({ secret: Secret.fromBase32(secret) })
      await accounts.factor(id).confirm(totp.generate({ timestamp: clock.now() }))
      return () => totp.generate({ timestamp: clock.now() })
    }
    const [hers, his] = [await enrol(ada.id), await enrol(bob.id)]
    clock.pass(MINUTE)
    expect(await accounts.factor(ada.id).check(his())).toMatchObject({ kind: 'wrong' })
    for (let at = 0; at < 4; at++) await accounts.factor(ada.id).check('000000')
    expect(await accounts.factor(ada.id).check(hers())).toMatchObject({ kind: 'paused' })
    expect(await accounts.factor(bob.id).check(his())).toStrictEqual({ kind: 'right' })
    expect(await accounts.factor(bob.id).check(his())).toMatchObject({ kind: 'wrong', used: true })
    expect(await accounts.factor(ada.id).reset()).toBe(true)
    expect([await accounts.factor(ada.id).enrolled(), await accounts.factor(bob.id).enrolled()]).toStrictEqual([
      false,
      true,
    ])
    await accounts.remove(bob.id)
    expect(await accounts.factor(bob.id).enrolled()).toBe(false)
  })
})

describe('a delegation', () => {
  test('holds until its end, until it is taken back, and while both accounts are there', async () => {
    const { accounts, delegations, add, clock } = await fresh()
    const [ada, bob, cid] = [await add('ada'), await add('bob'), await add('cid')]
    const lend = (from: string, to: string) =>
      delegations.add({ id: `de_${from}`, from, to, tools: ['orders_*'], until: clock.now() + DAY, by: 'root' })
    const held = async () => (await delegations.held(bob.id)).map(({ from }) => from.name)
    const made = await lend(ada.id, bob.id)
    await lend(cid.id, bob.id)
    expect(made).toMatchObject({ from: { name: 'ada' }, to: { name: 'bob' }, tools: ['orders_*'], createdBy: 'root' })
    expect(await held()).toStrictEqual(['ada', 'cid'])
    expect(await delegations.revoke(made.id, 'ada')).toBe(true)
    expect(await delegations.revoke(made.id, 'ada')).toBe(false)
    expect(await held()).toStrictEqual(['cid'])
    await accounts.change(cid.id, { state: 'disabled' })
    expect(await held()).toStrictEqual([])
    await accounts.change(cid.id, { state: 'active' })
    expect(await held()).toStrictEqual(['cid'])
    clock.pass(DAY)
    expect(await held()).toStrictEqual([])
    expect(await delegations.list()).toHaveLength(2)
  })
})
