// Profiles rest on these lists. A list that does not parse, or whose schemas check nothing, would let any profile pass.
import { describe, expect, test } from 'vitest'
import { checkerOf } from '../../../../server/gateway/contract/argument-check.ts'
import { readRecorded, recordedNames } from '../../../profiles/recorded.ts'

/** Tools that their server lists twice. */
const twice: Readonly<Record<string, readonly string[]>> = { 'google-docs': ['appendTableRows'] }

/** Tools whose schemas check nothing here. */
const unchecked: Readonly<Record<string, readonly string[]>> = {
  // The server fetches the values of an enum when it starts; without a network there are none.
  netlify: ['netlify-coding-rules'],
}

test('there are lists', () => {
  expect(recordedNames).toContain('filesystem')
})

describe.each(recordedNames)('the recorded list of %s', (name) => {
  const { tools } = readRecorded(name)

  test('names each tool once', () => {
    const names = tools.map((tool) => tool.name)
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toStrictEqual(twice[name] ?? [])
  })

  test('has schemas that arguments can be checked with', () => {
    const unusable = tools.filter(({ inputSchema }) => {
      const reason = checkerOf(inputSchema)({}).unusable
      // How long compiling takes is the machine's matter.
      return reason !== undefined && !reason.startsWith('compiling it takes')
    })
    expect(unusable.map((tool) => tool.name)).toStrictEqual(unchecked[name] ?? [])
  })
})
