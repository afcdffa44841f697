// Ways in which a line that looks into a repository ran or printed more than it said. Each asks now, and what people write
// every day does not.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { oncePerTick, unixOf } from '../../../../server/compose/profiles/server-machine.ts'
import { lookInto } from '../../../../server/gateway/programs/git/look.ts'
import { loadShellParser } from '../../../../server/gateway/programs/shell/parser.ts'
import { readShell } from '../../../../server/gateway/programs/shell/shell.ts'
import { hasGit, plainRepository, type Repository } from '../../../kit/hostile-repository.ts'

let it: Repository
beforeAll(loadShellParser)
beforeEach(() => {
  if (hasGit) it = plainRepository()
})
afterEach(() => it?.remove())

const risk = (line: string): string => readShell(line, 'posix', it.machine).risk
const reasons = (line: string): string => readShell(line, 'posix', it.machine).reasons.join(' ')

describe.skipIf(!hasGit)('what a line of git may run', () => {
  test.each(['%+GK', '%-G?', '% G?', '%h %+GS', 'format:%h%+G?', 'tformat:%-GK'])(
    'the format %s starts gpg, so it asks',
    (format) => {
      const line = `git log --format='${format}'`
      expect(risk(line)).toBe('high')
      it.git(['config', '--global', 'gpg.program', it.program('evil')])
      expect(it.run(line)).toEqual(['evil'])
    },
  )

  test('a merge is not made anew with the drivers of the repository', () => {
    it.git(['checkout', '-qb', 'side', 'HEAD~1'])
    writeFileSync(join(it.folder, 'a'), 'side\n')
    it.git(['commit', '-qam', 'side'])
    it.git(['checkout', '-q', 'main'])
    writeFileSync(join(it.folder, 'a'), 'main\n')
    it.git(['commit', '-qam', 'main'])
    it.git(['merge', '-q', '-s', 'ours', 'side', '-m', 'both'])
    writeFileSync(join(it.folder, '.gitattributes'), '* merge=evil\n')
    it.git(['config', '--global', 'merge.evil.driver', `${it.program('evil')} %O %A %B`])
    for (const option of ['--diff-merges=remerge', '--diff-merges=r', '--remerge-diff'])
      expect([risk(`git log -p ${option}`), it.run(`git log -p ${option}`)], option).toEqual(['high', ['evil']])
    expect([risk('git log -p --cc'), it.run('git log -p --cc')]).toEqual(['low', []])
    it.git(['config', '--global', 'log.diffMerges', 'remerge'])
    expect(reasons('git log -p -m')).toContain('log.diffmerges')
  })

  test('a submodule of the history is not looked into', () => {
    execFileSync('git', ['clone', '-q', it.folder, join(it.folder, 'inner')], { stdio: 'ignore' })
    it.git(['-C', 'inner', 'checkout', '-q', 'HEAD~1'])
    it.git(['add', 'inner'])
    it.git(['commit', '-qm', 'x', 'inner'])
    it.git(['-C', 'inner', 'checkout', '-q', 'main'])
    it.git(['add', 'inner'])
    it.git(['commit', '-qm', 'y', 'inner'])
    it.git(['-C', 'inner', 'config', 'diff.external', it.program('evil')])
    it.git(['rm', '-q', '--cached', 'inner'])
    it.git(['commit', '-qm', 'z'])
    const line = 'git log -p --submodule=diff'
    expect([risk(line), it.run(line)]).toEqual(['high', ['evil']])
    expect([risk('git log -p'), it.run('git log -p')]).toEqual(['low', []])
    it.git(['config', '--global', 'diff.submodule', 'diff'])
    expect([reasons('git log -p').includes('diff.submodule'), it.run('git log -p')]).toEqual([true, ['evil']])
  })

  test.each(['format.pretty', 'pretty.x', 'gpg.program', 'log.date', 'merge.x.driver', 'diff.submodule'])(
    '%s of a repository asks, whatever it says',
    (key) => {
      it.git(['config', key, 'short-x'])
      expect(reasons('git log')).toContain(key)
    },
  )

  test('what git and hosts write of themselves does not ask, all at once', () => {
    it.configure(`[core]
  repositoryformatversion = 0
  filemode = true
  bare = false
  logallrefupdates = true
  ignorecase = false
  precomposeunicode = true
  symlinks = true
  autocrlf = input
  eol = lf
[remote "origin"]
  url = git@example.com:a/b.git
  fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
  remote = origin
  merge = refs/heads/main
  rebase = true
[user]
  name = Ada
  email = ada@example.com
[init]
  defaultBranch = main
`)
    expect(reasons('git status; git log -p; git branch -vv')).toBe('It only reads.')
  })

  test('a folder that "cd" may not have come to counts', () => {
    const clean = plainRepository()
    it.configure(`[core]\n  fsmonitor = ${it.program('evil')}\n`)
    const line = `cd ${clean.folder} </nonexistent && ls || git status`
    expect([risk(line), it.run(line)]).toEqual(['high', ['evil']])
    expect(risk(`cd ${clean.folder} && git status`)).toBe('low')
    clean.remove()
  })

  test('more folders than four ask', () => {
    const lineOf = (count: number) => Array.from({ length: count }, (_, at) => `git -C d${at} log -1`).join('; ')
    for (let at = 0; at < 5; at++) mkdirSync(join(it.folder, `d${at}`))
    expect([risk(lineOf(4)), risk(lineOf(5))]).toEqual(['low', 'high'])
  })
})

