// Over a network, lists and views are most of what a chat waits for at its start: they come in gzip to clients that take it.
import { beforeAll, describe, expect, test } from 'vitest'
import { modernMeta } from '../../kit/modern-request.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { rawCall } from '../raw-http.ts'

let mcp: URL
beforeAll(async () => {
  ;({ mcp } = await demoHere(freshDatabase()))
})

const uri = 'ui://countersign/card.html'
const message = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** `fetch` of Node takes gzip, and unpacks it. */
async function ask(body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(mcp, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  })
  return { response, text: await response.text(), encoding: response.headers.get('content-encoding') }
}

const older = { 'mcp-protocol-version': '2025-11-25' }
const modern = (method: string) => ({ 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })

describe('a client that takes gzip', () => {
  test.each([
    ['tools', 'tools/list', {}, older],
    ['a view', 'resources/read', { uri }, older],
    ['tools in the version of 2026', 'tools/list', { _meta: modernMeta }, modern('tools/list')],
  ])('gets a list of %s so, and reads what others read', async (_, method, params, headers) => {
    const body = message(method, params)
    const packed = await ask(body, headers)
    const plain = await ask(body, { ...headers, 'accept-encoding': 'identity' })
    expect([packed.response.status, packed.encoding, packed.response.headers.get('vary')]).toStrictEqual([
      200,
      'gzip',
      expect.stringContaining('accept-encoding'),
    ])
    expect(plain.encoding).toBeNull()
    expect(packed.text).toBe(plain.text)
    expect(JSON.parse(packed.text)).toMatchObject({ id: 1, result: expect.anything() })
  })

  // From its length somebody who has a part of it in their hands could tell what else stands in it.
  test('gets what a call answered as it is, however long', async () => {
    const { encoding, text } = await ask(
      rawCall('products_search', '{"rationale":"The person asked for all of them."}'),
      older,
    )
    expect(encoding).toBeNull()
    expect(text).toContain('"result"')
  })

  test('gets what is short as it is', async () => {
    const { encoding, text } = await ask(message('prompts/list', {}), older)
    expect(encoding).toBeNull()
    expect(JSON.parse(text)).toMatchObject({ id: 1 })
  })
})
