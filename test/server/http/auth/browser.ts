// A browser as far as sessions go: it keeps what it is given, for this host and port, and sends it back.
import { readResponse, type ReadResponse } from '../../../kit/read-response.ts'

export interface Browser {
  /** A request of a page: with the cookies, and with the proof of a page of ours where it was told one. */
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<ReadResponse>
  /** The cookies that it holds, by name. */
  readonly cookies: Map<string, string>
  /** What the last answers said about cookies. */
  readonly setCookies: string[]
  csrf: string | undefined
  /** Signs in; answers what came. */
  readonly signIn: (name: string, password: string, code?: string) => Promise<ReadResponse>
}

/** A browser without a history. */
export function openBrowser(url: string): Browser {
  const browser: Browser = {
    cookies: new Map(),
    setCookies: [],
    csrf: undefined,
    send: async (method, path, body, headers = {}) => {
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(new URL(path, url), {
        method,
        redirect: 'manual',
        headers: {
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(browser.csrf === undefined ? {} : { 'x-countersign-csrf': browser.csrf }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        browser.setCookies.push(line)
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/max-age=0\b/i.test(line)) browser.cookies.delete(name)
        else browser.cookies.set(name, value)
      }
      const told = await readResponse(response)
      if (typeof told.body['csrf'] === 'string') browser.csrf = told.body['csrf']
      return told
    },
    signIn: (name, password, code) =>
      browser.send('POST', '/api/v1/session', { name, password, ...(code === undefined ? {} : { code }) }),
  }
  return browser
}
