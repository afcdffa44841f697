// The login of one server, as its connection uses it: which token to send now. The store is asked each time, so that a login
// in another process counts at once, and a logout too. Of all processes one refreshes; the others wait for what it gets.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Login, LoginKey, LoginStore } from '../../../model/logins.ts'
import { LoginNeeded, plainScopes, type LoginNeed } from './login-need.ts'
import { isMeantFor, isSameIssuer } from './secret-goes-to.ts'

export interface ServerLogin {
  /**
   * The token to send, refreshed where its end is near, or where the server has `refused` this one; `undefined` where nobody
   * has logged in.
   * @throws {LoginNeeded} where there is none that the server could take.
   */
  readonly token: (refused?: string) => Promise<string | undefined>
  /** Whether somebody has logged in since this need was found. */
  readonly isMet: (need: LoginNeed) => Promise<boolean>
  /** What the server needs that it refuses a request so. `scope`: as it names it. */
  readonly need: (kind: 'none' | 'refused' | 'renewed' | 'scope', scope?: string) => Promise<LoginNeed>
  /** Hears that the server has taken a token. */
  readonly taken: () => void
  /** The tokens that this process has sent lately: what the server says may hold them. */
  readonly secrets: () => readonly string[]
}

interface ServerLoginParts {
  readonly store: LoginStore
  readonly key: LoginKey
  /** The client that the operator has registered, where there is one: a login as another one does not count. */
  readonly client?: Pick<Login['client'], 'id' | 'secret'> | undefined
  /** The issuer that the operator names: a login at another one does not count. */
  readonly issuer?: string | undefined
  /** What a person runs to log in, with these scopes besides. */
  readonly command: (scope?: string) => string
  /** Variables that this command needs as this server has them. */
  readonly variables?: readonly string[]
  /** Whether the settings have headers for it, which may be meant as its login. */
  readonly hasHeaders?: boolean
  /** Epoch milliseconds, by the store's clock. */
  readonly now: () => number
}

/** How long before its end a token is refreshed, in milliseconds; at most half of its life. */
const earlyMs = 30_000
/** How long one process may take to refresh before another may: longer than a request to an authorization server lasts. */
const turnMs = 30_000
/** How long a request waits for a token: longer than the turn of a process that has died. */
const patienceMs = turnMs + 5000
/** How often who waits for another process looks. */
const lookEveryMs = 100

const keptSecrets = 6

