// Files as they come in, are found, replaced, deleted and brought back; and what becomes of contents that nobody names.
import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR } from '../../../kit/clock.ts'
import { eve, openShelf, type Link, type Shelf, type Uploaded } from './files-fixture.ts'

const stored = (shelf: Shelf): number =>
  readdirSync(shelf.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length

const names = async (shelf: Shelf, tool: string, input: object) =>
  (await shelf.read<{ files: Uploaded[] }>(tool, input)).files.map(({ name }) => name)

/** One pixel. */
const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

const program = (): Uint8Array<ArrayBuffer> => Uint8Array.from({ length: 400 }, (_, at) => [0x4d, 0x5a][at] ?? 0)

describe('an upload', () => {
  test('is answered with what the file is, by its content', async () => {
    const shelf = await openShelf()
    expect(await shelf.upload('plan.txt', 'Launch on 28 November')).toStrictEqual({
      fileId: expect.stringMatching(/^fl_[0-9a-f]{24}$/),
      name: 'plan.txt',
      type: 'text/plain',
      bytes: 21,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 1,
      createdAt: shelf.inHours(0),
      changedAt: shelf.inHours(0),
      changedBy: 'ada',
    })
    expect(await shelf.upload('invoice.pdf', program())).toMatchObject({
      type: 'application/x-msdownload',
      warning: 'The name says PDF, the content is a Windows program.',
    })
  })

  test('of a name that is there makes a version of that file, also for two at once', async () => {
    const shelf = await openShelf()
    const both = await Promise.all(['one', 'two'].map((content) => shelf.upload('plan.txt', content)))
    expect(new Set(both.map(({ fileId }) => fileId)).size).toBe(1)
    const { fileId, version } = await shelf.upload('plan.txt', 'three')
    expect(version).toBe(3)
    const { versions } = await shelf.read<{ versions: object[] }>('files.list_versions', { fileId })
    expect(versions).toMatchObject([
      { version: 3, bytes: 5, current: true },
      { version: 2, bytes: 3, current: false },
      { version: 1, bytes: 3, current: false },
    ])
  })

  test('of another tenant is another file, and nothing of it exists for this one', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('plan.txt', 'ours')
    const theirs = await shelf.upload('plan.txt', 'theirs', eve)
    expect(theirs).toMatchObject({ version: 1 })
    expect(await names(shelf, 'files.list', {})).toStrictEqual(['plan.txt'])
    const link = { fileId, expiresAt: shelf.inHours(1) }
    const unknown = { code: 'unknown_file' }
    for (const tool of ['files.get', 'files.list_versions'])
      expect(await shelf.read(tool, { fileId }, eve)).toMatchObject(unknown)
    expect(await shelf.run('files.delete', { fileId }, {}, eve)).toMatchObject(unknown)
    expect(await shelf.run('files.create_download_link', link, {}, eve)).toMatchObject(unknown)
    const made = await shelf.apply<Link>('files.create_download_link', link)
    expect(await shelf.read('files.list_download_links', {}, eve)).toMatchObject({ links: [] })
    expect(await shelf.run('files.revoke_download_link', { linkId: made.linkId }, {}, eve)).toMatchObject({
      code: 'unknown_link',
    })
    await shelf.apply('files.delete', { fileId })
    expect(await shelf.run('files.restore', { fileId }, {}, eve)).toMatchObject(unknown)
    expect(await shelf.source?.find(eve, theirs.fileId)).toMatchObject({ name: 'plan.txt' })
    expect(await shelf.source?.find(eve, fileId)).toBeUndefined()
  })

  test.each([
    ['a caller who may not', 403, 'permission-denied'],
    ['a path below', 404, 'not-found'],
    ['another method', 405, 'method-not-allowed'],
    ['no form', 400, 'wrong-form'],
    ['a form without a file', 400, 'wrong-form'],
    ['two files', 400, 'wrong-form'],
    ['a name of nothing that can be seen', 400, 'wrong-name'],
    ['a name of 10,000 characters', 400, 'wrong-name'],
    ['more than fits', 413, 'file-too-large'],
  ])('with %s is refused', async (what, status, code) => {
    const shelf = await openShelf({ maxMb: 1 })
    const url = 'https://files.example/api/v1/files'
    const form = (...given: (readonly [string, string | File])[]) => {
      const body = new FormData()
      for (const [name, value] of given) body.append(name, value as File)
      return new Request(url, { method: 'POST', body })
    }
    const file = (name: string): File => new File(['a'], name)
    const answers: Readonly<Record<string, () => Promise<Response>>> = {
      'a caller who may not': () => shelf.send('a.txt', 'a', undefined, ['files:write']),
      'a path below': () => shelf.ask(new Request(`${url}/a`, { method: 'POST' })),
      'another method': () => shelf.ask(new Request(url)),
      'no form': () => shelf.ask(new Request(url, { method: 'POST', body: 'hello' })),
      'a form without a file': () => shelf.ask(form(['file', 'text'])),
      'two files': () => shelf.ask(form(['file', file('a')], ['file', file('b')])),
      'a name of nothing that can be seen': () => shelf.send('\u202E\u200B ..', 'a'),
      'a name of 10,000 characters': () => shelf.send('a'.repeat(10_000), 'a'),
      'more than fits': () =>
        shelf.ask(new Request(url, { method: 'POST', body: 'x', headers: { 'content-length': '99999999' } })),
    }
    const answer = await answers[what]?.()
    expect(answer?.status).toBe(status)
    expect(await answer?.json()).toMatchObject({
      error: { code, message: expect.any(String), next: expect.any(String) },
    })
    expect(await names(shelf, 'files.list', {})).toStrictEqual([])
  })
})

