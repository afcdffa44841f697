// Joins the logins of the store to the servers that use them, with the command by which a person logs in.
import type { Failure } from '../../errors/failure.ts'
import type { LoginNeed } from '../../gateway/upstream/login/login-need.ts'
import { createServerLogin, type ServerLogin } from '../../gateway/upstream/login/server-login.ts'
import {
  isStdio,
  type GatewayConfig,
  type RemoteServer,
  type ServerConfig,
} from '../../gateway/upstream/settings/upstream-config.schema.ts'
import { isProtected } from '../../ip-address.ts'
import type { Login, LoginKey } from '../../model/logins.ts'
import type { Store } from '../../store/store.ts'
import { quoted } from '../settings/operator-options.ts'

export { isProtected } from '../../ip-address.ts'
export { isSameIssuer } from '../../gateway/upstream/login/secret-goes-to.ts'
export { plainScopes } from '../../gateway/upstream/login/login-need.ts'
export { shownAddress } from '../../gateway/upstream/settings/configured-secrets.ts'
export type { RemoteServer } from '../../gateway/upstream/settings/upstream-config.schema.ts'
export type { Login, LoginKey } from '../../model/logins.ts'

/** Where a login of this server is kept. */
export const loginKeyOf = (name: string, server: RemoteServer): LoginKey => ({
  server: name,
  address: new URL(server.url).href,
})

/** Why a server takes no login; `undefined` where it takes one. */
export function whyNoLogin(server: ServerConfig): string | undefined {
  if (isStdio(server)) return 'is a program on this machine, which logs in by itself'
  if (Object.keys(server.headers).some((name) => name.toLowerCase() === 'authorization'))
    return 'has an "authorization" header in the settings, which is its login'
  return isProtected(server.url) ? undefined : 'has an address that is not https, so a token could be read on the way'
}

/** The logins of the servers of a gateway. `operatorOptions`, `operatorVariables`: of the command that a person runs. */
export const serverLogins =
  (
    store: Pick<Store, 'logins' | 'now'>,
    config: Pick<GatewayConfig, 'loginWords'>,
    {
      operatorOptions = '',
      operatorVariables = [],
    }: { readonly operatorOptions?: string | undefined; readonly operatorVariables?: readonly string[] | undefined },
  ) =>
  (name: string, server: ServerConfig): ServerLogin | undefined => {
    if (isStdio(server) || whyNoLogin(server) !== undefined) return undefined
    const { client_id: id, client_secret: secret, issuer } = server.oauth ?? {}
    const words = (config.loginWords?.[name] ?? [name]).map((word) => quoted(word, process.platform))
    return createServerLogin({
      store: store.logins,
      key: loginKeyOf(name, server),
      client: id === undefined ? undefined : { id, secret },
      issuer,
      now: store.now,
      command: (scope) =>
        [
          'countersign login',
          ...words,
          ...(scope === undefined ? [] : ['--scope', quoted(scope, process.platform)]),
          ...(operatorOptions === '' ? [] : [operatorOptions]),
        ].join(' '),
      variables: operatorVariables,
      hasHeaders: Object.keys(server.headers).length > 0,
    })
  }

/** A call that waits for a person's login, as it is told. */
export const loginNeeded = (
  tool: string,
  { server, why, command = '', variables = [] }: LoginNeed,
): Extract<Failure, { kind: 'login-needed' }> => ({ kind: 'login-needed', tool, server, why, command, variables })

/** How long a login lasts, in words. */
export function loginState({ tokens }: Pick<Login, 'tokens'>): string {
  if (tokens === undefined) return 'over: log in again'
  if (tokens.refresh !== undefined) return 'refreshed by itself'
  return tokens.expiresAt === undefined ? 'until it is refused' : `until ${minuteOf(tokens.expiresAt)}`
}

/** A login as operators read it; nothing in it is secret. */
export function loginWords(login: Login): string {
  const { issuer, client, at, scope, tokens } = login
  const ends =
    tokens?.refresh === undefined || tokens.expiresAt === undefined
      ? ''
      : `, its token until ${minuteOf(tokens.expiresAt)}`
  return `logged in at ${issuer} as its client ${client.id} since ${minuteOf(at)}, ${loginState(login)}${ends}; scopes: ${scope ?? 'not said'}`
}

const minuteOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
