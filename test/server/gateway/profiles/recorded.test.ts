// Profiles rest on these lists. A list that does not parse, or whose schemas check nothing, would let any profile pass.
import { describe, expect, test } from 'vitest'
import { checkerOf } from '../../../../server/gateway/contract/argument-check.ts'
import { readRecorded, recordedNames } from '../../../profiles/recorded.ts'

test('there are lists', () => {
  expect(recordedNames).toContain('filesystem')
})

describe.each(recordedNames)('the recorded list of %s', (name) => {
  const { tools } = readRecorded(name)

  test('names each tool once', () => {
    const names = tools.map((tool) => tool.name)
    expect(names).toStrictEqual([...new Set(names)])
  })

  test('has schemas that arguments can be checked with', () => {
    const unusable = tools.flatMap((tool) => {
      const reason = checkerOf(tool.inputSchema)({}).unusable
      return reason === undefined ? [] : [`${tool.name}: ${reason}`]
    })
    expect(unusable).toStrictEqual([])
  })
})
