// The documentation that this server hands out: pages of the package, read when somebody asks for one. What an error names is
// one section of a page, so a section is answered alone: an agent pays for every line that it reads.
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { MarkedToken, Token } from 'marked'
import { nearest } from '../errors/nearest.ts'
import { withPackages } from '../errors/optional-package.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { TextResource } from '../mcp/listing.ts'
import { cheatsheetTtlSeconds, type Cheatsheet } from '../model/cheatsheet.ts'
import { docsUri, isDocsAddress, type Docs } from '../model/docs.ts'
import { packageRoot } from '../package-root.ts'
import { cheatsheetUri } from '../tools/names.ts'

/** The file of each page, in the package. */
export const docFiles = {
  errors: 'docs/guides/errors.md',
  glossary: 'docs/GLOSSARY.md',
  auth: 'docs/guides/auth.md',
  cards: 'docs/guides/cards.md',
  clients: 'docs/guides/clients.md',
  compared: 'docs/guides/compared.md',
  configuration: 'docs/guides/configuration.md',
  contracts: 'docs/guides/contracts.md',
  'evaluating-models': 'docs/guides/evaluating-models.md',
  failures: 'docs/guides/failures.md',
  files: 'docs/guides/files.md',
  gateway: 'docs/guides/gateway.md',
  hosts: 'docs/guides/hosts.md',
  mail: 'docs/guides/mail.md',
  mounting: 'docs/guides/mounting.md',
  operators: 'docs/guides/operators.md',
  previews: 'docs/guides/previews.md',
  profiles: 'docs/guides/profiles.md',
  'recipe-attach': 'docs/recipes/attach.md',
  'recipe-express': 'docs/recipes/express.md',
  'recipe-fastify': 'docs/recipes/fastify.md',
  'recipe-frameworks': 'docs/recipes/frameworks.md',
  'recipe-hono': 'docs/recipes/hono.md',
  'recipe-nextjs': 'docs/recipes/nextjs.md',
  'recipe-serverless': 'docs/recipes/serverless.md',
  risk: 'docs/guides/risk.md',
  sandbox: 'docs/guides/sandbox.md',
  scaling: 'docs/guides/scaling.md',
  testing: 'docs/guides/testing.md',
  tutorial: 'docs/guides/tutorial.md',
  undo: 'docs/guides/undo.md',
  wire: 'docs/guides/wire.md',
} as const satisfies Readonly<Record<string, string>>

type PageName = keyof typeof docFiles

const isPage = (name: string): name is PageName => Object.hasOwn(docFiles, name)

/** The pages of this package. */
export const packageDocs: Docs = {
  pages: Object.keys(docFiles),
  read: async (address) => {
    const [name = '', section] = namedBy(address)
    if (!isPage(name)) return fail(noneSuch('page of documentation', name, packageDocs.pages))
    const file = docFiles[name]
    const tokens = await blocksOf(await readFile(join(packageRoot(), file), 'utf8'))
    const found = section === undefined ? ok(tokens) : sectionOf(tokens, section, name)
    return found.ok
      ? ok(
          `${found.value
            .map((token) => linked(token, file))
            .join('')
            .trim()}\n`,
        )
      : found
  },
}

/** The page and the section that an address names: as they are, or escaped by who has filled in the template (RFC 6570). */
function namedBy(address: string): readonly string[] {
  if (!isDocsAddress(address)) return [address]
  const rest = address.slice(docsUri.length)
  try {
    return decodeURIComponent(rest).split('#', 2)
  } catch {
    return [rest]
  }
}

function noneSuch(what: string, name: string, known: readonly string[]): string {
  const [near] = nearest(name, known, 1)
  const meant = near === undefined ? '' : ` Did you mean ${near}?`
  return `There is no ${what} ${JSON.stringify(name.slice(0, 100))}.${meant} There are: ${known.join(', ')}.`
}

/** The blocks of a Markdown text. */
export async function blocksOf(text: string): Promise<readonly Token[]> {
  const { Lexer } = await withPackages(['marked'], () => import('marked'))
  return new Lexer({ gfm: true }).lex(text)
}

interface Anchored {
  readonly at: number
  readonly depth: number
  readonly anchor: string
}

/**
 * The headings with the anchors that GitHub gives them; one that stands there again is numbered. `github-slugger` does the
 * same and would be one more package for this line.
 */
export function anchorsOf(tokens: readonly Token[]): readonly Anchored[] {
  const taken = new Map<string, number>()
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading') return []
    const { depth, tokens: words } = token as Extract<MarkedToken, { type: 'heading' }>
    const slug = plain(words)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const before = taken.get(slug) ?? 0
    taken.set(slug, before + 1)
    return [{ at, depth, anchor: before === 0 ? slug : `${slug}-${before}` }]
  })
}

/** The words of a heading without its marks. */
const plain = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens !== undefined ? plain(token.tokens) : textOf(token)))
    .join('')

const textOf = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : token.raw)

/** The blocks from a heading to the next one that is not below it. */
function sectionOf(tokens: readonly Token[], anchor: string, page: string): Result<readonly Token[], string> {
  const all = anchorsOf(tokens)
  const found = all.find((heading) => heading.anchor === anchor)
  if (found === undefined)
    return fail(
      noneSuch(
        `section of the page ${page} that is called`,
        anchor,
        all.map((heading) => heading.anchor),
      ),
    )
  const next = all.find(({ at, depth }) => at > found.at && depth <= found.depth)
  return ok(tokens.slice(found.at, next?.at))
}

/** A block with links that lead somewhere from here: to a page by its address, and else to nowhere. */
const linked = (token: Token, file: string): string =>
  token.type === 'code'
    ? token.raw
    : token.raw.replaceAll(/!?\[([^[\]]{0,200})\]\(([^()\s]{1,300})\)/g, (whole, words: string, to: string) => {
        if (/^[a-z][a-z0-9+.-]*:/i.test(to)) return whole
        const [path = '', section] = to.split('#', 2)
        const target = path === '' ? file : posix.join(posix.dirname(file), path)
        const page = Object.entries(docFiles).find(([, of]) => of === target)?.[0]
        return page === undefined ? words : `[${words}](${docsUri}${page}${section === undefined ? '' : `#${section}`})`
      })

/** A cheatsheet among the resources of a server. */
export const cheatsheetResource = (sheet: Cheatsheet): TextResource => ({
  uri: cheatsheetUri(sheet.name),
  name: `${sheet.name}-cheatsheet`,
  title: `Cheatsheet: ${sheet.name}`,
  mimeType: 'text/markdown',
  text: sheet.text,
  meta: { 'countersign/etag': sheet.etag, 'countersign/ttl_seconds': cheatsheetTtlSeconds },
})
