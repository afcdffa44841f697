// The error for an unknown resource, which has the code -32002 in MCP.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { contractTemplate, contractUriOf } from './listing.ts'

/** There is nothing at this address; `next` says what there is. */
export function noSuchResource(uri: string, next: string): McpError {
  const asked = uri.slice(0, 200)
  return new McpError(-32002, `There is no resource ${JSON.stringify(asked)}. ${next}`, { uri: asked })
}

/** The same for an address that is not of documentation. */
export const noResource = (uri: string): McpError =>
  noSuchResource(
    uri,
    uri.startsWith(contractUriOf(''))
      ? `What stands for {tool} in ${contractTemplate.uriTemplate} is the name of a tool as it is called, which completion/complete knows.`
      : 'resources/list names those that exist.',
  )
