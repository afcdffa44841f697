// What a repository configures runs with most of git, also with what only reads. That the rest runs nothing of it is asked of
// git itself, in repositories that name a program wherever they can.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadShellParser } from '../../../../server/gateway/programs/shell/parser.ts'
import { readShell } from '../../../../server/gateway/programs/shell/shell.ts'
import { hasGit, hostileRepository, type Repository } from '../../../kit/hostile-repository.ts'
import { reading } from './shell-lines.ts'

let whole: Repository
let incomplete: Repository

beforeAll(async () => {
  await loadShellParser()
  if (!hasGit) return
  whole = hostileRepository()
  incomplete = hostileRepository(true)
})

afterAll(() => {
  whole?.remove()
  incomplete?.remove()
})

test.skipIf(!hasGit).each([
  ['git status', 'whole', 'fsmonitor'],
  ['git diff', 'whole', 'external-diff'],
  ['git --no-pager log -p', 'whole', 'textconv'],
  ['git log --oneline', 'whole', 'gpg'],
  ['git show', 'whole', 'gpg'],
  ['git ls-files', 'whole', 'fsmonitor'],
  ['git show HEAD:a', 'incomplete', 'ssh'],
  ['git log --oneline --no-show-signature', 'incomplete', 'ssh'],
  ['git tag -n', 'incomplete', 'ssh'],
  ['git rev-parse HEAD~1', 'incomplete', 'ssh'],
] as const)('%s runs what a repository names (%s: %s), so it asks', (line, which, program) => {
  expect((which === 'whole' ? whole : incomplete).run(line)).toContain(program)
  expect(readShell(line, 'posix').risk).toBe('high')
  expect(readShell(line, 'posix').reasons[0]).toContain('git')
})

const lines = [
  ...reading.filter((line) => line.includes('git ')),
  ...'--verify --quiet --short --abbrev-ref --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-bare-repository'
    .split(' ')
    .map((option) => `git rev-parse ${option} HEAD`),
  'git --no-pager branch --show-current',
  'git --no-pager remote',
  'git --no-pager symbolic-ref -q HEAD',
  'git version',
  'git config --global --get user.name',
]

test.skipIf(!hasGit)('each of these is a read and runs nothing of that, also where an object is missing', () => {
  expect(lines.filter((line) => readShell(line, 'posix').risk !== 'low')).toEqual([])
  const ran = (...some: readonly string[]) => [...whole.run(...some), ...incomplete.run(...some)]
  // Which of them it was is asked only where one of them ran something.
  const which = ran(...lines).length === 0 ? [] : lines.filter((line) => ran(line).length > 0)
  expect(which).toEqual([])
})
