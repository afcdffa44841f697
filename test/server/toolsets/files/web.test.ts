// Files on a real server: uploaded and downloaded over HTTP, handed on and deleted by an agent over MCP with a person's
// confirmation.
import { randomBytes } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { files, type CountersignOptions } from '../../../../server/index.ts'
import { configuredToolsets } from '../../../../server/compose/toolsets.ts'
import { isFull, storageOn } from '../../../../server/toolsets/files/contents/storage.ts'
import { openDesk, why, type Desk } from '../../http/auth/serve-protected.ts'
import { place } from '../../store/store-fixture.ts'
import { present } from '../../../postgres.ts'
import { refusedWithout } from '../../../kit/without-packages.ts'
import type { Link, Uploaded } from './files-fixture.ts'
import { confirm, overHttp } from '../../../journeys/agent.ts'

const open = (settings: object = {}, more: Partial<CountersignOptions> = {}): Promise<Desk> =>
  openDesk(
    { access: { mode: 'open' }, ...settings },
    { toolsets: [files({ folder: join(place(), 'files') })], ...more },
  )

const secretOf = (desk: Desk): string => new URL(desk.web.mcpUrl).search

async function upload(desk: Desk, name: string, content: Uint8Array<ArrayBuffer> | string) {
  const body = new FormData()
  body.append('file', new File([content], name))
  return fetch(`${desk.web.url}/api/v1/files${secretOf(desk)}`, { method: 'POST', body })
}

const uploaded = async (desk: Desk, name: string, content: Uint8Array<ArrayBuffer> | string): Promise<Uploaded> =>
  ((await (await upload(desk, name, content)).json()) as { file: Uploaded }).file

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()

test('an agent gives a file away when a person has confirmed it, once for all, and takes it back', async () => {
  const desk = await open()
  const content = new Uint8Array(randomBytes(1_500_000))
  const { fileId } = await uploaded(desk, 'Plan für Q3.bin', content)
  const agent = await overHttp(new URL(desk.web.mcpUrl))
  const asked = { fileId, expiresAt: inAnHour() }
  const preview = await agent.call('files_create_download_link', asked)
  expect(preview.status, preview.text).toBe('previewed')
  expect(preview.text).toContain('Whoever has the address')
  const applied = await confirm(agent, preview)
  expect(applied.status, applied.text).toBe('applied')
  const link = applied.data['result'] as Link
  expect(link.url).toMatch(`${desk.web.url}/d/`)
  const answer = await fetch(link.url)
  expect(Buffer.compare(new Uint8Array(await answer.arrayBuffer()), content)).toBe(0)
  expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Plan%20f%C3%BCr%20Q3.bin")
  const head = await fetch(link.url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toStrictEqual([200, '1500000'])
  const part = await fetch(link.url, { headers: { range: 'bytes=1048570-1048580' } })
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toStrictEqual([
    206,
    Buffer.from(content.slice(1_048_570, 1_048_581)),
  ])

  const again = await confirm(agent, await agent.call('files_create_download_link', asked))
  expect(again.data['result']).toStrictEqual({ ...link, repeated: true })

  const revoked = await confirm(agent, await agent.call('files_revoke_download_link', { linkId: link.linkId }))
  expect(revoked.status, revoked.text).toBe('applied')
  expect((await fetch(link.url)).status).toBe(404)
})

test('the record of a call has no address of a link', async () => {
  const desk = await open({ policy: { auto_approve_high_risk: true } })
  const { fileId } = await uploaded(desk, 'a.txt', 'hello')
  const told = await desk.call('files_create_download_link', { fileId, expiresAt: inAnHour(), preview: false })
  const { url } = told.body['result'] as Link
  expect(await (await fetch(url)).text()).toBe('hello')
  const record = await desk.admin('GET', '/api/v1/activity')
  expect(record.text).toContain('files_create_download_link')
  expect(record.text).not.toContain(url.split('/').at(-1))
})

test('a hundred calls on two servers with one database make one link, which both of them serve', async () => {
  const folder = join(place(), 'files')
  const settings = { access: { mode: 'open' }, policy: { auto_approve_high_risk: true } }
  const one = await open(settings, { toolsets: [files({ folder })] })
  const two = await open(settings, { toolsets: [files({ folder })], store: one.place })
  const { fileId } = await uploaded(one, 'a.txt', 'hello')
  const input = { fileId, expiresAt: inAnHour(), preview: false }
  const told = await Promise.all(
    Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : two).call('files_create_download_link', input)),
  )
  const links = told.map(({ status, body, text }) => {
    expect([status, body['status']], text).toStrictEqual([200, 'applied'])
    return body['result'] as Link
  })
  expect(new Set(links.map(({ linkId }) => linkId)).size).toBe(1)
  expect(links.filter(({ repeated }) => !repeated)).toHaveLength(1)
  const paths = new Set(links.map(({ url }) => new URL(url).pathname))
  expect(paths.size).toBe(1)
  for (const { web } of [one, two]) expect(await (await fetch(`${web.url}${[...paths][0]}`)).text()).toBe('hello')
})

