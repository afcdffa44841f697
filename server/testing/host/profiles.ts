// No two hosts treat a view alike: one starts a turn with its message, one only fills the message box, one drops what it
// does not know. What real hosts were seen to do stands here as data without imports, because three hosts read it: the
// scripted one beside it, the playground, and the gallery.

/** Which parts of a result reach the view, and the model. */
export type Channel = 'content' | 'structuredContent' | '_meta'

/** A kind of host, by what it does and does not do. */
export interface HostProfile {
  /** Its name at the command line. */
  readonly name: string
  /** What people read as its name. */
  readonly title: string
  /** What this host does, as a sentence without its subject. */
  readonly does: string
  /** What becomes of a card there, in a sentence. */
  readonly card: string
  /** What becomes of a view's message. `lose` answers `{}` as if all were well. */
  readonly message: 'turn' | 'prefill' | 'refuse' | 'hang' | 'lose'
  /** What of a result reaches a view. */
  readonly channels: readonly Channel[]
  /** Whether the view is sent its tool's input. */
  readonly toolInput: boolean
  /** When a view gets the result. */
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
  title: 'Standard',
  does: 'takes the message and starts a turn with it',
  card: 'A click on a card becomes a line in the chat, and the agent repeats the call.',
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

type Named = Pick<HostProfile, 'name' | 'title' | 'does' | 'card'>

const profile = (
  name: Named['name'],
  title: Named['title'],
  does: Named['does'],
  card: Named['card'],
  change: Partial<HostProfile>,
): HostProfile => ({
  ...plain,
  name,
  title,
  does,
  card,
  ...change,
})

/** Every known way to be a host; the first is the one that does all as the specification says. */
export const hostProfiles: readonly [HostProfile, ...HostProfile[]] = [
  plain,
  profile(
    'prefill',
    'Fills the message box',
    'only puts the message into the message box',
    'The card says to press Enter, because the last step is the person’s.',
    { message: 'prefill' },
  ),
  profile(
    'refuse',
    'Refuses while you type',
    'refuses the message while its message box is not empty',
    'The card says that its message was not sent, with the text to copy and a button to send it again.',
    { message: 'refuse' },
  ),
  profile(
    'hang',
    'Never answers',
    'never answers the message',
    'After ten seconds the card says that nobody answered, with the text to copy.',
    { message: 'hang' },
  ),
  profile(
    'lose',
    'Loses messages',
    'answers the message and loses it',
    'The card asks the server where its plan stands, and offers its text to copy.',
    { message: 'lose' },
  ),
  profile(
    'no-meta',
    'Drops _meta',
    'drops `_meta` of results',
    'The card shows what it was given, and says that nothing on it can be confirmed.',
    { channels: ['content', 'structuredContent'] },
  ),
  profile(
    'structured-only',
    'Structured data only',
    'passes only `structuredContent`',
    'The card draws what the data say, and nothing on it can be confirmed.',
    { channels: ['structuredContent'] },
  ),
  profile(
    'content-only',
    'Text only',
    'passes only `content`',
    'The card shows the text, and nothing on it can be confirmed.',
    { channels: ['content'] },
  ),
  profile(
    'no-input',
    'No tool input',
    'never sends the tool input',
    'The card does without: all that it shows comes with the result.',
    { toolInput: false },
  ),
  profile(
    'early-result',
    'Early result',
    'sends the result before the view has initialized',
    'The card takes the result whenever it comes.',
    { result: 'before-initialize' },
  ),
  profile(
    'reload',
    'Reloads old cards',
    'draws old views again on reload, with their results',
    'An old card asks the server where its plan stands before it offers anything.',
    { remount: 'replayed' },
  ),
  profile(
    'reload-empty',
    'Reloads old cards, empty',
    'draws old views again on reload, without their results',
    'An old card has nothing to draw from, so nothing on it can be confirmed.',
    { remount: 'emptied' },
  ),
  profile(
    'scroll',
    'Redraws on scrolling',
    'draws views again when they are scrolled back to',
    'A card asks the server where its plan stands each time it is drawn.',
    { remount: 'scrolled' },
  ),
  profile(
    'foreign-result',
    'Mixes up results',
    'sends the result of another call into an old view',
    'The card keeps to the result of its own call.',
    { foreign: true },
  ),
  profile(
    'fixed-size',
    'Fixed size',
    'ignores `size-changed`',
    'A card that is higher than its frame is scrolled inside of it.',
    { resizes: false },
  ),
  profile(
    'no-server-tools',
    'No calls by cards',
    'lets views call no tools',
    'The card still works, but cannot ask where its plan stands, and no value can be edited on it.',
    { serverTools: false },
  ),
  profile(
    'no-apps',
    'No cards at all',
    'has no MCP Apps: no view is ever drawn',
    'There are no cards: the agent asks in the chat, and what is critical waits for an operator.',
    { apps: false },
  ),
  profile(
    'media-dark',
    'Dark by the browser',
    'is dark only by `prefers-color-scheme`',
    'The card follows the browser instead of this page.',
    { theme: 'media' },
  ),
  profile(
    'strict-csp',
    'Strict policy',
    'enforces the default policy, whatever a view asks for',
    'A card needs nothing from the network, so it looks and works the same.',
    { csp: 'strict' },
  ),
]

/** What is left of a result on its way through this host. */
export function passed<R extends { readonly [channel in Channel]?: unknown }>(profile: HostProfile, result: R): R {
  const dropped = (['content', 'structuredContent', '_meta'] as const).filter((one) => !profile.channels.includes(one))
  const left = { ...result } as Record<string, unknown>
  for (const channel of dropped) delete left[channel]
  // A result without `content` is no result in the protocol: hosts that forward one channel leave the other empty.
  return { ...left, content: left['content'] ?? [] } as unknown as R
}
