// A repository says what git runs when somebody only looks into it: `core.fsmonitor` with `git status`, and much else
// (ADR 43). So it is looked at when a call comes, by git itself, with the two subcommands that run nothing of what a
// repository names. What is found holds for that moment: whoever writes to it afterwards is asked for that.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { longestLook } from './machine.ts'
import { objectionTo, type Setting } from './settings.ts'

/** What git would do in a folder beside reading it. */
export interface RepositoryLook {
  /** One sentence for each thing that git may run or reach there, or for why nobody knows; empty where it only reads. */
  readonly objections: readonly string[]
  /** Whether an address of a remote holds a password or a token. */
  readonly secretAddress: boolean
  /** Whether it is what a `.git` is: some programs work in the folder above it then. */
  readonly isGitFolder: boolean
}

/** In bytes: the list of some hundred thousand files. */
const mostOutput = 64 * 1024 * 1024
const mostSubmodules = 8

/** Hooks that git, or the git of a provider, runs where it only reads. */
const hooksOfReads = ['post-index-change', 'pre-command', 'post-command', 'read-object', 'virtual-filesystem']

interface Environment {
  readonly variables: Readonly<Record<string, string | undefined>>
  /** When all has to be known (`performance.now()`). */
  readonly until: number
}

type Answer = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

const tooLong = 'git took too long'

function git(folder: string, { variables, until }: Environment, args: readonly string[]): Answer {
  const left = Math.floor(until - performance.now())
  if (left < 1) return { ok: false, why: tooLong }
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    env: { ...variables, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: left,
    killSignal: 'SIGKILL',
    maxBuffer: mostOutput,
  })
  if (error === undefined && status === 0) return { ok: true, text: stdout }
  const said = (stderr ?? '').trim().split('\n')[0] ?? ''
  const code = error && 'code' in error ? String(error.code) : undefined
  // What git says may quote a value.
  const why = code === 'ETIMEDOUT' ? tooLong : (code ?? said.replaceAll(/'[^']*'/g, '…'))
  return { ok: false, why: why.slice(0, 200) }
}

/** Looks at what is configured for a folder, for git with these variables. */
export function lookInto(
  folder: string,
  variables: Environment['variables'],
  until = performance.now() + longestLook,
): RepositoryLook {
  const isGitFolder =
    existsSync(join(folder, 'HEAD')) && ['objects', 'commondir'].some((each) => existsSync(join(folder, each)))
  return { ...look(folder, { variables, until }, mostSubmodules), isGitFolder }
}

type Found = Omit<RepositoryLook, 'isGitFolder'>

function look(folder: string, env: Environment, submodules: number): Found {
  const unknown = (why: string): Found => ({
    objections: [`What git runs in ${folder} cannot be looked up (${why}).`],
    secretAddress: true,
  })
  const listed = git(folder, env, ['config', '--list', '--show-scope', '--show-origin', '-z'])
  if (!listed.ok) return unknown(listed.why)
  const settings = settingsIn(listed.text, folder)
  const found = git(folder, env, ['rev-parse', '--absolute-git-dir', '--git-path', 'hooks', '--is-bare-repository'])
  const isNone = !found.ok && found.why.includes('not a git repository')
  if (!found.ok && !isNone) return unknown(found.why)
  const [gitFolder = '', hooks = '', isBare, ...more] = found.ok ? found.text.trimEnd().split('\n') : []
  if (more.length > 0) return unknown('its path holds a line break')
  const objections = [
    ...settings.flatMap(
      (each) => objectionTo(each, (worktree) => isItsOwn(resolve(gitFolder, worktree), gitFolder)) ?? [],
    ),
    ...(isNone ? [] : hooksIn(resolve(folder, hooks))),
  ]
  // Only where nothing else runs: the list of its files is read by the rules of the same configuration.
  if (objections.length === 0 && isBare === 'false') objections.push(...insideOf(folder, env, submodules))
  return { objections, secretAddress: settings.some(holdsSecret) }
}

/** What `git config --list --show-scope --show-origin -z` prints: scope, origin, and the name with its value behind a line break. */
function settingsIn(text: string, folder: string): readonly Setting[] {
  const fields = text.split('\0')
  return Array.from({ length: Math.floor(fields.length / 3) }, (_, at): Setting => {
    const [scope = '', origin = '', said = ''] = fields.slice(at * 3)
    const end = said.indexOf('\n')
    // Without a value a name stands for "true".
    const [key, value] = end < 0 ? [said, 'true'] : [said.slice(0, end), said.slice(end + 1)]
    return {
      key,
      value,
      origin: origin.startsWith('file:') ? resolve(folder, origin.slice(5)) : origin,
      ofUser: scope === 'global' || scope === 'system' || scope === 'command',
    }
  })
}

const hooksIn = (folder: string): readonly string[] =>
  hooksOfReads
    .filter((name) => existsSync(join(folder, name)))
    .map((name) => `git would run the hook ${join(folder, name)}.`)

/** Whether a folder of files belongs to a repository that says so, and is not another's: its `.git` leads back. */
function isItsOwn(worktree: string, gitFolder: string): boolean {
  const back = join(worktree, '.git')
  if (back === gitFolder) return true
  try {
    const [, path] = /^gitdir: (.+)\n?$/.exec(readFileSync(back, 'utf8')) ?? []
    return path !== undefined && resolve(worktree, path) === gitFolder
  } catch {
    return false
  }
}

/** Of repositories within it, which git looks into as well; each has a configuration of its own. */
function insideOf(folder: string, env: Environment, most: number): readonly string[] {
  const files = git(folder, env, ['-c', 'core.fsmonitor=false', 'ls-files', '--stage', '-z', ':/'])
  if (!files.ok) return [`What lies in ${folder} cannot be listed (${files.why}).`]
  const links = files.text.matchAll(/(?:^|\0)160000 [^\t]*\t([^\0]+)/g)
  const inner = Array.from(links, ([, path = '']) => join(folder, path)).filter((each) =>
    existsSync(join(each, '.git')),
  )
  if (inner.length > most) return [`${folder} holds ${inner.length} repositories, more than are looked at here.`]
  return inner.flatMap((each) => look(each, env, most - inner.length).objections)
}

/** An address of a remote, or one that stands for another, in which more than a name stands before the host. */
function holdsSecret({ key, value }: Setting): boolean {
  const address = key.startsWith('url.') ? key.slice(4, key.lastIndexOf('.')) : value
  if (!/^url\.|^remote\..*\.(?:push)?url$/s.test(key) || !URL.canParse(address)) return false
  const { password, username, search } = new URL(address)
  return password !== '' || username.length >= 20 || /(?:token|key)=/i.test(search)
}
