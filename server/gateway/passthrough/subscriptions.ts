// One connection to a server serves many clients, and each of them may have said what it wants to hear: log messages from
// some level on, changes of some resources. The server is told the sum of it, and what it says is handed to those who
// asked. All of it lives in this process, as the connection does.
import { maySee, type Requester } from './requester.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { z } from 'zod'
import type { CallFailure } from '../upstream/connection/call-failure.ts'
import { has, passedError, type Passed } from './resources-and-prompts.ts'
import type { Pool } from '../upstream/pool.ts'
import type { Upstream, UpstreamEvent } from '../upstream/upstream.ts'
import { createStatusMessages } from './status-messages.ts'
import type { Views } from './views.ts'
import { createFollowing } from './following.ts'

/** From the most talkative to the most silent (RFC 5424). */
const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const
const levelSchema = z.enum(levels)
type Level = (typeof levels)[number]

/** One notification for a client. */
export interface ClientNotification {
  readonly method: string
  readonly params: Passed
}
type Notify = (notification: ClientNotification) => void

/** Who is notified, and as whom: asked anew each time, because permissions end. */
interface Listener {
  readonly notify: Notify
  readonly requester: () => Requester
}

/** One request for a resource that is not answered yet. */
interface Attempt {
  /** Who is being asked; nobody as long as that is looked for. */
  upstream?: Upstream | undefined
}

/** A resource that a client follows, or asks for: maybe several times at once, and each time may end otherwise. */
interface Followed {
  /** Who has agreed to tell of it. */
  agreed?: Upstream
  readonly attempts: Set<Attempt>
}

const isFollowedAt = (upstream: Upstream, followed: Followed | undefined): boolean =>
  followed !== undefined && serversOf(followed).includes(upstream)

const serversOf = ({ agreed, attempts }: Followed): readonly Upstream[] =>
  [agreed, ...[...attempts].map(({ upstream }) => upstream)].filter((each) => each !== undefined)

interface Client {
  level?: Level
  /** By the servers' own addresses. */
  readonly addresses: Map<string, Followed>
  readonly listeners: Set<Listener>
  /** The servers of which it was told that they are away. */
  readonly toldAway: Set<Upstream>
}

/** More clients than this are forgotten, the oldest silent one first; more addresses than this are refused. */
const limits = { clients: 1000, addresses: 1000 } as const

/** A server that floods its log must not drown its client: so many messages a second pass, and then the news of more. */
const messagesPerSecond = 100

const rank = (level: unknown): number => {
  const read = levelSchema.safeParse(level)
  return read.success ? levels.indexOf(read.data) : levels.length
}

