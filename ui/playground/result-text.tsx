import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { VNode } from 'preact'
import { Json } from './json.tsx'
import { Markdown } from './markdown.tsx'

/** All text of a result; what else it holds is named, not drawn. */
export const textOf = (result: CallToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `_A block of type ${block.type}._`)).join('\n\n')

/** A result as a person reads it where no view draws it. */
export function ResultText({ result }: { readonly result: CallToolResult }): VNode {
  return (
    <article class={`sheet ${result.isError === true ? 'error' : ''}`}>
      <div class="sheet-text">
        <Markdown text={textOf(result)} />
      </div>
      {result.structuredContent !== undefined && (
        <details class="sheet-more">
          <summary>Structured result</summary>
          <Json value={result.structuredContent} />
        </details>
      )}
    </article>
  )
}
