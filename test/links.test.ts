// A reader who follows a link must arrive. Links between documents are files and headings of this repository; the sources
// name documents, sections and decisions in their comments and in what they tell agents and operators.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'

const documents = globSync('{*.md,docs/**/*.md,cheatsheets/**/*.md}').toSorted()
const sources = globSync('{server,ui,test}/**/*.{ts,tsx,css,html}').toSorted()

/** A document without what stands in its fences, where `#` is a comment and `[x](y)` is code. */
const proseOf = (file: string): string => readFileSync(file, 'utf8').replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '')

/** The anchor that GitHub gives a heading. */
const slugOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')

/** The anchors of a document; a heading that stands there again is numbered. */
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(file).matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = slugOf(heading)
    let anchor = slug
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`
    anchors.add(anchor)
  }
  return anchors
}

interface Link {
  readonly from: string
  readonly to: string
}

const linksOf = (from: string): readonly Link[] =>
  [...proseOf(from).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, to = '']) => ({ from, to }))
    // Another protocol, or an address of the network.
    .filter(({ to }) => !/^[a-z][a-z0-9+.-]*:/i.test(to))

/** Why a link leads nowhere, if it does. */
function problemOf({ from, to }: Link): string | undefined {
  const [path = '', anchor] = to.split('#')
  const file = path === '' ? from : normalize(join(dirname(from), decodeURIComponent(path)))
  if (!existsSync(file)) return `${from}: there is no ${file}`
  if (anchor === undefined || anchorsOf(file).has(anchor)) return undefined
  return `${from}: ${file} has no heading for #${anchor}`
}

describe('the documents', () => {
  const links = documents.flatMap(linksOf)

  test('link to files and headings that are there', () => {
    expect(links.length).toBeGreaterThan(40)
    expect(links.some(({ to }) => to.includes('#'))).toBe(true)
    expect(links.flatMap((link) => problemOf(link) ?? [])).toStrictEqual([])
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
