// Cheatsheets over HTTP: the same text and etag as over MCP, kept for an hour, and asked about by etag after that.
import { describe, expect, test } from 'vitest'
import { openDesk, why } from './auth/serve-protected.ts'

const text = '# Things\n\nAn id is `t` and a number: `t7`. Größe is in cm.\n'
const cheatsheets = { things: text }

describe('a cheatsheet over HTTP', () => {
  test('is the text of the resource, with its etag and an hour to live', async () => {
    const { web, call } = await openDesk({ access: { mode: 'open', insecure_open: true } }, { cheatsheets })
    const sheet = (await call('get_cheatsheet', { name: 'things', rationale: why })).body
    const found = await fetch(`${web.url}/api/v1/cheatsheets/things`)
    expect([found.status, await found.text()]).toStrictEqual([200, text])
    expect(Object.fromEntries(found.headers)).toMatchObject({
      'content-type': 'text/markdown; charset=utf-8',
      'cache-control': 'max-age=3600',
      etag: sheet['etag'],
    })
    const head = await fetch(`${web.url}/api/v1/cheatsheets/things`, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toStrictEqual([200, sheet['etag'], ''])
  })

  test('is answered with 304 to who has it already, and with its text to who has another one', async () => {
    const { web } = await openDesk({ access: { mode: 'open', insecure_open: true } }, { cheatsheets })
    const ask = (headers: Readonly<Record<string, string>>) =>
      fetch(`${web.url}/api/v1/cheatsheets/things`, { headers })
    const etag = (await ask({})).headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const same = await ask({ 'if-none-match': known })
      expect([known, same.status, await same.text()]).toStrictEqual([known, 304, ''])
      expect([same.headers.get('etag'), same.headers.get('cache-control')]).toStrictEqual([etag, 'max-age=3600'])
    }
    const other = await ask({ 'if-none-match': '"other"' })
    expect([other.status, await other.text()]).toStrictEqual([200, text])
  })

  test('that is not there is a 404 that names those that are', async () => {
    const { web } = await openDesk({ access: { mode: 'open', insecure_open: true } }, { cheatsheets })
    const missing = await fetch(`${web.url}/api/v1/cheatsheets/nothing`)
    expect([missing.status, await missing.json()]).toMatchObject([
      404,
      { error: { code: 'unknown-cheatsheet', next: 'There are: things.' } },
    ])
  })

  test('is for callers: without their credential it is not answered', async () => {
    for (const access of [{ mode: 'open' }, { mode: 'tokens' }] as const) {
      const { web, records } = await openDesk({ access }, { cheatsheets })
      const address = `${web.url}/api/v1/cheatsheets/things`
      const refused = await fetch(address)
      expect([access, refused.status, await refused.text()]).not.toStrictEqual([access, 200, text])
      expect(refused.status).toBe(401)
      const { token } = await records.access.tokens.create({
        tenant: 'default',
        subject: 'bot',
        permissions: [],
        by: 'Eve',
      })
      const letIn =
        access.mode === 'open'
          ? await fetch(`${address}${new URL(web.mcpUrl).search}`)
          : await fetch(address, { headers: { authorization: `Bearer ${token}` } })
      expect([access, letIn.status, await letIn.text()]).toStrictEqual([access, 200, text])
    }
  })
})