test('an agent deletes a file when a person has clicked on its card, and the card takes it back', async () => {
  const desk = await open({}, { trustedHost: true })
  const { fileId } = await uploaded(desk, 'a.txt', 'hello')
  const agent = await overHttp(new URL(desk.web.mcpUrl))
  const preview = await agent.call('files_delete', { fileId })
  const unclicked = await confirm(agent, preview)
  expect(unclicked.data).toMatchObject({ requires_human_approval: true })
  const clicked = await agent.call('files_delete', { fileId })
  const ticket = clicked.card?.plan?.ticket
  await agent.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket } })
  const applied = await confirm(agent, clicked)
  expect(applied.status, applied.text).toBe('applied')
  expect(JSON.stringify(applied.card?.actions)).toContain('files_restore')
  const restored = await agent.call('files_restore', { fileId })
  expect((await confirm(agent, restored)).status).toBe('applied')
  expect((await agent.call('files_get', { fileId })).data).toMatchObject({ file: { name: 'a.txt' } })
})

test('whoever may delete files sees one on the card of its deletion only where they may read files', async () => {
  const desk = await open({ access: { mode: 'tokens' } })
  const made = await desk.admin('POST', '/api/v1/tokens', { subject: 'may delete', permissions: ['files:delete'] })
  const refused = await desk.call('files_delete', { fileId: 'fl_any' }, `Bearer ${String(made.body['token'])}`)
  expect(refused.body).toMatchObject({ missing_permissions: ['files:read'] })
})

describe('an upload', () => {
  test('is not taken from a page of another site, whoever has opened that', async () => {
    const desk = await open()
    const body = new FormData()
    body.append('file', new File(['x'], 'a.txt'))
    const answer = await fetch(`${desk.web.url}/api/v1/files${secretOf(desk)}`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body,
    })
    expect(answer.status).toBe(403)
  })

  test('needs a credential, and the permission', async () => {
    const desk = await open({ access: { mode: 'tokens' } })
    const body = new FormData()
    body.append('file', new File(['x'], 'a.txt'))
    const send = (authorization: string) =>
      fetch(`${desk.web.url}/api/v1/files`, { method: 'POST', body, headers: { authorization } })
    expect((await send('Bearer none')).status).toBe(401)
    for (const [permissions, status] of [
      [['files:read'], 403],
      [['files:write'], 201],
    ] as const) {
      const made = await desk.admin('POST', '/api/v1/tokens', { subject: `may ${permissions[0]}`, permissions })
      expect((await send(`Bearer ${String(made.body['token'])}`)).status).toBe(status)
    }
  })

  test('that is larger than the setting is refused, also where it does not say how large it is', async () => {
    const folder = join(place(), 'files')
    const desk = await open({}, { toolsets: [files({ folder, maxMb: 1 })] })
    const largest = new Uint8Array(1_000_000)
    expect((await upload(desk, 'fits.bin', largest)).status).toBe(201)
    const told = await upload(desk, 'large.bin', new Uint8Array(1_000_001))
    expect([told.status, await told.json()]).toMatchObject([
      413,
      { error: { code: 'file-too-large', message: 'The file is larger than 1 MB.' } },
    ])
    // Without an end: whoever reads all of it first would read for ever.
    const socket = connect(Number(new URL(desk.web.url).port), '127.0.0.1')
    const answered = firstLine(socket)
    socket.write(
      `POST /api/v1/files${secretOf(desk)} HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n` +
        'content-type: multipart/form-data; boundary=x\r\n\r\n' +
        chunk('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'),
    )
    const more = setInterval(() => socket.write(chunk('a'.repeat(64 * 1024))), 1)
    try {
      expect(await answered).toBe('HTTP/1.1 413 Payload Too Large')
    } finally {
      clearInterval(more)
      socket.destroy()
    }
    expect(
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    ).toHaveLength(1)
  })

  test('that the storage does not take leaves nothing behind that is named', async () => {
    const folder = place()
    // Where a folder of contents would lie there is a file.
    for (let at = 0; at < 256; at += 1) writeFileSync(join(folder, at.toString(16).padStart(2, '0')), '')
    const desk = await open({}, { toolsets: [files({ folder })] })
    expect((await upload(desk, 'a.txt', 'hello')).status).toBe(500)
    expect((await desk.call('files_list')).body).toStrictEqual({ files: [] })
  })
})

