// The error for an unknown resource, which has the code -32002 in MCP.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { contractTemplate, contractUriOf } from './listing.ts'

/** There is nothing at this address; `next` says what there is. */
export function noSuchResource(uri: string, next: string): McpError {
  const asked = uri.slice(0, 200)
  const message = `There is no resource ${JSON.stringify(asked)}. ${next}`
  // The SDK's own text begins with the code, which newer versions of the protocol replace.
  return Object.assign(new McpError(-32002, message, { uri: asked }), { message })
}

/** The same for an address that is not of documentation. */
export const noResource = (uri: string): McpError =>
  noSuchResource(
    uri,
    uri.startsWith(contractUriOf(''))
      ? `What stands for {tool} in ${contractTemplate.uriTemplate} is the name of a tool as it is called, which completion/complete knows.`
      : 'resources/list names those that exist.',
  )
