import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { onTestFinished } from 'vitest'

/** An MCP client over HTTP, with this `Authorization` where there is one; closes with its test. */
export async function mcpClient(url: string, authorization?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const headers: HeadersInit = authorization === undefined ? {} : { authorization }
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}
