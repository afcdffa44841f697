// What stops the build of the documentation: it is tried with pages that are wrong.
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkAnchors } from '../../../docs/.vitepress/anchors.ts'
import { addressOf } from '../../../docs/.vitepress/links.ts'
import { checkMenus } from '../../../docs/.vitepress/navigation.ts'
import { packageRoot } from '../../../server/package-root.ts'
import { place } from '../at-end.ts'

describe('a link of a document', () => {
  test.each([
    ['docs/guides/undo.md', 'contracts.md#fields', '/guides/contracts#fields'],
    ['docs/DESIGN.md', 'guides/contracts.md', '/guides/contracts'],
    [
      'CONTRIBUTING.md',
      'docs/adr/0043-a-shell-is-read-by-what-is-known-to-read.md',
      '/adr/0043-a-shell-is-read-by-what-is-known-to-read',
    ],
    ['docs/guides/compared.md', '../../README.md', '/'],
    ['docs/guides/contracts.md', '../examples/tracker.ts', '/examples/tracker'],
    ['docs/guides/profiles.md', '../../profiles', undefined],
  ])('%s → %s leads to %s', (source, to, address) => expect(addressOf(source, to)).toBe(address))

  test('to a file that is not there stops the build', () => {
    expect(() => addressOf('docs/guides/undo.md', 'redo.md')).toThrow(
      /^docs\/guides\/undo.md links to .*, which is not there\.$/,
    )
  })
})

test('a link to a place that its page does not have stops the build, and one that it has does not', () => {
  const folder = place()
  mkdirSync(join(folder, 'guides'))
  writeFileSync(
    join(folder, 'index.html'),
    '<a href="/docs/guides/undo#it-follows">Undo</a> <a href="#top">Up</a><p id="top">',
  )
  const undo = (id: string): void => writeFileSync(join(folder, 'guides', 'undo.html'), `<h2 id="${id}">Undo</h2>`)
  undo('it-follows')
  expect(() => checkAnchors(folder)).not.toThrow()
  undo('it-leads')
  expect(() => checkAnchors(folder)).toThrow('/docs/ links to /docs/guides/undo#it-follows')
})

test('every page of the repository stands in a menu', () => {
  const pages = globSync('{*,guides/*,recipes/*}.md', { cwd: join(packageRoot(), 'docs') })
  expect(pages.length).toBeGreaterThan(25)
  // Pages that the build makes are not there.
  expect(() => checkMenus(pages)).not.toThrow('stand in no menu')
})

test('a page that stands in no menu stops the build, and so does a menu that leads nowhere', () => {
  expect(() => checkMenus(['guides/forgotten.md'])).toThrow('These pages stand in no menu: /guides/forgotten.')
  expect(() => checkMenus([])).toThrow('The menus lead to pages that are not there: /guides/tutorial')
})
