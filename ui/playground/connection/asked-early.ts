// The client of MCP is most of the page, and asks the server three times before anything can be done: to initialize, that it is
// initialized, and for the tools. On a slow network this small module is there long before the client; it asks meanwhile
// what the client is going to ask, and the client gets these answers to its own requests. Where a request turns out
// otherwise, nothing of this is used. `first-load.test.ts` tells where the client of a newer SDK asks otherwise.
import { readerLocale } from '../../bridge/locale.ts'
import { pageMeta } from '../page-meta.ts'
import { loadSettings } from '../sessions/settings.ts'

/** How this client introduces itself. */
export const clientInfo = { name: 'countersign-playground', title: 'Countersign playground', version: '1' }

/** The type of a view's HTML (MCP Apps, `ui://` resources). */
export const viewType = 'text/html;profile=mcp-app'

/** What it can do: it draws views, unless it plays a host that does not. */
export const capabilitiesOf = (apps: boolean): { readonly extensions?: Record<string, object> } =>
  apps ? { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [viewType] } } } : {}

/** The newest that the SDK's client offers. */
const protocolVersion = '2025-11-25'

interface Early {
  readonly body: string
  readonly language: string
  readonly answer: Promise<Response>
}

const early: Early[] = []

function askEarly(): void {
  const language = readerLocale(loadSettings(localStorage).language, navigator.language)
  const secret = pageMeta('page')
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'accept-language': language,
    ...(secret === '' ? {} : { 'x-countersign-page': secret }),
  }
  const ask = (message: object, after?: Promise<Response>): Promise<Response> => {
    const body = JSON.stringify(message)
    const send = (more: Record<string, string>): Promise<Response> =>
      fetch('/mcp', { method: 'POST', headers: { ...headers, ...more }, body })
    const answer =
      after === undefined
        ? send({})
        : after.then((first) => {
            if (!first.ok) throw new Error('It was not initialized.')
            const session = first.headers.get('mcp-session-id')
            const inIt: Record<string, string> = session === null ? {} : { 'mcp-session-id': session }
            return send({ ...inIt, 'mcp-protocol-version': protocolVersion })
          })
    // Nobody may ever ask for it.
    answer.catch(() => undefined)
    early.push({ body, language, answer })
    return answer
  }
  // As the SDK writes them, to the letter.
  const params = { protocolVersion, capabilities: capabilitiesOf(true), clientInfo }
  const first = ask({ method: 'initialize', params, jsonrpc: '2.0', id: 0 })
  void ask({ method: 'notifications/initialized', jsonrpc: '2.0' }, first)
  void ask({ method: 'tools/list', params: {}, jsonrpc: '2.0', id: 1 }, first)
}

// A tab that has been here before may be about to speak to another server, and the gallery speaks for itself.
if (sessionStorage.length === 0 && !location.pathname.endsWith('/gallery')) askEarly()

/** A `fetch` that answers with what was asked early, to whoever takes it first: the answers are those of this moment. */
export function withEarlyAnswers(send: typeof fetch): typeof fetch {
  const waiting = early.splice(0)
  return async (input, init) => {
    const next = waiting.shift()
    const isSame = next?.body === init?.body && next?.language === new Headers(init?.headers).get('accept-language')
    if (next === undefined || !isSame) waiting.length = 0
    else {
      // A refusal is heard again, by whoever can explain it.
      const answer = await next.answer.catch(() => undefined)
      if (answer?.ok === true) return answer
    }
    return send(input, init)
  }
}
