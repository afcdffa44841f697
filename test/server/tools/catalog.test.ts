import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog, type Tool } from '../../../server/tools/catalog.ts'
import { listedContract, publicContract } from '../../../server/tools/public-contract.ts'
import type { Contract, WriteContract } from '../../../server/tools/contract.ts'
import { defineTool } from '../../../server/tools/define-tool.ts'
import * as orders from './order-contracts.ts'

const write = (change: Partial<WriteContract> = {}): Contract =>
  defineTool({
    ...orders.write,
    input: z.strictObject({ zebra: z.string(), apple: z.number().default(1), mango: z.boolean().optional() }),
    ...change,
  })

const read = (change: object = {}): Contract => defineTool({ ...orders.read, ...change })

const toolOf = (contract: Contract): Tool => {
  const tool = createCatalog([contract]).find(contract.name.replace('.', '_'))
  if (tool === undefined) throw new Error(`${contract.name} is not in its catalogue.`)
  return tool
}

describe('what a catalogue offers', () => {
  test('tools in the order of definition, under their wire names', () => {
    const catalog = createCatalog([read(), write()])
    expect(catalog.tools.map((tool) => tool.wireName)).toStrictEqual(['orders_get', 'orders_create'])
    expect(catalog.find('orders_get')?.contract.name).toBe('orders.get')
    expect(catalog.find('orders.get')).toBeUndefined()
    expect(catalog.find('toString')).toBeUndefined()
  })

  test('what is not for AI can be found by the engine and is listed nowhere', () => {
    const catalog = createCatalog([read(), read({ name: 'payments.read_card', risk: 'forbidden' })])
    expect(catalog.tools.map((tool) => tool.wireName)).toStrictEqual(['orders_get'])
    expect(catalog.find('payments_read_card')).toBeDefined()
  })
})

describe('the schema of a call', () => {
  test('of a write: its own parameters in their order, then ours, and nothing else', () => {
    const { inputSchema, parameters } = toolOf(write())
    expect(parameters).toStrictEqual(['zebra', 'apple', 'mango'])
    expect(Object.keys(inputSchema['properties'] as object)).toStrictEqual([
      'zebra',
      'apple',
      'mango',
      'rationale',
      'preview',
      'ticket',
    ])
    expect(inputSchema).toMatchObject({
      type: 'object',
      additionalProperties: false,
      required: ['zebra', 'rationale'],
      properties: { preview: { default: true }, rationale: { minLength: 10, maxLength: 500 } },
    })
  })

  test('of a contract that may run alone: it previews only when asked', () => {
    expect(toolOf(write({ autonomous: true })).inputSchema).toMatchObject({
      properties: { preview: { default: false } },
    })
  })

  test('of a read: rationale, and its output as it is declared', () => {
    const { inputSchema, outputSchema } = toolOf(read())
    expect(Object.keys(inputSchema['properties'] as object)).toStrictEqual(['id', 'rationale'])
    expect(outputSchema).toMatchObject({ type: 'object', properties: { id: { type: 'string' } } })
    expect(toolOf(write()).outputSchema).toBeUndefined()
  })
})

