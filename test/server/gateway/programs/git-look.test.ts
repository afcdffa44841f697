// Lines that look into a repository run unasked where git runs nothing beside itself there, and ask by name where it does.
// What runs is asked of git itself, in repositories whose programs leave a trace.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RepositoryLook } from '../../../../server/gateway/programs/git/look.ts'
import { loadShellParser } from '../../../../server/gateway/programs/shell/parser.ts'
import { readShell, type ShellReading } from '../../../../server/gateway/programs/shell/shell.ts'
import { hasGit, hostileRepository, plainRepository, type Repository } from '../../../kit/hostile-repository.ts'

const everyday = [
  'git status',
  'git status --short --branch',
  'git --no-pager diff --stat',
  'git diff HEAD~1 -- a',
  'git log --oneline -5',
  'git log -n 5 --format="%h %an %s" --since="2 weeks ago" -- a',
  'git --no-pager log -p | head -n 50',
  'git show HEAD',
  'git show --stat v1',
  'git show HEAD:a',
  'git branch',
  'git branch -a -vv',
  'git branch --merged',
  'git tag -l "v*"',
  'git tag -n',
  'git rev-parse HEAD~1',
  'git remote -v',
  'git ls-files | wc -l',
  'git blame -L 1,1 a',
  'git grep -n one',
  'git describe --tags --always --dirty',
  'git stash list',
  'git reflog -5',
  'git shortlog -sn HEAD',
  'git cat-file -p HEAD',
  'git rev-list --count HEAD',
  'git rev-list --max-count 1 HEAD -- a',
  'git for-each-ref --sort -committerdate --count 5 refs/heads',
  'git tag -l --sort=-v:refname',
  'git check-ignore -v .env',
  'git ls-files .env',
  'for f in a b; do git log -1 -- a; done',
  'if git status --porcelain | grep -q a; then echo "$(git rev-parse --short HEAD~1)"; fi',
]

const asking = [
  'git log --output=z',
  'git diff --output z',
  'git diff --ext-diff',
  'git log --show-signature',
  'git log --format=%GK',
  'git log --format=evil',
  'git for-each-ref --format="%(signature)"',
  'git for-each-ref --format "%(signature)"',
  'git for-each-ref --sort=signature',
  'git branch --sort -signature:key',
  "git tag -l --sort=refname --sort='*signature'",
  'git tag -v v1',
  'git tag x',
  'git branch x',
  'git branch -v -D x',
  'git stash',
  'git stash drop',
  'git reflog expire --all',
  'git grep -Ovi one',
  'git grep --open-files-in-pager=vi one',
  'git cat-file --batch',
  'git fetch',
  'git ls-remote',
  'git remote show origin',
  'git remote add x y',
  'git -c core.fsmonitor=./x status',
  'git --git-dir=x status',
  'git --exec-path=. status',
  'git shortlog',
  'git worktree add x',
  'git evil',
  'git show HEAD:.env',
  'git log -p -- .env',
  'GIT_EXTERNAL_DIFF=./x git diff',
]

let plain: Repository
const made: Repository[] = []
const repository = (of: Repository): Repository => {
  made.push(of)
  return of
}

const reads = (line: string, { machine }: Repository): ShellReading => readShell(line, 'posix', machine)

beforeAll(async () => {
  await loadShellParser()
  if (!hasGit) return
  const it = plainRepository()
  // Its configuration stays as it is, so one look at each folder is enough.
  const looked = new Map<string, RepositoryLook>()
  const look = (folder: string): RepositoryLook => {
    const found = looked.get(folder) ?? it.machine.look(folder)
    looked.set(folder, found)
    return found
  }
  plain = { ...it, machine: { ...it.machine, look } }
})
afterEach(() => {
  for (const each of made.splice(0)) each.remove()
})
afterAll(() => plain?.remove())

