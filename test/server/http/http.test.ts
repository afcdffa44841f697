// The web door as a client meets it: a real listener, real fetch. The MCP handler behind it only reports what it was
// handed, because what this door decides is who gets through and as whom.
import { mkdtemp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../server/http/listen.ts'
import { packageRoot } from '../../../server/package-root.ts'
import { openWebDoor, type WebDoor } from '../../../server/http/playground/web-door.ts'
import { StoreAway } from '../../../server/store/postgres/loss.ts'

let assets: string
let door: WebDoor

beforeAll(async () => {
  assets = await mkdtemp(join(tmpdir(), 'countersign-http-'))
  await mkdir(join(assets, 'assets'))
  await writeFile(join(assets, 'index.html'), '<html><head></head><body>page</body></html>')
  await writeFile(join(assets, 'sandbox.html'), '<script src="/playground/assets/sandbox-1.js"></script>')
  await writeFile(join(assets, 'assets', 'sandbox-1.js'), '// frame')
  await writeFile(join(assets, 'assets', 'index-1.js'), '// page')
  door = await opened({ playground: { assets }, allowedOrigins: ['https://console.example'] })
})

afterAll(async () => {
  await door.close()
  await rm(assets, { recursive: true })
})

async function opened(more: Partial<Parameters<typeof openWebDoor>[0]> = {}): Promise<WebDoor> {
  const result = await openWebDoor({
    port: 0,
    mcp: async (incoming, info) => {
      const body = await incoming.text()
      if (incoming.headers.get('x-test') === 'store-away') throw new StoreAway('none', new Error('cut'))
      if (body === 'boom') throw new Error('the secret detail')
      return Response.json({ trusted: info.trusted, length: body.length })
    },
    ...more,
  })
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

const post = (headers: Record<string, string> = {}, body = '{}') =>
  fetch(door.mcpUrl, { method: 'POST', body, headers })

const metaOf = (html: string, name: string) =>
  new RegExp(`name="countersign-${name}" content="([^"]*)"`).exec(html)?.[1]

/** A request with any header at all: fetch() drops Host and forbids Sec-Fetch-*, as browsers do to scripts. */
const raw = async (url: string, headers: Record<string, string>, method = 'GET') =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    request(url, { headers, method }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
      .on('error', reject)
      .end()
  })

const openPage = async (headers: Record<string, string>) => (await raw(`${door.url}/playground`, headers)).text

describe('who may ask', () => {
  test('a host name that is not its own is refused, with the names that work', async () => {
    for (const host of ['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80', '0.0.0.0']) {
      const response = await raw(door.mcpUrl, { host }, 'POST')
      const body = JSON.parse(response.text) as { error: { message: string; data: { code: string } } }
      expect([host, response.status]).toEqual([host, 403])
      expect(body.error.data.code).toBe('host-not-allowed')
      expect(body.error.message).toContain('127.0.0.1, localhost')
    }
  })

  test('the check comes before everything else but what balancers ask, also for unknown paths', async () => {
    for (const path of ['/healthz', '/readyz'])
      expect([path, (await raw(door.url + path, { host: '10.1.2.3:8080' })).status]).toEqual([path, 200])
    for (const path of ['/metrics', '/playground', '/nowhere']) {
      const response = await raw(door.url + path, { host: 'evil.example' })
      expect([path, response.status]).toEqual([path, 403])
    }
  })

  test('localhost with any port is one of its names', async () => {
    for (const host of [`localhost:${door.port}`, 'LOCALHOST', '[::1]:1'])
      expect([host, (await raw(door.mcpUrl, { host }, 'POST')).status]).toEqual([host, 200])
  })

  test('a page of another origin is refused, on another port of this machine too', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1', `https://127.0.0.1:${door.port}`]) {
      const response = await post({ origin })
      expect([origin, response.status]).toEqual([origin, 403])
      expect(await response.text()).toContain('origin-not-allowed')
    }
  })

  test('its own origin, an allowed one and none at all pass', async () => {
    expect((await post({ origin: door.url })).status).toBe(200)
    expect((await post()).status).toBe(200)
    const allowed = await post({ origin: 'https://console.example' })
    expect(allowed.status).toBe(200)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://console.example')
  })
})

