// What stands beside the pages, in the order in which somebody who is new needs it. A page that stands nowhere here stops the
// build: nobody would find it.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

const docs = join(import.meta.dirname, '..')

const guide = (text: string, page: string): DefaultTheme.SidebarItem => ({ text, link: `/guides/${page}` })
const recipe = (text: string, page: string): DefaultTheme.SidebarItem => ({ text, link: `/recipes/${page}` })

const guides: DefaultTheme.SidebarItem[] = [
  {
    text: 'Begin',
    items: [
      guide('Tutorial', 'tutorial'),
      { text: 'A whole server', link: '/examples/tracker' },
      guide('Compared with', 'compared'),
      { text: 'Glossary', link: '/GLOSSARY' },
    ],
  },
  {
    text: 'Tools of your own',
    items: [
      guide('Cards and blocks', 'cards'),
      guide('Risk and proof', 'risk'),
      guide('Previews and drift', 'previews'),
      guide('Undo', 'undo'),
      guide('Failures of a tool', 'failures'),
      guide('Testing', 'testing'),
      guide('Evaluating a model', 'evaluating-models'),
      guide('Contracts, field by field', 'contracts'),
    ],
  },
  {
    text: 'Into your application',
    items: [
      guide('Mounting a server', 'mounting'),
      guide('Auth in code', 'auth'),
      recipe('Hono', 'hono'),
      recipe('Express', 'express'),
      recipe('Fastify', 'fastify'),
      recipe('Next.js', 'nextjs'),
      recipe('Serverless, with PostgreSQL', 'serverless'),
      recipe('An McpServer that is there', 'attach'),
    ],
  },
  {
    text: 'Running it',
    items: [
      guide('Deployment', 'scaling'),
      guide('Configuration', 'configuration'),
      guide('Operators', 'operators'),
      guide('Hosts', 'hosts'),
      guide('SDKs and other clients', 'clients'),
      recipe('Frameworks of agents', 'frameworks'),
    ],
  },
  {
    text: 'Servers of others',
    items: [guide('The gateway', 'gateway'), guide('Profiles', 'profiles')],
  },
  {
    text: 'Toolsets',
    items: [guide('Files', 'files'), guide('Mail', 'mail'), guide('Programs of agents', 'sandbox')],
  },
  {
    text: 'Look up',
    items: [
      { text: 'API', link: '/api/' },
      { text: 'Commands', link: '/api/commands' },
      { text: 'Settings', link: '/api/settings' },
      guide('Errors', 'errors'),
      guide('The wire', 'wire'),
      { text: 'Changes', link: '/changelog' },
    ],
  },
]

/** The heading of a decision, which begins with its number. */
const decision = (file: string): DefaultTheme.SidebarItem => ({
  text: /^# (.+)$/m.exec(readFileSync(join(docs, file), 'utf8'))?.[1] ?? file,
  link: `/${file.replace(/\.md$/, '')}`,
})

const contributors: DefaultTheme.SidebarItem[] = [
  {
    text: 'For contributors',
    items: [
      { text: 'Contributing', link: '/contributing' },
      { text: 'Design', link: '/DESIGN' },
      { text: 'Fuel in WebAssembly', link: '/FUEL' },
      { text: 'What the sources ask', link: '/sources' },
      { text: 'Decisions', link: '/adr/0001-the-library-door' },
    ],
  },
]

const decisions: DefaultTheme.SidebarItem[] = [
  ...contributors.map((group) => ({
    ...group,
    items: group.items?.filter(({ link }) => link?.startsWith('/adr') !== true) ?? [],
  })),
  {
    text: 'Decisions',
    items: globSync('adr/0*.md', { cwd: docs }).toSorted().map(decision),
  },
]

/** Of the API what is called has its line; types are reached from there, from the lists of all names, and by searching. */
const named = (door: string, kind: string): DefaultTheme.SidebarItem[] =>
  globSync(`api/${door}/${kind}/*.md`, { cwd: docs })
    .map((file) => ({ text: basename(file, '.md'), link: `/${file.replace(/\.md$/, '')}` }))
    .toSorted((a, b) => a.text.localeCompare(b.text))

const doorOf = (door: string): DefaultTheme.SidebarItem => ({
  text: door,
  items: [
    ...named(door, 'functions'),
    ...named(door, 'variables'),
    ...named(door, 'classes'),
    { text: 'All names, with types', link: `/api/${door}/` },
  ],
})

const lookUp: DefaultTheme.SidebarItem = {
  text: 'Look up',
  items: [
    { text: 'Commands', link: '/api/commands' },
    { text: 'Settings', link: '/api/settings' },
    { text: 'Errors', link: '/guides/errors' },
  ],
}

export const sidebar: DefaultTheme.SidebarMulti = {
  '/': guides,
  '/api/': [lookUp, doorOf('countersign'), doorOf('countersign/testing')],
  '/contributing': contributors,
  '/DESIGN': contributors,
  '/FUEL': contributors,
  '/sources': contributors,
  '/adr/': decisions,
}

export const nav: DefaultTheme.NavItem[] = [
  { text: 'Guides', link: '/guides/tutorial', activeMatch: '^/(guides|recipes|examples)/' },
  { text: 'Reference', link: '/api/', activeMatch: '^/api/' },
  { text: 'For contributors', link: '/contributing', activeMatch: '^/(contributing|DESIGN|FUEL|sources|adr)' },
]

const linked = (items: readonly DefaultTheme.SidebarItem[]): readonly string[] =>
  items.flatMap(({ link, items: inner = [] }) => [...(link === undefined ? [] : [link]), ...linked(inner)])

/**
 * Compares the menus with the pages that there are.
 * @throws where a page stands in no menu, or a menu leads nowhere.
 */
export function checkMenus(pages: readonly string[]): void {
  const links = new Set(Object.values(sidebar).flatMap((menu) => linked(Array.isArray(menu) ? menu : menu.items)))
  const addresses = pages.map((page) => `/${page.replace(/(?:index)?\.md$/, '')}`)
  // Types are reached from the lists of all names.
  const alone = addresses.filter((page) => page !== '/' && !page.startsWith('/api/') && !links.has(page))
  const nowhere = [...links].filter((link) => !addresses.includes(link))
  if (alone.length > 0) throw new Error(`These pages stand in no menu: ${alone.join(', ')}. Add them to navigation.ts.`)
  if (nowhere.length > 0) throw new Error(`The menus lead to pages that are not there: ${nowhere.join(', ')}.`)
}