describe.skipIf(!hasGit)('what a look prints', () => {
  test('a question shows no value of a setting, and no address in a key', () => {
    it.configure('[sendemail]\n  smtpPass = hunter2\n[url "https://x:hunter2@example.com/"]\n  insteadOf = x\n')
    expect(reasons('git status')).toContain('sendemail.smtppass')
    expect(reasons('git status')).toContain('url.….insteadof')
    expect(reasons('git status')).not.toContain('hunter2')
  })

  test.each(['branch.main.remote', 'branch.main.pushRemote', 'remote.pushDefault'])('an address in %s asks', (key) => {
    it.git(['config', key, 'https://x:hunter2@example.com/a.git'])
    const line = "git for-each-ref --format='%(upstream:remotename)'"
    expect(risk(line)).toBe('high')
    it.git(['config', key, 'origin'])
    expect(risk(line)).toBe('low')
  })

  test.each([
    "git grep KEY -- ':(icase).ENV'",
    "git log -p -- ':(glob).en?'",
    "git diff -- ':!a'",
    "git diff -- ':^a'",
  ])('a file that is named with magic asks: %s', (line) => expect(risk(line)).toBe('high'))

  test('the inside of a repository is seen, and its files are not taken for it', () => {
    expect(lookInto(join(it.folder, '.git'), {}).isGitFolder).toBe(true)
    expect(lookInto(it.folder, {}).isGitFolder).toBe(false)
  })
})

describe('where a server starts', () => {
  const profile = { match: { npm: ['@wonderwhy-er/desktop-commander'] } } as Parameters<typeof unixOf>[1]
  const name = '@wonderwhy-er/desktop-commander'
  const folderOf = (args: readonly string[]) =>
    unixOf({ command: 'npx', args, env: {} } as unknown as Parameters<typeof unixOf>[0], profile)?.machine?.folder

  test
    .skipIf(process.platform === 'win32')
    .each([
      [['-p', name, '-c', 'cd /tmp/x && desktop-commander']],
      [['-p', name, '--call=desktop-commander']],
      [['-C/tmp/x', name]],
      [['-C', '/tmp/x', name]],
    ])('nobody knows with %j', (args) => {
    expect(folderOf(args)).toBeUndefined()
    expect(folderOf(['-y', name])).toBe(process.cwd())
  })
})

describe('a look at a repository', () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test('is made once for each folder while a call is rated, and again where a look that took long asked and has rested', async () => {
    let [now, looks] = [0, 0]
    const look = oncePerTick(
      (folder) => {
        looks++
        if (folder === '/slow') now += 2000
        return { objections: folder === '/slow' ? ['x'] : [], secretAddress: false, isGitFolder: false }
      },
      () => now,
    )
    for (const folder of ['/a', '/b', '/a', '/b']) look(folder)
    expect(looks).toBe(2)
    await turn()
    look('/a')
    expect(looks).toBe(3)
    look('/slow')
    now += 10_000
    await turn()
    look('/slow')
    expect(looks).toBe(4)
    now += 10_000
    await turn()
    look('/slow')
    expect(looks).toBe(5)
  })

  test.skipIf(!hasGit).each<readonly [string, (it: Repository) => void]>([
    [
      'a hook',
      ({ folder }) => writeFileSync(join(folder, '.git', 'hooks', 'post-index-change'), '#!/bin/sh\n', { mode: 0o755 }),
    ],
    [
      'a file that its user includes',
      ({ folder }) => writeFileSync(join(folder, '..', 'shared'), `[core]\n  fsmonitor = ./evil\n`),
    ],
    [
      'the file of its user',
      ({ folder }) => writeFileSync(join(folder, '..', '.gitconfig'), `[core]\n  fsmonitor = ./evil\n`),
    ],
    [
      'what holds for one folder of its files',
      ({ folder }) => writeFileSync(join(folder, '.git', 'config.worktree'), `[core]\n  fsmonitor = ./evil\n`),
    ],
  ])('does not count for the call after it, since which another program may be named: by %s', async (_, name) => {
    it.configure('[extensions]\n  worktreeConfig = true\n')
    writeFileSync(join(it.folder, '..', '.gitconfig'), '[include]\n  path = shared\n')
    const look = oncePerTick(it.machine.look)
    expect(look(it.folder).objections).toEqual([])
    name(it)
    await turn()
    expect(look(it.folder).objections).toHaveLength(1)
  })
})
