// Servers answer in Markdown, and what they answer holds data of strangers. This draws the small part of it that tool
// results use, as elements around text nodes: there is no way to markup, addresses or images from here.
import type { ComponentChildren, VNode } from 'preact'

type Block =
  | { readonly kind: 'heading' | 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly text: string }

/** A text with headings, lists, tables, code, bold and identifiers. */
export function Markdown({ text }: { readonly text: string }): VNode {
  return <div class="markdown">{blocksOf(text).map(drawBlock)}</div>
}

function drawBlock(block: Block, index: number): VNode {
  switch (block.kind) {
    case 'heading':
      return <h4 key={index}>{inline(block.text)}</h4>
    case 'paragraph':
      return <p key={index}>{inline(block.text)}</p>
    case 'quote':
      return <blockquote key={index}>{inline(block.text)}</blockquote>
    case 'code':
      return (
        <pre class="json" key={index}>
          {block.text}
        </pre>
      )
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{inline(item)}</li>)
      return block.ordered ? <ol key={index}>{items}</ol> : <ul key={index}>{items}</ul>
    }
    case 'table':
      return (
        <div class="scroll" key={index}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at}>{inline(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, at) => (
                <tr key={at}>
                  {row.map((cell, column) => (
                    <td key={column}>{inline(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    default:
      return block satisfies never
  }
}

const inline = (text: string): ComponentChildren =>
  text.split(/(`[^`]+`|\*\*[^*]+\*\*|__[^_]+__|(?<![\w*])[*_][^*_]+[*_](?![\w*]))/g).map((part, index) => {
    if (/^`.+`$/s.test(part)) return <code key={index}>{part.slice(1, -1)}</code>
    if (/^(\*\*|__).+\1$/s.test(part)) return <b key={index}>{part.slice(2, -2)}</b>
    if (index % 2 === 1) return <em key={index}>{part.slice(1, -1)}</em>
    return part.replace(/\\([\\`*_{}[\]()#+.!|<>~-])/g, '$1')
  })

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())

const bullet = /^\s*(?:[-*]|(\d+)[.)])\s+/

/** Splits a text into blocks, line by line. */
function blocksOf(text: string): readonly Block[] {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  const blocks: Block[] = []
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? ''
    const take = (more: (line: string) => boolean): string[] => {
      const from = at
      do at += 1
      while (at < lines.length && more(lines[at] ?? ''))
      return lines.slice(from, at)
    }
    if (line.trim() === '') at += 1
    else if (line.startsWith('```')) {
      const code = take((next) => !next.startsWith('```')).slice(1)
      at += 1
      blocks.push({ kind: 'code', text: code.join('\n') })
    } else if (/^#{1,6} /.test(line))
      blocks.push({ kind: 'heading', text: (take(() => false)[0] ?? '').replace(/^#+ /, '') })
    else if (line.trim().startsWith('|') && /^\s*\|?[\s:|-]+\|?\s*$/.test(lines[at + 1] ?? '')) {
      const [head = '', , ...rows] = take((next) => next.trim().startsWith('|'))
      blocks.push({ kind: 'table', head: cellsOf(head), rows: rows.map(cellsOf) })
    } else if (bullet.test(line)) {
      const ordered = bullet.exec(line)?.[1] !== undefined
      const items: string[] = []
      for (const one of take((next) => bullet.test(next) || /^\s{2,}\S/.test(next))) {
        if (bullet.test(one)) items.push(one.replace(bullet, ''))
        else items.push(`${items.pop() ?? ''} ${one.trim()}`)
      }
      blocks.push({ kind: 'list', ordered, items })
    } else if (line.startsWith('>'))
      blocks.push({
        kind: 'quote',
        text: take((next) => next.startsWith('>'))
          .map((one) => one.replace(/^>\s?/, ''))
          .join(' '),
      })
    else
      blocks.push({
        kind: 'paragraph',
        text: take((next) => next.trim() !== '' && !bullet.test(next) && !/^(?:#{1,6} |```|>|\|)/.test(next)).join(' '),
      })
  }
  return blocks
}
