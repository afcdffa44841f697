// A list of tools that says what the last one said is not parsed again. Whatever a server writes, and in whatever order, must be
// read as the parser reads it.
import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRepeatedLists } from '../../../../server/gateway/upstream/connection/repeated-lists.ts'

const asking = (id: number, params = {}): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'tools/list', params })
const echo = { name: 'echo', inputSchema: { type: 'object' }, description: 'Says it again.' }

/** Reads these lines as answers to requests that were sent with these ids, and counts what was parsed. */
function reading() {
  let parsed = 0
  const lists = createRepeatedLists((line) => {
    parsed += 1
    return deserializeMessage(line)
  })
  return {
    parsed: () => parsed,
    sent: lists.sent,
    answer: (id: number, write: (id: number) => string) => {
      lists.sent(asking(id))
      return lists.read(write(id))
    },
    read: lists.read,
  }
}

const orders = {
  'the id last, as the SDK for TypeScript': (id: number) =>
    JSON.stringify({ result: { tools: [echo] }, jsonrpc: '2.0', id }),
  'the id first, as the SDK for Python': (id: number) =>
    JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [echo] } }),
  'with blanks': (id: number) => `{"jsonrpc": "2.0", "id": ${id}, "result": {"tools": [${JSON.stringify(echo)}]}}`,
}

describe.each(Object.entries(orders))('%s', (_, write) => {
  test('the same list is parsed once, and is the same object', () => {
    const { answer, parsed } = reading()
    const [one, two, three] = [7, 8, 1024].map((id) => answer(id, write))
    expect(parsed()).toBe(1)
    expect(three).toEqual({ jsonrpc: '2.0', id: 1024, result: { tools: [echo] } })
    expect(three).toHaveProperty(
      'result',
      expect.toSatisfy((held) => held === Reflect.get(one ?? {}, 'result')),
    )
    expect(two).toMatchObject({ id: 8 })
  })

  test('another list is parsed', () => {
    const { answer, parsed } = reading()
    answer(7, write)
    const changed = answer(8, (id) => write(id).replace('again', 'once more'))
    expect(parsed()).toBe(2)
    expect(changed).toHaveProperty('result.tools.0.description', 'Says it once more.')
    expect(answer(9, write)).toHaveProperty('result.tools.0.description', echo.description)
  })
})

test('what nobody asked for is parsed, though it says the same', () => {
  const { answer, parsed, read, sent } = reading()
  const write = orders['the id last, as the SDK for TypeScript']
  answer(7, write)
  read(write(8))
  sent(asking(9))
  sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } })
  read(write(9))
  sent(asking(10, { cursor: 'next' }))
  read(write(10))
  sent({ jsonrpc: '2.0', id: 11, method: 'tools/call' })
  read(write(11))
  expect(parsed()).toBe(5)
})

const blank = fc.constantFrom('', ' ')
const id = fc.integer({ min: 0, max: 30 })
const value = fc.oneof(
  id,
  fc.constantFrom('"id":7', ',"id":7}', '{"jsonrpc":"2.0","id":7,', 'x'),
  fc.dictionary(fc.constantFrom('id', 'jsonrpc', 'result'), id),
)
/** Some server's answer to the request of an id; `id` may stand anywhere in it, too. */
const answered = fc.record({
  order: fc.shuffledSubarray(['jsonrpc', 'id', 'result'], { minLength: 3 }),
  blank,
  result: fc.record({ tools: fc.array(value, { maxLength: 3 }), id: value }, { requiredKeys: ['tools'] }),
  isError: fc.constantFrom(false, false, false, true),
})

const written = ({ order, blank, result, isError }: typeof answered extends fc.Arbitrary<infer T> ? T : never) => {
  const body = JSON.stringify(result)
  return (own: number): string => {
    const members: Readonly<Record<string, string>> = {
      jsonrpc: `"jsonrpc":${blank}"2.0"`,
      id: `"id":${blank}${own}`,
      result: isError ? `"error":${blank}{"code":1,"message":"no"}` : `"result":${blank}${body}`,
    }
    return `{${order.map((name) => members[name]).join(`,${blank}`)}}`
  }
}

test('whatever is answered, in whatever order and with whatever in it, is read as the parser reads it', () => {
  fc.assert(
    fc.property(
      fc.array(answered, { minLength: 1, maxLength: 3 }),
      fc.array(fc.tuple(fc.nat({ max: 2 }), id, fc.boolean()), { minLength: 2, maxLength: 12 }),
      (forms, turns) => {
        const { read, sent } = reading()
        for (const [at, own, isAsked] of turns) {
          const line = written(forms[at % forms.length]!)(own)
          if (isAsked) sent(asking(own))
          expect(read(line)).toEqual(deserializeMessage(line))
        }
      },
    ),
  )
})
