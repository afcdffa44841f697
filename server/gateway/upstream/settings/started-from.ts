// What a server is started from, by its command line or its address: a package, an image, a command, a host. By that it is
// recognised, and named. Options and their values say nothing of it: they hold keys, paths and names of people.
import { isStdio, type ServerConfig } from './upstream-config.schema.ts'

/** Where a server comes from; at most one of the first four, and `command` beside them. */
export interface StartedFrom {
  /** Package of npm, without its version. */
  readonly npm?: string
  /** Package or module of Python, without its version. */
  readonly pypi?: string
  /** Container image, without tag and digest. */
  readonly image?: string
  /** Host of a remote server, in lower case. */
  readonly host?: string
  /** The program or script itself, without folder and extension. */
  readonly command?: string
}

export function startedFrom(
  server: Pick<ServerConfig, never> & ({ command: string; args: readonly string[] } | { url: string }),
): StartedFrom {
  if ('url' in server) return URL.canParse(server.url) ? { host: new URL(server.url).hostname.toLowerCase() } : {}
  return ofWords([server.command, ...server.args])
}

/** The same of a server's settings. */
export const originOf = (server: ServerConfig): StartedFrom =>
  isStdio(server) ? startedFrom({ command: server.command, args: server.args }) : startedFrom({ url: server.url })

function ofWords(words: readonly string[]): StartedFrom {
  const [first = '', ...rest] = words
  const program = stemOf(first)
  const from = ofProgram(program, first, rest)
  // It stands for a server at an address, which is its first argument.
  if (from.npm !== 'mcp-remote' && from.command !== 'mcp-remote') return from
  const address = rest.find((word) => /^https?:\/\//.test(word))
  return address === undefined ? from : startedFrom({ url: address })
}

function ofProgram(program: string, first: string, rest: readonly string[]): StartedFrom {
  switch (program.toLowerCase()) {
    case 'cmd':
      return ofWords(rest.filter((word) => !/^\/[a-z]$/i.test(word)))
    case 'env':
    case 'cross-env':
      return ofEnvironment(rest)
    case 'npx':
    case 'bunx':
      return npmIn(rest)
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return ofPackageManager(program, first, rest)
    case 'uvx':
      return pypiIn(rest)
    case 'uv':
    case 'pipx':
      return pypiIn(afterRun(rest))
    case 'docker':
    case 'podman':
      return rest.includes('run') && !rest.includes('compose') ? imageIn(afterRun(rest)) : { command: program }
    default:
      return /^py(?:thon[\d.]*)?$/i.test(program) ? ofPython(rest) : ofScript(program, first, rest)
  }
}

const afterRun = (words: readonly string[]): readonly string[] => words.slice(words.indexOf('run') + 1)

interface Head {
  /** Name and value of each option before the first word that is none. */
  readonly options: readonly (readonly [name: string, value: string])[]
  /** From that word on: what is started, and its own arguments, which say nothing of it. */
  readonly rest: readonly string[]
}

/** `valued`: options that take the next word. */
function headOf(words: readonly string[], valued: RegExp): Head {
  const options: [string, string][] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') return { options, rest: words.slice(at + 1) }
    if (!word.startsWith('-')) return { options, rest: words.slice(at) }
    const [name = '', ...value] = word.split('=')
    options.push([name, value.length > 0 ? value.join('=') : valued.test(name) ? (words[++at] ?? '') : ''])
  }
  return { options, rest: [] }
}

const optionIn = ({ options }: Head, name: RegExp): string | undefined =>
  options.find(([option]) => name.test(option))?.[1]

/** `env FOO=1 -u BAR npx …`: what follows the variables. */
function ofEnvironment(words: readonly string[]): StartedFrom {
  const { rest } = headOf(words, /^(?:-[uCS]|--(?:unset|chdir|split-string))$/)
  const at = rest.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word))
  if (at < 0) return {}
  return at === 0 ? ofWords(rest) : ofEnvironment(rest.slice(at))
}

const npmOptions =
  /^(?:-[pcwC]|--(?:package|call|workspace|registry|cache|prefix|userconfig|loglevel|dir|cwd|filter|allow-build))$/

/** `-p pkg name` runs a command of a package; without it the first word is the package. */
function npmIn(words: readonly string[]): StartedFrom {
  const head = headOf(words, npmOptions)
  const given = optionIn(head, /^(?:-p|--package)$/) ?? head.rest[0]
  return given === undefined ? {} : ofNpmSpec(given)
}

/** A package of the registry; of an address or a folder only its last part, as a name. */
function ofNpmSpec(alias: string): StartedFrom {
  const spec = alias.replace(/^.+@npm:/, '')
  const name = /^(?:@[\w.~-]+\/)?[\w.~-]+(?=$|@[^@/:]*$)/.exec(spec)?.[0]
  return name === undefined || /^\.|\.[cm]?[jt]s$/.test(name) ? { command: lastOf(spec) } : { npm: name }
}

/** `npm exec pkg`, `pnpm dlx pkg`, `bun x pkg`; else a script of a project, or of Bun a file. */
function ofPackageManager(program: string, first: string, words: readonly string[]): StartedFrom {
  const { rest } = headOf(words, npmOptions)
  const [verb = '', ...more] = rest
  if (/^(?:exec|x|dlx)$/.test(verb)) return npmIn(more)
  if (verb === 'run') return { command: stemOf(headOf(more, npmOptions).rest[0] ?? program) }
  return program.toLowerCase() === 'bun' ? ofScript(program, first, rest) : { command: stemOf(verb || program) }
}

