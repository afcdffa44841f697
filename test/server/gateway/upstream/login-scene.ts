// Logins as the tests make them: a real authorization server, a browser that agrees, and a server's login on a store.
import { expect, onTestFinished } from 'vitest'
import { beginLogin, type LoginWish } from '../../../../server/gateway/upstream/login/begin-login.ts'
import type { LoginNeeded } from '../../../../server/gateway/upstream/login/login-need.ts'
import { createServerLogin } from '../../../../server/gateway/upstream/login/server-login.ts'
import { remoteServerSchema } from '../../../../server/gateway/upstream/settings/upstream-config.schema.ts'
import type { Login } from '../../../../server/model/logins.ts'
import type { Store } from '../../../../server/store/store.ts'
import { startProtectedServer } from '../../../kit/protected-server.ts'
import { openWanderer } from '../../http/auth/openid-provider.ts'

type Options = Parameters<typeof startProtectedServer>[0]

export async function protectedServer(options: Options = {}) {
  const server = await startProtectedServer(options)
  onTestFinished(() => server.close())
  return server
}

export const wishFor = (url: string, more: Partial<LoginWish> & { readonly oauth?: object } = {}): LoginWish => {
  const { oauth, ...rest } = more
  return {
    server: 'tracker',
    address: url,
    config: remoteServerSchema.parse({ url, ...(oauth === undefined ? {} : { oauth }) }),
    redirectUrl: 'http://127.0.0.1:9/callback',
    state: 'the state of this test',
    privateNetwork: true,
    now: Date.now,
    ...rest,
  }
}

/** Why a login cannot begin, or be finished with this answer of the browser. */
export async function whyNot(
  wish: LoginWish,
  change: (answer: URLSearchParams) => void = () => undefined,
): Promise<string> {
  const begun = await beginLogin(wish)
  if (!begun.ok) return begun.failure.message
  const back = await openWanderer().passProvider(begun.value.address.href, 'ada', ({ port }) => port === '9')
  change(back.searchParams)
  const ended = await begun.value.finish(back.searchParams)
  return ended.ok ? 'logged in' : ended.failure.message
}

/** Logs in as a person does. */
export async function logIn(wish: LoginWish): Promise<Login> {
  const begun = await beginLogin(wish)
  if (!begun.ok) throw new Error(begun.failure.message)
  const { address, isOurs, finish } = begun.value
  const { searchParams } = await openWanderer().passProvider(address.href, 'ada', ({ port }) => port === '9')
  expect(isOurs(searchParams)).toBe(true)
  const login = await finish(searchParams)
  if (!login.ok) throw new Error(login.failure.message)
  return login.value
}

export const loginIn = (store: Store, url: string, now: () => number = store.now) =>
  createServerLogin({ store: store.logins, key: { server: 'tracker', address: url }, command: () => 'log in', now })

export const needOfToken = (asked: Promise<unknown>) =>
  asked.then(
    () => 'a token',
    (error: LoginNeeded) => error.need.kind,
  )