describe('a list', () => {
  test('is answered in pages, the newest first, and a cursor leads on', async () => {
    const shelf = await openShelf()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await shelf.upload(name, name)
      // Two of them at one moment.
      if (name !== 'b') shelf.clock.pass(1)
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const input = { limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      const page = await shelf.read<{ files: Uploaded[]; nextCursor?: string }>('files.list', input)
      expect(page.files.length).toBeLessThanOrEqual(2)
      seen.push(...page.files.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    expect(seen).toHaveLength(5)
    expect(seen.join('')).toMatch(/^ed(?:bc|cb)a$/)
    for (const wrong of ['x', Buffer.from('["2026","x"]').toString('base64url')])
      expect(await shelf.read('files.list', { cursor: wrong })).toMatchObject({ code: 'wrong_cursor' })
  })

  test('is searched by words of the name and by type, and signs of SQL are letters', async () => {
    const shelf = await openShelf()
    await shelf.upload('Résumé of ADA.txt', 'x')
    await shelf.upload('100%_sure.txt', 'x')
    await shelf.upload('picture.png', png)
    expect(await names(shelf, 'files.search', { query: 'ada RÉSUMÉ' })).toStrictEqual(['Résumé of ADA.txt'])
    expect(await names(shelf, 'files.search', { query: '%_' })).toStrictEqual(['100%_sure.txt'])
    expect(await names(shelf, 'files.search', { query: 'a%a' })).toStrictEqual([])
    expect(await names(shelf, 'files.search', { type: 'text' })).toHaveLength(2)
    expect(await names(shelf, 'files.search', { type: 'image/png' })).toStrictEqual(['picture.png'])
    expect(await names(shelf, 'files.search', { type: 'image/gif' })).toStrictEqual([])
  })
})

describe('a deleted file', () => {
  test('is gone for everybody at once, with its links, and can be brought back whole for thirty days', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('plan.txt', 'first')
    await shelf.upload('plan.txt', 'second')
    const input = { fileId, expiresAt: shelf.inHours(24 * 30) }
    const { url } = await shelf.apply<Link>('files.create_download_link', input)
    expect(await shelf.preview('files.delete', { fileId })).toMatchObject({
      effects: [
        'The file and its 2 versions are no longer there for anybody',
        '1 download link stops working; after a restore it works again',
        expect.stringMatching('it can be restored; then'),
      ],
    })
    const restorableUntil = shelf.inHours(30 * 24)
    expect(await shelf.apply('files.delete', { fileId })).toStrictEqual({
      fileId,
      name: 'plan.txt',
      restorableUntil,
      linksStopped: 1,
    })
    expect(await names(shelf, 'files.list', {})).toStrictEqual([])
    expect(await shelf.read('files.get', { fileId })).toMatchObject({ code: 'unknown_file' })
    expect((await shelf.get(url)).status).toBe(404)
    expect(await shelf.read('files.list', { deleted: true })).toMatchObject({ files: [{ fileId, restorableUntil }] })
    shelf.clock.pass(30 * DAY - HOUR)
    expect(await shelf.apply('files.restore', { fileId })).toMatchObject({
      file: { fileId, version: 2 },
      linksWorking: 1,
    })
    expect(await (await shelf.get(url)).text()).toBe('second')
  })

  test('is not brought back under a name that another file has by now, nor after thirty days', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('plan.txt', 'first')
    await shelf.apply('files.delete', { fileId })
    const other = await shelf.upload('plan.txt', 'second')
    expect(other).toMatchObject({ version: 1 })
    expect(await shelf.run('files.restore', { fileId })).toMatchObject({ code: 'name_taken' })
    await shelf.apply('files.delete', { fileId: other.fileId })
    shelf.clock.pass(30 * DAY)
    for (const id of [fileId, other.fileId])
      expect(await shelf.run('files.restore', { fileId: id })).toMatchObject({ code: 'unknown_file' })
  })

  test('is swept after thirty days with its contents and links, and one that was brought back is not', async () => {
    const shelf = await openShelf()
    const gone = await shelf.upload('gone.txt', 'first')
    const back = await shelf.upload('back.txt', 'third')
    await shelf.upload('gone.txt', 'second')
    await shelf.apply('files.create_download_link', { fileId: gone.fileId, expiresAt: shelf.inHours(1) })
    await shelf.apply('files.restore_version', { fileId: gone.fileId, version: 1 })
    for (const { fileId } of [gone, back]) await shelf.apply('files.delete', { fileId })
    await shelf.apply('files.restore', { fileId: back.fileId })
    shelf.clock.pass(30 * DAY)
    // A server that starts sweeps, and one that ends waits for that.
    await (await shelf.open()).close()
    expect(stored(shelf)).toBe(1)
    for (const table of ['files_links', 'files_loose'] as const)
      expect(await shelf.db.selectFrom(table).selectAll().execute()).toStrictEqual([])
    expect(await names(shelf, 'files.list', {})).toStrictEqual(['back.txt'])
    expect(shelf.reported).toStrictEqual([])
  })

  test('goes stale where the file was changed since the preview', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('plan.txt', 'first')
    const seen = await shelf.basis('files.delete', { fileId })
    await shelf.upload('plan.txt', 'second')
    expect(await shelf.run('files.delete', { fileId }, { basis: seen })).toStrictEqual({ kind: 'tool-stale' })
  })
})

