// No two hosts treat a view alike: one starts a turn with its message, one only fills the message box, one drops what it
// does not know. What real hosts were seen to do stands here as data without imports, because three hosts read it: the
// scripted one beside it, the playground, and the gallery.

/** Which parts of a result reach the view, and the model. */
export type Channel = 'content' | 'structuredContent' | '_meta'

export interface HostProfile {
  readonly name: string
  /** What this host does, as a sentence without its subject. */
  readonly does: string
  /** What becomes of a view's message. `lose` answers `{}` as if all were well. */
  readonly message: 'turn' | 'prefill' | 'refuse' | 'hang' | 'lose'
  readonly channels: readonly Channel[]
  /** Whether the view is sent its tool's input. */
  readonly toolInput: boolean
  readonly result: 'after-initialize' | 'before-initialize'
  /** When a view is drawn anew, and with what. */
  readonly remount: 'never' | 'replayed' | 'emptied' | 'scrolled'
  /** Sends another call's result into an old view. */
  readonly foreign: boolean
  /** Whether `size-changed` changes the frame. */
  readonly resizes: boolean
  /** Whether views may call the server's app tools. */
  readonly serverTools: boolean
  /** Whether the host announces MCP Apps and draws views at all. */
  readonly apps: boolean
  /** `media`: the host says nothing of its theme, and is dark by `prefers-color-scheme` only. */
  readonly theme: 'host' | 'media'
  /** `strict`: the specification's default policy, whatever the view declares. */
  readonly csp: 'declared' | 'strict'
}

const plain: HostProfile = {
  name: 'turn',
  does: 'takes the message and starts a turn with it',
  message: 'turn',
  channels: ['content', 'structuredContent', '_meta'],
  toolInput: true,
  result: 'after-initialize',
  remount: 'never',
  foreign: false,
  resizes: true,
  serverTools: true,
  apps: true,
  theme: 'host',
  csp: 'declared',
}

const profile = (name: string, does: string, change: Partial<HostProfile>): HostProfile => ({
  ...plain,
  name,
  does,
  ...change,
})

/** Every known way to be a host; the first is the one that does all as the specification says. */
export const hostProfiles: readonly [HostProfile, ...HostProfile[]] = [
  plain,
  profile('prefill', 'only puts the message into the message box', { message: 'prefill' }),
  profile('refuse', 'refuses the message while its message box is not empty', { message: 'refuse' }),
  profile('hang', 'never answers the message', { message: 'hang' }),
  profile('lose', 'answers the message and loses it', { message: 'lose' }),
  profile('no-meta', 'drops `_meta` of results', { channels: ['content', 'structuredContent'] }),
  profile('structured-only', 'passes only `structuredContent`', { channels: ['structuredContent'] }),
  profile('content-only', 'passes only `content`', { channels: ['content'] }),
  profile('no-input', 'never sends the tool input', { toolInput: false }),
  profile('early-result', 'sends the result before the view has initialized', { result: 'before-initialize' }),
  profile('reload', 'draws old views again on reload, with their results', { remount: 'replayed' }),
  profile('reload-empty', 'draws old views again on reload, without their results', { remount: 'emptied' }),
  profile('scroll', 'draws views again when they are scrolled back to', { remount: 'scrolled' }),
  profile('foreign-result', 'sends the result of another call into an old view', { foreign: true }),
  profile('fixed-size', 'ignores `size-changed`', { resizes: false }),
  profile('no-server-tools', 'lets views call no tools', { serverTools: false }),
  profile('no-apps', 'has no MCP Apps: no view is ever drawn', { apps: false }),
  profile('media-dark', 'is dark only by `prefers-color-scheme`', { theme: 'media' }),
  profile('strict-csp', 'enforces the default policy, whatever a view asks for', { csp: 'strict' }),
]

/** What is left of a result on its way through this host. */
export function passed<R extends { readonly [channel in Channel]?: unknown }>(profile: HostProfile, result: R): R {
  const dropped = (['content', 'structuredContent', '_meta'] as const).filter((one) => !profile.channels.includes(one))
  const left = { ...result } as Record<string, unknown>
  for (const channel of dropped) delete left[channel]
  // A result without `content` is no result in the protocol: hosts that forward one channel leave the other empty.
  return { ...left, content: left['content'] ?? [] } as unknown as R
}
