// The card speaks to hosts that differ in nearly everything: some start a turn on a message, some only fill the box,
// some proxy tool calls, some send the result before they answer the greeting. The card sees this interface of a few
// verbs; postMessage is one implementation and a test's fake is another.

/** The only tools that a card may call. They take its ticket (`progress` the plan's id), and `page` a place in a list, and `revise` changed values. */
export type AppTool = `countersign_plan_${'status' | 'confirm' | 'cancel' | 'page' | 'progress' | 'revise'}`

export interface AppToolArguments {
  readonly ticket: string
  readonly list?: string
  readonly after?: string
  readonly key?: string
  readonly set?: Readonly<Record<string, string>>
  readonly leave_out?: readonly string[]
  readonly send?: boolean
}

/** A tool result as it crossed the frame: the shape is checked, the content is not. */
export interface ToolResult {
  readonly content: readonly unknown[]
  readonly structuredContent: Readonly<Record<string, unknown>> | undefined
  readonly meta: Readonly<Record<string, unknown>>
  readonly isError: boolean
}

/** What the host tells about its surroundings; every field is checked, and absent where it made no sense. */
export interface HostContext {
  readonly theme?: 'light' | 'dark' | undefined
  readonly locale?: string | undefined
  readonly timeZone?: string | undefined
  /** CSS custom properties: the host's colours, fonts and radii. */
  readonly variables: Readonly<Record<string, string>>
}

export interface Welcome {
  /** Whether the host passes tool calls of the card on to the server. */
  readonly serverTools: boolean
  readonly context: HostContext
}

/** `accepted` means that the host answered without an error. It does not mean that anyone read the message. */
export type MessageAnswer =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly reason: string | undefined }
  | { readonly kind: 'timeout' }

export type ToolAnswer =
  | { readonly kind: 'answered'; readonly result: ToolResult }
  | { readonly kind: 'refused'; readonly reason: string | undefined }
  | { readonly kind: 'timeout' }

export interface HostListener {
  onToolResult?(result: ToolResult): void
  onToolCancelled?(reason: string | undefined): void
  /** The whole context, already merged with what was known. */
  onContextChanged?(context: HostContext): void
}

export interface Host {
  /** Greets the host. Resolves when the host answers, however late, and never rejects. */
  initialize(): Promise<Welcome>
  /** Puts one text into the chat as the person's own message. */
  sendMessage(text: string): Promise<MessageAnswer>
  callTool(name: AppTool, args: AppToolArguments): Promise<ToolAnswer>
  /** False when the host would not open it. */
  openLink(url: string): Promise<boolean>
  sizeChanged(height: number): void
  /** What arrived before the first listener is handed to it now, in order. Answers its own undo. */
  listen(listener: HostListener): () => void
}