describe('annotations are derived from the contract', () => {
  test.each<[string, Contract, object]>([
    ['a read', read(), { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    [
      'an additive write',
      write(),
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    ],
    ['a destructive one', write({ operation: 'destructive' }), { readOnlyHint: false, destructiveHint: true }],
    ['a write that is idempotent by nature', write({ idempotency: 'natural' }), { idempotentHint: true }],
    [
      'a tool that reaches out',
      write({ external: true, failures: { lost: { effect: 'unknown', guidance: 'Look.' } } }),
      { openWorldHint: true },
    ],
  ])('of %s say what it does', (_, contract, hints) => {
    expect(toolOf(contract).annotations).toMatchObject({ title: contract.title, ...hints })
  })
})

describe('the description that a model reads', () => {
  test('of a write says how the rail works; of a read does not', () => {
    expect(toolOf(write()).description).toMatch(/^Creates an order\. .*preview.*Apply: call/)
    expect(toolOf(read()).description).toBe('Gets an order.')
    expect(toolOf(write({ autonomous: true })).description).toBe('Creates an order.')
  })

  test('opens with the cheatsheet where there is one', () => {
    expect(toolOf(read({ cheatsheet: 'orders' })).description).toBe(
      'Before any write or non-trivial query, fetch `mcp://orders/cheatsheet` first. Do NOT guess property names or association types. Gets an order.',
    )
  })
})

describe('the definition that a confirmation relies on', () => {
  const { definition } = toolOf(write())

  test.each<[string, Partial<WriteContract>]>([
    [
      'a parameter more',
      {
        input: z.strictObject({
          zebra: z.string(),
          apple: z.number().default(1),
          mango: z.boolean().optional(),
          kiwi: z.string().optional(),
        }),
      },
    ],
    [
      'another type',
      { input: z.strictObject({ zebra: z.number(), apple: z.number().default(1), mango: z.boolean().optional() }) },
    ],
    [
      'another default',
      { input: z.strictObject({ zebra: z.string(), apple: z.number().default(2), mango: z.boolean().optional() }) },
    ],
    [
      'another limit',
      {
        input: z.strictObject({
          zebra: z.string().max(9),
          apple: z.number().default(1),
          mango: z.boolean().optional(),
        }),
      },
    ],
    ['another output', { output: z.strictObject({ id: z.string(), at: z.string() }) }],
    ['another risk', { risk: 'low' }],
    ['another operation', { operation: 'destructive' }],
    ['another name', { name: 'orders.append' }],
  ])('changes with %s', (_, change) => {
    expect(toolOf(write(change)).definition).not.toBe(definition)
  })

  test.each<[string, Partial<WriteContract>]>([
    ['words', { title: 'Make an order', description: 'Makes an order.', noun: 'the order' }],
    ['code', { run: () => ({ id: 'SO-2' }), preview: () => ({ title: 'x', summary: 'x', confirmLabel: 'x' }) }],
    [
      'failures and permissions',
      { failures: { other: { effect: 'none', guidance: 'x' } }, permissions: ['orders:write'] },
    ],
    [
      'the same schema, built again',
      { input: z.strictObject({ zebra: z.string(), apple: z.number().default(1), mango: z.boolean().optional() }) },
    ],
  ])('does not change with %s', (_, change) => {
    expect(toolOf(write(change)).definition).toBe(definition)
  })
})

test('the readable contract says before the first call what a person would ask', () => {
  expect(
    publicContract(
      toolOf(
        write({
          permissions: ['orders:write'],
          reconcile: () => ({ kind: 'unknown' }),
          dryRunRequired: true,
          risk: { atMost: 'medium', of: () => 'low' },
          confirmation: 'type-name',
          stepUp: { when: () => false },
          undo: () => undefined,
          budget: { unit: 'lines', limit: 100, consumed: () => 1 },
          cheatsheet: 'orders',
        }),
      ),
    ),
  ).toMatchObject({
    name: 'orders.create',
    noun: 'the sales order',
    confirmation: { required: true, by: 'rail', form: 'type-name' },
    step_up: 'depends_on_input',
    undo: true,
    budget: { unit: 'lines', limit: 100 },
    cheatsheet: 'mcp://orders/cheatsheet',
    category: 'orders',
    operation: 'write',
    risk: 'medium',
    risk_depends_on_input: true,
    autonomous: false,
    permissions: ['orders:write'],
    side_effects: [{ what: 'One more order.', on_repeat: 'Another order.' }],
    idempotency: 'plan',
    external: false,
    dry_run_required: true,
    transactional: false,
    reconciles: true,
    cancellable: false,
    languages: ['en'],
    failures: { unknown_customer: { effect: 'none', guidance: 'Search the customer first.' } },
    audit_event: 'orders.create',
  })
})

test('the listing of a contract says who is asked and what happens, and nothing that is false or empty', () => {
  expect(listedContract(toolOf(write()))).toStrictEqual({
    name: 'orders.create',
    category: 'orders',
    operation: 'write',
    risk: 'medium',
    side_effects: [{ what: 'One more order.' }],
    confirmation: { required: true, by: 'rail' },
  })
  const byInput = write({
    risk: { atMost: 'critical', of: () => 'low' },
    basis: () => '1',
    permissions: ['orders:write'],
  })
  expect(listedContract(toolOf(byInput))).toMatchObject({
    risk: 'critical',
    risk_depends_on_input: true,
    permissions: ['orders:write'],
  })
  expect(listedContract(toolOf(read()))).toStrictEqual({
    name: 'orders.get',
    category: 'orders',
    operation: 'read',
    risk: 'low',
    confirmation: { required: false },
  })
})

test('the readable contract of a tool that leaves all that out says so, and of a read only what a read has', () => {
  expect(publicContract(toolOf(write()))).toMatchObject({
    confirmation: { required: true, by: 'rail' },
    step_up: 'never',
    undo: false,
  })
  const bare = publicContract(toolOf(read()))
  expect(bare.confirmation).toEqual({ required: false })
  for (const absent of ['noun', 'step_up', 'budget', 'cheatsheet']) expect(Object.keys(bare)).not.toContain(absent)
})
