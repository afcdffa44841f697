import type { ComponentChildren, VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Button } from '../parts/buttons.tsx'
import { Marked } from '../parts/marked.tsx'
import type { Reader } from '../parts/reader.ts'
import type { AppProps } from './context.ts'

/** One row of a list of facts: what it is, and how it is. */
export const Fact = ({ label, children }: { readonly label: string; readonly children: ComponentChildren }): VNode => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

interface CodeTextProps {
  readonly text: string
  readonly reader: Reader
  readonly class?: string
}

/** A name, an id or an expression that somebody else wrote. */
export const CodeText = ({ text, reader, class: look = '' }: CodeTextProps): VNode => (
  <code class={look}>
    <Marked text={text} reader={reader} />
  </code>
)

/** The tools that something is about; nothing where there are none. */
export const ToolNames = ({ tools, app }: AppProps<{ tools: readonly string[] }>): VNode | null =>
  tools.length === 0 ? null : (
    <p class="row-facts minor">
      {tools.map((tool) => (
        <CodeText text={tool} reader={app.reader} />
      ))}
    </p>
  )

interface OpensProps {
  readonly label: string
  readonly children: (close: () => void) => ComponentChildren
}

/** A button; what it opens stands in its place until that is closed. */
export const Opens = ({ label, children }: OpensProps): VNode => {
  const [open, set] = useState(false)
  if (open) return <>{children(() => set(false))}</>
  return (
    <p>
      <Button tone="plain" onPress={() => set(true)}>
        {label}
      </Button>
    </p>
  )
}

/** ", tenant acme", for who sees more than one tenant. */
export const OfTenant = ({ tenant, app }: AppProps<{ tenant: string }>): VNode | null =>
  app.operator.tenant === null ? (
    <>
      , tenant <Marked text={tenant} reader={app.reader} />
    </>
  ) : null