test('a disk that is full is told from other trouble, as the storage reports it', async () => {
  const { Disk } = await import('flydrive')
  const { FSDriver } = await import('flydrive/drivers/fs')
  const full = storageOn(new Disk(new FSDriver({ location: '/dev', visibility: 'private' })))
  const error = await full.write('full', new Uint8Array(1)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(isFull(error)).toBe(process.platform === 'linux')
  expect(isFull(new Error('another'))).toBe(false)
})

test('a content that was changed on disk ends the connection before the piece that is another, and nothing takes its place', async () => {
  const folder = join(place(), 'files')
  const desk = await open({ policy: { auto_approve_high_risk: true } }, { toolsets: [files({ folder })] })
  // What is missing at the end is shorter than any sentence about it.
  const content = randomBytes(2 * 1024 * 1024 + 20)
  const { fileId } = await uploaded(desk, 'a.bin', new Uint8Array(content))
  const told = await desk.call('files_create_download_link', { fileId, expiresAt: inAnHour(), preview: false })
  const { pathname, port } = new URL((told.body['result'] as Link).url)
  const [entry] = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  writeFileSync(
    join(entry?.parentPath ?? '', entry?.name ?? ''),
    content.with(content.length - 1, (content.at(-1) ?? 0) ^ 1),
  )
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`)
  const sent: Buffer[] = []
  socket.on('data', (data: Buffer) => sent.push(data)).on('error', () => undefined)
  await new Promise((resolve) => socket.once('close', resolve))
  const answer = Buffer.concat(sent)
  const head = answer.indexOf('\r\n\r\n') + 4
  expect(answer.subarray(0, head).toString()).toContain(`content-length: ${content.length}`)
  const body = answer.subarray(head)
  expect(Buffer.compare(body, content.subarray(0, body.length))).toBe(0)
  expect(body.length).toBeLessThanOrEqual(2 * 1024 * 1024)
})

describe('where contents lie', () => {
  test('s3:// without its packages is refused with what to install', async () => {
    const module = new URL('../../../../server/toolsets/files/contents/storage.ts', import.meta.url)
    const { message, next } = await refusedWithout('@aws-sdk/', module, "openStorage('s3://bucket/prefix')")
    expect(message).toContain(
      'The packages @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner, which a bucket for files needs, are not installed.',
    )
    expect(next).toBe('Run `npm install @aws-sdk/client-s3@3 @aws-sdk/s3-request-presigner@3` beside Countersign.')
  })

  test('is beside the database where the settings switch files on, and nothing is served where they do not', async () => {
    const folder = place()
    vi.stubEnv('XDG_DATA_HOME', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const store = join(folder, 'desk.db')
    const desk = await openDesk({ access: { mode: 'open' }, files: { enabled: true } }, { store })
    expect((await upload(desk, 'a.txt', 'hello')).status).toBe(201)
    // With PostgreSQL: beside where a database would lie by default.
    expect(readdirSync(join(folder, present === 'sqlite' ? 'files' : 'countersign/files'))).toHaveLength(1)
    const without = await openDesk({ access: { mode: 'open' } })
    expect((await upload(without, 'a.txt', 'hello')).status).not.toBe(201)
    expect((await without.call('files_list', { rationale: why })).status).toBe(404)
    expect(
      configuredToolsets({
        files: { enabled: false, max_mb: 1, max_link_days: 1, links: 'server', downloads_per_minute: 1 },
      }),
    ).toStrictEqual([])
  })
})

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

const firstLine = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (data: string) => {
      text += data
      const end = text.indexOf('\r\n')
      if (end >= 0) resolve(text.slice(0, end))
    })
    socket.on('error', reject)
  })
