// A misspelt setting must not become a weaker server.
import { describe, expect, test } from 'vitest'
import { defaultSettings } from '../../../server/rail/engine.ts'
import { readSettings } from '../../../server/rail/engine-settings.ts'
import { proofSuffices, type Proof } from '../../../server/policy/proof.ts'
import { createCountersign, CountersignError } from '../../../server/index.ts'

describe('settings', () => {
  test('none at all are the defaults', () => {
    expect(readSettings(undefined)).toStrictEqual({ ok: true, value: defaultSettings })
  })

  test('a proof for one risk leaves the proofs of the others', () => {
    const read = readSettings({ proof: { medium: 'ticket' } })
    expect(read.ok && read.value.proof).toStrictEqual({ ...defaultSettings.proof, medium: 'ticket' })
  })

  test('a proof that is undefined is the default', () => {
    const read = readSettings({ proof: { critical: undefined } })
    expect(read.ok && read.value.proof).toStrictEqual(defaultSettings.proof)
  })

  test.each([
    ['a misspelt proof', { proof: { critical: 'recordd' } }, '/proof/critical'],
    ['a risk that does not exist', { proof: { huge: 'ticket' } }, '/proof'],
    ['an unknown form of the message', { apply: 'bogus' }, '/apply'],
    ['a lease of no time', { leaseMs: 0 }, '/leaseMs'],
    ['a timeout before the start', { runTimeoutMs: -5 }, '/runTimeoutMs'],
    ['a life that is no number', { planTtlMs: Number.NaN }, '/planTtlMs'],
    ['a setting that does not exist', { planTtl: 5 }, ''],
    ['a risk rule that is no function', { riskOf: 'high' }, '/riskOf'],
  ])('%s is refused by its place, with what to do', (_, given, place) => {
    const read = readSettings(given)
    expect(read.ok).toBe(false)
    if (read.ok) return
    expect(read.failure.message).toContain(`The setting ${place} cannot be used`)
    expect(read.failure.next).not.toBe('')
  })

  test('a library that is given one refuses to start, at once', () => {
    const settings = { proof: { critical: 'recordd' } } as unknown as NonNullable<
      Parameters<typeof createCountersign>[0]['settings']
    >
    expect(() => createCountersign({ tools: [], settings })).toThrow(CountersignError)
  })
})

describe('the ladder of proofs', () => {
  test('what is not on it is never enough to ask for', () => {
    for (const brought of ['none', 'plan', 'ticket', 'recorded'] as const)
      expect(proofSuffices(brought, 'recordd' as Proof)).toBe(false)
  })
})
