// An MCP client that is refused asks here where it can get a token: the protected-resource metadata (RFC 9728, and
// "Authorization" of the MCP specification). It says nothing that a refused client may not know.
import { Hono } from 'hono'

const root = '/.well-known/oauth-protected-resource'

interface MetadataOptions {
  /** Where people and agents reach this server: `https://host[:port]`. */
  readonly publicUrl: () => string
  readonly issuer: string
  /** Every permission that a tool here asks for. */
  readonly permissions: () => readonly string[]
  readonly name: string
}

/** The identifier of the protected resource, which tokens must be for. */
export const resourceOf = (publicUrl: string): string => `${publicUrl}/mcp`

/** Where the metadata of the resource is: its path comes after the well-known part (RFC 9728, section 3.1). */
export const metadataOf = (publicUrl: string): string => `${publicUrl}${root}/mcp`

/** The app at `/`. */
export function createMetadataApp({ publicUrl, issuer, permissions, name }: MetadataOptions): Hono {
  const answer = (): Response =>
    Response.json(
      {
        resource: resourceOf(publicUrl()),
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: permissions(),
        resource_name: name,
      },
      // Public, and asked for by clients that run in pages of their own.
      { headers: { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' } },
    )
  return new Hono().get(root, answer).get(`${root}/mcp`, answer)
}
