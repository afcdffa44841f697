// Real addresses: a link can be opened in a new tab, sent to a colleague, and gone back from. The History API does it
// all; what is left is to read an address, and to take over clicks on our own links from the browser.

/** Where the person is: `/admin/approvals/ap_1?x=y` is `{path: ['approvals', 'ap_1'], query: x=y}`. */
export interface Route {
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** Counts the steps from page to page; a filter that changes the query is none. */
  readonly visit: number
}

const root = '/admin'

/** The address of a page: `to('tools', 'files:edit')`. */
export const to = (...parts: readonly string[]): string =>
  [root, ...parts.map((part) => encodeURIComponent(part))].join('/')

/** The address of the calls that fit these filters. */
export const toActivity = (filters: Readonly<Record<string, string>>): string =>
  `${to('activity')}?${new URLSearchParams(filters)}`

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const readRoute = (location: Pick<Location, 'pathname' | 'search'>, visit: number): Route => ({
  path: location.pathname
    .replace(/^\/admin\/?/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
  query: new URLSearchParams(location.search),
  visit,
})

/** The page that a click leads to, where it is a plain click on a link into these pages. */
export const linkOf = (event: MouseEvent): string | undefined => {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin)
    return undefined
  const inside = link.pathname === root || link.pathname.startsWith(`${root}/`)
  // A jump within the page is the browser's.
  if (!inside || (link.hash !== '' && link.pathname === location.pathname)) return undefined
  return `${link.pathname}${link.search}`
}
