// What the playground says of a server that nobody has told it about.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { toolFacts } from '../../../ui/playground/connection/tool-of-server.ts'
import { grouped, promiseOf } from '../../../ui/playground/tools/tool-facts.ts'

const tool = (name: string, more: Partial<Tool> = {}) => toolFacts({ name, inputSchema: { type: 'object' }, ...more })
const read = (name: string) => tool(name, { annotations: { readOnlyHint: true } })
const signed = (name: string) => tool(name, { _meta: { 'countersign/contract': { risk: 'high' } } })
const card = { ui: { resourceUri: 'ui://countersign/card.html' } }

describe('what is said of a server', () => {
  test('is that it asks where every tool that is no read has a contract, also where the host draws no cards', () => {
    expect(promiseOf([read('list'), signed('create')])).toBe('asks')
  })

  test('is that it acts where nothing says otherwise, or nothing but the name of our card', () => {
    expect(promiseOf([tool('create')])).toBe('acts')
    expect(promiseOf([tool('create', { _meta: card })])).toBe('acts')
  })

  test('is that it asks for some where others may act at once', () => {
    expect(promiseOf([signed('create'), tool('destroy')])).toBe('asks-partly')
  })

  test('is that it says it only reads where all tools are marked so', () => {
    expect(promiseOf([read('list'), read('get')])).toBe('reads')
  })
})

describe('groups of tools', () => {
  const groupsOf = (...names: readonly string[]) =>
    grouped(names.map((name) => tool(name))).map(([group, tools]) => [group, tools.map(({ name }) => name)])

  test('are what the names of a server begin with, and what is alone or begins with a verb comes last', () => {
    expect(
      groupsOf('orders_list', 'read_file', 'emails_send', 'orders_get', 'read_text', 'emails_list', 'ping'),
    ).toEqual([
      ['Orders', ['orders_list', 'orders_get']],
      ['Emails', ['emails_send', 'emails_list']],
      ['Other tools', ['read_file', 'read_text', 'ping']],
    ])
  })

  test('are one where no name has a part for it', () => {
    expect(groupsOf('read_file', 'write_file')).toEqual([['Tools', ['read_file', 'write_file']]])
  })

  test('are categories where contracts name them', () => {
    const sold = tool('stock_adjust', { _meta: { 'countersign/contract': { risk: 'high', category: 'orders' } } })
    expect(grouped([sold]).map(([group]) => group)).toEqual(['Orders'])
  })
})
