// A real authorization server (oidc-provider) on the loopback, which hands out access tokens as JWTs for one resource to
// an agent that proves itself with its client secret.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { atEnd } from '../at-end.ts'
import { listeningUntil } from '../../kit/listening.ts'

export const agentClient = { id: 'agent', secret: 'the secret of the agent in this test' }

/** Starts one that knows these scopes; it ends with the test file. Answers its address. */
export async function startAuthorizationServer(scopes: readonly string[]): Promise<string> {
  const server = createServer()
  const issuer = await listeningUntil(atEnd, server)
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'one', alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: agentClient.id,
        client_secret: agentClient.secret,
        grant_types: ['client_credentials'],
        response_types: [],
        redirect_uris: [],
        scope: scopes.join(' '),
      },
    ],
    scopes: [...scopes],
    extraTokenClaims: () => ({ org: 'acme' }),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => ({
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 600,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  })
  const handle = provider.callback()
  server.on('request', (request, response) => void handle(request, response))
  return issuer
}
