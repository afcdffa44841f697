// A real OpenID provider on this machine, whose people sign in by naming themselves, and a browser that goes through it.
import { createServer, type Server } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { onTestFinished, vi } from 'vitest'
import { listening } from '../../../kit/listening.ts'

export const client = { id: 'countersign', secret: 'the secret of this test' }

export interface RunningProvider {
  readonly issuer: string
  /** Ends it before its test does. */
  readonly stop: () => Promise<void>
}

export type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Starts a provider that knows these people, by login, with their claims. */
export async function startProvider(
  people: People,
  callback: string,
  host: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<RunningProvider> {
  // It warns that it is not for production, which nobody doubts here.
  const warnings = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  onTestFinished(() => warnings.mockRestore())
  let handle: ReturnType<Provider['callback']> | undefined
  const server = createServer((request, response) => void handle?.(request, response))
  const issuer = await listening(server, host)
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [callback] }],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key of this test'] },
    claims: { openid: ['sub'], profile: ['preferred_username', 'groups', 'tenant', 'realm_access'] },
    pkce: { required: () => true },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    findAccount: (_, login) => ({
      accountId: login,
      claims: () => ({ sub: login, ...people[login] }),
    }),
  })
  handle = provider.callback()
  let stopped = false
  const stop = async (): Promise<void> => {
    if (!stopped) await closed(server)
    stopped = true
  }
  onTestFinished(stop)
  return { issuer, stop }
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

/** A browser with cookies for each host and port. */
export function openWanderer() {
  const jars = new Map<string, Map<string, string>>()
  const go = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(address)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      headers: { accept: 'text/html', cookie, ...(init.headers as Record<string, string> | undefined) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0\b/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Follows redirects as long as they lead somewhere else than `until`. */
  const follow = async (
    from: string,
    until: (url: URL) => boolean,
    init?: RequestInit,
  ): Promise<readonly [URL, Response]> => {
    let at = new URL(from)
    let response = await go(at.href, init)
    for (let hops = 0; hops < 12; hops++) {
      const location = response.headers.get('location')
      if (location === null) return [at, response]
      at = new URL(location, at)
      if (until(at)) return [at, response]
      response = await go(at.href)
    }
    throw new Error('It goes round in circles.')
  }

  /** Signs in at the provider as this person and agrees to what it asks; answers the address of our callback. */
  const passProvider = async (
    start: string,
    login: string,
    isCallback = (url: URL): boolean => url.pathname.endsWith('/oidc/callback'),
  ): Promise<URL> => {
    let [at, page] = await follow(start, isCallback)
    for (let step = 0; step < 4 && !isCallback(at); step++) {
      const html = await page.text()
      const action = /<form[^>]* action="([^"]+)"/.exec(html)?.[1]
      const prompt = /name="prompt" value="([^"]+)"/.exec(html)?.[1]
      if (action === undefined || prompt === undefined) throw new Error(`The provider says: ${html.slice(0, 500)}`)
      const form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login, password: 'any' } : {}) })
      ;[at, page] = await follow(new URL(action, at).href, isCallback, { method: 'POST', body: form })
    }
    return at
  }

  return { go, follow, passProvider, jars }
}
