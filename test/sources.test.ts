// docs/sources.md says of each requirement which test shows it. A row that names a test which is gone says nothing.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs', 'sources.md')

const text = readFileSync(page, 'utf8')

/** Cells of each row of each table in a text, without heads. */
const rowsOf = (part: string): readonly (readonly string[])[] =>
  part
    .split('\n')
    .filter((line) => /^\| (?!-|requirement )/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

const rows = rowsOf(text)

/** A title as code, and behind it its file as a link in brackets. */
const namedTests = (cell: string): readonly (readonly [title: string, file: string])[] =>
  [...cell.matchAll(/`([^`]+)` \(\[[^\]]+\]\(([^)]+)\)\)/g)].map(([, title = '', file = '']) => [title, file] as const)

const decisions = (cell: string): readonly string[] =>
  [...cell.matchAll(/\[ADR \d+\]\(([^)]+)\)/g)].map(([, file = '']) => file)

/** Files and folders of this repository that a cell names as code. */
const namedPaths = (cell: string): readonly string[] =>
  [...cell.matchAll(/`((?:server|ui|docs)\/[^`]*)`/g)].map(([, path = '']) => path)

/** Whether some of the tests that are written down in this text are not run. */
const leavesOut = (source: string): boolean =>
  /\b(?:describe|test|it|suite)\b[^(\n]*\.(?:skip|todo|only|skipIf|runIf|fails)\b/.test(source)

/** Titles of the tests in the text of a file, as they are written down. */
const titlesOf = (source: string): readonly string[] =>
  [
    ...source.matchAll(
      /^\s*test(?:\.each(?:<[^>]*>)?\([^]*?\)|\.prop\([^]*?\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm,
    ),
  ].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))

test('the page has rows', () => {
  expect(rows.length).toBeGreaterThan(200)
})

test('names no requirement twice', () => {
  const named = rows.map(([requirement]) => requirement)
  expect(named.filter((one, at) => named.indexOf(one) < at)).toStrictEqual([])
})

// Of each document: how many rows there are, how many of them are otherwise than it asks, and by which decisions.
test.each(
  text
    .split(/^## /m)
    .slice(1)
    .map((part) => [part.split('\n')[0] ?? '', part]),
)('%s: the figures above the tables are those of the rows', (_, part) => {
  const here = rowsOf(part)
  const different = here.filter(([, where = '']) => where.startsWith('different: '))
  const otherwise = different.length === 0 ? '' : `, ${different.length} different`
  const [figures = ''] = part.match(/^\d+ rows: .*$/m) ?? []
  expect(figures).toContain(`${here.length} rows: ${here.length - different.length} as written${otherwise}`)
  for (const [requirement, , shown = ''] of different) {
    expect(decisions(shown).length, requirement).toBeGreaterThan(0)
    for (const decision of decisions(shown)) expect(figures).toContain(decision)
  }
})

test.each([
  'describe.skip',
  'describe.concurrent.skip',
  'describe.todo',
  'test.skip',
  'test.todo',
  'test.only',
  'test.skipIf(true)',
  'it.skip.each([1])',
])('a file with %s shows nothing', (call) => {
  expect(leavesOut(`${call}('a title', () => {})`)).toBe(true)
  expect(leavesOut(`test('a title of ${call.split('.')[1]}', () => {})`)).toBe(false)
})

test.each(rows)('%s', (...cells) => {
  expect(cells).toHaveLength(3)
  const shown = cells[2] ?? ''
  const [tests, adrs] = [namedTests(shown), decisions(shown)]
  for (const path of namedPaths(cells[1] ?? '')) expect(existsSync(join(root, path)), path).toBe(true)
  expect(tests.length + adrs.length, 'a test or an ADR').toBeGreaterThan(0)
  for (const file of adrs) expect(existsSync(join(dirname(page), file)), file).toBe(true)
  for (const [title, file] of tests) {
    expect(file).toMatch(/^\.\.\/test\/(?:(?:server|ui|types|journeys|hosts)\/.*|links)\.test\.tsx?$/)
    const source = readFileSync(join(dirname(page), file), 'utf8')
    expect(leavesOut(source), `${file} leaves tests out`).toBe(false)
    expect(titlesOf(source)).toContain(title)
  }
})
