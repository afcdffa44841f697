// Puts a login's token on the requests of one connection, and nowhere else: the token goes to the origin that the settings
// name, and what an agent or a caller of ours brings is never passed on.
import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isToolCall } from '../connection/wire/send-once.ts'
import { LoginNeeded, type LoginNeed } from './login-need.ts'
import type { ServerLogin } from './server-login.ts'

/**
 * A `fetch` that sends the token. What the server refuses with 401 is sent once more with a newer token, except a call of
 * a tool, which leaves once: it is told to come again, and where that is refused as well, that a login is needed.
 * @param onNeed is told what a person has to do, because not every transport hands on what its `fetch` throws.
 */
export function withLogin(
  next: FetchLike,
  login: ServerLogin,
  address: string,
  onNeed: (need: LoginNeed) => void,
): FetchLike {
  const { origin } = new URL(address)
  async function send(url: string | URL, init: RequestInit | undefined): Promise<Response> {
    const token = await login.token()
    const first = await next(url, withToken(init, token))
    if (first.status !== 401) return token === undefined ? first : answered(first)
    await first.body?.cancel()
    if (token === undefined) throw new LoginNeeded(await login.need('none'))
    const newer = await login.token(token)
    if (newer === undefined) throw new LoginNeeded(await login.need('none'))
    if (typeof init?.body === 'string' && isToolCall(init.body)) throw new LoginNeeded(await login.need('renewed'))
    const second = await next(url, withToken(init, newer))
    if (second.status !== 401) return answered(second)
    await second.body?.cancel()
    throw new LoginNeeded(await login.need('refused'))
  }

  /** The answer, unless it asks for a scope (RFC 6750, section 3.1): that is said before a request is carried out. */
  async function answered(response: Response): Promise<Response> {
    if (response.ok) login.taken()
    if (response.status !== 403) return response
    const { error, scope } = extractWWWAuthenticateParams(response)
    if (error !== 'insufficient_scope') return response
    await response.body?.cancel()
    throw new LoginNeeded(await login.need('scope', scope))
  }

  return async (url, init) => {
    if (new URL(url).origin !== origin) return next(url, init)
    // The end of a session is told also where this process ends, which would cut the refresh of a token off, and with it the login.
    if (init?.method === 'DELETE') return next(url, withToken(init, login.secrets().at(0)))
    try {
      return await send(url, init)
    } catch (error) {
      if (error instanceof LoginNeeded) onNeed(error.need)
      throw error
    }
  }
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit | undefined {
  if (token === undefined) return init
  const headers = new Headers(init?.headers)
  headers.set('authorization', `Bearer ${token}`)
  return { ...init, headers }
}
