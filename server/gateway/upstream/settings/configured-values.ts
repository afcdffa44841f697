// A server that fails likes to say with what it was started: "cannot connect with postgres://ada:…". The values with
// which the operator configured it are known exactly, so they are hidden exactly, in whatever it says of its trouble: its
// last words, its errors and its log. What it answers to a call that went well is passed on as it came.
import { ErrorCode, McpError, type Progress } from '@modelcontextprotocol/sdk/types.js'
import type { ServerConfig } from './upstream-config.schema.ts'
import { configuredSecrets } from './configured-secrets.ts'

/** At least six characters, one of them no letter. */
const isNoWord = (value: string): boolean => value.length >= 6 && /[^\p{L}]/u.test(value)

/** Hides values as they are, as an address writes them, and as JSON does; the longest first. */
function hider(values: readonly string[]): (words: string) => string {
  const spelled = values.flatMap((value) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
  const longestFirst = [...new Set(spelled)].toSorted((a, b) => b.length - a.length)
  return (words) => longestFirst.reduce((held, value) => held.replaceAll(value, '[redacted]'), words)
}

/** Hides the configured secrets of one server in what it says. */
export type Hiding = ReturnType<typeof hidingOf>

const none: readonly string[] = []

/** @param tokens what a login has sent lately; another array where it has changed. */
export function hidingOf(server: ServerConfig, tokens: () => readonly string[] = () => none) {
  const secrets = configuredSecrets(server)
  const configured = hider(secrets.map(({ value }) => value))
  const surely = hider(secrets.filter(({ named, value }) => named && isNoWord(value)).map(({ value }) => value))
  let sent: readonly string[] = []
  let inSent = hider(sent)
  const inTokens = (words: string): string => {
    if (sent !== tokens()) inSent = hider((sent = tokens()))
    return inSent(words)
  }
  const text = (words: string): string => configured(inTokens(words))
  const hidden = (words: string): string => surely(inTokens(words))

  /** A loop and not a recursion, because a server chooses how deep its answer nests. */
  function within<T>(value: T, hide: (words: string) => string): T {
    const root = { value }
    const open: Record<string, unknown>[] = [root]
    for (let held = open.pop(); held !== undefined; held = open.pop())
      for (const [key, member] of Object.entries(held)) {
        if (typeof member === 'string') held[key] = hide(member)
        else if (typeof member === 'object' && member !== null) open.push(member as Record<string, unknown>)
        const shown = Array.isArray(held) ? key : hide(key)
        if (shown === key) continue
        held[shown] = held[key]
        delete held[key]
      }
    return root.value
  }

  /** In every text of an answer or a notification, in place: it came from the wire and nobody else has it. */
  const inside = <T>(value: T): T => within(value, text)

  return {
    text,
    inside,
    /** The answer of a tool is trouble where it says so itself (`isError`); of others only what is surely secret. */
    inAnswer: (answer: unknown): unknown =>
      typeof answer === 'object' && answer !== null && 'isError' in answer && answer.isError === true
        ? inside(answer)
        : within(answer, hidden),
    inProgress: (progress: Progress): Progress =>
      progress.message === undefined ? progress : { ...progress, message: text(progress.message) },
    /** The same error without them; its code stays. */
    inError(error: unknown): unknown {
      // No trouble but a request: a person is to open its address, which may hold a configured client id.
      if (!(error instanceof Error) || (error as { code?: unknown }).code === ErrorCode.UrlElicitationRequired)
        return error
      if (error instanceof McpError) {
        const words = error.message.replace(/^MCP error -?\d+: /, '')
        return new McpError(error.code, text(words), inside(error.data))
      }
      error.message = text(error.message)
      return error
    },
  }
}