/** Who wants to hear what. `ownersOf` says which servers may have an address. */
export function createSubscriptions(
  pool: Pool,
  views: Views,
  ownersOf: (uri: string, requester: Requester) => Promise<readonly Upstream[]>,
  report: (error: unknown, where: string) => void,
) {
  const clients = new Map<string, Client>()
  /** Everybody who is served, at most two: a log message may be about any of their calls, so it passes while there is one. */
  const principals = new Set<string>()
  const statusMessages = createStatusMessages()
  const meters = new Map<Upstream, { readonly second: number; readonly count: number }>()

  /** Counts what one server says; the first message of a second that is too much is said once. */
  function meter(upstream: Upstream): 'passes' | 'first-too-much' | 'too-much' {
    const second = Math.floor(performance.now() / 1000)
    const before = meters.get(upstream)
    const count = before?.second === second ? before.count + 1 : 1
    meters.set(upstream, { second, count })
    if (count <= messagesPerSecond) return 'passes'
    return count === messagesPerSecond + 1 ? 'first-too-much' : 'too-much'
  }

  function clientOf(id: string): Client {
    const known = clients.get(id)
    if (known !== undefined) return known
    const made: Client = { addresses: new Map(), listeners: new Set(), toldAway: new Set() }
    clients.set(id, made)
    if (clients.size > limits.clients) {
      const silent = [...clients].find(([, client]) => client !== made && client.listeners.size === 0)?.[0]
      if (silent !== undefined) forget(silent)
    }
    return made
  }

  function forget(id: string): void {
    const gone = clients.get(id)
    if (gone === undefined || !clients.delete(id)) return
    for (const [uri, followed] of gone.addresses)
      for (const upstream of serversOf(followed)) void following.release(upstream, uri)
  }

  /** The most talkative level that somebody asked for. */
  const wanted = (): Level | undefined =>
    levels[Math.min(...[...clients.values()].map(({ level }) => (level === undefined ? levels.length : rank(level))))]

  const following = createFollowing<Upstream>(
    (upstream, uri) => [...clients.values()].some(({ addresses }) => isFollowedAt(upstream, addresses.get(uri))),
    report,
  )

  /** A server that comes back knows nothing of what was asked of it before. */
  async function remind(upstream: Upstream): Promise<void> {
    const level = wanted()
    if (level !== undefined && has(upstream, 'logging')) await upstream.request('logging/setLevel', { level })
    const addresses = new Set<string>()
    for (const client of clients.values())
      for (const [uri, followed] of client.addresses) if (isFollowedAt(upstream, followed)) addresses.add(uri)
    for (const uri of addresses) {
      await following.follow(upstream, uri)
      // Its client may have left meanwhile.
      await following.release(upstream, uri)
    }
  }

  function tell(upstream: Upstream, listeners: Iterable<Listener>, notification: ClientNotification): void {
    for (const { notify, requester } of listeners) if (maySee(requester(), upstream)) notify(notification)
  }

  /** Hands a log message on a server to those of these clients that want to hear it. */
  function logTo(among: Iterable<Client>, upstream: Upstream, said: Passed): void {
    // Who has said nothing hears what a server says by itself, and not what somebody else has asked for.
    const unasked = wanted() === undefined ? 0 : rank('info')
    for (const { level, listeners } of among)
      if (rank(said['level']) >= (level === undefined ? unasked : rank(level)))
        tell(upstream, listeners, { method: 'notifications/message', params: said })
  }

  function passOn(upstream: Upstream, { method, params }: Extract<UpstreamEvent, { kind: 'notification' }>): void {
    if (method === 'notifications/message' && principals.size < 2) {
      const passes = meter(upstream)
      if (passes === 'too-much') return
      const several = pool.upstreams.length > 1
      const { logger } = params
      const named = several
        ? { ...params, logger: typeof logger === 'string' ? `${upstream.name}/${logger}` : upstream.name }
        : params
      const said =
        passes === 'passes'
          ? named
          : { ...named, level: 'warning', data: `${upstream.name} writes too much; some of it is left out.` }
      logTo(clients.values(), upstream, said)
    }
    if (method === 'notifications/resources/updated' && typeof params['uri'] === 'string') {
      const uri = params['uri']
      const told = { ...params, uri: views.outward(uri) }
      for (const { addresses, listeners } of clients.values())
        if (isFollowedAt(upstream, addresses.get(uri))) tell(upstream, listeners, { method, params: told })
    }
  }

  const stop = pool.listen((upstream, event) => {
    if (event.kind === 'notification') passOn(upstream, event)
    const said = event.kind === 'state' ? statusMessages.of(upstream) : undefined
    if (said !== undefined) {
      logTo(clients.values(), upstream, said)
      for (const { toldAway } of clients.values()) toldAway[said['level'] === 'warning' ? 'add' : 'delete'](upstream)
    }
    if (event.kind === 'state' && upstream.state().kind === 'ready')
      remind(upstream).catch((error: unknown) => report(error, `what clients asked of ${upstream.name}`))
  })

  async function setLevel(id: string, asked: unknown, requester: Requester): Promise<Result<Passed, string>> {
    const level = levelSchema.safeParse(asked)
    if (!level.success) return fail(`logging/setLevel needs params.level, one of ${levels.join(', ')}.`)
    const heard = pool.upstreams.filter((upstream) => maySee(requester, upstream))
    // Who may hear nobody has no say in how much anybody writes.
    if (heard.length === 0) return ok({})
    clientOf(id).level = level.data
    const able = heard.filter((upstream) => has(upstream, 'logging'))
    if (able.length === 0) return ok({})
    requester.onSent?.()
    const sum = wanted() ?? level.data
    const answers = await Promise.all(able.map((upstream) => upstream.request('logging/setLevel', { level: sum })))
    const failures = answers.flatMap((answer): CallFailure[] => (answer.ok ? [] : [answer.failure]))
    if (failures[0] !== undefined && failures.length === answers.length) throw passedError(failures[0])
    return ok({})
  }

  async function subscribe(id: string, address: string, requester: Requester): Promise<Result<Passed, string>> {
    const { addresses } = clientOf(id)
    const uri = views.inward(address)
    if (addresses.size >= limits.addresses && !addresses.has(uri))
      return fail(`A client subscribes to at most ${limits.addresses} resources. Unsubscribe from some first.`)
    // Put down before anybody is asked, so that what is asked for at the same time counts.
    const followed = addresses.get(uri) ?? { attempts: new Set() }
    addresses.set(uri, followed)
    const attempt: Attempt = {}
    followed.attempts.add(attempt)
    try {
      return await askOwners(followed, attempt, uri, address, requester)
    } finally {
      followed.attempts.delete(attempt)
      const isOver = followed.agreed === undefined && followed.attempts.size === 0
      if (isOver && addresses.get(uri) === followed) addresses.delete(uri)
    }
  }

  async function askOwners(
    followed: Followed,
    attempt: Attempt,
    uri: string,
    address: string,
    requester: Requester,
  ): Promise<Result<Passed, string>> {
    let failure: CallFailure | undefined
    for (const upstream of await ownersOf(uri, requester)) {
      if (upstream.capabilities().resources?.subscribe !== true) continue
      requester.onSent?.()
      // Before the request leaves: who lets go of the same resource meanwhile would end it for this client, too.
      attempt.upstream = upstream
      const answer = await following.follow(upstream, uri, requester.signal)
      if (answer.ok) followed.agreed = upstream
      attempt.upstream = undefined
      // The client may have left while it was asked, and what was given up may have been agreed to.
      const released = following.release(upstream, uri)
      if (answer.ok) return ok({})
      await released
      failure = answer.failure
    }
    if (failure !== undefined) throw passedError(failure)
    return fail(`Nobody here tells of changes of ${JSON.stringify(address.slice(0, 200))}.`)
  }

  async function unsubscribe(id: string, address: string): Promise<Passed> {
    const uri = views.inward(address)
    const client = clients.get(id)
    const followed = client?.addresses.get(uri)
    if (followed === undefined) return {}
    client?.addresses.delete(uri)
    await Promise.all(serversOf(followed).map((upstream) => following.release(upstream, uri)))
    return {}
  }

  return {
    /** Tells a client that is ready to hear it which servers are not there. */
    welcome(id: string): void {
      const client = clients.get(id)
      if (client === undefined) return
      for (const [upstream, said] of statusMessages.now(pool.upstreams))
        if (!client.toldAway.has(upstream)) logTo([client], upstream, said)
    },
    setLevel,
    subscribe,
    unsubscribe,
    forget,
    stop,
    notePrincipal({ tenant, subject }: { readonly tenant: string; readonly subject: string }): void {
      if (principals.size < 2) principals.add(JSON.stringify([tenant, subject]))
    },
    /** Hands this client what is meant for it. Answers how to stop. */
    listen(id: string, notify: Notify, requester: () => Requester): () => void {
      const { listeners } = clientOf(id)
      const listener: Listener = { notify, requester }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
