// Addresses come from a model, which may have them from a stranger's mail. Each is read by a parser of RFC 5322 as exactly
// one mailbox; what could end a header, hide, or reach more than one person is no address here.
import { emailAddresses } from '../libraries.ts'
import { asciiDomain, shownDomain } from './domains.ts'

export interface Mailbox {
  readonly name: string | null
  /** As it goes to the server: the domain in ASCII. */
  readonly address: string
  readonly key: string
  readonly domain: string
  /** As a card shows it, with both spellings of its domain. */
  readonly shown: string
}

/** One mailbox, or what is wrong with the text, as the end of a sentence. */
export async function readMailbox(text: string): Promise<Mailbox | string> {
  if (/\p{Cc}/u.test(text)) return 'has a line break or another control character'
  if (/[\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/u.test(text)) return 'has invisible characters'
  const { parseOneAddress } = await emailAddresses()
  const parsed = parseOneAddress({ input: text, rfc6532: true })
  if (parsed === null) return 'is not one address like "ann@example.org" or "Ann <ann@example.org>"'
  if (parsed.type === 'group') return 'is a group; list its addresses'
  // What sends mail takes these for the ends of an address, and readers of mail read a name in this form as another one.
  if (/[<>]/.test(parsed.local)) return 'has < or > before its @'
  if (parsed.name?.includes('=?') === true) return 'has a name in an encoded form'
  const domain = asciiDomain(parsed.domain)
  if (domain === undefined) return 'has no domain that mail can be sent to'
  const local = isPlain(parsed.local) ? parsed.local : JSON.stringify(parsed.local)
  const address = `${local}@${domain}`
  if (local.length > 64 || address.length > 254) return 'is longer than an address may be'
  return {
    name: parsed.name === null || parsed.name.trim() === '' ? null : parsed.name.trim().slice(0, 200),
    address,
    key: address.toLowerCase(),
    domain,
    shown: `${local}@${shownDomain(domain)}`,
  }
}

const isPlain = (local: string): boolean =>
  /^[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u.test(local)

/** A stored address as a card shows it. */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${shownDomain(address.slice(at + 1))}`
}

/** The domain of what may be an address, before it is parsed: for rules that cannot wait. */
export const roughDomain = (text: string): string =>
  text
    .slice(text.lastIndexOf('@') + 1)
    .replace(/>\s*$/, '')
    .trim()
    .toLowerCase()
