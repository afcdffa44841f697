// A server that fails likes to say with what it was started: "cannot connect with postgres://ada:…". The values with
// which the operator configured it are known exactly, so they are hidden exactly, in whatever it says of its trouble: its
// last words, its errors and its log. What it answers to a call that went well is passed on as it came.
import { ErrorCode, McpError, type Progress } from '@modelcontextprotocol/sdk/types.js'
import { isSecretName } from '../policy/secret-names.ts'
import { isStdio, type ServerConfig } from './config.schema.ts'

/** A value as it stands in the file, and what it is called there. */
type Configured = readonly [name: string, value: string]

/** Short values and plain words stand in too many sentences that say something else, unless they are called a secret. */
const isTelling = ([name, value]: Configured): boolean =>
  (value.length >= 4 && isSecretName(name)) ||
  (value.length >= 6 && !/^(?:[a-z]+|\d+|\/[\w./-]*|https?:\/\/[^@?]*)$/i.test(value))

/** What stands in an address before its host and behind its question mark. */
function inAddress(value: string): readonly Configured[] {
  const address = URL.canParse(value) ? new URL(value) : undefined
  if (address === undefined) return []
  const { username, password, searchParams } = address
  return [['user', username], ['password', password], ['password', decoded(password)], ...searchParams.entries()]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A header's value, its credential without its scheme, and the password of a Basic one (RFC 7617). */
function inHeader([name, value]: Configured): readonly Configured[] {
  const [scheme = '', ...credentials] = value.split(/\s+/)
  if (credentials.length === 0) return [[name, value]]
  const pair = /^basic$/i.test(scheme) ? Buffer.from(credentials.join(''), 'base64').toString('utf8') : ''
  const password = pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
  return [[name, value], ...credentials.map((each): Configured => [name, each]), ['password', password]]
}

/** The values of the environment, of headers and of addresses. */
function configuredValues(server: ServerConfig): readonly Configured[] {
  if (isStdio(server)) return Object.entries(server.env).flatMap((each) => [each, ...inAddress(each[1])])
  return [...inAddress(server.url), ...Object.entries(server.headers).flatMap(inHeader)]
}

/** Hides the configured values of one server in what it says. */
export interface Hiding {
  text(text: string): string
  /** In every text of an answer or a notification, in place: it was just parsed from the wire and is nobody else's. */
  inside<T>(value: T): T
  /** The answer of a tool is trouble where it says so itself (`isError`). */
  inAnswer(answer: unknown): unknown
  inProgress(progress: Progress): Progress
  /** The same error without them; its code stays. */
  inError(error: unknown): unknown
}

/** Hides them as they are, as an address writes them, and as JSON does; the longest first. */
export function hidingOf(server: ServerConfig): Hiding {
  const values = configuredValues(server)
    .filter(isTelling)
    .flatMap(([, value]) => [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])
  const longestFirst = [...new Set(values)].toSorted((a, b) => b.length - a.length)
  const text = (words: string): string =>
    longestFirst.reduce((held, value) => held.replaceAll(value, '[redacted]'), words)

  /** A loop and not a recursion, because a server chooses how deep its answer nests. */
  function inside<T>(value: T): T {
    const root = { value }
    const open: Record<string, unknown>[] = [root]
    for (let held = open.pop(); held !== undefined; held = open.pop())
      for (const [key, member] of Object.entries(held)) {
        if (typeof member === 'string') held[key] = text(member)
        else if (typeof member === 'object' && member !== null) open.push(member as Record<string, unknown>)
        const shown = Array.isArray(held) ? key : text(key)
        if (shown === key) continue
        held[shown] = held[key]
        delete held[key]
      }
    return root.value
  }

  return {
    text,
    inside,
    inAnswer: (answer) =>
      typeof answer === 'object' && answer !== null && 'isError' in answer && answer.isError === true
        ? inside(answer)
        : answer,
    inProgress: (progress) =>
      progress.message === undefined ? progress : { ...progress, message: text(progress.message) },
    inError(error) {
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
