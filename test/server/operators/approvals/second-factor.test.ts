// The second factor against somebody who has the first: guessing, repeating, and asking two processes at once.
import { join } from 'node:path'
import * as fc from 'fast-check'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, test } from 'vitest'
import { PackageMissing } from '../../../../server/errors/optional-package.ts'
import type { Approval } from '../../../../server/model/approvals.ts'
import { refuseCode } from '../../../../server/operators/approval-factor.ts'
import { runsOf } from '../../../full.ts'
import type { Store } from '../../../../server/store/store.ts'
import { everything } from '../../../postgres.ts'
import { createClock, MINUTE, type Clock } from '../../../kit/clock.ts'
import { opened, openedWithClock, place } from '../../store/store-fixture.ts'

const STEP = 30_000

/** The approver's phone. */
const authenticator = (secret: string, clock: Clock) => {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  return (steps = 0) => totp.generate({ timestamp: clock.now() + steps * STEP })
}

const enrolled = async (store: Store, clock: Clock) => {
  const { secret } = await store.secondFactor.begin('ada@desk')
  const code = authenticator(secret, clock)
  expect(await store.secondFactor.confirm(code())).toBe(true)
  clock.pass(2 * STEP)
  return code
}

const fresh = async () => {
  const { clock, store } = await openedWithClock()
  return { clock, store, factor: store.secondFactor, code: await enrolled(store, clock) }
}

/** A code that is not right at any step near now. */
const wrong = (code: (steps?: number) => string): string =>
  ['000000', '111111', '222222', '333333'].find((each) => ![-2, -1, 0, 1, 2].some((at) => code(at) === each)) ?? ''

test('counts only once its first code has been seen', async () => {
  const clock = createClock()
  const { secondFactor: factor } = await opened({ file: ':memory:', now: clock.now })
  expect(await factor.check('123456')).toStrictEqual({ kind: 'not-enrolled' })
  const { uri, secret } = await factor.begin('ada@desk')
  expect(uri).toMatch(/^otpauth:\/\/totp\/Countersign:ada%40desk\?.*algorithm=SHA1&digits=6&period=30$/)
  expect(uri).toContain(`secret=${secret}`)
  const code = authenticator(secret, clock)
  expect([await factor.confirm(wrong(code)), await factor.enrolled()]).toStrictEqual([false, false])
  expect([await factor.confirm(code()), await factor.enrolled()]).toStrictEqual([true, true])
  expect(await factor.check(code())).toMatchObject({ kind: 'wrong', used: true })
})

test('where codes cannot be read for want of a package, whoever decides is refused and told what to install', async () => {
  const factor = { enrolled: () => Promise.resolve(true), check: () => Promise.reject(new PackageMissing(['otpauth'])) }
  const approval = { id: 'ap_1' } as Approval
  expect(await refuseCode(factor, approval, { name: 'ada', person: 'ada' }, '123456')).toMatchObject({
    kind: 'refused',
    code: 'second-factor-unavailable',
    message: 'The package otpauth, which a second factor needs, is not installed.',
    next: 'Run `npm install otpauth@9` beside Countersign.',
  })
})

test('a new one takes the place of the old one when its code has been seen, not before', async () => {
  const { clock, factor, code } = await fresh()
  const { secret } = await factor.begin('ada@desk')
  expect(await factor.check(code())).toStrictEqual({ kind: 'right' })
  const next = authenticator(secret, clock)
  expect(await factor.confirm(next())).toBe(true)
  clock.pass(2 * STEP)
  expect((await factor.check(code())).kind).toBe('wrong')
  expect((await factor.check(next())).kind).toBe('right')
})

describe('a code', () => {
  test('is accepted now and one step to either side, with or without a blank in it', async () => {
    for (const step of [-1, 0, 1]) {
      const { factor, code } = await fresh()
      expect((await factor.check(code(step))).kind).toBe('right')
    }
    const { factor, code } = await fresh()
    expect((await factor.check(`${code().slice(0, 3)} ${code().slice(3)}`)).kind).toBe('right')
    for (const step of [-2, 2]) {
      const { factor, code } = await fresh()
      expect((await factor.check(code(step))).kind).toBe('wrong')
    }
  })

  test('is never accepted twice, nor is one from before it', async () => {
    const { factor, code } = await fresh()
    expect(await factor.check(code(0))).toStrictEqual({ kind: 'right' })
    expect(await factor.check(code(0))).toStrictEqual({ kind: 'wrong', used: true, triesLeft: 4 })
    expect(await factor.check(code(-1))).toStrictEqual({ kind: 'wrong', used: true, triesLeft: 3 })
    expect(await factor.check(code(1))).toStrictEqual({ kind: 'right' })
  })

  test('that two processes are asked about at once is accepted by one', async () => {
    const clock = createClock()
    const file = join(place(), 'plans.db')
    const stores = [await opened({ file, now: clock.now }), await opened({ file, now: clock.now })]
    const code = await enrolled(stores[0]!, clock)
    const checks = await Promise.all(stores.map((store) => store.secondFactor.check(code())))
    expect(checks.map(({ kind }) => kind).toSorted()).toStrictEqual(['right', 'wrong'])
    const { secret } = await stores[0]!.secondFactor.begin('ada@desk')
    expect(await everything(file)).not.toContain(secret)
  })
})

describe('five wrong codes', () => {
  test('make a pause of 15 minutes in which not even the right one is accepted', async () => {
    const { clock, factor, code } = await fresh()
    for (const triesLeft of [4, 3, 2, 1])
      expect(await factor.check(wrong(code))).toStrictEqual({ kind: 'wrong', used: false, triesLeft })
    const until = clock.now() + 15 * MINUTE
    expect(await factor.check('not a code')).toStrictEqual({ kind: 'paused', until })
    clock.pass(15 * MINUTE - 1)
    expect(await factor.check(code())).toStrictEqual({ kind: 'paused', until })
    clock.pass(1)
    expect(await factor.check(code())).toStrictEqual({ kind: 'right' })
  })

  test('are counted from the last right one', async () => {
    const { clock, factor, code } = await fresh()
    for (let round = 0; round < 3; round++) {
      for (let tries = 0; tries < 4; tries++) expect((await factor.check(wrong(code))).kind).toBe('wrong')
      expect((await factor.check(code())).kind).toBe('right')
      clock.pass(STEP)
    }
  })

  test('are five, however many are tried at once', async () => {
    const { factor, code } = await fresh()
    const checks = await Promise.all(Array.from({ length: 40 }, () => factor.check(wrong(code))))
    expect(checks.filter(({ kind }) => kind === 'wrong')).toHaveLength(4)
  })
})

test('whatever is tried in whatever order, each step of time is accepted once and never goes back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 3 })), { maxLength: 30 }),
      async (tries) => {
        const { clock, factor, code, store } = await fresh()
        let last = -Infinity
        for (const [step, pass] of tries) {
          clock.pass(pass * STEP)
          const counter = Math.floor(clock.now() / STEP) + step
          const { kind } = await factor.check(code(step))
          if (kind !== 'right') continue
          expect(counter).toBeGreaterThan(last)
          expect(Math.abs(step)).toBeLessThanOrEqual(1)
          last = counter
        }
        await store.close()
      },
    ),
    { numRuns: runsOf(40) },
  )
})
