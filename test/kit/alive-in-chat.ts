// What a chat would make of a text that it renders as Markdown: asked of three readers of Markdown that chats are made with, and
// of `remark-gfm` (react-markdown), which looks for addresses once more in what is left when marks and backslashes are gone.
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

const markdownIt = new MarkdownIt({ html: true })

const readers = {
  marked: (text: string): string => marked.parse(text, { async: false }),
  micromark: (text: string): string =>
    micromark(text, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  'markdown-it': (text: string): string => markdownIt.render(text),
}

/** What emphasis, code, lists and tables are made of; nothing of it leads anywhere or is loaded. */
const harmless =
  /^\/?(?:p|strong|em|code|pre|ul|ol|li|table|thead|tbody|tr|td|th|br|blockquote|s|del|h[1-6]|hr|input|section|sup)$/

/** What `mdast-util-gfm-autolink-literal` makes links of, and a little more: in the text that `micromark` is left with. */
const address = /(?:https?:\/\/|www\.)[\w-]+|[\w+.-]+@[\w-]+\.[\w-]+/gi

const addressesLeft = (text: string): readonly string[] =>
  readers
    .micromark(text)
    .replaceAll(/<(code|a)[ >].*?<\/\1>/gs, '<>')
    .split(/<[^>]*>/)
    .flatMap((left) => [...withoutEntities(left).matchAll(address)].map(([found]) => `remark-gfm: ${found}`))

/** The elements that a chat would make of a text beyond those, with the reader that makes them. */
export const aliveInChat = (text: string): readonly string[] => [
  ...Object.entries(readers).flatMap(([name, read]) =>
    [...read(text).matchAll(/<([^\s>]+)[^>]*>/g)]
      .filter(([, tag = '']) => !harmless.test(tag))
      .map(([found]) => `${name}: ${found}`),
  ),
  ...addressesLeft(text),
]

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

const withoutEntities = (html: string): string =>
  html.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '')

const shownOf = (html: string): string => withoutEntities(html.replaceAll(/<[^>]*>/g, ''))

/** What each of them shows of it. */
export const shownInChat = (text: string): readonly string[] =>
  Object.values(readers).map((read) => shownOf(read(text)))

/** The same as lines: what stands in an item of a list, in a cell, or on a line of its own. Blanks beside each other are one. */
export const linesInChat = (text: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(readers).map(([name, read]) => [
      name,
      shownOf(
        read(text).replaceAll(/<\/?(?:p|pre|ul|ol|li|table|thead|tbody|tr|td|th|blockquote|h\d|hr|br)\b[^>]*>/g, '\n'),
      )
        .split('\n')
        .map((line) => line.trim().replaceAll(/\s+/g, ' '))
        .filter((line) => line !== ''),
    ]),
  )
