// The least that stands in front of MCP servers with the official SDK: `serve-proxy.ts <command lines as JSON>`. One client
// for each server, their tools in one list under `<number>:<name>`, calls handed on, and nothing else. Speaks stdio.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'

const commands = JSON.parse(process.argv.at(-1) ?? '[]') as readonly (readonly string[])[]
const clients = await Promise.all(
  commands.map(async ([command = '', ...args]) => {
    const client = new Client({ name: 'proxy', version: '1' })
    await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
    return { client, listed: await client.listTools() }
  }),
)
const tools = clients.flatMap(({ listed }, at) => listed.tools.map((tool) => ({ ...tool, name: `${at}:${tool.name}` })))
const server = new Server({ name: 'proxy', version: '1' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const [at, ...name] = params.name.split(':')
  const found = clients[Number(at)]
  if (found === undefined) throw new Error(`There is no server ${at}.`)
  return found.client.callTool({ ...params, name: name.join(':') })
})
server.onclose = () => void Promise.all(clients.map(({ client }) => client.close())).then(() => process.exit())
await server.connect(new StdioServerTransport())
process.stdin.once('end', () => void server.close())
