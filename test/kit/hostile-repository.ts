// A repository whose configuration names a program wherever git lets one be named. Each leaves a trace when it runs.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lookInto } from '../../server/gateway/programs/git/look.ts'
import type { Machine } from '../../server/gateway/programs/git/machine.ts'
import { atEnd } from '../journeys/at-end.ts'
import { longest } from '../longest.ts'

/** Whether this machine has git, which the project does not need. */
export const hasGit = spawnSync('git', ['--version']).status === 0

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
}

export interface Repository {
  readonly folder: string
  /** What is known of the machine of a server that runs lines in it. */
  readonly machine: Machine
  /** Adds to its configuration. */
  configure(text: string): void
  /** Makes a program that leaves a trace, and answers its path. */
  program(this: void, name: string): string
  git(args: readonly string[], input?: string): string
  /** Runs lines, each in a shell of its own. Answers which programs ran that only the repository names. */
  run(...lines: readonly string[]): readonly string[]
  /** Which ran since. */
  traces(): readonly string[]
  remove(): void
}

/**
 * Of `a` the content changes, so its filter is asked what it makes of it; of `b` only the time, so git writes its index,
 * after which a hook runs.
 */
const eachTouched =
  'for line in "$0" "$@"; do echo "${#line}" > a; touch -t 202311142213.20 b; /bin/sh -c "$line"; done'

let template: string | undefined

/** Where the repository lies of which each is a copy: git is started a dozen times to make it. It is gone when the test file is through. */
function templateFolder(): string {
  if (template !== undefined) return template
  const root = mkdtempSync(join(tmpdir(), 'countersign-git-'))
  atEnd(() => {
    template = undefined
    rmSync(root, { recursive: true, force: true })
  })
  const git = gitIn(root, root)
  git(['init', '-q', '-b', 'main', '--template='])
  mkdirSync(join(root, '.git', 'hooks'))
  git(['config', 'user.name', 'Ada'])
  git(['config', 'user.email', 'ada@example.com'])
  for (const text of ['one', 'two']) {
    for (const name of ['a', 'b']) writeFileSync(join(root, name), `${text}\n`)
    git(['add', 'a', 'b'])
    git(['commit', '-qm', text])
  }
  const who = 'Ada <ada@example.com> 1700000000 +0000'
  const signed = `tree ${git(['rev-parse', 'HEAD^{tree}'])}\nparent ${git(['rev-parse', 'HEAD'])}\nauthor ${who}\ncommitter ${who}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----\n\nthree\n`
  git(['reset', '-q', '--hard', git(['hash-object', '-t', 'commit', '-w', '--stdin'], signed)])
  git(['tag', 'v1'])
  return (template = root)
}

const gitIn =
  (folder: string, home: string): Repository['git'] =>
  (args, input) =>
    execFileSync('git', args, {
      cwd: folder,
      env: { ...env, HOME: home },
      encoding: 'utf8',
      input,
      stdio: 'pipe',
    }).trim()

/** A repository with three commits, the last one signed. */
export function plainRepository(): Repository {
  const root = mkdtempSync(join(tmpdir(), 'countersign-git-'))
  const [folder, trace] = [join(root, 'it'), join(root, 'trace')]
  cpSync(templateFolder(), folder, { recursive: true })
  const git = gitIn(folder, root)
  const traces = () =>
    existsSync(trace) ? [...new Set(readFileSync(trace, 'utf8').trim().split('\n'))].toSorted() : []
  const variables = { ...env, HOME: root }
  return {
    folder,
    git,
    machine: { folder, home: root, look: (where, until) => lookInto(where, variables, until) },
    configure: (text) => appendFileSync(join(folder, '.git', 'config'), text),
    program: (name) => {
      const file = join(root, name)
      writeFileSync(file, `#!/bin/sh\necho ${name} >> '${trace}'\n`)
      chmodSync(file, 0o755)
      return file
    },
    run: (...lines) => {
      rmSync(trace, { force: true })
      // One start for all of them: each start copies the memory map of this process, which is large.
      const { error } = spawnSync('/bin/sh', ['-c', eachTouched, ...lines], {
        cwd: folder,
        env: variables,
        timeout: longest,
        stdio: 'ignore',
      })
      // What did not run leaves no trace either.
      if (error !== undefined) throw error
      return traces()
    },
    traces,
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** The same with programs in its configuration; `incomplete`: it lacks objects, which are fetched when they are read. */
export function hostileRepository(incomplete = false): Repository {
  const made = plainRepository()
  const { folder, program } = made
  mkdirSync(join(folder, '.git', 'evil'))
  writeFileSync(join(folder, '.git', 'evil', 'post-index-change'), `#!/bin/sh\nexec '${program('hook')}'\n`)
  chmodSync(join(folder, '.git', 'evil', 'post-index-change'), 0o755)
  writeFileSync(join(folder, '.gitattributes'), '* filter=evil diff=evil\n')
  made.configure(
    `[core]
  fsmonitor = ${program('fsmonitor')}
  hooksPath = ${join(folder, '.git', 'evil')}
  pager = ${program('pager')}
  sshCommand = ${program('ssh')}
  editor = ${program('editor')}
[diff]
  external = ${program('external-diff')}
[diff "evil"]
  textconv = ${program('textconv')}
[filter "evil"]
  clean = ${program('filter')}
  smudge = ${program('filter')}
[gpg]
  program = ${program('gpg')}
[log]
  showSignature = true
[credential]
  helper = ${program('credential')}
[alias]
  rev-parse = !${program('alias')}
[remote "origin"]
  url = ssh://localhost/it
  fetch = +refs/heads/*:refs/remotes/origin/*
${incomplete ? '  promisor = true\n[core]\n  repositoryformatversion = 1\n[extensions]\n  partialClone = origin\n' : ''}`,
  )
  if (incomplete) {
    rmSync(join(folder, '.git', 'objects'), { recursive: true })
    mkdirSync(join(folder, '.git', 'objects'))
  }
  return made
}
