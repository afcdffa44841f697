// What is left out of a call is what the server puts there, and a later version may put something else.
import { expect, test } from 'vitest'
import { shippedProfile } from '../../../../server/compose/profiles/profiles.ts'
import { profileOf, ratedByProfile } from '../../../../server/gateway/profiles/tool-profile.ts'
import { readRecorded } from '../../../profiles/recorded.ts'

const branchWith = async (mode: string) => {
  const tool = readRecorded('git-cyanheads').tools.find(({ name }) => name === 'git_branch')
  if (tool === undefined) throw new Error('git_branch was not recorded.')
  const { properties, ...schema } = structuredClone(tool.inputSchema) as { properties: Record<string, object> }
  const inputSchema = { ...schema, properties: { ...properties, mode: { ...properties['mode'], default: mode } } }
  return profileOf({ profile: await shippedProfile('git-cyanheads'), lowers: true, by: 'settings' }, {
    ...tool,
    inputSchema,
    annotations: tool.annotations,
    raw: {},
  } as Parameters<typeof profileOf>[1])
}

test('a call that leaves out its mode is a read while that stands for one, and asks where it stands for deleting', async () => {
  const [listing, deleting] = [await branchWith('list'), await branchWith('delete')]
  if (listing === undefined || deleting === undefined) throw new Error('The profile does not have git_branch.')
  expect(ratedByProfile(listing, {})).toMatchObject({ risk: 'low', operation: 'read' })
  expect(ratedByProfile(deleting, {}).risk).not.toBe('low')
  expect(ratedByProfile(deleting, { mode: 'list' }).risk).toBe('low')
})