/** The login of one server. */
export function createServerLogin(parts: ServerLoginParts): ServerLogin {
  const { store, key, client, issuer, command, variables = [], hasHeaders = false, now } = parts
  let sent: readonly string[] = []
  const says = (kind: LoginNeed['kind'], why: string, at?: number, scope?: string): LoginNeed => ({
    kind,
    server: key.server,
    why,
    ...(kind === 'renewed' || kind === 'away' ? {} : { command: command(scope), variables }),
    at,
  })
  const over = (why: string, at: number): LoginNeeded => new LoginNeeded(says('over', why, at))

  const isFresh = ({ access, expiresAt, since }: NonNullable<Login['tokens']>, refused: string | undefined): boolean =>
    access !== refused && (expiresAt === undefined || now() < expiresAt - Math.min(earlyMs, (expiresAt - since) / 2))

  async function find(): Promise<Login | undefined> {
    const login = await store.find(key)
    if (login === undefined || (client ?? login.client).id !== login.client.id) return undefined
    return isSameIssuer(issuer ?? login.issuer, login.issuer) ? login : undefined
  }

  /** With the secret that the settings have now: it may be another one than when a person agreed. */
  const asWeAre = (login: Login): Login =>
    client?.secret === undefined || !isMeantFor(login.issuer, client, issuer, login)
      ? login
      : { ...login, client: { ...login.client, secret: client.secret } }

  async function look(refused: string | undefined): Promise<string | undefined> {
    const deadline = performance.now() + patienceMs
    const owner = randomUUID()
    for (;;) {
      const login = await find()
      if (login === undefined) return undefined
      const { tokens, at } = login
      if (tokens === undefined)
        throw over(`The login at ${key.server} is over: its authorization server ended it (invalid_grant).`, at)
      if (isFresh(tokens, refused)) return tokens.access
      // What was got for one that was refused helps no more than that: a server that refuses all of them costs one refresh.
      if (tokens.access === refused && vain === at) throw new LoginNeeded(refusedNeed(at))
      const isUsable = tokens.access !== refused && (tokens.expiresAt ?? Infinity) > now()
      if (tokens.refresh === undefined && isUsable) return tokens.access
      if (tokens.refresh === undefined)
        throw over(`The login at ${key.server} is over: its token has ended, and it cannot be refreshed.`, at)
      if (notTaken?.refresh === tokens.refresh) {
        if (isUsable) return tokens.access
        throw new LoginNeeded(notTaken.need)
      }
      if (await store.take(key, owner, turnMs)) {
        const token = await refreshOnce(owner, refused, isUsable)
        if (token !== undefined) return token
      } else if (isUsable) return tokens.access
      else await sleep(lookEveryMs)
      if (performance.now() > deadline) throw new LoginNeeded(awayNeed(at))
    }
  }

  /** The login whose token was renewed because the server refused it, as long as the server has taken none since. */
  let vain: number | undefined

  const awayNeed = (at: number): LoginNeed =>
    says('away', `The token of ${key.server} cannot be refreshed now: its authorization server does not answer.`, at)

  /** The refresh token that was not taken from us, and what a person has to do: it is not brought again. */
  let notTaken: { readonly refresh: string | undefined; readonly need: LoginNeed } | undefined

  const clientNeed = (code: string, at: number): LoginNeed =>
    says(
      'client',
      `The authorization server of ${key.server} does not take us for the client of the login any more (${code}). The login was kept. ${
        client === undefined
          ? 'A new one puts that right.'
          : 'Correct `oauth.client_id` and `oauth.client_secret` of its entry in the settings first, and start again.'
      }`,
      at,
    )

  const refusedNeed = (at: number | undefined): LoginNeed =>
    says('refused', `${key.server} does not accept the login that there is.`, at)

  /** With the turn: what another process has got in between counts, else asks. `undefined`: look again. */
  async function refreshOnce(
    owner: string,
    refused: string | undefined,
    isUsable: boolean,
  ): Promise<string | undefined> {
    const login = await find()
    if (login?.tokens === undefined || isFresh(login.tokens, refused)) {
      await store.giveBack(key, owner)
      return undefined
    }
    const { refreshLogin } = await import('./refresh.ts')
    const result = await refreshLogin(asWeAre(login), now)
    if (result.kind === 'refreshed') {
      if (!(await store.giveBack(key, owner, result.login))) return undefined
      if (refused !== undefined) vain = login.at
      if (result.tokens.access === refused) throw new LoginNeeded(refusedNeed(login.at))
      return result.tokens.access
    }
    if (result.kind !== 'over') {
      await store.giveBack(key, owner)
      const need = result.kind === 'client' ? clientNeed(result.code, login.at) : awayNeed(login.at)
      if (result.kind === 'client') notTaken = { refresh: login.tokens.refresh, need }
      if (isUsable) return login.tokens.access
      throw new LoginNeeded(need)
    }
    const { tokens: _, ...ended } = login
    await store.giveBack(key, owner, ended)
    return undefined
  }

  /** Our own database failed: nothing was sent, and nobody has to log in. */
  const unread = (error: unknown): never => {
    if (error instanceof LoginNeeded) throw error
    const need = says('away', `The login at ${key.server} cannot be read now: our database does not answer.`)
    throw new LoginNeeded(need, { cause: error })
  }

  const looking = new Map<string | undefined, Promise<string | undefined>>()

  return {
    async token(refused) {
      // Requests at the same time share one look.
      const shared = looking.get(refused) ?? look(refused).finally(() => looking.delete(refused))
      looking.set(refused, shared)
      const token = await shared.catch(unread)
      if (token !== undefined && !sent.includes(token)) sent = [token, ...sent].slice(0, keptSecrets)
      return token
    },
    async isMet({ at }) {
      const login = await find()
      return login?.tokens !== undefined && login.at !== at
    },
    async need(kind, scope = '') {
      // The server has refused the request, whatever our database says.
      const at = (await find().catch(() => undefined))?.at
      if (kind === 'none')
        return says(
          'none',
          `${key.server} asks for a login, and nobody has logged in${hasHeaders ? '; if a key in its headers was meant as one, it is not accepted' : ''}.`,
          at,
        )
      if (kind === 'refused') return refusedNeed(at)
      if (kind === 'renewed') return says('renewed', `The login at ${key.server} was renewed. Make the call again.`, at)
      const plain = plainScopes(scope)
      return says(
        'scope',
        `The login at ${key.server} does not permit this${plain === undefined ? '' : `; it takes the scope ${plain}`}.`,
        at,
        plain,
      )
    },
    taken: () => void (vain = undefined),
    secrets: () => sent,
  }
}
