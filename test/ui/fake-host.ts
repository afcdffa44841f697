// A host in memory, for what can be seen without a browser. The real wire is tested in `bridge.test.ts` and, with the
// official library at the other end, in `test/hosts`.
import type {
  AppToolArguments,
  Host,
  HostContext,
  HostListener,
  MessageAnswer,
  ToolAnswer,
} from '../../ui/bridge/host.ts'
import { readToolResult } from '../../ui/bridge/post-message.ts'

export interface FakeHost extends Host {
  readonly messages: string[]
  readonly calls: string[]
  readonly heights: number[]
  sendResult(result: unknown): void
  cancelTool(reason: string | undefined): void
  changeContext(context: HostContext): void
}

export const fakeHost = (
  settings: {
    readonly serverTools?: boolean
    readonly context?: HostContext
    readonly greets?: boolean
    message?(text: string): Promise<MessageAnswer>
    callTool?(name: string, args: AppToolArguments): Promise<ToolAnswer>
  } = {},
): FakeHost => {
  const listeners = new Set<HostListener>()
  const [messages, calls, heights]: [string[], string[], number[]] = [[], [], []]
  const tell = (say: (listener: HostListener) => void): void => {
    for (const listener of listeners) say(listener)
  }
  return {
    messages,
    calls,
    heights,
    initialize: () =>
      settings.greets === false
        ? new Promise(() => {})
        : Promise.resolve({
            serverTools: settings.serverTools ?? false,
            context: settings.context ?? { locale: 'en-GB', timeZone: 'UTC', variables: {} },
          }),
    async sendMessage(text): Promise<MessageAnswer> {
      messages.push(text)
      return settings.message?.(text) ?? { kind: 'accepted' }
    },
    async callTool(name, args): Promise<ToolAnswer> {
      calls.push(name)
      return settings.callTool?.(name, args) ?? { kind: 'timeout' }
    },
    openLink: () => Promise.resolve(true),
    sizeChanged: (height) => void heights.push(height),
    listen(listener): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    sendResult: (result) =>
      tell((listener) => {
        const read = readToolResult(result)
        if (read) listener.onToolResult?.(read)
      }),
    cancelTool: (reason) => tell((listener) => listener.onToolCancelled?.(reason)),
    changeContext: (context) => tell((listener) => listener.onContextChanged?.(context)),
  }
}
