// A domain is read by its looks and reached by its bytes. `раypal.com` with two Cyrillic letters is another domain than
// `paypal.com`, so a card shows both spellings and says what the letters are.
import { domainToASCII, domainToUnicode } from 'node:url'
import type { MailWords } from '../words.ts'

/** Spelled as servers do; nothing where it is no domain. */
export function asciiDomain(given: string): string | undefined {
  const ascii = domainToASCII(given.normalize('NFC').toLowerCase().replace(/\.$/, ''))
  return /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/.test(ascii)
    ? ascii
    : undefined
}

/** As a person reads it, with its other spelling where it has two: `раypal.com (xn--ypal-43d9g.com)`. */
export function shownDomain(ascii: string): string {
  const read = domainToUnicode(ascii)
  return read === ascii || read === '' ? ascii : `${read} (${ascii})`
}

/** Whether the domain is one of these, or below one. */
export const isUnder = (domain: string, domains: readonly string[]): boolean =>
  domains.map((each) => asciiDomain(each) ?? each).some((each) => domain === each || domain.endsWith(`.${each}`))

const scripts = [
  { name: 'Latin', letters: /\p{Script=Latin}/u },
  { name: 'Cyrillic', letters: /\p{Script=Cyrillic}/u },
  { name: 'Greek', letters: /\p{Script=Greek}/u },
  { name: 'Armenian', letters: /\p{Script=Armenian}/u },
  { name: 'Hebrew', letters: /\p{Script=Hebrew}/u },
  { name: 'Arabic', letters: /\p{Script=Arabic}/u },
  { name: 'Georgian', letters: /\p{Script=Georgian}/u },
  { name: 'Cherokee', letters: /\p{Script=Cherokee}/u },
  { name: 'Thai', letters: /\p{Script=Thai}/u },
  { name: 'Devanagari', letters: /\p{Script=Devanagari}/u },
  { name: 'Han', letters: /\p{Script=Han}/u },
  { name: 'Hiragana', letters: /\p{Script=Hiragana}/u },
  { name: 'Katakana', letters: /\p{Script=Katakana}/u },
  { name: 'Hangul', letters: /\p{Script=Hangul}/u },
] as const

export type Script = (typeof scripts)[number]['name']

/** Scripts that are written together (Unicode Technical Standard 39, "highly restrictive"). */
const together: readonly ReadonlySet<Script>[] = [
  new Set<Script>(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set<Script>(['Latin', 'Han', 'Hangul']),
]

/** Letters that look like a Latin one, and that letter. */
const lookalikes: Readonly<Record<string, string>> = Object.fromEntries(
  'аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ⅼl ɡg αa οo ρp νv υu ιi κk τt ʟl ıi մn օo ցg һh кk тt мm вb нh'
    .split(' ')
    .map(([from = '', to = '']) => [from, to]),
)

/** The letters that it seems to have. */
const inLatin = (domain: string): string => (isAscii(domain) ? domain : latin(domainToUnicode(domain)))

const latin = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{L}/gu, (letter) => lookalikes[letter] ?? letter)

const isAscii = (domain: string): boolean => /^[a-z0-9.-]*$/.test(domain) && !domain.includes('xn--')

/** What a hurried reader takes it for. */
export const readAs = (domain: string): string =>
  inLatin(domain).replace(/rn/g, 'm').replace(/vv/g, 'w').replace(/0/g, 'o').replace(/1/g, 'l')

/** Why these domains may be taken for others, in sentences. `known`: domains that are used. */
export function deceits(
  domains: Iterable<string>,
  known: Iterable<string>,
  words: MailWords['deceits'],
): readonly string[] {
  const alike = new Map<string, Set<string>>()
  for (const domain of known) {
    const read = readAs(domain)
    alike.set(read, (alike.get(read) ?? new Set()).add(domain))
  }
  return [...domains].flatMap((domain) => {
    const strange = isAscii(domain) ? undefined : strangeLetters(domain, words)
    if (strange !== undefined) return strange
    const meant = [...(alike.get(readAs(domain)) ?? [])].find((each) => each !== domain)
    return meant === undefined ? [] : words.looksLike(shownDomain(domain), shownDomain(meant))
  })
}

/** What stands before the @ of these addresses and may be taken for other letters, in sentences. */
export const localDeceits = (
  addresses: readonly { readonly address: string; readonly shown: string }[],
  words: MailWords['deceits'],
) =>
  addresses.flatMap(({ address, shown }) => strangeIn(address.slice(0, address.lastIndexOf('@')), shown, words) ?? [])

/** The letters of a domain that are no Latin ones among such, or look like these. */
const strangeLetters = (domain: string, words: MailWords['deceits']): string | undefined =>
  strangeIn(domainToUnicode(domain), shownDomain(domain), words)

function strangeIn(text: string, shown: string, words: MailWords['deceits']): string | undefined {
  for (const part of text.split('.')) {
    const found = scripts.filter(({ letters }) => letters.test(part)).map(({ name }) => name)
    if (found.length > 1 && !together.some((set) => found.every((name) => set.has(name))))
      return words.mixes(shown, found)
    const letters: readonly string[] = part.match(/\p{L}/gu) ?? []
    if (found[0] !== 'Latin' && letters.length > 0 && letters.every((each) => each in lookalikes))
      return words.foreign(shown, found[0], latin(part))
  }
  return undefined
}
