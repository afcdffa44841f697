// A profile with a mistake is not used in part: what is wrong is said by its line.
import { expect, test } from 'vitest'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'

const whole = `profile: 1
name: shop
title: Shop
match: { npm: [shop-mcp] }
tools:
  get_order: read
  cancel_order:
    operation: destructive
    risk: high
    title: Cancel {id}
    before:
      - call: get_order
        with: { id: '{id}' }
        label: The order
        show: { as: text }
tested: [{ version: '1', definitions: {} }]
`

const failureOf = (text: string) => {
  const read = readProfile(text, 'shop.yaml')
  return read.ok ? [] : read.failure.map(({ message, next }) => `${message} ${next}`)
}

test('a whole one is read', () => {
  expect(failureOf(whole)).toEqual([])
})

test.each([
  [
    'a key that nobody knows',
    ['    risk: high', '    risks: high'],
    /shop\.yaml:\d+:\d+: .*"risks"|Did you mean "risk"/,
  ],
  [
    'a read before that writes',
    ['call: get_order', 'call: cancel_order'],
    /shop\.yaml:12:\d+: .*"cancel_order", which writes/,
  ],
  [
    'a read before of a tool that is not there',
    ['call: get_order', 'call: get_ordr'],
    /"get_ordr", which this profile does not have\. Did you mean "get_order"\?/,
  ],
  ['a template that is not closed', ['Cancel {id}', 'Cancel {id'], /shop\.yaml:10:\d+: .*is no template/],
  [
    'properties without a cheatsheet',
    ['    risk: high', '    risk: high\n    properties: [{ in: id, of: order }]'],
    /shop\.yaml:10:\d+: tools\.cancel_order\.properties are looked up in a cheatsheet.* Add `cheatsheet`/,
  ],
  ['a cheatsheet that is a path', ['title: Shop', 'title: Shop\ncheatsheet: ../shop'], /name of a shipped cheatsheet/],
  ['a write without a risk', ['    risk: high\n', ''], /must say the risk/],
  ['a key that stands there twice', ['title: Shop', 'title: Shop\ntitle: Desk'], /shop\.yaml:\d+:\d+: is not YAML/],
  ['no mapping at all', [whole, '- a'], /is no mapping/],
  ['a key "__proto__"', ['title: Shop', 'title: Shop\n__proto__: {}'], /__proto__/],
  ['aliases that grow', ['title: Shop', `title: Shop\na: &a [1,1]\nb: &b [*a,*a]`], /unknown key|alias/i],
])('%s is named', (_, [from = '', to = ''], expected) => {
  expect(failureOf(whole.replace(from, to)).join('\n')).toMatch(expected)
})
