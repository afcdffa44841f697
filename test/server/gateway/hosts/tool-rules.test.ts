// Rules of hosts on their tools, said in the lists of a server's entry: never wider than the host meant.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { matches } from '../../../../server/gateway/rules/tool-overrides.ts'
import { listsOf, rulesIn, toolsOf } from '../../../../server/gateway/hosts/tool-rules.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 4 })
const pattern = fc.array(letters, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('*'))

test('a pattern without its prefix fits a tool exactly where the host’s pattern fits the name with it', () => {
  fc.assert(
    fc.property(pattern, letters, letters, (written, prefix, tool) => {
      fc.pre(tool !== '')
      const own = toolsOf(written, prefix) ?? []
      expect(own.some((each) => matches(each, tool))).toBe(matches(written, `${prefix}${tool}`))
    }),
    { numRuns: 2000 },
  )
})

test('a long name with many stars is read as fast as a short one', () => {
  const written = `${'*a'.repeat(40)}*_push`
  expect(toolsOf(written, 'a'.repeat(300))).toEqual(['*_push'])
})

test('lists never offer a tool that the host’s rules, of which the last counts, leave out', () => {
  const rule = fc.record({ name: pattern, isOff: fc.boolean() })
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), letters, letters, (rules, prefix, tool) => {
      fc.pre(tool !== '')
      const { limits, lost } = listsOf(rules, prefix)
      const last = rules.findLast(({ name }) => matches(name, `${prefix}${tool}`))
      const inList = (list: readonly string[]) => list.some((each) => matches(each, tool))
      const isOffered =
        limits.enabled !== false &&
        (limits.enabled_tools === undefined || inList(limits.enabled_tools)) &&
        !inList(limits.disabled_tools ?? [])
      if (isOffered) expect(last?.isOff ?? false).toBe(false)
      else if (lost.length === 0 && limits.enabled !== false && limits.enabled_tools === undefined)
        expect(last?.isOff).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['a list', ['mcp__git__push', 'Bash(rm:*)'], { disabled_tools: ['push'] }],
  ['a list with the whole server', ['mcp__git__*'], { enabled: false }],
  ['an object', { 'mcp__git__*': false, mcp__git__log: true }, { enabled_tools: ['log'] }],
  ['an object of permissions', { mcp__git__push: 'deny', mcp__git__log: 'ask' }, { disabled_tools: ['push'] }],
  [
    'an object of objects',
    { mcp__git__push: { default: 'deny' }, x: { default: 'deny' } },
    { disabled_tools: ['push'] },
  ],
  ['one word for all', 'deny', { enabled: false }],
  ['nothing of this server', ['mcp__hub__push', 'WebFetch'], {}],
])('%s is read', (_, value, limits) => {
  expect(listsOf(rulesIn(value), 'mcp__git__')).toEqual({ limits, lost: [] })
})

test('what the lists cannot say is named', () => {
  expect(listsOf(rulesIn({ 'git_*_all': false, git_get_all: true }), 'git_').lost).toEqual(['git_get_all'])
  expect(listsOf(rulesIn({ 'git_pus?': false }), 'git_').lost).toEqual(['git_pus?'])
})
