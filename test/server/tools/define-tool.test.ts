import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../../server/tools/catalog.ts'
import type { Contract } from '../../../server/tools/contract.ts'
import { ContractError, defineOwnTool, defineTool, riskAtMost, riskOf } from '../../../server/tools/define-tool.ts'
import { read, write } from './order-contracts.ts'

/** As somebody without a compiler would hand it over. */
const define = (base: object, change: object): Contract => defineTool({ ...base, ...change } as Contract)

const refusal = (base: object, change: object): ContractError => {
  try {
    define(base, change)
  } catch (error) {
    if (error instanceof ContractError) return error
    throw error
  }
  throw new Error('It was accepted.')
}

describe('a contract that lies or forgets something does not start, and says which field and what to do', () => {
  test('a complete one is answered as it is', () => {
    expect(defineTool(write)).toBe(write)
    expect(defineTool(read)).toBe(read)
  })

  test.each<[string, object, string, string]>([
    ['a name without a domain', { name: 'create' }, 'name', 'Write it like "orders.create"'],
    ['a name in capitals', { name: 'Orders.create' }, 'name', 'lower case'],
    ['a name of three parts', { name: 'a.b.c' }, 'name', 'domain.verb'],
    ['a name with a blank', { name: 'orders.create now' }, 'name', 'domain.verb'],
    ['a name of 61 characters', { name: `orders.${'x'.repeat(54)}` }, 'name', 'at most 60'],
    ['no title', { title: ' ' }, 'title', 'one sentence'],
    ['no description', { description: '' }, 'description', 'one sentence'],
    ['no description at all', { description: undefined }, 'description', 'one sentence'],
    ['an operation that is none', { operation: 'update' }, 'operation', 'read, write or destructive'],
    ['a risk that is none', { risk: 'harmless' }, 'risk', 'low, medium, high, critical, forbidden'],
    ['a risk rule without a known limit', { risk: { atMost: 'huge', of: () => 'low' } }, 'risk.atMost', 'low, medium'],
    ['no input', { input: undefined }, 'input', 'JSON types'],
    ['an input that is no object', { input: z.string() }, 'input', 'z.strictObject'],
    ['an input with a date object', { input: z.strictObject({ at: z.date() }) }, 'input', 'dates as ISO strings'],
    ['an input with a bigint', { input: z.strictObject({ n: z.bigint() }) }, 'input', 'JSON types'],
    [
      'a parameter named rationale',
      { input: z.strictObject({ rationale: z.string() }) },
      'input.rationale',
      'Rename it',
    ],
    ['a parameter named preview', { input: z.strictObject({ preview: z.boolean() }) }, 'input.preview', 'Rename it'],
    ['a parameter named ticket', { input: z.strictObject({ ticket: z.string() }) }, 'input.ticket', 'Rename it'],
    ['a parameter with a dash', { input: z.strictObject({ 'a-b': z.string() }) }, 'input.a-b', 'letters, digits and _'],
    [
      'a parameter that is a number',
      { input: z.strictObject({ '1': z.string() }) },
      'input.1',
      'letters, digits and _',
    ],
    ['no failures', { failures: {} }, 'failures', 'every way in which the write can fail'],
    ['failures left out', { failures: undefined }, 'failures', 'every way in which the write can fail'],
    [
      'a failure code in capitals',
      { failures: { OutOfStock: { effect: 'none', guidance: 'x' } } },
      'failures.OutOfStock',
      'out_of_stock',
    ],
    [
      'a failure without effect',
      { failures: { out: { guidance: 'x' } } },
      'failures.out.effect',
      'none, partial or unknown',
    ],
    [
      'a failure without guidance',
      { failures: { out: { effect: 'none', guidance: ' ' } } },
      'failures.out.guidance',
      'what to do next',
    ],
    ['a remote tool that never loses an answer', { external: true }, 'failures', 'over a network can lose its answer'],
    ['no preview', { preview: undefined }, 'preview', 'answers what would change'],
    ['no run', { run: undefined }, 'run', 'the change that was confirmed'],
    ['no noun', { noun: '' }, 'noun', '"the sales order"'],
    ['no side effects', { sideEffects: [] }, 'sideEffects', 'what a repeat does'],
    ['side effects left out', { sideEffects: undefined }, 'sideEffects', 'what a repeat does'],
    ['a confirmation of nowhere', { confirmation: 'type_name' }, 'confirmation', 'Use click or type-name'],
    ['no idempotency', { idempotency: undefined }, 'idempotency', 'once per plan'],
    ['autonomy at high risk', { risk: 'high', autonomous: true, basis: () => '1' }, 'autonomous', 'medium and below'],
    [
      'autonomy where a rule reaches high',
      { risk: { atMost: 'high', of: () => 'low' }, autonomous: true, basis: () => '1' },
      'autonomous',
      'medium and below',
    ],
    ['high risk without basis', { risk: 'high' }, 'basis', 'fingerprint'],
    ['critical risk without basis', { risk: 'critical' }, 'basis', 'fingerprint'],
    ['one of our names', { name: 'apply.plan' }, 'name', 'another domain or verb'],
    ['another of our names', { name: 'submit.feedback' }, 'name', 'another domain or verb'],
    ['one of our names on the wire', { wire: 'apply_plan' }, 'wire', 'another domain or verb'],
    ['a name in our domain', { name: 'countersign.plan_status' }, 'name', 'another domain or verb'],
  ])('a write with %s is refused by its field, with what to put there', (_, change, field, fix) => {
    const error = refusal(write, change)
    expect(error.field).toBe(field)
    expect(error.message).toContain(`: ${field} `)
    expect(error.message).toContain(fix)
    expect(error.message).toContain(error.tool)
  })

  test.each<[string, object, string, string]>([
    ['an output that is no object', { output: z.array(z.string()) }, 'output', 'wrap it'],
    ['an output with a date object', { output: z.strictObject({ at: z.date() }) }, 'output', 'JSON types only'],
    ['no run', { run: undefined }, 'run', 'answers the call'],
  ])('a read with %s', (_, change, field, fix) => {
    const error = refusal(read, change)
    expect(error.field).toBe(field)
    expect(error.message).toContain(fix)
  })

  test('a read needs no failures, no noun and no preview', () => {
    expect(() => define(read, {})).not.toThrow()
  })

  test('our own tools may have our names, and are checked like any other', () => {
    expect(() => defineOwnTool({ ...read, name: 'get.cheatsheet' })).not.toThrow()
    expect(() => defineOwnTool({ ...read, name: 'get cheatsheet' })).toThrow(ContractError)
  })

  test('two contracts with one name on the wire do not start, and both are named', () => {
    const twice = (): unknown => createCatalog([define(write, { name: 'a.b_c' }), define(write, { name: 'a_b.c' })])
    expect(twice).toThrow(ContractError)
    expect(twice).toThrow(/"a_b_c" on the wire, as is "a\.b_c"/)
  })

  test('the catalogue checks what did not come through defineTool', () => {
    expect(() => createCatalog([{ ...write, preview: undefined } as unknown as Contract])).toThrow(/preview is missing/)
  })

  test.each([
    [{ name: 'apply.plan' }, 'name'],
    [{ name: 'countersign.plan_status' }, 'name'],
    [{ name: 'theirs:apply', wire: 'apply_plan' }, 'wire'],
    [{ name: 'theirs:x', wire: 'countersign_plan_confirm' }, 'wire'],
  ])('the catalogue refuses %j, which is one of our names', (change, field) => {
    const taken = (): unknown => createCatalog([{ ...write, ...change }])
    expect(taken).toThrow(`${field} is a reserved name`)
  })

  test('only what we have defined ourselves has one of our names; a copy of it has not', () => {
    const ours = defineOwnTool({ ...read, name: 'get.cheatsheet' }) as unknown as Contract
    expect(createCatalog([ours]).find('get_cheatsheet')?.contract).toBe(ours)
    expect(() => createCatalog([{ ...ours }])).toThrow('name is a reserved name')
  })
})

describe('risk that depends on the input', () => {
  const rule = {
    atMost: 'high',
    of: (input: { level: 'low' | 'medium' | 'high' | 'critical' | 'forbidden' }) => input.level,
  } as const

  test('may be lower than its limit, and never higher', () => {
    expect(riskOf(rule, { level: 'low' })).toBe('low')
    expect(riskOf(rule, { level: 'high' })).toBe('high')
    expect(riskOf(rule, { level: 'critical' })).toBe('high')
    expect(riskOf(rule, { level: 'forbidden' })).toBe('high')
    expect(riskOf('medium', {})).toBe('medium')
    expect(riskAtMost(rule)).toBe('high')
    expect(riskAtMost('critical')).toBe('critical')
  })
})
