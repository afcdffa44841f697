// The agent's side of the scripted host: one MCP client on the server under test, and what the host must know of its
// tools. The SDK's client half is allowed in this folder because it is a host (docs/adr/0013).
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolResultSchema, type CallToolResult, type Tool } from '@modelcontextprotocol/sdk/types.js'
import { loadAppBridge } from './host/app-bridge.ts'
import type { Arguments } from './arguments.ts'

/** The server under test. A command is started anew for each check, so that no check finds what another one left. */
export type Target =
  | {
      readonly kind: 'command'
      readonly command: string
      readonly args: readonly string[]
      readonly env?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'url'; readonly url: URL }

/** A view's page and the domains that it asked for. */
export interface ViewPage {
  /** Its HTML. */
  readonly html: string
  /** Where it may load from, as it says itself. */
  readonly csp: Readonly<Record<string, readonly string[]>>
}

/** A client at a server, in a test. */
export interface Session {
  /** What the server calls itself. */
  readonly server: string
  /** What it lists. */
  readonly tools: readonly Tool[]
  /** Calls a tool. */
  call(tool: string, args: Arguments): Promise<CallToolResult>
  /** The page that draws this tool's results. `undefined` where it names none. */
  view(tool: string): Promise<ViewPage | undefined>
  /** Ends the connection. */
  close(): Promise<void>
}

/** MIME type of an MCP Apps view. */
const viewType = 'text/html;profile=mcp-app'

/** What a client announces that draws views. */
export const appsCapability = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [viewType] } } }

/** Connects to the server and lists its tools. `apps` announces the MCP Apps extension. */
export async function openSession(target: Target, { apps }: { readonly apps: boolean }): Promise<Session> {
  const client = new Client(
    { name: 'countersign-test-host', version: '1' },
    { capabilities: apps ? appsCapability : {} },
  )
  const said = stderrOf(target)
  try {
    await client.connect(said.transport)
    const tools = await listTools(client)
    const info = client.getServerVersion()
    // Hosts read a view once, and draw it for each result of its tools.
    const views = new Map<string, Promise<ViewPage | undefined>>()
    return {
      server: `${info?.title ?? info?.name ?? 'server'} ${info?.version ?? ''}`.trim(),
      tools,
      call: async (name, args) =>
        client.request({ method: 'tools/call', params: { name, arguments: { ...args } } }, CallToolResultSchema),
      view: (name) => {
        const tool = tools.find((one) => one.name === name)
        const read = views.get(name) ?? readView(client, tool)
        views.set(name, read)
        read.catch(() => views.delete(name))
        return read
      },
      close: () => client.close(),
    }
  } catch (cause) {
    await client.close().catch(() => undefined)
    const words = said.text()
    throw new Error(`The server did not start: ${words === '' ? String(cause) : words}`, { cause })
  }
}

/** A server's own words on stderr say best why it did not start. */
function stderrOf(target: Target): { readonly transport: Transport; text(): string } {
  if (target.kind === 'url') return { transport: new StreamableHTTPClientTransport(target.url), text: () => '' }
  const { command, args, env } = target
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    stderr: 'pipe',
    ...(env === undefined ? {} : { env: { ...env } }),
  })
  let text = ''
  transport.stderr?.on('data', (chunk: Buffer) => (text = (text + chunk.toString()).slice(-2000)))
  return { transport, text: () => lastWords(text) }
}

/** An uncaught error's own line, or else the last one. */
const lastWords = (text: string): string => {
  const lines = text.trim().split('\n')
  return lines.findLast((line) => /^\w*Error: /.test(line)) ?? lines.at(-1) ?? ''
}

/** All tools, page by page. */
export async function listTools(client: Client): Promise<readonly Tool[]> {
  const tools: Tool[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor })
    tools.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

async function readView(client: Client, tool: Tool | undefined): Promise<ViewPage | undefined> {
  const { getToolUiResourceUri } = await loadAppBridge()
  const uri = tool === undefined ? undefined : getToolUiResourceUri(tool)
  if (uri === undefined) return undefined
  const { contents } = await client.readResource({ uri })
  const found = contents.find((one) => one.mimeType === viewType)
  if (found === undefined) throw new Error(`${uri} is not of the type ${viewType}.`)
  const ui = found._meta?.['ui'] as { readonly csp?: ViewPage['csp'] } | undefined
  const html = 'text' in found ? found.text : Buffer.from(found.blob, 'base64').toString('utf8')
  return { html, csp: ui?.csp ?? {} }
}
