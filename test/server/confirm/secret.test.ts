import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newPlanId, newTicket, readCredential, ticketHash } from '../../../server/confirm/secret.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

describe('a ticket', () => {
  test('is short, of one case, and of letters that nobody confuses', () => {
    fc.assert(
      fc.property(bytes(16), (random) => {
        const ticket = newTicket(() => random)
        expect(ticket.length).toBeLessThanOrEqual(32)
        expect(ticket).toMatch(/^cs1_[0-9a-hjkmnp-tv-z]{26}$/)
        expect(readCredential(ticket)).toStrictEqual({ kind: 'ticket', ticket })
      }),
    )
  })

  test('carries all 128 bits: two of them are equal only where their bytes are', () => {
    fc.assert(
      fc.property(bytes(16), fc.nat(127), (random, bit) => {
        const other = random.map((byte, at) => (at === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte))
        expect(newTicket(() => other)).not.toBe(newTicket(() => random))
      }),
    )
  })

  test('takes its randomness from what it is handed', () => {
    const asked: number[] = []
    newTicket((length) => {
      asked.push(length)
      return randomBytes(length)
    })
    expect(asked).toStrictEqual([16])
    expect(newTicket(() => new Uint8Array(16))).toBe(`cs1_${'0'.repeat(26)}`)
    expect(newTicket(() => new Uint8Array(16).fill(255))).toBe(`cs1_${'z'.repeat(25)}w`)
  })

  test('is kept as a hash that does not show it', () => {
    const ticket = newTicket(randomBytes)
    expect(ticketHash(ticket)).toMatch(/^[0-9a-f]{64}$/)
    expect(ticketHash(ticket)).not.toContain(ticket.slice(4))
    expect(ticketHash(newTicket(randomBytes))).not.toBe(ticketHash(ticket))
  })
})

test('a plan id is short and says that it is one', () => {
  fc.assert(
    fc.property(bytes(10), (random) => {
      const id = newPlanId(() => random)
      expect(id).toMatch(/^pl_[0-9a-hjkmnp-tv-z]{16}$/)
      expect(readCredential(id)).toStrictEqual({ kind: 'plan', id })
    }),
  )
})

describe('a credential is told by its form', () => {
  const ticket = newTicket(randomBytes)
  const plan = newPlanId(randomBytes)

  test('of an approval', () => {
    expect(readCredential('ap_0123456789abcdef')).toStrictEqual({ kind: 'approval', id: 'ap_0123456789abcdef' })
  })

  test.each([
    ['nothing', ''],
    ['a ticket that lost its end', ticket.slice(0, -1)],
    ['a ticket that lost its start', ticket.slice(1)],
    ['a ticket with one character too many', `${ticket}0`],
    ['a ticket in capitals', ticket.toUpperCase()],
    ['a ticket with capitals inside', `cs1_${'A'.repeat(26)}`],
    ['a ticket with blanks around it', ` ${ticket} `],
    ['a ticket with a line break', `${ticket}\n`],
    ['a ticket of another version', ticket.replace('cs1_', 'cs2_')],
    ['a plan id that lost its end', plan.slice(0, -1)],
    ['a plan id in capitals', plan.toUpperCase()],
    ['a plan id with a path', `${plan}/../x`],
    ['the ellipsis of an example', 'cs1_…'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.e30.abc'],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['a full-width ticket', ticket.replace('cs1', 'ｃｓ１')],
  ])('%s is malformed', (_, text) => {
    expect(readCredential(text)).toStrictEqual({ kind: 'malformed' })
  })

  test('anything else is malformed, and nothing throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(readCredential(text).kind).toBe('malformed')
      }),
    )
  })
})
