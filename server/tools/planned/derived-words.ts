// Words that follow from a tool's name, where its contract says none.
import { humanLabel } from '../human-label.ts'

/** Words that end like plurals and are none, or whose singular no rule finds. */
const irregular: Readonly<Record<string, string>> = {
  news: 'news',
  series: 'series',
  canvas: 'canvas',
  movies: 'movie',
  cookies: 'cookie',
  calories: 'calorie',
  statuses: 'status',
  viruses: 'virus',
  bonuses: 'bonus',
}

/**
 * One of a name in the plural: "issues" is "issue", "entries" "entry", "boxes" "box". A word of which that is not plain ("status",
 * "sms") stays as it is: a plural on a button misleads nobody, half a word does.
 */
function singularOf(word: string): string {
  const known = Object.hasOwn(irregular, word) ? irregular[word] : undefined
  if (known !== undefined) return known
  if (word.length < 4 || !/[aeiouy]/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:x|z|ss|sh|tch|nch|rch)es$/.test(word)) return word.slice(0, -2)
  return /[^sui]s$/.test(word) && !/[ai]s$/.test(word) ? word.slice(0, -1) : word
}

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

/** "issues.close" is about "the issue", "shop.place_order" about "the order". */
export function nounFrom(name: string): string {
  const [domain, verb] = partsOf(name)
  const [, ...thing] = verb.split('_')
  return `the ${(thing.length > 0 ? humanLabel(thing.join('_')) : humanLabel(singularOf(domain))).toLowerCase()}`
}

/** The first sentence of a description. */
export const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text.trim())?.[0] ?? text.trim()