test('an older version becomes the newest one, and a link keeps what it was made for', async () => {
  const shelf = await openShelf()
  const { fileId } = await shelf.upload('plan.txt', 'first')
  await shelf.upload('plan.txt', 'second')
  const { url } = await shelf.apply<Link>('files.create_download_link', { fileId, expiresAt: shelf.inHours(1) })
  expect(await shelf.apply('files.restore_version', { fileId, version: 1 })).toMatchObject({
    file: { version: 3, bytes: 5 },
    previous: 2,
  })
  expect(await (await shelf.get(url)).text()).toBe('second')
  const file = await shelf.source?.find({ tenant: 'default', subject: 'ada' }, fileId)
  expect(file).toMatchObject({ bytes: 5 })
  expect(await shelf.run('files.restore_version', { fileId, version: 1 })).toMatchObject({ code: 'nothing_to_change' })
  expect(await shelf.run('files.restore_version', { fileId, version: 9 })).toMatchObject({ code: 'unknown_version' })
})

test('what previews of a file rely on rises with every change of it, and not with a new link', async () => {
  const shelf = await openShelf()
  const { fileId } = await shelf.upload('plan.txt', 'first')
  const version = async () => (await shelf.source?.find({ tenant: 'default', subject: 'ada' }, fileId))?.version
  const seen = [await version()]
  const then = async (work: Promise<unknown>): Promise<void> => {
    await work
    seen.push(await version())
  }
  await then(shelf.upload('plan.txt', 'second'))
  await then(shelf.apply('files.restore_version', { fileId, version: 1 }))
  const linked = shelf.apply<Link>('files.create_download_link', { fileId, expiresAt: shelf.inHours(1) })
  await then(linked)
  await then(shelf.apply('files.revoke_download_link', { linkId: (await linked).linkId }))
  await shelf.apply('files.delete', { fileId })
  await then(shelf.apply('files.restore', { fileId }))
  expect(seen).toStrictEqual([1, 2, 3, 3, 4, 6])
})

describe('a content that no version names', () => {
  test('is swept an hour later, and none that has a name by then', async () => {
    const shelf = await openShelf()
    await shelf.upload('kept.txt', 'kept')
    // As a process leaves it that ends between the content and its row.
    const { storage_key } = await shelf.db.selectFrom('files_versions').select('storage_key').executeTakeFirstOrThrow()
    const lost = await shelf.upload('lost.txt', 'lost')
    const { storage_key: lostKey } = await shelf.db
      .selectFrom('files_versions')
      .select('storage_key')
      .where('file_id', '=', lost.fileId)
      .executeTakeFirstOrThrow()
    await shelf.db.deleteFrom('files_versions').where('file_id', '=', lost.fileId).execute()
    await shelf.db.deleteFrom('files_files').where('id', '=', lost.fileId).execute()
    await shelf.db
      .insertInto('files_loose')
      .values({ storage_key: lostKey, since: shelf.inHours(0) })
      .execute()
    shelf.clock.pass(HOUR - 1)
    await (await shelf.open()).close()
    expect(stored(shelf)).toBe(2)
    shelf.clock.pass(1)
    await (await shelf.open()).close()
    expect(readdirSync(shelf.folder, { recursive: true }).map((path) => String(path))).toContain(storage_key)
    expect(stored(shelf)).toBe(1)
  })
})

describe('files for other toolsets', () => {
  test('are read whole, as the version that was found', async () => {
    const shelf = await openShelf()
    const bytes = new Uint8Array(randomBytes(2_500_000))
    const { fileId } = await shelf.upload('a.bin', bytes)
    const ada = { tenant: 'default', subject: 'ada' }
    const found = await shelf.source?.find(ada, fileId)
    if (found === undefined) throw new Error('not found')
    expect(found).toMatchObject({ id: fileId, name: 'a.bin', type: 'application/octet-stream', bytes: 2_500_000 })
    const read = await shelf.source?.read(ada, found)
    expect(read?.ok === true && Buffer.compare(read.value, bytes)).toBe(0)
    await shelf.upload('a.bin', 'other')
    expect(await shelf.source?.read(ada, found)).toStrictEqual({ ok: false, failure: 'changed' })
    await shelf.apply('files.delete', { fileId })
    expect(await shelf.source?.read(ada, found)).toStrictEqual({ ok: false, failure: 'gone' })
  })
})
