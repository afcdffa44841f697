import { expect, test } from 'vitest'
import { createParameterHeaders } from '../../../../server/gateway/upstream/connection/wire/parameter-headers.ts'

const wanting = (name: string, header: string, more: object = {}) => ({
  name,
  inputSchema: { type: 'object', properties: { a: { type: 'string', 'x-mcp-header': header } }, ...more },
})
const call = (name: string) => ({ name, arguments: { a: 'x' } })

test('a tool that is listed twice gets the headers of the first one', () => {
  const headers = createParameterHeaders()
  headers.listed({ tools: [wanting('get', 'One'), wanting('get', 'Other')] }, true)
  expect(headers.of(call('get'))).toEqual({ 'Mcp-Param-One': 'x' })
})

test('a tool that is too large to be served is not read for headers, and another one of its name counts', () => {
  const headers = createParameterHeaders()
  const large = wanting('get', 'Large', { enum: Array.from({ length: 20_001 }, (_, at) => at) })
  let deep: object = { type: 'string' }
  for (let depth = 0; depth < 15_000; depth++) deep = { properties: { a: deep } }
  headers.listed({ tools: [large, { name: 'get', inputSchema: deep }, wanting('get', 'One')] }, true)
  expect(headers.of(call('get'))).toEqual({ 'Mcp-Param-One': 'x' })
})