function pypiIn(words: readonly string[]): StartedFrom {
  const head = headOf(
    words,
    /^(?:-[pmiC]|--(?:from|with|with-editable|with-requirements|python|index|index-url|default-index|extra-index-url|directory|project|env-file|spec|refresh-package|module|extra|group|config-file|cache-dir|pip-args))$/,
  )
  const [first, verb, script] = head.rest
  const given = optionIn(head, /^--(?:from|spec)$/) ?? optionIn(head, /^(?:-m|--module)$/) ?? first
  if (given === undefined) return {}
  if (/^python[\d.]*$/.test(given)) return ofPython(head.rest.slice(1))
  // The SDK's own command runs somebody's file.
  if (/^(?:fast)?mcp$/.test(given) && verb === 'run' && script !== undefined) return { command: stemOf(script) }
  if (given.endsWith('.py')) return { command: stemOf(given) }
  const name = /^[A-Za-z0-9][\w.-]*(?=$|[[=<>!~@;])/.exec(given)?.[0]
  return name === undefined || /@\s*\w+[+:]/.test(given) ? { command: lastOf(given) } : { pypi: pythonName(name) }
}

function ofPython(words: readonly string[]): StartedFrom {
  const head = headOf(words, /^-[mcWX]$/)
  const module = optionIn(head, /^-m$/)
  if (module !== undefined) return { pypi: pythonName(module) }
  const [script] = head.rest
  return script === undefined || optionIn(head, /^-c$/) !== undefined
    ? { command: 'python' }
    : { command: stemOf(script) }
}

/** Of a script the package in whose folder it was installed. */
function ofScript(program: string, first: string, rest: readonly string[]): StartedFrom {
  const runs = /^(?:node|bun|deno|tsx|ts-node)$/i.test(program)
  const words = /^deno$/i.test(program) && rest[0] === 'run' ? rest.slice(1) : rest
  const head = headOf(words, /^(?:-[reC]|--(?:require|import|loader|conditions|env-file|eval|print))$/)
  const [script = first] = runs && optionIn(head, /^(?:-[ep]|--eval|--print)$/) === undefined ? head.rest : [first]
  const [, specifier] = /^npm:\/?((?:@[^/]+\/)?[^/]+)/.exec(script) ?? []
  if (specifier !== undefined) return ofNpmSpec(specifier)
  const path = script.replaceAll('\\', '/')
  const [scope = '', own = ''] = path.split('node_modules/').at(-1)?.split('/') ?? []
  if (path.includes('node_modules/') && scope !== '.bin')
    return { npm: scope.startsWith('@') ? `${scope}/${own}` : scope, command: stemOf(script) }
  return { command: stemOf(script) }
}

/** Switches of `docker run`; whatever else begins with a dash and has no `=` takes the next word. */
const switches =
  /^(?:-[itdPq]+|--(?:interactive|tty|detach|rm|rmi|privileged|init|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|sig-proxy|replace|disable-content-trust|use-api-socket))$/

function imageIn(words: readonly string[]): StartedFrom {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) return { image: imageName(word) }
    if (!switches.test(word) && !word.includes('=') && !/^-[epvwuml]./.test(word)) at++
  }
  return {}
}

/** Without tag, digest and the registry that is meant where none is named. */
const imageName = (word: string): string =>
  word
    .replace(/@sha256:.*$/, '')
    .replace(/:[^/:]*$/, '')
    .replace(/^(?:index\.)?docker\.io\//, '')

/** The last part of a path or an address, which may hold a password before its host. */
function lastOf(spec: string): string {
  const address = spec.split(/ @ |(?<=\w)@(?=[a-z+]+:)/).at(-1) ?? spec
  const path = URL.canParse(address) ? new URL(address).pathname : address
  return stemOf(path)
    .replace(/@[^@]*$/, '')
    .replace(/\.(?:git|tgz|tar\.gz|whl)$/, '')
}

/** As PyPI compares names (PEP 503). */
export const pythonName = (word: string): string => word.replace(/[-_.]+/g, '-').toLowerCase()

const stemOf = (word: string): string =>
  (word.replaceAll('\\', '/').split('/').findLast(Boolean) ?? '').replace(
    /\.(?:exe|cmd|bat|ps1|[cm]?[jt]s|py|sh)$/i,
    '',
  )

/** What a server is called that nobody gave a name: by its package, image, host or file; "server" where nothing says. */
export function nameFrom({ npm, pypi, image, host, command }: StartedFrom): string {
  const [scope, own] = npm?.startsWith('@') === true ? npm.slice(1).split('/') : []
  const said = [own ?? npm, pypi, image?.split('/').at(-1), host && labelOf(host), command]
  const slugs = said.flatMap((each) => (each === undefined ? [] : [slugOf(each)]))
  // `@stripe/mcp` is called by whose it is.
  const all = [...slugs, ...(scope === undefined ? [] : [slugOf(scope)])].filter((slug) => slug !== '')
  return all.find((slug) => !generic.test(slug)) ?? all[0] ?? 'server'
}

const generic = /^(?:mcp|server|mcp-server|index|main|cli|dist|app|start|api|www)$/i

const slugOf = (word: string): string =>
  word
    .replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+/, '')
    .slice(0, 40)

/** Of `mcp.stripe.com` "stripe": the label before the public suffix, as far as two letters behind a dot are one. */
function labelOf(host: string): string {
  if (/^[\d.]+$|:|^localhost$/.test(host)) return host
  const labels = host.split('.')
  const suffix = /^(?:co|com|org|net|gov|ac)$/.test(labels.at(-2) ?? '') && (labels.at(-1)?.length ?? 0) === 2 ? 2 : 1
  return labels.at(-1 - suffix) ?? host
}
