// Sentences: free text, the consequences of a change, code, and links. Addresses are shown to the host, never followed
// by the frame itself.
import type { VNode } from 'preact'
import { Marked, Prose } from './marked.tsx'
import type { Reader } from './reader.ts'

interface Props<B> {
  readonly block: B
  readonly reader: Reader
}

export const Text = ({ block, reader }: Props<{ readonly text: string }>): VNode => (
  <div class="text">
    {/* Paragraphs and lists of a safe subset of Markdown; inside them identifiers and weight. */}
    {block.text.split(/^((?:[-*] .*(?:\n|$))+)/m).map((part, index) =>
      index % 2 ? (
        <ul>
          {part
            .trimEnd()
            .split('\n')
            .map((item) => (
              <li>
                <Prose text={item.slice(2)} reader={reader} />
              </li>
            ))}
        </ul>
      ) : (
        part.trim() && <Prose text={part.trim()} reader={reader} lines />
      ),
    )}
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
}

const tint = (line: string): string => (line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : '')

export const Code = ({ block, reader }: Props<CodeBlock>): VNode => (
  <figure>
    {block.label && (
      <figcaption>
        <Marked text={block.label} reader={reader} />
      </figcaption>
    )}
    <pre tabIndex={0} dir="ltr" data-read>
      {block.text.split(/\r?\n/).map((line) => (
        <span class={block.language === 'diff' ? tint(line) : ''}>
          <Marked text={line} reader={reader} dir="ltr" lines />
          {'\n'}
        </span>
      ))}
    </pre>
  </figure>
)

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