describe('what may be asked', () => {
  test('a body over 2 MB is refused, with or without a declared length', async () => {
    const big = 'x'.repeat(2 * 1024 * 1024 + 1)
    const declared = await post({}, big)
    expect(declared.status).toBe(413)
    expect(await declared.text()).toContain('2097152 bytes')
    const streamed = await fetch(door.mcpUrl, {
      method: 'POST',
      body: new Blob([big]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(streamed.status).toBe(413)
    expect(await (await post({}, big.slice(1))).json()).toMatchObject({ length: big.length - 1 })
  })

  test('a method that Streamable HTTP does not use is answered with those it does', async () => {
    const response = await fetch(door.mcpUrl, { method: 'PUT' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, GET, DELETE')
  })

  test('a fault inside is reported once, to the operator, and says nothing to the client', async () => {
    const seen: unknown[] = []
    const faulty = await opened({ onUnexpected: (error) => seen.push(error) })
    const response = await fetch(faulty.mcpUrl, { method: 'POST', body: 'boom' })
    expect(response.status).toBe(500)
    expect(await response.text()).not.toContain('secret detail')
    expect(seen).toHaveLength(1)
    await faulty.close()
  })

  test('the health check answers', async () => {
    expect(await (await fetch(`${door.url}/healthz`)).json()).toEqual({ status: 'ok' })
  })
})

describe('the playground', () => {
  test('is where the bare address leads', async () => {
    const response = await fetch(`${door.url}/`, { redirect: 'manual' })
    expect(response.headers.get('location')).toBe('/playground')
  })

  test('may run its own files, frame its sandbox, and be framed by nobody', async () => {
    const response = await fetch(`${door.url}/playground`)
    const html = await response.text()
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain(`frame-src ${metaOf(html, 'sandbox')};`)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('serves its built files and nothing beside them', async () => {
    const file = await fetch(`${door.url}/playground/assets/index-1.js`)
    expect([file.status, file.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    for (const path of ['assets/none.js', 'assets/..%2findex.html', 'sandbox.html', 'assets/'])
      expect([path, (await fetch(`${door.url}/playground/${path}`)).status]).toEqual([path, 404])
  })

  test.each(['br', 'gzip'])(
    'sends each built file as %s to whoever takes that, and it is the same file',
    async (encoding) => {
      const folder = join(packageRoot(), 'dist', 'ui', 'playground')
      const built = await opened({ playground: { assets: folder } })
      onTestFinished(() => built.close())
      const names = (await readdir(join(folder, 'assets'))).filter((name) => /\.(?:js|css)$/.test(name))
      expect(names.length).toBeGreaterThan(3)
      for (const name of names) {
        const url = `${built.url}/playground/assets/${name}`
        const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
        const compressed = await fetch(url, { headers: { 'accept-encoding': encoding } })
        expect([plain.headers.get('content-encoding'), compressed.headers.get('content-encoding')]).toEqual([
          null,
          encoding,
        ])
        expect([compressed.headers.get('content-type'), compressed.headers.get('vary')]).toEqual([
          plain.headers.get('content-type'),
          'Accept-Encoding',
        ])
        // `fetch` unpacks what it is sent.
        expect(await compressed.text()).toBe(await plain.text())
      }
    },
  )

  test('only a page that a browser navigated to carries the secret, and only that secret makes a request trusted', async () => {
    const page = metaOf(await openPage({ 'sec-fetch-dest': 'document' }), 'page') ?? ''
    expect(page).toHaveLength(32)
    expect(await (await post({ 'x-countersign-page': page })).json()).toMatchObject({ trusted: true })
    expect(await (await post()).json()).toMatchObject({ trusted: false })
    expect(metaOf(await openPage({}), 'page')).toBe('')
    expect(metaOf(await openPage({ 'sec-fetch-dest': 'iframe' }), 'page')).toBe('')
  })

  test('a page from an earlier start is told to reload instead of losing its trust silently', async () => {
    const response = await post({ 'x-countersign-page': 'x'.repeat(32) })
    expect(response.status).toBe(403)
    expect(await response.text()).toContain('Reload the page.')
  })

  test('is absent where it was not asked for, and says how to build it where it was not built', async () => {
    const bare = await opened()
    expect(bare.playgroundUrl).toBeUndefined()
    expect((await fetch(`${bare.url}/playground`)).status).toBe(404)
    await bare.close()
    const unbuilt = await opened({ playground: { assets: join(assets, 'assets') } })
    const response = await fetch(`${unbuilt.url}/playground`)
    expect([response.status, (await response.text()).includes('npm run build')]).toEqual([503, true])
    await unbuilt.close()
  })
})

describe("the sandbox's listener", () => {
  const origin = async () => metaOf(await openPage({}), 'sandbox') ?? ''
  const sandbox = async (path: string) => fetch((await origin()) + path)

  test('has another origin than the page and serves the frame with the restrictive default policy', async () => {
    const response = await sandbox('/sandbox.html')
    expect(new URL(response.url).origin).not.toBe(door.url)
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const directive of ["default-src 'none'", "connect-src 'none'", "frame-src 'none'", "object-src 'none'"])
      expect(policy).toContain(directive)
    expect(policy).toContain(`frame-ancestors http://127.0.0.1:${door.port} http://localhost:${door.port}`)
  })

  test('lets in what a resource declares, and drops what is not a plain origin', async () => {
    const csp = JSON.stringify({
      connectDomains: ['https://api.example', "https://x; script-src 'unsafe-eval'", 7, 'javascript:alert(1)', '*'],
      frameDomains: 'https://not-a-list.example',
    })
    const response = await sandbox(`/sandbox.html?csp=${encodeURIComponent(csp)}`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain('connect-src https://api.example;')
    expect(policy).not.toContain('unsafe-eval')
    expect(policy).toContain("frame-src 'none'")
  })

  test('serves the files that the frame names and nothing else', async () => {
    expect((await sandbox('/playground/assets/sandbox-1.js')).status).toBe(200)
    for (const path of ['/playground/assets/index-1.js', '/playground', '/mcp', '/', '/index.html'])
      expect([path, (await sandbox(path)).status]).toEqual([path, 404])
    expect((await raw(`${await origin()}/sandbox.html`, { host: 'evil.example' })).status).toBe(403)
  })
})

describe('listening', () => {
  test('a busy port is an answer with the way out, not a crash', async () => {
    const second = await openWebDoor({ port: door.port, mcp: async () => new Response(), playground: { assets } })
    expect(second).toMatchObject({ ok: false, failure: { kind: 'port-busy' } })
    expect(second.ok ? '' : second.failure.next).toContain('--port')
  })

  test('an address that is not this machine is an answer too', async () => {
    const result = await listen({ app: { fetch: () => new Response() }, host: '203.0.113.1', port: 0 })
    expect(result).toMatchObject({ ok: false, failure: { kind: 'cannot-listen' } })
  })

  test('a connection may be idle for longer than a load balancer keeps it', async () => {
    const listening = await listen({ app: { fetch: () => new Response() }, port: 0 })
    if (!listening.ok) throw new Error(listening.failure.message)
    onTestFinished(() => listening.value.close())
    const { headers } = await fetch(listening.value.url)
    expect(Number(headers.get('keep-alive')?.match(/^timeout=(\d+)$/)?.[1])).toBeGreaterThan(60)
  })

  test('closing does not wait for connections on which nothing was ever asked', async () => {
    const listening = await listen({ app: { fetch: () => new Response() }, port: 0 })
    if (!listening.ok) throw new Error(listening.failure.message)
    const unused = connect(listening.value.port, '127.0.0.1')
    await new Promise((resolve) => unused.once('connect', resolve))
    const ended = new Promise((resolve) => unused.once('close', resolve))
    unused.on('error', () => undefined).resume()
    await listening.value.close(2 ** 31 - 1)
    await ended
  })

  const listens = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }

  test.each([
    ['by GET', {}],
    ['by a subscription of MCP 2026-07-28', { method: 'POST', body: '{}', headers: listens }],
  ])('closing ends an event stream that its client keeps open %s', async (_, request) => {
    const streaming = await opened({
      mcp: async () =>
        new Response(new ReadableStream({ start: (c) => c.enqueue(new TextEncoder().encode(': hi\n\n')) }), {
          headers: { 'content-type': 'text/event-stream' },
        }),
    })
    const response = await fetch(streaming.mcpUrl, request)
    await streaming.close()
    expect(await response.text()).toBe(': hi\n\n')
    await expect(fetch(streaming.mcpUrl)).rejects.toThrow()
  })

  test('closing waits for the stream of a call, whatever an older client calls it in a header', async () => {
    const finish = Promise.withResolvers<void>()
    const slow = await opened({
      mcp: async () =>
        new Response(
          new ReadableStream({
            start: async (c) => {
              c.enqueue(new TextEncoder().encode(': hi\n\n'))
              await finish.promise
              c.enqueue(new TextEncoder().encode('data: done\n\n'))
              c.close()
            },
          }),
          { headers: { 'content-type': 'text/event-stream' } },
        ),
      patienceMs: 60_000,
    })
    const headers = { 'mcp-method': 'subscriptions/listen' }
    const response = await fetch(slow.mcpUrl, { method: 'POST', body: '{}', headers })
    const closed = slow.close()
    finish.resolve()
    expect(await response.text()).toContain('data: done')
    await closed
  })

  test('closing waits for an answer that is under way, and cuts one off that does not come in time', async () => {
    const answers = Promise.withResolvers<Response>()
    const asked = Promise.withResolvers<void>()
    const slow = await opened({
      mcp: () => {
        asked.resolve()
        return answers.promise
      },
      patienceMs: 60_000,
    })
    const waiting = fetch(slow.mcpUrl, { method: 'POST', body: '{}' })
    await asked.promise
    const closed = slow.close()
    answers.resolve(new Response('done'))
    const response = await waiting
    expect([await response.text(), response.headers.get('connection')]).toStrictEqual(['done', 'close'])
    await closed

    const begun = Promise.withResolvers<void>()
    const never = await opened({
      mcp: () => {
        begun.resolve()
        return new Promise<Response>(() => undefined)
      },
      patienceMs: 1,
    })
    const lost = fetch(never.mcpUrl, { method: 'POST', body: '{}' })
    lost.catch(() => undefined)
    await begun.promise
    await never.close()
    await expect(lost).rejects.toThrow()
  })
})

test('a lost database is said to have changed nothing only where the request could not', async () => {
  const told = async (method: string) => {
    const response = await fetch(door.mcpUrl, { method, headers: { 'x-test': 'store-away' } })
    return [response.status, await response.text()] as const
  }
  const [read, written] = [await told('GET'), await told('POST')]
  expect([read[0], written[0]]).toStrictEqual([503, 503])
  expect(read[1]).toContain('nothing was changed')
  expect(written[1]).not.toContain('nothing was changed')
  expect(written[1]).toContain('before you repeat')
})
