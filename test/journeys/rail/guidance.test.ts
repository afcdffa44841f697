// An error is only worth its next step. Here errors of all kinds are provoked through the real door, and every call that
// an answer proposes is held against the schema of the tool it names, as the client sees it.
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Agent, type Arguments } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { parseMessage } from '../../../server/index.ts'
import { agentHere } from '../in-process.ts'

let agent: Agent

beforeAll(async () => {
  agent = await agentHere(['demo', '--stdio', '--db', freshDatabase()])
})

const line = (sku: string, quantity = 1) => [{ sku, quantity }]

const mistakes: readonly (readonly [sentence: string, tool: string, args: Arguments, code: string])[] = [
  ['a customer misspelt', 'orders_create', { customer: 'ACNE', lines: line('DESK-01') }, 'unknown_customer'],
  ['a SKU misspelt', 'orders_create', { customer: 'ACME', lines: line('DESK-1') }, 'unknown_sku'],
  ['a SKU of nowhere', 'orders_create', { customer: 'ACME', lines: line('ZZZ') }, 'unknown_sku'],
  [
    'a day in the past',
    'orders_create',
    { customer: 'ACME', lines: line('DESK-01'), delivery_date: '2020-01-01' },
    'date_in_past',
  ],
  ['an order of nowhere', 'orders_get', { id: 'SO-9' }, 'unknown_order'],
  ['an order of nowhere to change', 'orders_modify', { id: 'SO-9', note: 'x' }, 'unknown_order'],
  ['an order of nowhere to delete', 'orders_delete', { id: 'SO-9' }, 'unknown_order'],
  [
    'a change that changes nothing',
    'orders_modify',
    { id: 'SO-1008', note: 'Ring before delivery' },
    'nothing_to_change',
  ],
  ['a fulfilled order to change', 'orders_modify', { id: 'SO-1001', note: 'x' }, 'not_open'],
  [
    'an open order to correct',
    'orders_correct',
    { id: 'SO-1005', lines: line('DESK-01'), reason: 'miscounted' },
    'not_fulfilled',
  ],
  ['a supplier of nowhere', 'purchases_create', { supplier: 'Oakwork', lines: line('DESK-01') }, 'unknown_supplier'],
  ['a purchase of nowhere', 'purchases_receive', { id: 'PO-9' }, 'unknown_purchase'],
  ['a purchase received twice', 'purchases_receive', { id: 'PO-301' }, 'already_received'],
  ['a product of nowhere to count', 'stock_adjust', { sku: 'DESK', delta: 1, reason: 'counted' }, 'unknown_sku'],
]

