// Of the settings of a repository that count as harmless none makes git run anything where a line only looks. Git itself is
// asked, with a program that leaves a trace as the value of each.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadShellParser } from '../../../../server/gateway/programs/shell/parser.ts'
import { readShell } from '../../../../server/gateway/programs/shell/shell.ts'
import { casesOf, runsOf } from '../../../full.ts'
import { hasGit, plainRepository, type Repository } from '../../../kit/hostile-repository.ts'
import { longest } from '../../../longest.ts'

const lines = [
  'git status',
  'git diff',
  'git diff --cached',
  'git log -p --all',
  'git log --oneline -5',
  'git show HEAD',
  'git show v1',
  'git branch -a -vv',
  'git tag -n',
  'git ls-files -m -o --exclude-standard',
  'git blame a',
  'git grep one',
  'git describe --tags --always --dirty',
  'git stash show -p',
  'git reflog',
  'git shortlog -sn HEAD',
  'git cat-file -p HEAD',
  'git rev-parse HEAD~1',
  'git for-each-ref',
  'git remote -v',
  'git check-ignore -v a',
  'git worktree list',
]
const line = lines.join('; ')

/** Every setting that git knows by name, and some of a name of their own. */
const known = hasGit
  ? spawnSync('git', ['help', '--config-for-completion'], { encoding: 'utf8' }).stdout.split('\n')
  : []
const own =
  `alias.status branch.main.remote branch.main.merge credential.x.helper core.gitProxy diff.x.binary diff.x.cachetextconv
  diff.x.command diff.x.funcname diff.x.textconv diff.x.wordRegex diff.x.xfuncname difftool.x.cmd extensions.noop
  extensions.partialClone filter.x.clean filter.x.process filter.x.smudge gpg.openpgp.program gpg.ssh.program gpg.x509.program
  hook.x.command includeIf.x.path lfs.x.access lfs.extension.x.clean merge.x.driver mergetool.x.cmd pager.log pager.status
  pretty.oneline remote.origin.fetch remote.origin.promisor remote.origin.proxy remote.origin.pushurl
  remote.origin.receivepack remote.origin.uploadpack remote.origin.url remote.origin.vcs submodule.x.update submodule.x.url
  tar.x.command trailer.x.cmd url.x.insteadOf`.split(/\s+/)
const keys = [...new Set([...known.filter((each) => /^[^.]+\..*[^.]$/.test(each)), ...own])]

const written = (key: string, value: string): string => {
  const [section = '', ...more] = key.split('.')
  const name = more.pop() ?? ''
  return `[${section}${more.length > 0 ? ` "${more.join('.')}"` : ''}]\n  ${name} = ${value}\n`
}

let it: Repository
let program: string
let plain: string

beforeAll(async () => {
  await loadShellParser()
  if (!hasGit) return
  it = plainRepository()
  program = it.program('evil')
  it.run('echo x >> a; git stash')
  writeFileSync(join(it.folder, '.gitattributes'), '* filter=x diff=x\n')
  plain = readFileSync(join(it.folder, '.git', 'config'), 'utf8')
})
afterAll(() => it?.remove())

/** With these settings: whether the lines are reads, and which programs they run. */
function having(settings: readonly string[]): readonly [isRead: boolean, ran: readonly string[]] {
  writeFileSync(join(it.folder, '.git', 'config'), plain + settings.join(''))
  return [readShell(line, 'posix', it.machine).risk === 'low', it.run(line)]
}

test.skipIf(!hasGit)('that one makes git run a program is seen, and without one no line asks', () => {
  expect(having([])).toEqual([true, []])
  for (const key of ['core.fsmonitor', 'diff.external', 'diff.x.textconv', 'filter.x.clean', 'filter.x.process'])
    expect(having([written(key, program)]), key).toEqual([false, ['evil']])
})

test
  .skipIf(!hasGit)
  .each(casesOf(keys, (key) => key, ['core.sshCommand', 'gpg.program', 'alias.status', 'core.fsmonitor']))(
  'where %s names a program, it runs only where a line asks',
  (key) => {
    const [isRead, ran] = having([written(key, program)])
    expect(isRead ? ran : []).toEqual([])
  },
)

test.skipIf(!hasGit)(
  'nor does any of them switch another one on',
  () => {
    const setting = fc
      .tuple(fc.constantFrom(...keys), fc.constantFrom('program', 'true', 'false', '1'))
      .map(([key, value]) => [key, value] as const)
    fc.assert(
      fc.property(fc.array(setting, { minLength: 2, maxLength: 6 }), (settings) => {
        const [isRead, ran] = having(
          settings.map(([key, value]) => written(key, value === 'program' ? program : value)),
        )
        expect(isRead ? ran : []).toEqual([])
      }),
      { numRuns: runsOf(120) },
    )
  },
  longest,
)
