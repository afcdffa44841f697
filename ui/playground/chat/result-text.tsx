import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { VNode } from 'preact'
import type { Reader } from '../../parts/reader.ts'
import { DataView, isShownBetter } from './data-view.tsx'
import { Json } from './json.tsx'
import { Markdown } from './markdown.tsx'

/** All text of a result; what else it holds is named, not drawn. */
export const textOf = (result: CallToolResult): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : `_A block of type ${block.type}._`)).join('\n\n')

const looksLikeJson = (text: string): boolean => /^\s*[[{]/.test(text)

/** A result as a person reads it where no view draws it. */
export function ResultText({ result, reader }: { readonly result: CallToolResult; readonly reader: Reader }): VNode {
  const text = textOf(result)
  const data = result.structuredContent
  return (
    <article class={`sheet ${result.isError === true ? 'error' : ''}`}>
      <div class="sheet-text">
        {data !== undefined && (looksLikeJson(text) || isShownBetter(data)) ? (
          <DataView data={data} reader={reader} />
        ) : (
          <Markdown text={text} />
        )}
      </div>
      {data !== undefined && (
        <details class="sheet-more">
          <summary>Structured result</summary>
          <Json value={data} />
        </details>
      )}
    </article>
  )
}
