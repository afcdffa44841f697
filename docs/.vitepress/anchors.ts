// VitePress stops at a link to a page that is not there, and not at one to a place within a page.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const unescaped = (text: string): string => decodeURIComponent(text).replaceAll('&amp;', '&')

/**
 * Looks for the place of each link within the site that was written to this folder.
 * @throws naming the links that lead to no place.
 */
export function checkAnchors(folder: string): void {
  const pages = new Map(
    globSync('**/*.html', { cwd: folder }).map((file) => {
      const html = readFileSync(join(folder, file), 'utf8')
      const address = `/docs/${file.replace(/(?:index)?\.html$/, '')}`
      const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => unescaped(id)))
      const links = [...html.matchAll(/ href="([^"#]*)#([^"]+)"/g)].map(([, to = '', anchor = '']) => [
        to === '' ? address : to,
        unescaped(anchor),
      ])
      return [address, { ids, links }] as const
    }),
  )
  const dead = [...pages].flatMap(([from, { links }]) =>
    links
      .filter(([to = '', anchor = '']) => pages.get(to)?.ids.has(anchor) === false)
      .map(([to, anchor]) => `${from} links to ${to}#${anchor}`),
  )
  if (dead.length > 0)
    throw new Error(`There are links to places that are not there:\n${[...new Set(dead)].join('\n')}`)
}
