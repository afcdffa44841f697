// Arguments come from language models. Whatever they send, byte for byte, is answered as a tool result that names each
// wrong argument, what was received and what is allowed; nothing is half done and no plan is opened.
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toReply, type Reply } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { rawCall, rawRequest } from '../raw-http.ts'

let mcp: URL
let before: unknown

const why = '"rationale":"The customer asked for this by phone."'
const lines = '"lines":[{"sku":"DESK-01","quantity":2}]'
/** Valid arguments of `orders_create`, with these members more. */
const order = (...more: readonly string[]): string => `{${['"customer":"ACME"', lines, why, ...more].join(',')}}`
const quantity = (value: string): string => `{"customer":"ACME","lines":[{"sku":"DESK-01","quantity":${value}}],${why}}`
const nested = (depth: number, open: string, close: string): string => `${open.repeat(depth)}1${close.repeat(depth)}`

async function call(tool: string, args: string | undefined): Promise<Reply> {
  const answer = await rawRequest(mcp, { body: rawCall(tool, args) })
  expect(answer.status).toBe(200)
  const message = JSON.parse(answer.text) as { readonly result?: unknown; readonly error?: unknown }
  // A protocol error never reaches the model.
  expect(message.error).toBeUndefined()
  return toReply(CallToolResultSchema.parse(message.result))
}

/** Orders and stock, as the reads tell them. */
const state = async (): Promise<unknown> => [
  (await call('orders_list', `{${why}}`)).data,
  (await call('products_search', `{${why}}`)).data,
]

beforeAll(async () => {
  mcp = (await demoHere(freshDatabase())).mcp
  before = await state()
  expect((await call('orders_create', order())).status).toBe('previewed')
})

afterAll(async () => {
  expect(await state()).toStrictEqual(before)
})

type Row = readonly [sentence: string, args: string | undefined, pointer: string, allowed: RegExp]

