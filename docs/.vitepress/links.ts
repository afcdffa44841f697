// The pages are read in the repository, in the package and as a site, and only the first has every file that they link to. In the
// site a link to a file that is no page is its words alone; one to a file that is not there stops the build.
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

type Token = ReturnType<MarkdownRenderer['parse']>[number]

const root = join(import.meta.dirname, '..', '..')

/** Documents outside of `docs` that a page of the site shows, and which page that is. */
export const shownElsewhere: Readonly<Record<string, string>> = {
  'README.md': '/',
  'CHANGELOG.md': '/changelog',
  'CONTRIBUTING.md': '/contributing',
  'docs/examples/tracker.ts': '/examples/tracker',
  'docs/adr': '/adr/0001-the-library-door',
  'docs/recipes': '/recipes/hono',
}

const isOutside = (to: string): boolean => /^[a-z][a-z0-9+.-]*:|^[#/]/i.test(to)

/** The document that a page shows: itself, or the one that it includes as its only line. */
function sourceOf(page: string): string {
  const path = posix.join('docs', page)
  const included = /^<!--@include: (\S+)-->$/m.exec(readFileSync(join(root, path), 'utf8'))?.[1]
  return included === undefined ? path : posix.join(posix.dirname(path), included)
}

/** Where a link of a document leads in the site; `undefined` where the site has no such page. */
export function addressOf(source: string, to: string): string | undefined {
  const [path = '', section] = to.split('#', 2)
  const target = posix.join(posix.dirname(source), decodeURIComponent(path)).replace(/\/$/, '')
  if (!existsSync(join(root, target))) throw new Error(`${source} links to ${target}, which is not there.`)
  const isPage = /^docs\/(?!\.vitepress).*\.md$/.test(target)
  const page = shownElsewhere[target] ?? (isPage ? `/${target.slice('docs/'.length, -'.md'.length)}` : undefined)
  return page === undefined || section === undefined ? page : `${page}#${section}`
}

/** The anchor of a heading, as `anchorsOf` of `server/compose/docs.ts` makes it for MCP clients. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** Makes the links of a page those of the site. */
export function siteLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('site-links', ({ tokens, env }) => {
    const { relativePath: page = '' } = env as { readonly relativePath?: string }
    // Of the API everything is a page, and what is set in the head of one has no links.
    if (page === '' || page.startsWith('api/')) return
    const source = sourceOf(page)
    for (const inline of tokens) if (inline.children !== null) inline.children = linked(inline.children, source)
  })
}

/** Braces of a text stay braces: VitePress compiles pages as templates, and none of ours is one. */
export function plainBraces({ renderer: { rules } }: MarkdownRenderer): void {
  for (const kind of ['text', 'code_inline'] as const) {
    const before = rules[kind]
    rules[kind] = (...args) => (before?.(...args) ?? '').replaceAll('{{', '&#123;&#123;')
  }
}

/** What only contributors read would stand in the way of everybody else who searches. */
export function soughtByUsers(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('sought-by-users', ({ env }) => {
    const page = env as { readonly relativePath?: string; frontmatter?: Record<string, unknown> }
    if (/^(?:adr\/|sources\.|changelog\.|contributing\.|FUEL\.)/.test(page.relativePath ?? ''))
      page.frontmatter = { ...page.frontmatter, search: false }
  })
}

/** Cells of a table are aligned by a class: the policy of the pages takes no styles in attributes. */
export function alignedByClass(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('aligned-by-class', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'td_open' || type === 'th_open')) {
      const side = /text-align:(\w+)/.exec(token.attrGet('style') ?? '')?.[1]
      if (side !== undefined) token.attrs = [['class', side]]
    }
  })
}

function linked(tokens: readonly Token[], source: string): Token[] {
  let isDropped = false
  return tokens.filter((token) => {
    if (token.type === 'link_open') {
      const to = String(token.attrGet('href'))
      const address = isOutside(to) ? to : addressOf(source, to)
      isDropped = address === undefined
      if (address !== undefined) token.attrSet('href', address)
      return !isDropped
    }
    if (token.type !== 'link_close' || !isDropped) return true
    isDropped = false
    return false
  })
}
