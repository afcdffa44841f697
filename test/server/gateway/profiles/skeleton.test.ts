// A profile to begin with can be used as it is, whatever its server lists: nobody has to mend what we wrote.
import { describe, expect, test } from 'vitest'
import { checkAgainst } from '../../../../server/gateway/profiles/check-against.ts'
import { readProfile } from '../../../../server/gateway/profiles/read-profile.ts'
import { skeletonOf, type MetServer } from '../../../../server/gateway/profiles/skeleton.ts'
import { profileFit } from '../../../../server/gateway/profiles/tool-profile.ts'
import type { ToolDefinition } from '../../../../server/gateway/upstream/definitions/definition.ts'
import { readRecorded, recordedNames } from '../../../profiles/recorded.ts'

const definition = (tool: object): ToolDefinition => ({ ...tool, raw: tool }) as unknown as ToolDefinition

const readSkeleton = (met: MetServer) => {
  const text = skeletonOf(met, './countersign.profile.schema.json')
  const read = readProfile(text, 'new.yaml')
  if (!read.ok) throw new Error(`${read.failure[0]?.message}\n${text}`)
  return { text, profile: read.value }
}

describe.each(recordedNames)('of the tools of %s', (name) => {
  test('it can be read, has them all, and rates them as the general rules do', () => {
    const { source, serverInfo, tools } = readRecorded(name)
    const [, npm] = /^npm:(.+)@/.exec(source) ?? []
    const identity = serverInfo ?? { name, version: '1' }
    const definitions = tools.map(definition)
    const { profile } = readSkeleton({
      origin: npm === undefined ? {} : { npm },
      identity,
      // A list that names a tool twice is read without the second.
      tools: definitions.filter((tool, at) => definitions.findIndex((other) => other.name === tool.name) === at),
    })
    expect(checkAgainst(profile, tools)).toEqual([])
    expect(profile.match).toEqual({ ...(npm === undefined ? {} : { npm: [npm] }), server: [identity.name] })
    expect(profileFit({ profile, lowers: true, by: '' }, definitions).unknown).toEqual([])
  })
})

test('names and words that would be something else in YAML stay what they are', () => {
  const hostile = [
    'no',
    '1e3',
    '- x',
    'a: b # c',
    'x\n  evil: read',
    '"',
    "'",
    '{a}',
    'a\u2028b',
    '[x]',
    '&a',
    '*a',
    '!!js/function x',
    '=',
    '<<',
    '~',
  ]
  const { profile } = readSkeleton({
    origin: { command: 'x: y\n- z' },
    identity: { name: 'evil\nprofile: 2', title: '# no title', version: '1: 2\n' },
    tools: hostile.map((name) =>
      definition({
        name,
        description: 'Deletes.\nevil: read',
        inputSchema: { type: 'object', properties: { 'a\nevil: read': {} } },
        annotations: { destructiveHint: true },
      }),
    ),
  })
  expect(Object.keys(profile.tools).toSorted()).toEqual(hostile.toSorted())
  expect(Object.values(profile.tools).map(({ operation }) => operation)).not.toContain('read')
  expect(profile).toMatchObject({ profile: 1, title: '# no title', match: { server: ['evil\nprofile: 2'] } })
})
