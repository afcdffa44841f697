// What a call must bring that hosts let through without asking anybody.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { proofSuffices, withTicket, type Proof } from '../../../server/policy/proof.ts'

const proof = fc.constantFrom<Proof>('none', 'plan', 'ticket', 'recorded')

test('where a plan’s id is nobody’s word, nothing above low is met by less than a ticket, and no need becomes weaker', () => {
  fc.assert(
    fc.property(fc.record({ low: proof, medium: proof, high: proof, critical: proof }), proof, (table, brought) => {
      const needed = withTicket(table)
      expect(needed.low).toBe(table.low)
      for (const risk of ['medium', 'high', 'critical'] as const) {
        if (!proofSuffices(brought, needed[risk])) continue
        expect(proofSuffices(brought, 'ticket')).toBe(true)
        expect(proofSuffices(brought, table[risk])).toBe(true)
      }
    }),
  )
})