describe.skipIf(!hasGit)('in a repository that names no program', () => {
  test.each(everyday)('%s is a read', (line) => {
    expect(reads(line, plain)).toMatchObject({ risk: 'low', operation: 'read' })
    expect(readShell(line, 'posix').risk, 'without the machine').toBe('high')
    expect(readShell(line, 'said', plain.machine).risk, 'in a shell that nobody knows').toBe('high')
  })

  test('all of them change nothing in it but the times and sizes that git keeps in its index', () => {
    const held = () =>
      readdirSync(plain.folder, { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile() && each.name !== 'index')
        .map(({ parentPath, name }) => `${name} ${readFileSync(join(parentPath, name), 'base64')}`)
        .toSorted()
    plain.run(':'.padEnd(everyday.join('; ').length))
    const before = held()
    plain.run(everyday.join('; '))
    expect(held()).toEqual(before)
    plain.run('git tag x')
    expect(held()).not.toEqual(before)
    plain.git(['tag', '-d', 'x'])
  })

  test.each(asking)('%s asks', (line) => {
    expect(reads(line, plain).risk).toMatch(/^(?:high|critical)$/)
  })

  test('a repository is not needed: git then says that there is none', () => {
    const empty = join(plain.folder, '..')
    expect(reads(`cd ${empty} && git status`, plain).risk).toBe('low')
  })

  test('addresses with a token in them ask, and those without do not', () => {
    const it = repository(plainRepository())
    it.configure(
      '[remote "origin"]\n  url = https://example.com/a.git\n  fetch = +refs/heads/*:refs/remotes/origin/*\n',
    )
    expect(reads('git remote -v', it).risk).toBe('low')
    it.configure('[remote "other"]\n  url = https://ada:ghp_abc@example.com/a.git\n')
    expect(reads('git remote -v', it)).toMatchObject({
      risk: 'high',
      operation: 'write',
      reasons: ['Prints an address with a password or a token in it, which goes to the agent.', 'It changes nothing.'],
    })
    expect(reads('git status', it).risk).toBe('low')
  })

  test.each<readonly [string, (folder: string) => string]>([
    ['-C', (folder) => `git -C ${folder} status`],
    ['-C twice', (folder) => `git -C ${join(folder, '..')} -C it status`],
    ['cd', (folder) => `cd ${folder} && git status && git diff`],
    ['cd in parts', (folder) => `cd ${join(folder, '..')} && cd it && git status`],
    ['cd of the home folder', () => 'cd ~/it && git status'],
    ['a link', (folder) => `cd ${join(folder, '..', 'link')} && git status`],
    ['cd before a list', (folder) => `cd ${folder}; git status`],
  ])('where it runs is read from the line: %s', (_, lineIn) => {
    const [clean, evil] = [repository(plainRepository()), repository(hostileRepository())]
    for (const { folder } of [clean, evil]) symlinkSync(folder, join(folder, '..', 'link'))
    const elsewhere = { ...clean, machine: { ...clean.machine, folder: '/' } }
    expect(reads(lineIn(clean.folder), elsewhere).risk).toBe('low')
    expect(
      reads(lineIn(evil.folder), { ...elsewhere, machine: { ...evil.machine, folder: '/' } }).reasons[0],
    ).toContain('core.fsmonitor')
  })

  test.each([
    'cd - && git status',
    'cd .. && git status',
    'git -C "$X" status',
    'for f in *; do git status; cd a; done',
    'git -C "~/it" status',
  ])('where nobody knows the folder it asks, and says how to name it: %s', (line) => {
    expect(reads(line, plain)).toMatchObject({ risk: 'high', operation: 'destructive' })
    expect(reads(line, plain).reasons[0]).toContain('git -C')
  })

  test('a folder that a line may have come to counts, and one that it left for sure does not', () => {
    const evil = repository(hostileRepository())
    expect(reads(`cd ${plain.folder} && git status`, evil).risk).toBe('low')
    expect(reads(`cd ${plain.folder} && git status; git diff`, evil).risk).toBe('high')
    expect(reads(`cd ${plain.folder} || git status`, evil).risk).toBe('high')
    expect(reads(`ls || cd ${plain.folder} && git status`, evil).risk).toBe('high')
    expect(reads(`! cd ${plain.folder} && git status`, evil).risk).toBe('high')
    expect(reads(`(cd ${evil.folder}); git status`, plain).risk).toBe('high')
    expect(reads(`cd ${evil.folder} | cat; git status`, plain).risk).toBe('high')
  })
})

/** Each makes git run a program when somebody looks, and says how it is named. */
const hostile: Readonly<Record<string, readonly [(it: Repository) => void, string]>> = {
  'core.fsmonitor': [(it) => it.configure(`[core]\n  fsmonitor = ${it.program('evil')}\n`), 'core.fsmonitor'],
  'a filter': [
    (it) => {
      it.configure(`[filter "x"]\n  clean = ${it.program('evil')}\n`)
      writeFileSync(join(it.folder, '.gitattributes'), '* filter=x\n')
    },
    'filter.x.clean',
  ],
  'diff.external': [(it) => it.configure(`[diff]\n  external = ${it.program('evil')}\n`), 'diff.external'],
  textconv: [
    (it) => {
      it.configure(`[diff "x"]\n  textconv = ${it.program('evil')}\n`)
      writeFileSync(join(it.folder, '.gitattributes'), '* diff=x\n')
    },
    'diff.x.textconv',
  ],
  'a hook': [
    (it) =>
      writeFileSync(join(it.folder, '.git', 'hooks', 'post-index-change'), readFileSync(it.program('evil')), {
        mode: 0o755,
      }),
    'post-index-change',
  ],
  'a hook in its files': [
    (it) => {
      it.configure('[core]\n  hooksPath = hooks\n')
      mkdirSync(join(it.folder, 'hooks'))
      writeFileSync(join(it.folder, 'hooks', 'post-index-change'), readFileSync(it.program('evil')), { mode: 0o755 })
    },
    'hooks/post-index-change',
  ],
  'a file that it includes': [
    (it) => {
      writeFileSync(join(it.folder, 'shared'), `[core]\n  fsmonitor = ${it.program('evil')}\n`)
      it.configure('[include]\n  path = ../shared\n')
    },
    'shared',
  ],
  'what holds for one folder of its files': [
    (it) => {
      it.configure('[extensions]\n  worktreeConfig = true\n')
      writeFileSync(join(it.folder, '.git', 'config.worktree'), `[core]\n  fsmonitor = ${it.program('evil')}\n`)
    },
    'config.worktree',
  ],
  'a repository within it': [
    (it) => {
      const inner = join(it.folder, 'inner')
      execFileSync('git', ['clone', '-q', it.folder, inner], { stdio: 'ignore' })
      it.git(['add', 'inner'])
      it.git(['-C', 'inner', 'config', 'core.fsmonitor', it.program('evil')])
    },
    'inner/.git/config',
  ],
  'the setting of its user': [
    (it) => writeFileSync(join(it.folder, '..', '.gitconfig'), `[core]\n  fsmonitor = ${it.program('evil')}\n`),
    '.gitconfig',
  ],
  'a signature that is checked': [
    (it) => it.configure(`[log]\n  showSignature = true\n[gpg]\n  program = ${it.program('evil')}\n`),
    'log.showsignature',
  ],
  'an object that is fetched': [
    (it) => {
      it.configure(
        `[core]\n  sshCommand = ${it.program('evil')}\n  repositoryformatversion = 1\n[remote "origin"]\n  url = ssh://localhost/it\n  promisor = true\n`,
      )
      const tree = it.git(['rev-parse', 'HEAD^{tree}'])
      execFileSync('rm', ['-f', join(it.folder, '.git', 'objects', tree.slice(0, 2), tree.slice(2))])
    },
    'remote.origin.promisor',
  ],
}

describe.skipIf(!hasGit)('what a repository runs is named', () => {
  test.each(Object.entries(hostile))('%s', (_, [prepare, named]) => {
    const it = repository(plainRepository())
    prepare(it)
    expect(it.run('git status; git diff; git log -p'), 'it does run').toContain('evil')
    const found = reads('git status; git diff; git log -p', it)
    expect(found).toMatchObject({ risk: 'high', operation: 'destructive' })
    expect(found.reasons.join(' ')).toContain(named)
  })

  test('a folder that is a repository itself, and one that is a file of another', () => {
    const it = repository(plainRepository())
    const [bare, link] = [join(it.folder, 'bare'), join(it.folder, 'link')]
    execFileSync('git', ['clone', '-q', '--bare', it.folder, bare], { stdio: 'ignore' })
    it.git(['-C', bare, 'config', 'core.fsmonitor', it.program('evil')])
    mkdirSync(link)
    writeFileSync(join(link, '.git'), `gitdir: ${bare}\n`)
    for (const folder of [bare, link])
      expect(reads(`git -C ${folder} log`, it).reasons.join(' ')).toContain('core.fsmonitor')
  })

  test('a folder of files that is not its own, whose files a diff would print', () => {
    const it = repository(plainRepository())
    it.configure('[core]\n  worktree = /\n')
    expect(reads('git diff', it).reasons[0]).toContain('core.worktree')
  })

  test('a repository within it that names nothing, and another folder of its files, are reads', () => {
    const it = repository(plainRepository())
    it.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', it.folder, 'inner'])
    it.git(['worktree', 'add', '-q', '../other'])
    expect(reads('git status', it).reasons).toEqual(['It only reads.'])
    expect(reads('git -C inner status', it).risk).toBe('low')
    expect(reads(`git -C ${join(it.folder, '..', 'other')} status`, it).risk).toBe('low')
  })

  test('a setting of a repository that nobody knows asks, one of its user does not', () => {
    const it = repository(plainRepository())
    writeFileSync(join(it.folder, '..', '.gitconfig'), '[delta]\n  features = x\n[core]\n  pager = delta\n')
    expect(reads('git status', it).risk).toBe('low')
    it.configure('[frobnicate]\n  x = y\n')
    expect(reads('git status', it).reasons[0]).toContain('frobnicate.x')
  })

  test('git-lfs, as it enters itself', () => {
    const it = repository(plainRepository())
    const lfs = (clean: string) =>
      `[filter "lfs"]\n  clean = ${clean}\n  smudge = git-lfs smudge -- %f\n  process = git-lfs filter-process\n  required = true\n`
    writeFileSync(join(it.folder, '..', '.gitconfig'), lfs('git-lfs clean -- %f'))
    expect(reads('git status', it).risk).toBe('low')
    it.configure(lfs('./git-lfs clean -- %f'))
    expect(reads('git status', it).reasons[0]).toContain('filter.lfs.clean')
  })
})

describe.skipIf(!hasGit)('the look itself', () => {
  test.each([false, true])('runs nothing that a repository names (objects missing: %s)', (incomplete) => {
    const it = repository(hostileRepository(incomplete))
    it.run(':')
    const { objections } = it.machine.look(it.folder)
    expect(objections.length).toBeGreaterThan(3)
    expect(it.traces()).toEqual([])
  })

  test('ends where a file of the configuration does not, and asks', () => {
    const it = repository(plainRepository())
    execFileSync('mkfifo', [join(it.folder, 'pipe')])
    it.configure('[include]\n  path = ../pipe\n')
    expect(reads('git status', it).reasons[0]).toContain('cannot be looked up')
  })

  test('sees what was written a moment ago', () => {
    const it = repository(plainRepository())
    expect(reads('git status', it).risk).toBe('low')
    it.configure(`[core]\n  fsmonitor = ${it.program('evil')}\n`)
    expect(reads('git status', it).risk).toBe('high')
  })
})
