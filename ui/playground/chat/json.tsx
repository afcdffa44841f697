import type { VNode } from 'preact'

const room = 40_000

/** JSON for reading; what is very long is cut, and says so. */
export function Json({ value }: { readonly value: unknown }): VNode {
  const text = JSON.stringify(value, null, 2) ?? 'undefined'
  return (
    <pre class="json" tabIndex={0}>
      {text.length > room ? `${text.slice(0, room)}\n… ${text.length - room} more characters` : text}
    </pre>
  )
}
