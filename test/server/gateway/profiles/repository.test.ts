// A server of git is given the folder by the agent, and the repository there may say what runs. Its reads run unasked until
// one does.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { profileFor } from '../../../../server/compose/profiles/profiles.ts'
import { profileOf, type ToolProfile } from '../../../../server/gateway/profiles/tool-profile.ts'
import { assess, possibleAssessments, type RiskQuestion } from '../../../../server/gateway/rating/assess.ts'
import type { ToolDefinition } from '../../../../server/gateway/upstream/definitions/definition.ts'
import { stdioServerSchema } from '../../../../server/gateway/upstream/settings/upstream-config.schema.ts'
import { hasGit, plainRepository, type Repository } from '../../../kit/hostile-repository.ts'

const { tools } = JSON.parse(readFileSync(new URL('../../../profiles/recorded/git.json', import.meta.url), 'utf8')) as {
  readonly tools: readonly ToolDefinition[]
}

let it: Repository

beforeEach(() => {
  if (hasGit) it = plainRepository()
})
afterEach(() => it?.remove())

async function questionOf(name: string, command: readonly string[]): Promise<RiskQuestion> {
  const [program, ...args] = command
  const env = { HOME: dirname(it.folder), GIT_CONFIG_NOSYSTEM: '1' }
  const known = await profileFor(stdioServerSchema.parse({ command: program, args, env, profile: 'git' }), '.')
  const tool = tools.find((each) => each.name === name)
  if (!known.ok || tool === undefined) throw new Error(`There is no ${name}.`)
  const profile: ToolProfile | undefined = profileOf(known.value, tool)
  return { tool, variant: 'call_tool_read', server: { tools: {} }, profile }
}

const uvx = ['uvx', 'mcp-server-git']
const reads: readonly (readonly [string, object])[] = [
  ['git_status', {}],
  ['git_diff_unstaged', {}],
  ['git_diff_staged', {}],
  ['git_diff', { target: 'HEAD' }],
  ['git_log', {}],
  ['git_show', { revision: 'HEAD' }],
]

test.skipIf(!hasGit).each(reads)(
  '%s runs unasked, and asks where the repository names a program',
  async (name, more) => {
    const question = await questionOf(name, uvx)
    const args = { repo_path: it.folder, ...more }
    expect(assess(question, args)).toMatchObject({ risk: 'low', operation: 'read' })
    it.configure(`[core]\n  fsmonitor = ${it.program('evil')}\n`)
    const found = assess(await questionOf(name, uvx), args)
    expect(found).toMatchObject({ risk: 'high', onlyAnswers: true })
    expect(found.reasons.join(' ')).toContain('core.fsmonitor')
    expect(possibleAssessments(question)).toContainEqual(expect.objectContaining({ risk: 'high', onlyAnswers: true }))
  },
)

test.skipIf(!hasGit).each(['$X/it', '~/it', '/srv/../it'])('a folder that nobody knows asks: %s', async (repo_path) => {
  expect(assess(await questionOf('git_status', uvx), { repo_path }).reasons[0]).toContain('Nobody knows which folder')
})

test
  .skipIf(!hasGit)
  .each([
    [['docker', 'run', '-i', 'mcp/git']],
    [['ssh', 'box', 'mcp-server-git']],
    [['env', 'HOME=/x', 'uvx', 'mcp-server-git']],
    [['sh', '-c', 'uvx mcp-server-git']],
  ])('where it runs elsewhere nobody can look, so it asks and says so: %j', async (command) => {
  const found = assess(await questionOf('git_status', command), { repo_path: it.folder })
  expect(found).toMatchObject({ risk: 'high', onlyAnswers: true })
  expect(found.reasons.join(' ')).toContain('could not be checked')
})