describe('a mistake', () => {
  test.each(mistakes)(
    '%s: the answer names it, and each call that it proposes is one that can be made',
    async (...row) => {
      const [, tool, args, code] = row
      const reply = await agent.call(tool, args)
      const { guidance } = reply
      if (guidance === undefined) throw new Error(`No guidance: ${reply.text}`)
      expect(reply.isError).toBe(true)
      expect(guidance).toMatchObject({ error_type: code, category: 'tool' })
      expect(guidance.actionable_guidance.length).toBeGreaterThan(0)
      expect(reply.text).toContain(guidance.message)
      for (const fix of guidance.fix) {
        if (fix.kind !== 'call_tool') continue
        const schema = agent.tools.find(({ name }) => name === fix.tool)?.inputSchema
        expect([fix.tool, schema === undefined]).toStrictEqual([fix.tool, false])
        const validate = new AjvJsonSchemaValidator().getValidator(schema as Record<string, unknown>)
        expect(validate(fix.arguments)).toMatchObject({ valid: true })
        const next = await agent.call(fix.tool, fix.arguments)
        expect([fix, next.guidance?.category]).not.toStrictEqual([fix, 'arguments'])
        expect(reply.text).toContain(fix.tool)
      }
    },
  )

  test('at least one of them is answered with a call to make', async () => {
    const replies = await Promise.all(mistakes.map(([, tool, args]) => agent.call(tool, args)))
    const fixes = replies.flatMap((reply) => reply.guidance?.fix ?? []).filter((fix) => fix.kind === 'call_tool')
    expect(fixes.length).toBeGreaterThan(0)
  })

  test('names as reading only what this very client can read', async () => {
    const replies = await Promise.all(mistakes.map(([, tool, args]) => agent.call(tool, args)))
    const uris = new Set(replies.flatMap((reply) => reply.guidance?.related_docs ?? []))
    expect([...uris]).not.toStrictEqual([])
    for (const uri of uris) {
      const { contents } = await agent.client.readResource({ uri })
      expect(contents).toMatchObject([{ uri, text: expect.stringMatching(/^(?:# |### )/) as string }])
    }
  })

  test('a blocked preview says what blocks it, opens no plan and offers no confirmation', async () => {
    const reply = await agent.call('orders_fulfill', { id: 'SO-1006' })
    expect(reply).toMatchObject({ status: 'previewed', isError: false, planId: '', card: { state: 'blocked' } })
    expect(reply.card?.actions.filter(({ role }) => role === 'confirm')).toStrictEqual([])
    expect(reply.text).toContain('cannot be confirmed as it is')
  })
})

/** Reads a code example as an agent would, and makes sure that the tool it names is offered and takes it. */
function readExample(example: string): { readonly tool: string; readonly args: Arguments } {
  const parsed = parseMessage(`Preview: call ${example}`)
  if (!parsed.ok || parsed.value.kind !== 'preview') throw new Error(`Not a call: ${example}`)
  const { tool, args } = parsed.value
  const schema = agent.tools.find(({ name }) => name === tool)?.inputSchema
  const validate = new AjvJsonSchemaValidator().getValidator((schema ?? false) as Record<string, unknown>)
  expect([example, validate(args)]).toMatchObject([example, { valid: true }])
  return { tool, args }
}

describe('a code example', () => {
  test('of each tool, called with an argument of nowhere, is a call that this tool takes', async () => {
    // `plan_bundle` is answered as the preview of `apply_bundle` that it is.
    const offered = agent.tools.filter(({ name }) => !/^countersign_|^apply_plan$|^plan_bundle$/.test(name))
    for (const { name } of offered) {
      const { guidance, text } = await agent.call(name, { nonsense: 1 })
      expect([name, guidance?.error_type, guidance?.code_examples.length]).toStrictEqual([name, 'validation_error', 1])
      const [example = ''] = guidance?.code_examples ?? []
      expect(text).toContain(`For example: \`${example}\``)
      const { tool, args } = readExample(example)
      expect([tool, Object.hasOwn(args, 'nonsense')]).toStrictEqual([name, false])
      // As a preview, where it is a write: an example is never what changes something.
      expect((await agent.call(tool, args)).guidance?.category).not.toBe('arguments')
    }
    expect(offered.length).toBeGreaterThan(10)
  })

  test('keeps what was right about the call', async () => {
    const order = { customer: 'ACME', lines: line('DESK-01', 2), priority: 'high' }
    const { guidance } = await agent.call('orders_create', order)
    expect(guidance?.actionable_guidance[0]).toMatch(
      /^Leave out \/priority; this tool takes customer, lines.* and \w+\.$/,
    )
    expect(guidance?.code_examples[0]).toMatch(
      /^orders_create\(customer="ACME", lines=\[\{"sku":"DESK-01","quantity":2\}\], /,
    )
  })

  test('of a tool that is misspelt is a call of the one that was meant', async () => {
    const { guidance } = await agent.call('orders_gte', { id: 'SO-1005' })
    expect(readExample(guidance?.code_examples[0] ?? '')).toMatchObject({ tool: 'orders_get' })
  })

  test('of a declared failure is the call that it suggests', async () => {
    const { guidance } = await agent.call('orders_create', { customer: 'ACME', lines: line('ZZZ') })
    const calls = guidance?.fix.filter((fix) => fix.kind === 'call_tool') ?? []
    expect(calls.length).toBeGreaterThan(0)
    expect(guidance?.code_examples.map(readExample)).toStrictEqual(
      calls.map((fix) => ({ tool: fix.tool, args: fix.arguments })),
    )
  })

  test.each([
    ['a megabyte', { customer: 'ACME', lines: line('DESK-01'), note: 'n'.repeat(1_100_000) }],
    ['a long argument beside the wrong one', { customer: 'ACME', lines: line('DESK-01'), note: 'n'.repeat(900), x: 1 }],
  ])('is short, whatever was sent: %s', async (_, args) => {
    const { guidance } = await agent.call('orders_create', args)
    expect(guidance?.error_type).toBe('validation_error')
    for (const example of guidance?.code_examples ?? []) expect(Buffer.byteLength(example)).toBeLessThanOrEqual(1000)
    expect(guidance?.code_examples).toHaveLength(1)
  })
})

test('an operator who switches guidance off gets code, message and cause, of reads and of writes', async () => {
  const file = join(place(), 'countersign.json')
  writeFileSync(file, '{ "guidance": { "errors": false } }')
  const quiet = await agentHere(['demo', '--stdio', '--db', freshDatabase(), '--config', file])
  for (const [tool, args] of [
    ['orders_get', { id: 'SO-9' }],
    ['orders_modify', { id: 'SO-9', note: 'x' }],
    ['orders_modify', { id: 9 }],
    ['orders_gte', { id: 'SO-9' }],
  ] as const) {
    const [told, reply] = [await agent.call(tool, args), await quiet.call(tool, args)]
    const { guidance } = told
    if (guidance === undefined) throw new Error(`No guidance: ${told.text}`)
    expect(reply).toMatchObject({ isError: true, status: told.status, guidance: undefined })
    expect(reply.data['error']).toStrictEqual(told.data['error'])
    expect(reply.text).toBe(told.text.slice(0, told.text.indexOf('\n\n→')))
    expect(reply.text).toContain(guidance.message)
    expect(JSON.stringify(reply.raw.structuredContent ?? {})).not.toContain('actionable_guidance')
  }
})
