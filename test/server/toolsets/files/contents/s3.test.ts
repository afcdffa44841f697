// Contents in a bucket, at a real server that speaks S3; and links that S3 signs itself.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Preview } from '../../../../../server/tools/contract.ts'
import { createCountersign, files } from '../../../../../server/index.ts'
import { createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { openShelf, type Link } from '../files-fixture.ts'
import { bucket } from './s3-fixture.ts'

const create = 'files.create_download_link'

/** Files in a bucket. S3 has a clock of its own, by which signatures are looked at. */
const inBucket = async ({
  links = 's3',
  door = false,
}: Pick<Parameters<typeof openShelf>[0] & object, 'links' | 'door'> = {}) =>
  openShelf({ folder: await bucket(), links, door, clock: createClock(Date.now()) })

test('contents lie in a bucket, are served from it in parts, and are removed from it', async () => {
  const shelf = await inBucket({ links: 'server', door: true })
  const content = randomBytes(2_500_000)
  const { fileId } = await shelf.upload('a.bin', new Uint8Array(content))
  const link = await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(1) })
  expect(Buffer.from(await (await shelf.get(link.url)).arrayBuffer()).equals(content)).toBe(true)
  const part = await shelf.get(link.url, { range: 'bytes=1000000-1999999' })
  expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(1_000_000, 2_000_000))).toBe(true)
  await shelf.apply('files.delete', { fileId })
  shelf.clock.pass(31 * 24 * 3_600_000)
  await (await shelf.open()).close()
  expect(await shelf.db.selectFrom('files_versions').selectAll().execute()).toStrictEqual([])
  expect(await shelf.db.selectFrom('files_loose').selectAll().execute()).toStrictEqual([])
})

describe('a link that S3 signs', () => {
  test('gives the file from S3, under its name and as something to keep, without a web door', async () => {
    const shelf = await inBucket()
    const { fileId } = await shelf.upload('Öffer.txt', 'The offer')
    const link = await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(1) })
    expect(link).toMatchObject({ servedBy: 's3', repeated: false })
    expect(new URL(link.url).pathname).toMatch(/^\/bucket\/some\/prefix\//)
    const answer = await fetch(link.url)
    expect([answer.status, await answer.text()]).toStrictEqual([200, 'The offer'])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*filename\*=UTF-8''%C3%96ffer\.txt$/)
    const longer = link.url.replace(/X-Amz-Expires=\d+/, 'X-Amz-Expires=99999')
    expect((await fetch(longer)).status).toBe(403)
  })

  test('is the same one while it works, for a hundred calls of two processes too', async () => {
    const shelf = await inBucket()
    const { fileId } = await shelf.upload('a.txt', 'hello')
    const input = { fileId, expiresAt: shelf.inHours(1) }
    const { calls: other } = await shelf.open()
    const calls = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? shelf : other).apply(create, input) as Promise<Link>),
    )
    expect(new Set(calls.map(({ linkId, url }) => `${linkId} ${url}`)).size).toBe(1)
    shelf.clock.pass(600_000)
    const [first] = calls
    expect(await shelf.apply(create, input)).toMatchObject({ linkId: first?.linkId, url: first?.url, repeated: true })
    const later = await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(2) })
    expect(later.url).not.toBe(first?.url)
  })

  test('says on its card that nobody can take it back and that nobody counts', async () => {
    const shelf = await inBucket()
    const { fileId } = await shelf.upload('a.txt', 'hello')
    const card = (await shelf.preview(create, { fileId, expiresAt: shelf.inHours(1) })) as Preview
    expect(card.warnings).toMatchObject([
      { title: expect.stringMatching(/^Nobody can take this link back: it works until /), text: expect.any(String) },
    ])
    expect(card.effects).toContain('Who downloads it, and how often, is neither counted nor on record here')
    expect(card.details).toMatchObject({ served_by: 's3' })
  })

  test('cannot be revoked, is listed without a count, and goes on when its file is deleted, as the card says', async () => {
    const shelf = await inBucket()
    const { fileId } = await shelf.upload('a.txt', 'hello')
    const { linkId, url } = await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(1) })
    const revoke = (await shelf.preview('files.revoke_download_link', { linkId })) as Preview
    expect(revoke.blocked?.title).toMatch(/^S3 has signed this link; it works until /)
    const refused = await shelf.run('files.revoke_download_link', { linkId })
    expect(refused).toMatchObject({ kind: 'tool-failed', code: 'signed_by_s3' })
    expect(await shelf.read('files.list_download_links', {})).toMatchObject({
      links: [{ linkId, servedBy: 's3', downloads: null, state: 'works' }],
    })
    const card = (await shelf.preview('files.delete', { fileId })) as Preview
    expect(card.effects).toContainEqual(expect.stringMatching(/^1 link that S3 has signed goes on working until /))
    expect(await shelf.apply('files.delete', { fileId })).toMatchObject({ linksStopped: 0 })
    expect(await (await fetch(url)).text()).toBe('hello')
  })

  test('ends within seven days', async () => {
    const shelf = await inBucket()
    const { fileId } = await shelf.upload('a.txt', 'hello')
    const late = await shelf.preview(create, { fileId, expiresAt: shelf.inHours(7 * 24) })
    expect(late).toMatchObject({ kind: 'tool-failed', code: 'expires_too_late' })
    const { url } = await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(7 * 24 - 1) })
    expect((await fetch(url)).status).toBe(200)
  })

  test('is answered as it was where links are served by this server from now on', async () => {
    const shelf = await inBucket({ door: true })
    const { fileId } = await shelf.upload('a.txt', 'hello')
    const input = { fileId, expiresAt: shelf.inHours(1) }
    const { linkId, url } = await shelf.apply<Link>(create, input)
    const { calls } = await shelf.open({ links: 'server' })
    expect(await calls.apply(create, input)).toMatchObject({ linkId, url, servedBy: 's3' })
    expect(await calls.apply(create, { fileId, expiresAt: shelf.inHours(2) })).toMatchObject({ servedBy: 'server' })
  })
})

test('links are signed by S3 only where files lie there', async () => {
  const folder = join(place(), 'files')
  const server = createCountersign({ store: ':memory:', toolsets: [files({ folder, links: 's3' })] })
  onTestFinished(() => server.close())
  await expect(server.http({ port: 0 })).rejects.toMatchObject({
    message: expect.stringContaining('files do not lie there'),
  })
})
