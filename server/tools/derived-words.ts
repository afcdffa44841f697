// Words that follow from a tool's name, where its contract says none.
import { humanLabel } from './human-label.ts'

/** One of a name in the plural: "issues" is "issue", "entries" "entry", "boxes" "box". A word that is no plural stays. */
export const singularOf = (word: string): string =>
  word
    .replace(/(?<=[a-z]{2})ies$/, 'y')
    .replace(/(?<=x|ch|sh|ss)es$/, '')
    .replace(/(?<![siu])s$/, '')

const plurals = new Set(['list', 'search', 'count', 'export', 'import'])

const partsOf = (name: string): readonly [string, string] => {
  const [domain = '', verb = ''] = name.split('.')
  return [domain, verb]
}

/** "issues.close" is "Close issue", "issues.list" is "List issues", and "shop.place_order" is "Place order". */
export function titleFrom(name: string): string {
  const [domain, verb] = partsOf(name)
  if (verb.includes('_')) return humanLabel(verb)
  return humanLabel(`${verb} ${plurals.has(verb) ? domain : singularOf(domain)}`)
}

/** "issues.close" is about "the issue". */
export const nounFrom = (name: string): string => `the ${humanLabel(singularOf(partsOf(name)[0])).toLowerCase()}`

/** The first sentence of a description. */
export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim()
