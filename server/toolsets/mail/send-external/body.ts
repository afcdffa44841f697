// A body is written in Markdown and read as text or as HTML; both come from the same tokens. HTML in it is shown as it is
// written, a picture becomes a link, and nothing of it loads: a mail that is confirmed has no tracking pixel.
import type { RendererObject, Tokens } from 'marked'
import { onFirstUse } from '../../../on-first-use.ts'
import { markdown } from '../libraries.ts'

export interface BodyLink {
  readonly text: string
  readonly url: string
  /** Where it really leads. */
  readonly host: string
  /** The host that its text names, where that is another one. */
  readonly claimed?: string
}

export interface Body {
  readonly text: string
  readonly html: string
  readonly links: readonly BodyLink[]
  /** Whether there is HTML in it, which recipients see as it is written. */
  readonly hasHtml: boolean
}

/** A line that ends in a mail ends for its reader, as it does on the card. */
export const dialect = { gfm: true, breaks: true } as const

/** Of emphasis that opens and does not close, marked takes time with the square of how much there is, and more. */
export const mostMarks = 1000
/** What stands in each other is read by a function that calls itself. */
const tooDeep = /^(?:[\t ]*(?:[>*+-]|\d{1,9}[.)])){100}/m

/** Whether it can be read as Markdown in a time that nobody notices. */
export const isReadable = (source: string): boolean =>
  (source.match(/[*_~]+/g) ?? []).length <= mostMarks && !tooDeep.test(source)

/** What a body is that cannot. */
export const unreadable = 'has more than 1,000 marks of emphasis, or 100 lists and quotes in each other'

/** What is found while a body is written; each is written in one go. */
let found: { links: BodyLink[]; hasHtml: boolean } = { links: [], hasHtml: false }

const writers = onFirstUse(async () => {
  const { Marked } = await markdown()
  return {
    asHtml: new Marked({ ...dialect, renderer: htmlOf }),
    asText: new Marked({ ...dialect, renderer: textOf }),
  }
})

/** The body as recipients get it. */
export async function renderBody(source: string): Promise<Body> {
  const { asHtml, asText } = await writers()
  const own = (found = { links: [], hasHtml: false })
  const tokens = asHtml.lexer(source)
  const html = asHtml.parser(tokens)
  const text = asText.parser(tokens)
  return {
    text: text.replace(/\n{3,}/g, '\n\n').trim(),
    html: `<!doctype html>\n<html><head><meta charset="utf-8"></head><body>\n${html}</body></html>\n`,
    ...own,
  }
}

export const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')

/** Addresses that may stand behind a link of a mail. */
function target(href: string): URL | undefined {
  try {
    const url = new URL(href)
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

const hostOf = (url: URL): string =>
  url.protocol === 'mailto:' ? url.pathname.slice(url.pathname.lastIndexOf('@') + 1) : url.hostname

function htmlLink(href: string, inner: string, text: string): string {
  const url = target(href)
  if (url === undefined) return `${inner} (${escaped(href)})`
  const host = hostOf(url)
  const claimed = hostIn(text)
  const differs = claimed !== undefined && bare(claimed) !== bare(host)
  found.links.push({ text, url: url.href, host, ...(differs ? { claimed } : {}) })
  return `<a href="${escaped(url.href)}">${inner}</a>`
}

const htmlOf: RendererObject = {
  html({ text, block }: Tokens.HTML | Tokens.Tag) {
    found.hasHtml = true
    return block ? `<p>${escaped(text)}</p>\n` : escaped(text)
  },
  link({ href, tokens }: Tokens.Link) {
    const read = unescaped(this.parser.parseInline(tokens, this.parser.textRenderer))
    return htmlLink(href, this.parser.parseInline(tokens), read)
  },
  image({ href, text }: Tokens.Image) {
    return htmlLink(href, escaped(text || href), text || href)
  },
  // Of the character references that a browser knows and the text has as they are written, none is left.
  text(token) {
    return 'tokens' in token && token.tokens !== undefined
      ? this.parser.parseInline(token.tokens)
      : escaped(unescaped(token.text))
  },
}

const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '')

const fileNames = /\.(?:pdf|txt|docx?|xlsx?|pptx?|csv|zip|html?|[jt]sx?|json|png|jpe?g|gif|svg|md)$/i

/** The host that a link's text names: it is an address as a whole but for marks around it, or has one with its scheme. */
function hostIn(text: string): string | undefined {
  const seen = text.replace(/\p{Cf}/gu, '')
  const words = seen.match(/[\p{L}\p{N}]\S*/gu) ?? []
  const whole = words.length === 1 ? words[0] : undefined
  const named =
    /(?:https?:\/\/|www\.)[^\s<>"']+/i.exec(seen)?.[0] ??
    /^(?:[^\s@]{1,64}@)?((?:[\p{L}\p{N}-]+\.)+\p{L}{2,})(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])/u.exec(whole ?? '')?.[1]
  if (named === undefined || fileNames.test(named)) return undefined
  try {
    return new URL(/^https?:/i.test(named) ? named : `https://${named}`).hostname
  } catch {
    return undefined
  }
}

/** Marks stay where a reader of plain text expects them. */
const textOf: RendererObject = {
  space: () => '',
  code: ({ text }) => `${text}\n\n`,
  blockquote({ tokens }) {
    return `${this.parser.parse(tokens).trim().replace(/^/gm, '> ')}\n\n`
  },
  html: ({ text, block }) => (block ? `${text.trim()}\n\n` : text),
  heading({ tokens }) {
    return `${this.parser.parseInline(tokens)}\n\n`
  },
  hr: () => '---\n\n',
  list({ items, ordered, start }) {
    const mark = (at: number): string => (ordered ? `${(start || 1) + at}.` : '-')
    const lines = items.map((item, at) => {
      const box = item.task ? `[${item.checked === true ? 'x' : ' '}] ` : ''
      const body = this.parser.parse(item.tokens.filter(({ type }) => type !== 'checkbox')).trim()
      return `${mark(at)} ${box}${body.replace(/\n+/g, '\n  ')}`
    })
    return `${lines.join('\n')}\n\n`
  },
  checkbox: () => '',
  paragraph({ tokens }) {
    return `${this.parser.parseInline(tokens)}\n\n`
  },
  table({ header, rows }) {
    const line = (cells: readonly Tokens.TableCell[]): string =>
      cells.map(({ tokens }) => this.parser.parseInline(tokens)).join(' | ')
    return `${[header, ...rows].map(line).join('\n')}\n\n`
  },
  strong({ tokens }) {
    return this.parser.parseInline(tokens)
  },
  em({ tokens }) {
    return this.parser.parseInline(tokens)
  },
  codespan: ({ text }) => text,
  br: () => '\n',
  del({ tokens }) {
    return this.parser.parseInline(tokens)
  },
  link({ href, tokens, text }) {
    const inner = this.parser.parseInline(tokens)
    return text === href || `mailto:${text}` === href || href.replace(/^https?:\/\//, '') === text
      ? text
      : `${inner} (${href})`
  },
  image: ({ href, text }) => (text === '' ? href : `${text} (${href})`),
  text(token) {
    return 'tokens' in token && token.tokens !== undefined
      ? `${this.parser.parseInline(token.tokens)}\n`
      : unescaped(token.text)
  },
}

/** Marked hands on text with the five characters of HTML escaped. */
const unescaped = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
