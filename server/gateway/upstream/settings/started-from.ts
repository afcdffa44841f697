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
  const command = stemOf(first)
  switch (command.toLowerCase()) {
    case 'cmd':
      return ofWords(rest.filter((word) => !/^\/[a-z]$/i.test(word)))
    case 'env':
      return ofWords(rest.slice(rest.findIndex((word) => !/^[A-Za-z_]\w*=|^-/.test(word))))
    case 'npx':
    case 'bunx':
      return npmIn(rest)
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return npmIn(rest.slice(/^(?:exec|x|dlx)$/.test(rest[0] ?? '') ? 1 : 0))
    case 'uvx':
      return pypiIn(rest)
    case 'uv':
      return pypiIn(afterWord(rest, /^run$/))
    case 'pipx':
      return pypiIn(afterWord(rest, /^run$/))
    case 'docker':
    case 'podman':
      return imageIn(afterWord(rest, /^run$/))
    default:
      return /^python[\d.]*$/i.test(command) ? ofPython(rest) : ofScript(command, first, rest)
  }
}

const afterWord = (words: readonly string[], word: RegExp): readonly string[] => {
  const at = words.findIndex((each) => word.test(each))
  return at < 0 ? words : words.slice(at + 1)
}

/** `-p pkg name` runs a command of a package; without it the first word is the package. */
function npmIn(words: readonly string[]): StartedFrom {
  const named = optionIn(words, /^(?:-p|--package)$/)
  const [first] = plainWords(
    words,
    /^(?:-p|--package|-c|--call|-w|--workspace|--registry|--cache|--prefix|--userconfig)$/,
  )
  const given = named ?? first
  return given === undefined ? {} : { npm: withoutVersion(given) }
}

function pypiIn(words: readonly string[]): StartedFrom {
  const valued =
    /^(?:--from|--with|--with-editable|--with-requirements|--python|-p|--index|--index-url|--default-index|--extra-index-url|--directory|--project|--env-file|--spec|--refresh-package|-m|--module|--extra|--group|--config-file|--cache-dir)$/
  const [first] = plainWords(words, valued)
  const given = optionIn(words, /^(?:--from|--spec)$/) ?? optionIn(words, /^(?:-m|--module)$/) ?? first
  if (given === undefined) return {}
  if (/^python[\d.]*$/.test(given)) return ofPython(words.slice(words.indexOf(given) + 1))
  return given.endsWith('.py') ? { command: stemOf(given) } : { pypi: pythonName(given) }
}

function ofPython(words: readonly string[]): StartedFrom {
  const module = optionIn(words, /^-m$/)
  if (module !== undefined) return { pypi: pythonName(module) }
  const [script] = plainWords(words, /^-[WX]$/)
  return script === undefined ? {} : { command: stemOf(script) }
}

/** Of a script the package in whose folder it was installed. */
function ofScript(command: string, first: string, rest: readonly string[]): StartedFrom {
  const runs = /^(?:node|bun|deno|tsx|ts-node)$/i.test(command)
  const [script = first] = runs
    ? plainWords(rest, /^(?:-r|--require|--import|--loader|-C|--conditions|--env-file)$/).filter(
        (word) => word !== 'run',
      )
    : [first]
  const path = script.replaceAll('\\', '/')
  const [scope = '', own = ''] = path.split('node_modules/').at(-1)?.split('/') ?? []
  if (path.includes('node_modules/') && scope !== '.bin')
    return { npm: scope.startsWith('@') ? `${scope}/${own}` : scope, command: stemOf(script) }
  return { command: stemOf(script) }
}

/** Switches of `docker run`; whatever else begins with a dash and has no `=` takes the next word. */
const switches =
  /^(?:-[itdPq]+|--(?:interactive|tty|detach|rm|privileged|init|read-only|publish-all|quiet|no-healthcheck|oom-kill-disable|sig-proxy|replace))$/

function imageIn(words: readonly string[]): StartedFrom {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) return { image: word.replace(/@sha256:.*$/, '').replace(/:[^/:]*$/, '') }
    if (!switches.test(word) && !word.includes('=') && !/^-[epvwuml]./.test(word)) at++
  }
  return {}
}

/** The words that are no options and no values of options. */
function plainWords(words: readonly string[], valued: RegExp): readonly string[] {
  const plain: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') continue
    if (!word.startsWith('-')) plain.push(word)
    else if (valued.test(word)) at++
  }
  return plain
}

function optionIn(words: readonly string[], option: RegExp): string | undefined {
  for (const [at, word] of words.entries()) {
    if (option.test(word)) return words[at + 1]
    const [name = '', ...value] = word.split('=')
    if (value.length > 0 && option.test(name)) return value.join('=')
  }
  return undefined
}

const withoutVersion = (word: string): string => word.replace(/(?<=.)@[^@/]*$/, '')

/** As PyPI compares names (PEP 503), without version and extras. */
const pythonName = (word: string): string => {
  const [address = word] = word.split(/[@#]/)
  const name = word.startsWith('git+') ? (address.split('/').at(-1) ?? '').replace(/\.git$/, '') : word
  const end = name.slice(1).search(/[[=<>!~@]/)
  return (end < 0 ? name : name.slice(0, end + 1)).replace(/[-_.]+/g, '-').toLowerCase()
}

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
