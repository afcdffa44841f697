// docs/sources.md says of each requirement which test shows it. A row that names a test which is gone says nothing.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs', 'sources.md')

/** Cells of each row of each table, without heads. */
const rows = readFileSync(page, 'utf8')
  .split('\n')
  .filter((line) => /^\| (?!-|requirement )/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )

/** A title as code, and behind it its file as a link in brackets. */
const namedTests = (cell: string): readonly (readonly [title: string, file: string])[] =>
  [...cell.matchAll(/`([^`]+)` \(\[[^\]]+\]\(([^)]+)\)\)/g)].map(([, title = '', file = '']) => [title, file] as const)

const decisions = (cell: string): readonly string[] =>
  [...cell.matchAll(/\[ADR \d+\]\(([^)]+)\)/g)].map(([, file = '']) => file)

/** Titles of the tests that a file runs, as they are written down. */
const titlesOf = (path: string): readonly string[] =>
  [
    ...readFileSync(path, 'utf8').matchAll(
      /^\s*test(?:\.each(?:<[^>]*>)?\([^]*?\)|\.prop\([^]*?\))?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/gm,
    ),
  ].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'))

test('the page has rows', () => {
  expect(rows.length).toBeGreaterThan(30)
})

test.each(rows)('%s', (...cells) => {
  expect(cells).toHaveLength(3)
  const shown = cells[2] ?? ''
  const [tests, adrs] = [namedTests(shown), decisions(shown)]
  expect(tests.length + adrs.length, 'a test or an ADR').toBeGreaterThan(0)
  for (const file of adrs) expect(existsSync(join(dirname(page), file)), file).toBe(true)
  for (const [title, file] of tests) {
    expect(file).toMatch(/^\.\.\/test\/(?:(?:server|ui|types|journeys|hosts)\/.*|links)\.test\.tsx?$/)
    expect(titlesOf(join(dirname(page), file))).toContain(title)
  }
})
