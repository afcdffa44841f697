import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createToolIndex } from '../../../server/search/tool-index.ts'
import type { IndexedTool } from '../../../server/search/tool-text.ts'
import { shelf, tool } from './shelf.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const word = fc.constantFrom(
  ...'issue branch file train ticket weather forecast create delete list read write station order customer'.split(' '),
)
const phrase = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '))
const anyTool: fc.Arbitrary<IndexedTool> = fc
  .record({
    server: fc.constantFrom('alpha', 'beta', 'gamma'),
    name: fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('_')),
    description: phrase,
    parameters: fc.dictionary(word, phrase, { maxKeys: 3 }),
  })
  .map(({ server, name, description, parameters }) => tool(`${server}:${name}`, description, parameters))
const catalogue = fc.uniqueArray(anyTool, { selector: ({ name }) => name, maxLength: 30 })
const text = fc.oneof(phrase, fc.string({ unit: anyCharacter, maxLength: 300 }), fc.string({ maxLength: 300 }))

test('further tools never take the first place from the one that was asked for by its full name', () => {
  fc.assert(
    fc.property(fc.constantFrom(...shelf), catalogue, (wanted, others) => {
      const [first] = createToolIndex([...others, ...shelf]).search(wanted.name)
      expect(first?.tool.name).toBe(wanted.name)
    }),
  )
})

test('a tool that is asked for by its full name comes before one whose own name has the same words', () => {
  const tools = ['alpha:weather_forecast', 'weather:forecast'].map((name) => tool(name, '', {}))
  for (const name of ['alpha:weather_forecast', 'weather:forecast'])
    expect(createToolIndex(tools).search(name)[0]?.tool.name).toBe(name)
})

test('the order in which tools are handed in never shows', () => {
  fc.assert(
    fc.property(catalogue, fc.infiniteStream(fc.nat()), text, (tools, keys, query) => {
      const shuffled = tools
        .map((tool) => ({ tool, key: keys.next().value ?? 0 }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ tool }) => tool)
      const one = createToolIndex(tools).search(query, { limit: 30 })
      const other = createToolIndex(shuffled).search(query, { limit: 30 })
      expect(other.map(({ tool }) => tool.name)).toEqual(one.map(({ tool }) => tool.name))
    }),
  )
})

test('a query answers the same however often and after whatever it is asked', () => {
  fc.assert(
    fc.property(catalogue, text, text, (tools, before, query) => {
      const index = createToolIndex(tools)
      const fresh = index.search(query)
      index.search(before)
      expect(index.search(query)).toEqual(fresh)
    }),
  )
})

test('whatever is asked: no tool twice, at most the limit, scores in (0, 1] that never rise', () => {
  fc.assert(
    fc.property(catalogue, text, fc.integer({ min: 0, max: 40 }), (tools, query, limit) => {
      const hits = createToolIndex(tools).search(query, { limit })
      expect(hits.length).toBeLessThanOrEqual(limit)
      expect(new Set(hits.map(({ tool }) => tool)).size).toBe(hits.length)
      hits.forEach(({ score }, at) => {
        expect(score).toBeGreaterThan(0)
        expect(score).toBeLessThanOrEqual(hits[at - 1]?.score ?? 1)
      })
    }),
  )
})

test('a smaller limit gives the beginning of the same list', () => {
  fc.assert(
    fc.property(catalogue, text, fc.integer({ min: 0, max: 30 }), (tools, query, limit) => {
      const index = createToolIndex(tools)
      expect(index.search(query, { limit })).toEqual(index.search(query, { limit: 30 }).slice(0, limit))
    }),
  )
})

test('a filter by server leaves that server’s tools only, and all that had a score', () => {
  fc.assert(
    fc.property(catalogue, phrase, (tools, query) => {
      const index = createToolIndex(tools)
      const names = (server?: string): string[] =>
        index
          .search(query, { limit: 30, filters: { server } })
          .map(({ tool }) => tool.name)
          .toSorted()
      expect(names('alpha')).toEqual(names().filter((name) => name.startsWith('alpha:')))
    }),
  )
})
