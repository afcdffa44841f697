// Sentences: free text, the consequences of a change, code, and links. Addresses are shown to the host, never followed
// by the frame itself.
import type { VNode } from 'preact'
import { Marked, Prose, type Span } from './marked.tsx'
import type { Reader } from './reader.ts'

interface Props<B> {
  readonly block: B
  readonly reader: Reader
}

// Only what ends a line in Markdown ends one here, and only its blanks are cut: `m`, `.` and `trim()` know more of both.
const list = /(?<![^\n])((?:[-*] [^\n]*(?:\n|$))+)/
const trimmed = (text: string): string => text.replace(/^[ \t\n]+|(?<![ \t\n])[ \t\n]+$/g, '')

export const Text = ({ block, reader }: Props<{ readonly text: string }>): VNode => (
  <div class="text">
    {/* Paragraphs and lists of a safe subset of Markdown; inside them identifiers and weight. */}
    {block.text
      .replaceAll('\r\n', '\n')
      .split(list)
      .map((part, index) => {
        const text = trimmed(part)
        return index % 2 ? (
          <ul>
            {text.split('\n').map((item) => (
              // Of a list in a list: it has a dash for each list around it.
              <li class={item.startsWith('– ', 2) ? 'deeper' : ''}>
                <Prose text={item.slice(2)} reader={reader} />
              </li>
            ))}
          </ul>
        ) : (
          text && <Prose text={text} reader={reader} lines />
        )
      })}
  </div>
)

export const Effects = ({ block, reader }: Props<{ readonly effects: readonly string[] }>): VNode => (
  <ul class="effects">
    {block.effects.map((effect) => (
      <li>
        <span class="sign way" aria-hidden="true">
          →
        </span>
        <span>
          <Prose text={effect} reader={reader} />
        </span>
      </li>
    ))}
  </ul>
)

interface CodeBlock {
  readonly text: string
  readonly language?: string
  readonly label?: string
  readonly spans?: readonly Span[]
}

const tint = (line: string): string => (line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : '')

/** A text line by line, as it is; as sentences where `dir` is left to each line. */
export const Spanned = ({
  block: { text, language, spans = [] },
  reader,
  dir,
}: Props<CodeBlock> & { readonly dir?: 'ltr' | undefined }): VNode => {
  let at = 0
  return (
    <>
      {text.split(/(\r?\n)/).map((line, index) => {
        const from = at
        at += line.length
        if (index % 2) return null
        const here = spans.filter((span) => span.to > from && span.from < at)
        return (
          <span class={language === 'diff' ? tint(line) : ''}>
            <Marked text={line} reader={reader} spans={here} from={from} lines dir={dir} />
            {'\n'}
          </span>
        )
      })}
    </>
  )
}

export const Code = ({ block, reader }: Props<CodeBlock>): VNode => {
  const prose = block.language === 'markdown' && block.spans
  const dir = prose ? undefined : 'ltr'
  return (
    <figure>
      {block.label && (
        <figcaption>
          <Marked text={block.label} reader={reader} />
        </figcaption>
      )}
      <pre tabIndex={0} dir={dir} class={prose ? 'said' : undefined} data-read>
        <Spanned block={block} reader={reader} dir={dir} />
      </pre>
    </figure>
  )
}

export const Links = ({
  block,
  reader,
}: Props<{ readonly links: readonly { readonly label: string; readonly url: string }[] }>): VNode => (
  <ul class="links">
    {block.links.map(({ label, url }) => (
      <li>
        <a
          href={url}
          title={url}
          rel="noreferrer"
          onClick={(event) => {
            event.preventDefault()
            reader.openLink(url)
          }}
        >
          <Marked text={label} reader={reader} />
        </a>
      </li>
    ))}
  </ul>
)