const wrong: readonly Row[] = [
  ['no arguments at all', undefined, '/customer', /string/],
  ['arguments that are null', 'null', '/customer', /string/],
  ['arguments that are a text', '"customer=ACME"', '', /an object of named arguments/],
  ['arguments that are a text of JSON', JSON.stringify(order()), '', /an object of named arguments/],
  ['arguments that are a number', '7', '', /an object of named arguments/],
  ['arguments that are true', 'true', '', /an object of named arguments/],
  ['arguments that are a list', `[${order()}]`, '', /an object of named arguments/],
  ['arguments that are a list a hundred thousand deep', nested(100_000, '[', ']'), '', /an object of named arguments/],
  ['an unknown argument', order('"priority":"high"'), '/priority', /this tool takes customer, lines/],
  [
    'an unknown argument named like a part of every object',
    order('"constructor":{}'),
    '/constructor',
    /no such argument/,
  ],
  [
    'an unknown argument in a line',
    order().replace('"quantity":2', '"quantity":2,"color":"red"'),
    '/lines/0/color',
    /no such argument/,
  ],
  ['a name with a slash and a tilde in it', order('"a/b~c":1'), '/a~1b~0c', /no such argument/],
  ['a misspelt argument', order().replace('"customer"', '"custumer"'), '/custumer', /this tool takes customer/],
  ['a text where a list belongs', order().replace(lines, '"lines":"DESK-01"'), '/lines', /array/],
  [
    'an object where a list belongs',
    order().replace(lines, '"lines":{"sku":"DESK-01","quantity":1}'),
    '/lines',
    /array/,
  ],
  ['a number where a text belongs', order().replace('"ACME"', '17'), '/customer', /string/],
  ['null where a text belongs', order().replace('"ACME"', 'null'), '/customer', /string/],
  ['an empty text', order().replace('"ACME"', '""'), '/customer', /at least 1/],
  ['an empty list', order().replace(lines, '"lines":[]'), '/lines', /at least 1/],
  [
    'fifty-one lines',
    order().replace(
      lines,
      `"lines":[${Array.from({ length: 51 }, (_, at) => `{"sku":"S-${at}","quantity":1}`).join(',')}]`,
    ),
    '/lines',
    /at most 50/,
  ],
  [
    'the same SKU on two lines',
    order().replace(lines, '"lines":[{"sku":"A","quantity":1},{"sku":"A","quantity":2}]'),
    '/lines/1/sku',
    /listed twice/,
  ],
  ['a quantity as text', quantity('"2"'), '/lines/0/quantity', /number/],
  ['half a piece', quantity('1.5'), '/lines/0/quantity', /whole number/],
  ['no piece', quantity('0'), '/lines/0/quantity', /at least 1/],
  ['too many pieces', quantity('10001'), '/lines/0/quantity', /at most 10000/],
  ['an integer that JavaScript rounds', quantity('9007199254740993'), '/lines/0/quantity', /2\^53-1/],
  ['a negative integer that JavaScript rounds', quantity('-9007199254740993'), '/lines/0/quantity', /2\^53-1/],
  ['a number beyond all numbers', quantity('1e999'), '/lines/0/quantity', /number|int/],
  ['a lone surrogate', order('"note":"\\ud800"'), '/note', /well-formed Unicode/],
  ['the second half of a pair alone', order('"note":"a\\udc00b"'), '/note', /well-formed Unicode/],
  ['a lone surrogate in a key', order('"\\udfff":1'), '', /well-formed Unicode keys/],
  [
    'a lone surrogate in the rationale',
    order().replace(why, '"rationale":"because of \\ud83d it"'),
    '/rationale',
    /well-formed Unicode/,
  ],
  ['a key named __proto__', order('"__proto__":{"customer":"Globex"}'), '/__proto__', /any other key/],
  [
    'a key named __proto__ deep inside',
    order().replace('"quantity":2', '"quantity":2,"__proto__":{"quantity":9}'),
    '/lines/0/__proto__',
    /any other key/,
  ],
  ['a note of more than a thousand characters', order(`"note":"${'n'.repeat(1001)}"`), '/note', /at most 1000/],
  ['an argument whose name has half a megabyte', order(`"${'k'.repeat(500_000)}":1`), '', /at most 200 characters/],
  ['more than a megabyte', order(`"note":"${'n'.repeat(1_100_000)}"`), '', /at most 1000000 bytes/],
  [
    'eight thousand unknown arguments',
    order(...Array.from({ length: 8000 }, (_, at) => `"x${at}":${at}`)),
    '/x0',
    /no such argument/,
  ],
  [
    'more than ten thousand values',
    order(...Array.from({ length: 50_000 }, (_, at) => `"x${at}":${at}`)),
    '',
    /at most 10000 values in all/,
  ],
  [
    'two megabytes of lists in one another',
    order(`"note":${nested(1_000_000, '[', ']')}`),
    `/note${'/0'.repeat(64)}`,
    /at most 64 levels/,
  ],
  [
    'seventy objects in one another',
    order(`"note":${nested(70, '{"a":', '}')}`),
    `/note${'/a'.repeat(64)}`,
    /at most 64 levels/,
  ],
  [
    'a hundred thousand lists in one another',
    order(`"note":${nested(100_000, '[', ']')}`),
    `/note${'/0'.repeat(64)}`,
    /at most 64 levels/,
  ],
  ['a day that no calendar has', order('"delivery_date":"2030-02-30"'), '/delivery_date', /a day, like/],
  ['a day written differently', order('"delivery_date":"01/02/2030"'), '/delivery_date', /^a day, like "2026-11-28"$/],
  ['a control character in a contact', order('"contact":"a\\u0007b"'), '/contact', /control characters/],
  ['no rationale', order().replace(`,${why}`, ''), '/rationale', /10 to 500 characters/],
  ['a rationale of one word', order().replace(why, '"rationale":"because"'), '/rationale', /10 to 500 characters/],
  [
    'a rationale of spaces',
    order().replace(why, `"rationale":"${' '.repeat(20)}"`),
    '/rationale',
    /10 to 500 characters/,
  ],
  [
    'a rationale of 501 characters',
    order().replace(why, `"rationale":"${'r'.repeat(501)}"`),
    '/rationale',
    /10 to 500 characters/,
  ],
  [
    'a rationale that is a number',
    order().replace(why, '"rationale":1234567890123'),
    '/rationale',
    /10 to 500 characters/,
  ],
  ['preview as a text', order('"preview":"false"'), '/preview', /true or false/],
  ['preview as Python writes it', order('"preview":"False"'), '/preview', /true or false/],
  ['preview as a number', order('"preview":0'), '/preview', /true or false/],
  ['a ticket that is a number', order('"preview":false', '"ticket":12345'), '/ticket', /as text/],
  ['a ticket that is an object', order('"preview":false', '"ticket":{"id":"pl_1"}'), '/ticket', /as text/],
  ['a ticket of a megabyte', order('"preview":false', `"ticket":"cs1_${'a'.repeat(900_000)}"`), '/ticket', /as text/],
]

