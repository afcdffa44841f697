// A gateway does not serve its catalogue tool by tool: it serves a few tools of its own that lead to it, and passes on
// what is not ours to judge (resources, prompts). These are the two seams; `compose.ts` fits a gateway into them.
import type {
  CallToolResult,
  GetPromptResult,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Tool as McpTool,
} from '@modelcontextprotocol/sdk/types.js'
import type { CallRequest } from '../call/request.ts'

/** A call of the front's own tool, as the road takes it; or an answer that needs no road. */
export type Translated =
  | {
      readonly kind: 'call'
      readonly request: Pick<CallRequest, 'tool' | 'args'> &
        Partial<Pick<CallRequest, 'spelling' | 'declared' | 'notes'>>
    }
  | { readonly kind: 'result'; readonly result: CallToolResult }

/** Tools that stand in front of the catalogue, which is then not listed itself. */
export interface Front {
  readonly instructions: string
  tools(): readonly McpTool[]
  /** `undefined` for a name that is not the front's. */
  translate(name: string, args: unknown): Promise<Translated | undefined> | Translated | undefined
}

/** What passes through to somebody else's server. Each throws the error that the client should see. */
export interface Passage {
  readonly prompts: boolean
  listResources(cursor: string | undefined): Promise<ListResourcesResult>
  listResourceTemplates(cursor: string | undefined): Promise<ListResourceTemplatesResult>
  /** `undefined` where no upstream has it. */
  readResource(uri: string): Promise<ReadResourceResult | undefined>
  listPrompts(cursor: string | undefined): Promise<ListPromptsResult>
  getPrompt(name: string, args: Readonly<Record<string, string>> | undefined): Promise<GetPromptResult>
}

/** Tells the doors that what they list has changed. Answers how to stop listening. */
export type ListChanges = (listener: (what: 'tools' | 'resources' | 'prompts') => void) => () => void
