// Where the browser comes back to after a person has agreed: a listener on this machine, for one answer (RFC 8252, section
// 7.3). Every page in that browser can reach it, so it tells nobody anything and repeats nothing that it is told.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { fail, ok, type Result } from '../../errors/result.ts'
import { closedPageHeaders, plainPage } from '../../http/closed-page.ts'
import type { Trouble } from '../terminal/output.ts'

export interface AnswerListener {
  /** What the authorization server sends the browser back to. */
  readonly redirectUrl: string
  /** The first answer that is the right one; `undefined` where none came within this time, in milliseconds. */
  readonly answer: (
    isOurs: (answer: URLSearchParams) => boolean,
    timeoutMs: number,
  ) => Promise<URLSearchParams | undefined>
  readonly close: () => void
}

const path = '/callback'

/** Listens on this machine. @param port 0 takes any free one */
export async function listenForAnswer(port: number): Promise<Result<AnswerListener, Trouble>> {
  let take: (url: URL, response: ServerResponse) => void = (_, response) => send(response, 400, notOurs)
  let host = ''
  const server = createServer(({ method, url = '', headers }, response) => {
    // Another name for this machine would be a page that has pointed its own name here.
    const asked = URL.canParse(url, `http://${host}`) ? new URL(url, `http://${host}`) : undefined
    if (method === 'GET' && headers.host === host && asked?.pathname === path) take(asked, response)
    else send(response, 404, nothingHere)
  })
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch (error) {
    return fail({
      message: `Port ${port} cannot be listened on (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      next: 'Name another one with --port, or leave it out.',
    })
  }
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return ok({
    redirectUrl: `http://${host}${path}`,
    answer: (isOurs, timeoutMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(undefined), timeoutMs)
        take = ({ searchParams }, response) => {
          if (!isOurs(searchParams)) return send(response, 400, notOurs)
          clearTimeout(timer)
          send(response, 200, done)
          resolve(searchParams)
        }
      }),
    close: () => {
      server.close()
      server.closeIdleConnections()
    },
  })
}

const page = (title: string, text: string): string =>
  plainPage(`<h1>${title}</h1>
      <p>${text}</p>`)

const done = page('You can close this window', 'Countersign goes on in the terminal, which says how it went.')
const notOurs = page(
  'This answers no login',
  'Nothing was done. The login that the terminal waits for is another one; open the address that stands there.',
)
const nothingHere = page('There is nothing here', 'The terminal has the address to open.')

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...closedPageHeaders,
    'content-type': 'text/html; charset=utf-8',
    // The address holds the code.
    'referrer-policy': 'no-referrer',
    connection: 'close',
  })
  response.end(text)
}