describe('a write tool', () => {
  test.each(wrong)('refuses %s, names the place and says what is allowed', async (_, args, pointer, allowed) => {
    const reply = await call('orders_create', args)
    expect(reply).toMatchObject({
      isError: true,
      status: 'refused',
      planId: '',
      guidance: { error_type: 'validation_error', category: 'arguments', retryable: 'after_change' },
    })
    const field = reply.guidance?.field_errors.find((each) => each.pointer === pointer)
    expect(reply.guidance?.field_errors.map((each) => each.pointer)).toContain(pointer)
    expect(field?.allowed).toMatch(allowed)
    expect(reply.text).toContain(pointer === '' ? 'the arguments' : pointer)
    expect(reply.card).toMatchObject({ kind: 'error', state: 'refused', actions: [] })
    // However large the question was, the answer is one that a model can read.
    expect(reply.text.length).toBeLessThan(12_000)
    expect(JSON.stringify(reply.raw).length).toBeLessThan(60_000)
  })

  test('names every wrong argument at once', async () => {
    const reply = await call('orders_create', '{"customer":7,"lines":[{"sku":"A","quantity":0}],"preview":1,"x":1}')
    expect(reply.guidance?.field_errors.map(({ pointer }) => pointer).toSorted()).toStrictEqual([
      '/customer',
      '/lines/0/quantity',
      '/preview',
      '/rationale',
      '/x',
    ])
  })
})

describe('a read tool', () => {
  test.each<readonly [string, string, string | undefined, string, RegExp]>([
    ['an unknown argument', 'orders_list', `{${why},"page":2}`, '/page', /no such argument/],
    ['a wrong type', 'orders_get', `{${why},"id":1005}`, '/id', /string/],
    ['no rationale', 'orders_list', '{}', '/rationale', /10 to 500/],
    ['a preview', 'orders_list', `{${why},"preview":true}`, '/preview', /a read tool has no preview/],
    ['a ticket', 'orders_list', `{${why},"ticket":"pl_0000000000000000"}`, '/ticket', /a read tool takes no ticket/],
    ['a name that is not in the list', 'get_cheatsheet', `{${why},"name":"mail"}`, '/name', /one of "orders"|"orders"/],
    ['a list for arguments', 'orders_list', '[]', '', /an object of named arguments/],
  ])('refuses %s without structured content, which a client would hold against its schema', async (...row) => {
    const [, tool, args, pointer, allowed] = row
    const reply = await call(tool, args)
    expect(reply.isError).toBe(true)
    expect(reply.raw.structuredContent).toBeUndefined()
    expect(reply.guidance?.field_errors).toMatchObject([{ pointer, allowed: expect.stringMatching(allowed) }])
  })
})

describe('apply_plan and the plan tools', () => {
  test.each<readonly [string, string, string | undefined, RegExp]>([
    ['nothing', 'apply_plan', undefined, /\/ticket/],
    ['a list', 'apply_plan', '[]', /the arguments/],
    ['a list a hundred thousand deep', 'apply_plan', nested(100_000, '[', ']'), /the arguments/],
    [
      'a ticket a hundred thousand deep',
      'apply_plan',
      `{${why},"tool":"orders_create","preview":false,"ticket":${nested(100_000, '[', ']')}}`,
      /\/ticket/,
    ],
    ['preview=true', 'apply_plan', `{${why},"tool":"orders_create","preview":true,"ticket":"pl_1"}`, /\/preview/],
    [
      'an unknown argument',
      'apply_plan',
      `{${why},"tool":"orders_create","preview":false,"ticket":"pl_1","force":true}`,
      /force/,
    ],
    ['no ticket', 'countersign_plan_status', '{}', /for the card only/],
    ['a number', 'countersign_plan_cancel', '{"ticket":1}', /for the card only/],
    ['a list', 'countersign_plan_confirm', '["cs1_"]', /for the card only/],
    ['a plan id', 'countersign_plan_confirm', '{"ticket":"pl_0000000000000000"}', /for the card only/],
    [
      'an unknown argument',
      'countersign_plan_confirm',
      `{"ticket":"cs1_${'0'.repeat(26)}","trusted":true}`,
      /for the card only/,
    ],
  ])('refuse %s (%s)', async (_, tool, args, says) => {
    const reply = await call(tool, args)
    expect(reply.isError).toBe(true)
    expect(reply.text).toMatch(says)
    expect(reply.text).not.toContain('database')
    expect(reply.text.length).toBeLessThan(5_000)
  })
})
