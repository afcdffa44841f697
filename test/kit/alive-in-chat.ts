// What a chat would make of a text that it renders as Markdown: asked of three readers of Markdown that chats are made with.
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

const markdownIt = new MarkdownIt({ html: true })

const readers: Readonly<Record<string, (text: string) => string>> = {
  marked: (text) => marked.parse(text, { async: false }),
  micromark: (text) =>
    micromark(text, {
      allowDangerousHtml: true,
      allowDangerousProtocol: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    }),
  'markdown-it': (text) => markdownIt.render(text),
}

/** What emphasis, code, lists and tables are made of; nothing of it leads anywhere or is loaded. */
const harmless =
  /^\/?(?:p|strong|em|code|pre|ul|ol|li|table|thead|tbody|tr|td|th|br|blockquote|s|del|h[1-6]|hr|input|section|sup)$/

/** The elements that a chat would make of a text beyond those, with the reader that makes them. */
export const aliveInChat = (text: string): readonly string[] =>
  Object.entries(readers).flatMap(([name, read]) =>
    [...read(text).matchAll(/<([^\s>]+)[^>]*>/g)]
      .filter(([, tag = '']) => !harmless.test(tag))
      .map(([found]) => `${name}: ${found}`),
  )

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** What each of them shows of it. */
export const shownInChat = (text: string): readonly string[] =>
  Object.values(readers).map((read) =>
    read(text)
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? ''),
  )
