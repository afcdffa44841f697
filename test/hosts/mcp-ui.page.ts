// The smallest React page around `@mcp-ui/client`: one AppRenderer for each result. Nothing of ours is in it.
import { AppRenderer, type AppRendererProps } from '@mcp-ui/client'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

export interface ShownResult {
  readonly toolName: string
  readonly html: string
  readonly sandbox: string
  readonly toolInput: Record<string, unknown>
  readonly toolResult: CallToolResult
}

declare global {
  interface Window {
    show(result: ShownResult): void
    /** Answered by the test's process. */
    hostCallTool(name: string, args: Record<string, unknown>): Promise<CallToolResult>
    hostMessage(text: string): Promise<void>
  }
}

window.show = ({ sandbox, ...shown }) => {
  const place = document.createElement('section')
  document.body.append(place)
  const props: AppRendererProps = {
    ...shown,
    sandbox: { url: new URL(sandbox) },
    // Without a client of its own the library announces nothing that its callbacks can do.
    hostCapabilities: { serverTools: {}, openLinks: {} },
    hostContext: { theme: 'light', locale: 'en-GB', timeZone: 'UTC' },
    onCallTool: (params: { readonly name: string; readonly arguments?: Record<string, unknown> }) =>
      window.hostCallTool(params.name, params.arguments ?? {}),
    onMessage: async (params: { readonly content: readonly { readonly text?: string }[] }) => {
      await window.hostMessage(params.content.map((block) => block.text ?? '').join('\n'))
      return {}
    },
    onError: (error: Error) => console.error(error.message),
  }
  createRoot(place).render(createElement(AppRenderer, props))
}
