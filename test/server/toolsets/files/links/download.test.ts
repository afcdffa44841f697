// What an address of a link answers: the content and nothing else, to whoever has it, and to nobody else anything.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { assert, constant, nat, oneof, property, string, tuple } from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createToolsetRoutes } from '../../../../../server/http/toolset-routes.ts'
import { openStorage } from '../../../../../server/toolsets/files/contents/storage.ts'
import { downloadRoute } from '../../../../../server/toolsets/files/links/download.ts'
import { askedRange } from '../../../../../server/toolsets/files/links/range.ts'
import { createReaders, type Readers } from '../../../../../server/toolsets/files/links/readers.ts'
import { HOUR } from '../../../../kit/clock.ts'
import { openShelf, type Link, type Shelf } from '../files-fixture.ts'

const MB = 1024 * 1024

async function shared(shelf: Shelf, name: string, content: Uint8Array<ArrayBuffer> | string): Promise<Link> {
  const { fileId } = await shelf.upload(name, content)
  return shelf.apply<Link>('files.create_download_link', { fileId, expiresAt: shelf.inHours(1) })
}

const contentOf = (shelf: Shelf): string => {
  const [entry] = readdirSync(shelf.folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  return join(entry?.parentPath ?? '', entry?.name ?? '')
}

test('it answers the content as a file to keep, which no browser runs or guesses at', async () => {
  const shelf = await openShelf()
  const page = '<html><script>alert(1)</script></html>'
  const { url } = await shared(shelf, 'Übersicht "Q3".html', page)
  const answer = await shelf.get(url)
  expect(answer.status).toBe(200)
  expect(Object.fromEntries(answer.headers)).toStrictEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-disposition': `attachment; filename="_bersicht _Q3_.html"; filename*=UTF-8''%C3%9Cbersicht%20%22Q3%22.html`,
    'content-length': String(page.length),
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': 'text/html',
    etag: `"${createHash('sha256').update(page).digest('hex')}"`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(await answer.text()).toBe(page)
})

test('HEAD tells the same of it, and sends and counts nothing', async () => {
  const shelf = await openShelf()
  const { url } = await shared(shelf, 'a.txt', 'hello')
  const head = await shelf.get(url, {}, 'HEAD')
  const whole = await shelf.get(url)
  expect([...head.headers]).toStrictEqual([...whole.headers])
  expect(await head.text()).toBe('')
  expect(await shelf.read('files.list_download_links', {})).toMatchObject({ links: [{ downloads: 1 }] })
})

test('a file of nothing is downloaded as nothing, and has no part', async () => {
  const shelf = await openShelf()
  const { url } = await shared(shelf, 'empty.txt', '')
  const answer = await shelf.get(url)
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toStrictEqual([200, '0', ''])
  expect((await shelf.get(url, { range: 'bytes=0-' })).status).toBe(416)
})

test('what does not work looks the same, whatever the reason', async () => {
  const shelf = await openShelf()
  const over = await shared(shelf, 'a.txt', 'hello')
  shelf.clock.pass(HOUR)
  const revoked = await shared(shelf, 'b.txt', 'hello')
  await shelf.apply('files.revoke_download_link', { linkId: revoked.linkId })
  const deleted = await shared(shelf, 'c.txt', 'hello')
  const [row] = await shelf.db.selectFrom('files_files').select('id').where('name', '=', 'c.txt').execute()
  await shelf.apply('files.delete', { fileId: row?.id })
  const unknown = over.url.replace(/.{43}$/, 'A'.repeat(43))
  const told = new Set<string>()
  for (const url of [over.url, revoked.url, deleted.url, unknown, `${unknown}/..%2f`, unknown.slice(0, -44)]) {
    const answer = await shelf.get(url)
    expect(answer.status).toBe(404)
    told.add(JSON.stringify([await answer.text(), [...answer.headers]]))
  }
  expect(told.size).toBe(1)
  expect([...told][0]).toContain("default-src 'none'")
})

test('a link works until its moment by the clock of the store, and not a millisecond longer', async () => {
  const shelf = await openShelf()
  const { url } = await shared(shelf, 'a.txt', 'hello')
  shelf.clock.pass(HOUR - 1)
  expect((await shelf.get(url)).status).toBe(200)
  shelf.clock.pass(1)
  expect((await shelf.get(url)).status).toBe(404)
})

describe('a range', () => {
  test('is answered from any place of a content of several pieces', async () => {
    const shelf = await openShelf()
    const content = new Uint8Array(randomBytes(3 * MB + 17))
    const { url } = await shared(shelf, 'a.bin', content)
    const size = content.byteLength
    for (const [range, first, last] of [
      ['bytes=0-0', 0, 0],
      [`bytes=${MB - 1}-${MB}`, MB - 1, MB],
      [`bytes=${2 * MB + 5}-`, 2 * MB + 5, size - 1],
      ['bytes=-17', size - 17, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
    ] as const) {
      const answer = await shelf.get(url, { range })
      expect([answer.status, answer.headers.get('content-range')]).toStrictEqual([
        206,
        `bytes ${first}-${last}/${size}`,
      ])
      const bytes = new Uint8Array(await answer.arrayBuffer())
      expect(Buffer.compare(bytes, content.subarray(first, last + 1))).toBe(0)
    }
    expect(Buffer.compare(new Uint8Array(await (await shelf.get(url)).arrayBuffer()), content)).toBe(0)
    // Two of these began at the beginning.
    expect(await shelf.read('files.list_download_links', {})).toMatchObject({ links: [{ downloads: 2 }] })
  })

  test('that leaves the beginning out is no further download, and is on record as the last one', async () => {
    const shelf = await openShelf()
    const { url } = await shared(shelf, 'a.txt', 'hello')
    await shelf.get(url, { range: 'bytes=1-' })
    expect(await shelf.read('files.list_download_links', {})).toMatchObject({
      links: [{ downloads: 0, lastDownloadAt: new Date(shelf.clock.now()).toISOString() }],
    })
  })

  test('that lies outside is refused with the size, and one that nobody can read is no range', async () => {
    const shelf = await openShelf()
    const { url } = await shared(shelf, 'a.txt', 'hello')
    for (const range of ['bytes=5-', 'bytes=-0']) {
      const answer = await shelf.get(url, { range })
      expect([answer.status, answer.headers.get('content-range')]).toStrictEqual([416, 'bytes */5'])
    }
    for (const range of ['bytes=3-2', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b', 'bytes=-'])
      expect((await shelf.get(url, { range })).status).toBe(200)
  })

  test('belongs to the content that was seen: a condition that does not hold asks for the whole', async () => {
    const shelf = await openShelf()
    const { url } = await shared(shelf, 'a.txt', 'hello')
    const etag = (await shelf.get(url, {}, 'HEAD')).headers.get('etag') ?? ''
    const range = 'bytes=1-2'
    expect((await shelf.get(url, { range, 'if-range': etag })).status).toBe(206)
    expect((await shelf.get(url, { range, 'if-range': '"other"' })).status).toBe(200)
    const same = await shelf.get(url, { 'if-none-match': `"other", ${etag}` })
    expect([same.status, await same.text()]).toStrictEqual([304, ''])
  })

  test('is read as RFC 9110 says, for every header and size', () => {
    const number = nat(30).map(String)
    const header = oneof(
      tuple(number, number).map(([from, to]) => `bytes=${from}-${to}`),
      number.map((from) => `bytes=${from}-`),
      number.map((length) => `bytes=-${length}`),
      string(),
      constant(`bytes=0-${'9'.repeat(400)}`),
    )
    assert(
      property(header, nat(20), (text, size) => {
        const asked = askedRange(text, size)
        const bytes = Array.from({ length: size }, (_, at) => at)
        const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(text) ?? []
        if (asked.kind === 'part') {
          expect(asked.first).toBeGreaterThanOrEqual(0)
          expect(asked.last).toBeLessThan(size)
          const wanted =
            from === '' ? bytes.slice(-Number(to)) : bytes.slice(Number(from), to === '' ? undefined : Number(to) + 1)
          expect(bytes.slice(asked.first, asked.last + 1)).toStrictEqual(wanted)
          expect(wanted.length).toBeGreaterThan(0)
        }
        const reads =
          from !== undefined && `${from}${to}` !== '' && !(from !== '' && to !== '' && Number(to) < Number(from))
        expect(asked.kind === 'whole').toBe(!reads)
        if (asked.kind === 'unsatisfiable')
          expect(from === '' ? size * Number(to) : Math.max(size - Number(from), 0)).toBe(0)
      }),
    )
  })
})

describe('a content that was changed on disk', () => {
  test('is not served, and the operators are told', async () => {
    const shelf = await openShelf()
    const { url } = await shared(shelf, 'a.txt', 'hello')
    writeFileSync(contentOf(shelf), 'hellO')
    const changed = await shelf.get(url)
    expect([changed.status, await changed.text()]).toMatchObject([500, expect.not.stringContaining('hellO')])
    rmSync(contentOf(shelf))
    expect((await shelf.get(url)).status).toBe(500)
    expect(shelf.reported).toHaveLength(2)
    expect(await shelf.read('files.list_download_links', {})).toMatchObject({ links: [{ downloads: 0 }] })
  })

  test('breaks the download off before the piece that is not as it was', async () => {
    const shelf = await openShelf()
    const content = new Uint8Array(randomBytes(2 * MB + 1))
    const { url } = await shared(shelf, 'a.bin', content)
    for (const changed of [Buffer.concat([content, Buffer.from([1])]), content.subarray(0, 2 * MB)]) {
      writeFileSync(contentOf(shelf), changed)
      const answer = await shelf.get(url)
      const sent: Uint8Array[] = []
      await expect(
        (async () => {
          for await (const piece of answer.body ?? []) sent.push(piece)
        })(),
      ).rejects.toThrow('not what was uploaded')
      expect(Buffer.compare(Buffer.concat(sent), content.subarray(0, 2 * MB))).toBe(0)
    }
  })
})

test('an address has twenty downloads of a link at a time, and one more when one of them has ended', async () => {
  const shelf = await openShelf()
  const { url } = await shared(shelf, 'a.txt', 'hello')
  const unread = await Promise.all(Array.from({ length: 20 }, () => shelf.get(url)))
  expect(unread.map(({ status }) => status)).toStrictEqual(Array(20).fill(200))
  const refused = await shelf.get(url)
  expect([refused.status, await refused.text()]).toStrictEqual([429, expect.stringContaining('at a time')])
  expect((await shelf.get(url, {}, 'HEAD')).status).toBe(200)
  expect((await shelf.get(url, {}, 'GET', '192.0.2.2')).status).toBe(200)
  await unread[0]?.body?.cancel()
  await unread[1]?.text()
  expect([await shelf.get(url), await shelf.get(url), await shelf.get(url)].map(({ status }) => status)).toStrictEqual([
    200, 200, 429,
  ])
})

test('whoever reads one link slowly leaves the others to those who share the address, up to a hundred downloads', async () => {
  const shelf = await openShelf()
  const [slow, other] = [await shared(shelf, 'a.txt', 'hello'), await shared(shelf, 'b.txt', 'hello')]
  for (let at = 0; at < 20; at += 1) await shelf.get(slow.url)
  expect([(await shelf.get(slow.url)).status, (await shelf.get(other.url)).status]).toStrictEqual([429, 200])
  const readers = createReaders()
  const begun = Array.from({ length: 101 }, (_, at) => readers.begin('192.0.2.1', `dl_${at}`))
  expect(begun.map((reader) => reader !== undefined)).toStrictEqual([...Array<true>(100).fill(true), false])
  begun[0]?.end()
  begun[0]?.end()
  expect([readers.begin('192.0.2.1', 'dl_a'), readers.begin('192.0.2.1', 'dl_b')]).toMatchObject([{}, undefined])
})

test('a download of which nothing is taken for long is broken off, and makes room', async () => {
  const readers = createReaders({ silenceMs: 20 })
  const given = Array.from({ length: 20 }, () => readers.begin('192.0.2.1', 'dl_1'))
  expect(readers.begin('192.0.2.1', 'dl_1')).toBeUndefined()
  await Promise.all(given.map((reader) => new Promise<void>((resolve) => reader?.waits(resolve))))
  expect(readers.begin('192.0.2.1', 'dl_1')).toBeDefined()
})

test('a download is handed on in small parts, for which a slow line needs less time than for pieces', async () => {
  const shelf = await openShelf()
  const content = new Uint8Array(randomBytes(2 * MB + 17))
  const { url } = await shared(shelf, 'a.bin', content)
  const sent: Uint8Array[] = []
  for await (const part of (await shelf.get(url, { range: 'bytes=5-' })).body ?? []) sent.push(part)
  expect(Buffer.compare(Buffer.concat(sent), content.subarray(5))).toBe(0)
  expect(Math.max(...sent.map(({ byteLength }) => byteLength))).toBe(64 * 1024)
})

describe('a connection over which a download cannot go on ends before the length that was promised, and nothing is printed,', () => {
  afterEach(() => vi.restoreAllMocks())

  /** What a reader gets over a connection that it does not read before the server has ended it. */
  async function readLate(shelf: Shelf, link: Link, readers: Readers): Promise<string> {
    const storage = await openStorage(shelf.folder)
    const report = (error: unknown): string => `in_${shelf.reported.push(error)}`
    const nobody = (): never => {
      throw new Error('Nobody has to sign in for a link.')
    }
    const app = createToolsetRoutes(
      {
        routes: [
          downloadRoute(
            { db: shelf.db, recording: shelf.recording, storage, now: shelf.clock.now, report, downloadsPerMinute: 9 },
            readers,
          ),
        ],
        identify: nobody,
        engine: { missingPermissions: nobody },
      },
      nobody,
    )
    const server = createAdaptorServer({ fetch: app.fetch }) as Server
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void server.close())
    const ended = once(server, 'connection').then(([socket]) => once(socket as Socket, 'close'))
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
    client.on('error', () => undefined)
    client.write(`GET ${new URL(link.url).pathname} HTTP/1.1\r\nHost: files.example\r\n\r\n`)
    await ended
    const got: Buffer[] = []
    client.on('data', (part: Buffer) => got.push(part)).resume()
    await once(client, 'close')
    return Buffer.concat(got).toString('latin1')
  }

  test('where nothing is taken for long', async () => {
    const printed = vi.spyOn(console, 'error')
    const shelf = await openShelf()
    const link = await shared(shelf, 'a.bin', new Uint8Array(23 * MB))
    const got = await readLate(shelf, link, createReaders({ silenceMs: 50 }))
    expect(got.length).toBeLessThan(23 * MB)
    expect(got).not.toContain('Error')
    expect(printed.mock.calls).toStrictEqual([])
    expect(shelf.reported).toStrictEqual([])
  })

  test('where a piece is not as it was', async () => {
    const printed = vi.spyOn(console, 'error')
    const shelf = await openShelf()
    const link = await shared(shelf, 'a.bin', new Uint8Array(2 * MB))
    writeFileSync(contentOf(shelf), new Uint8Array(MB))
    const got = await readLate(shelf, link, createReaders())
    expect(got.length).toBeLessThan(2 * MB)
    expect(got).not.toContain('Error')
    expect(printed.mock.calls).toStrictEqual([])
    expect(shelf.reported).toHaveLength(1)
  })
})

test('a download that its reader gives up is no fault of this server', async () => {
  const shelf = await openShelf()
  const { url } = await shared(shelf, 'a.bin', new Uint8Array(3 * MB))
  const reader = (await shelf.get(url)).body?.getReader()
  await reader?.read()
  const next = reader?.read()
  await reader?.cancel()
  await next
  await (await shelf.get(url)).text()
  expect(shelf.reported).toStrictEqual([])
})

test('who asks too often is told to wait, by the address', async () => {
  const shelf = await openShelf({ downloadsPerMinute: 2 })
  const { url } = await shared(shelf, 'a.txt', 'hello')
  for (const status of [200, 200, 429]) expect((await shelf.get(url)).status).toBe(status)
  const told = await shelf.get(url)
  expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await shelf.get(url, {}, 'GET', '192.0.2.2')).status).toBe(200)
  expect((await shelf.get(url, {}, 'POST', '192.0.2.2')).status).toBe(405)
})

test('who asks for one link too often, and does not stop, leaves the others to those who share the address', async () => {
  const shelf = await openShelf({ downloadsPerMinute: 2 })
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const urls: string[] = []
  for (const name of names) urls.push((await shared(shelf, `${name}.txt`, name)).url)
  const [first, ...others] = urls
  const statuses = async (url = '', times = 1): Promise<readonly number[]> =>
    (await Promise.all(Array.from({ length: times }, () => shelf.get(url)))).map(({ status }) => status)
  expect(await statuses(first, 30)).toStrictEqual([200, 200, ...Array<number>(28).fill(429)])
  for (const url of others.slice(0, 4)) expect(await statuses(url, 2)).toStrictEqual([200, 200])
  // Five times as many of all links, whether there are such or not.
  expect(await statuses(others[4])).toStrictEqual([429])
  const unknown = (letter: string): string => String(first).replace(/.{43}$/, letter.repeat(43))
  const elsewhere = async (letter: string): Promise<number> =>
    (await shelf.get(unknown(letter), {}, 'GET', '192.0.2.2')).status
  const tried = await Promise.all('ABCDEFGHIJK'.split('').map(elsewhere))
  expect(tried.toSorted((one, other) => one - other)).toStrictEqual([...Array<number>(10).fill(404), 429])
})
