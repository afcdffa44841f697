// An escaped value is text wherever Markdown reads text. In code its backslashes would be seen, in an address it would
// decide where a link leads, and behind a sign of the template it could finish a mark. So a template is read once as
// Markdown with a number in the place of each value, and refused where a value stands in such a place.
import { dialect, isReadable, renderBody, unreadable, type Body } from '../send-external/body.ts'
import { liquidjs, markdown } from '../libraries.ts'

/** Numbers that stand for a value, for a value that is encoded for addresses, and for a tag; digits end no word. */
const probes = { value: '7040117', encoded: '7040118', tag: '7040119' }
const anyValue = /704011[78]/
const anyProbe = /704011[789]/

/** Every link that a mail of this body may have, whatever its tags choose; a value in one is written as “…”. */
export async function everyLink(body: string): Promise<Body['links']> {
  const { links } = await renderBody((await linear(body)).plain)
  const written = (text: string): string => text.replace(/704011[78]/g, '…')
  return links.map((link) => ({ ...link, text: written(link.text), url: written(link.url) }))
}

/** Why values may not stand where this body has them, in sentences. */
export async function misplacedValues(body: string): Promise<readonly string[]> {
  const { plain, withTags, ends } = await linear(body)
  if (!isReadable(plain)) return [`It ${unreadable}.`]
  const found = new Set<string>()
  if (ends.some((text) => /(?:<(?:[/?]|!\[?)?|&#?x?|\\)$/.test(text)))
    found.add('A value or tag stands directly behind “<”, “</”, “<!”, “<?”, “&” or “\\”; put a space between them.')
  if (plain.split('\n').some(mayCount))
    found.add(
      'A value at the beginning of a line and “.” or “)” after it would make a list of a number; begin the line with a word.',
    )
  if (/\[\s*704011[78]\s*\](?!\()/.test(plain))
    found.add('A value alone in square brackets may become a mark; write it without them.')
  if (plain.split(/\s+/).some(isGlued)) found.add(byItself)
  for (const token of await tokensOf(plain)) {
    if (['code', 'codespan'].includes(token.type) && anyValue.test(token.raw))
      found.add('A value stands in code, where it would be shown with backslashes; write it as text.')
    if (token.type === 'html' && anyValue.test(token.raw))
      found.add('A value stands in HTML, which mails show as it is written; write Markdown.')
    if (token.type === 'def' && anyValue.test(token.raw))
      found.add('A value stands in the definition of a link, where nobody reads it; write [text](address).')
    if (token.type === 'text' && token.tokens === undefined && token.raw.includes('`'))
      found.add('A backtick is not closed, and one in a value would close it; write \\`.')
    if (isLink(token)) for (const problem of inAddress(token)) found.add(problem)
  }
  // A tag may leave out what stands before a value, up to the host.
  for (const token of await tokensOf(withTags)) if (isLink(token) && !hasFixedHost(token)) found.add(decides)
  return [...found]
}

const byItself = 'An address that stands by itself may have no value in it; write [text](address).'
const decides =
  'A value or tag would decide where a link leads; write the address with its host, and values after its “/”, “?” or “#”.'

/** Whether a word has a value behind an address that is in no brackets, and may go on with it. */
function isGlued(word: string): boolean {
  const at = word.search(anyValue)
  const before = word.slice(0, Math.max(at, 0))
  return !before.includes('](') && /https?:|ftp:|www\.|mailto:/i.test(before)
}

/** Whether a value may make the number of a list of what begins this line. */
function mayCount(line: string): boolean {
  const counted = /704011[78]\d{0,9}[.)](?:\s|$)/.exec(line)
  return counted !== null && /^[\t >*+.)\d-]*$/.test(line.slice(0, counted.index))
}

interface Token {
  readonly type: string
  readonly raw: string
  readonly tokens?: unknown
  readonly href?: string
}
type Link = Token & { readonly href: string }

const isLink = (token: Token): token is Link => ['link', 'image'].includes(token.type) && token.href !== undefined

function* inAddress(link: Link): Generator<string> {
  if (!anyValue.test(link.href)) return
  if (!/^!?\[/.test(link.raw)) yield byItself
  if (link.href.includes(probes.value))
    yield 'A value in an address ends with the filter url_encode: {{ email | url_encode }}.'
}

/** Whether scheme and host stand before anything that changes. */
function hasFixedHost({ href }: Link): boolean {
  const at = href.search(anyProbe)
  return at < 0 || /^(?:https?:\/\/[^/?#\\]+[/?#]|mailto:[^?]+\?)/i.test(href.slice(0, at))
}

/** The body in one line of events: what its tags choose between stands one after the other. */
async function linear(body: string) {
  const { Tokenizer, TokenKind } = await liquidjs()
  const tokens = new Tokenizer(body).readTopLevelTokens()
  const written = (tag: string): string =>
    tokens
      .map((token) => {
        if (token.kind === TokenKind.Tag) return tag
        if (token.kind !== TokenKind.Output) return textOf(token)
        return /\|\s*url_encode\s*-?\}\}$/.test(token.getText()) ? probes.encoded : probes.value
      })
      .join('')
      // Two values side by side are as one.
      .replace(/(704011[789])(?:704011[789])+/g, '$1')
      .trim()
  return {
    plain: written(''),
    withTags: written(probes.tag),
    /** Texts that something follows. */
    ends: tokens
      .slice(0, -1)
      .filter(({ kind }) => kind === TokenKind.HTML)
      .map(textOf),
  }
}

const textOf = (token: object): string => (token as { getContent(): string }).getContent()

async function tokensOf(text: string): Promise<readonly Token[]> {
  const { Marked } = await markdown()
  const found: Token[] = []
  const marked = new Marked(dialect)
  void marked.walkTokens(marked.lexer(text), (token) => void found.push(token))
  return found
}
