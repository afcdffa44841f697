// A reader who follows a link must arrive. Links between documents are files and headings of this repository; the sources
// name documents, sections and decisions in their comments and in what they tell agents and operators.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob, normalize } from 'node:path'
import { walkTokens } from 'marked'
import { describe, expect, test } from 'vitest'
import { anchorsOf, blocksOf, packageDocs } from '../server/compose/docs.ts'

// Pages that a build has made are checked by that build.
const documents = globSync('{*.md,docs/**/*.md,cheatsheets/**/*.md}', {
  exclude: ['docs/api', '**/node_modules'],
}).toSorted()
const sources = globSync('{server,ui,test}/**/*.{ts,tsx,css,html}', { exclude: ['**/node_modules'] }).toSorted()

/** What stands in the package and speaks to agents or operators, beside the documents and the sources. */
const data = globSync('{profiles/*.yaml,cheatsheets/*.yaml,*.schema.json}').toSorted()

const blocksOfFile = new Map(
  await Promise.all(documents.map(async (file) => [file, await blocksOf(readFileSync(file, 'utf8'))] as const)),
)
const anchors = new Map(
  [...blocksOfFile].map(([file, blocks]) => [file, new Set(anchorsOf(blocks).map(({ anchor }) => anchor))]),
)

interface Target {
  readonly from: string
  readonly to: string
}

interface Link extends Target {
  readonly kind: 'link' | 'image'
}

/** The targets of all links and pictures of a document, as a reader of Markdown finds them. */
function linksOf(from: string): readonly Link[] {
  const links: Link[] = []
  void walkTokens([...(blocksOfFile.get(from) ?? [])], (token) => {
    if (token.type === 'link' || token.type === 'image')
      links.push({ from, to: String(token['href']), kind: token.type })
  })
  return links
}

const hasScheme = (to: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(to)

/** The file of this repository that a link means. */
const fileOf = ({ from, to }: Target): string => {
  const [path = ''] = to.split('#')
  return path === '' ? from : normalize(join(dirname(from), decodeURIComponent(path)))
}

/** Why a link within the repository leads nowhere, if it does. */
function problemOf({ from, to }: Target): string | undefined {
  const [, anchor] = to.split('#')
  const file = fileOf({ from, to })
  if (!existsSync(file)) return `${from}: there is no ${file}`
  if (anchor === undefined || anchors.get(file)?.has(anchor) === true) return undefined
  return `${from}: ${file} has no heading for #${anchor}`
}

describe('the documents', () => {
  const all = documents.flatMap(linksOf)
  const links = all.filter(({ to }) => !hasScheme(to))

  test('link to files and headings that are there', () => {
    expect(links.length).toBeGreaterThan(40)
    expect(links.some(({ to }) => to.includes('#'))).toBe(true)
    expect(links.flatMap((link) => problemOf(link) ?? [])).toStrictEqual([])
  })

  test('bring their pictures along in the package', () => {
    const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] }
    const isPackaged = (file: string): boolean =>
      files.some((entry) => matchesGlob(file, entry) || matchesGlob(file, `${entry}/**`))
    const shown = links.filter(({ kind, from }) => kind === 'image' && isPackaged(from))
    expect(shown.length).toBeGreaterThan(6)
    expect(shown.map(fileOf).filter((file) => !isPackaged(file))).toStrictEqual([])
  })

  test.each([
    ['docs/guides/no-such-guide.md', /there is no docs/],
    ['docs/DESIGN.md#9-what-nobody-wrote', /has no heading/],
    ['docs/DESIGN.md#4-what-a-result-carries', undefined],
  ])('a link to %s is judged as it is', (to, problem) => {
    const found = problemOf({ from: 'README.md', to })
    if (problem === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(problem)
  })
})

describe('an address of the network', () => {
  test('is a whole one of the web, of a host that has a name', () => {
    const outside = documents.flatMap(linksOf).filter(({ to }) => hasScheme(to))
    expect(outside.length).toBeGreaterThan(20)
    const wrong = outside.filter(({ to }) => {
      const url = URL.canParse(to) ? new URL(to) : undefined
      return url === undefined || !/^https?:$/.test(url.protocol) || !url.hostname.includes('.') || /[<>{}|]/.test(to)
    })
    expect(wrong).toStrictEqual([])
  })
})

describe('an address of this server', () => {
  /** What stands for any name: `{page}`, `<section>`, `${name}`. */
  const isTemplate = (address: string): boolean => /[<{$]/.test(address)
  const named = (pattern: RegExp): readonly Target[] =>
    [...documents, ...sources.filter((file) => !file.startsWith('test/')), ...data].flatMap((from) =>
      [...readFileSync(from, 'utf8').matchAll(pattern)]
        .map(([, to = '']) => ({ from, to }))
        .filter(({ to }) => !isTemplate(to)),
    )

  test('of documentation, wherever it is named, is a page and a section that are there', async () => {
    const addresses = named(/(countersign:\/\/docs\/[^\s"'`)\]]+?)(?=[.,;:]?(?:[\s"'`)\]]|$))/g)
    expect(addresses.length).toBeGreaterThan(0)
    for (const { from, to } of addresses)
      expect([from, to, (await packageDocs.read(to)).ok]).toStrictEqual([from, to, true])
  })

  test('of a cheatsheet, wherever it is named, is one that is shipped', () => {
    const sheets = named(/mcp:\/\/([^\s"'`/]+)\/cheatsheet/g)
    const ofProfiles = globSync('profiles/*.yaml').flatMap((from) =>
      [...readFileSync(from, 'utf8').matchAll(/^cheatsheet: (\S+)$/gm)].map(([, to = '']) => ({ from, to })),
    )
    expect(ofProfiles.length).toBeGreaterThan(5)
    expect([...sheets, ...ofProfiles].filter(({ to }) => !existsSync(`cheatsheets/${to}.md`))).toStrictEqual([])
  })
})

describe('what sources and documents name', () => {
  const texts = [...documents, ...sources].filter((file) => file !== 'test/links.test.ts')
  const named = (pattern: RegExp) =>
    texts.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, ...parts]) => ({ file, parts: parts.map(String) })),
    )

  test('are documents that are there', () => {
    // An upstream's file in a test, and an operator's own in an example.
    const others = new Set(['docs/setup.md', 'cheatsheets/files.md'])
    const files = named(/(?<![\w/.-])((?:docs|cheatsheets)\/[\w/-]+\.md)/g)
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter(({ parts: [name = ''] }) => !existsSync(name) && !others.has(name))).toStrictEqual([])
  })

  test('are sections of the design that are there', () => {
    const sections = new Set([...readFileSync('docs/DESIGN.md', 'utf8').matchAll(/^## (\d+)\. /gm)].map(([, at]) => at))
    const cited = named(/docs\/DESIGN\.md(?:\)|`)?, sections? (\d+)/g)
    expect(cited.length).toBeGreaterThan(10)
    expect(cited.filter(({ parts: [at] }) => !sections.has(at))).toStrictEqual([])
  })

  test('are decisions that are there', () => {
    const decisions = new Set(globSync('docs/adr/*.md').map((file) => Number(/(\d{4})/.exec(file)?.[1])))
    const cited = named(/(?:docs\/adr\/|\bADR )(\d+)/g)
    expect(cited.length).toBeGreaterThan(10)
    expect(cited.filter(({ parts: [number] }) => !decisions.has(Number(number)))).toStrictEqual([])
  })
})
