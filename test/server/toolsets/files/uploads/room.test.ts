// Where there is no room: a quota that is used up, a disk that is full, too many uploads at a time.
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Storage } from '../../../../../server/toolsets/files/contents/storage.ts'
import { openStorage } from '../../../../../server/toolsets/files/contents/storage.ts'
import { uploadRoute } from '../../../../../server/toolsets/files/uploads/upload.ts'
import type { Preview } from '../../../../../server/tools/contract.ts'
import { ada, eve, openShelf, type Shelf } from '../files-fixture.ts'

const kilobytes = (count: number) => new Uint8Array(count * 1000)
const usage = (shelf: Shelf) => shelf.read('files.get_usage', {})
const contentsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length

describe('with a quota of one megabyte', () => {
  test('what a tenant has and may have is told, versions and all, and another tenant has its own', async () => {
    const shelf = await openShelf({ tenantMb: 1 })
    const { fileId } = await shelf.upload('a.bin', kilobytes(100))
    await shelf.upload('a.bin', kilobytes(200))
    await shelf.upload('b.bin', kilobytes(50))
    // It shares the content of the first.
    await shelf.apply('files.restore_version', { fileId, version: 1 })
    await shelf.upload('c.bin', kilobytes(1000), eve)
    expect(await usage(shelf)).toStrictEqual({
      files: 2,
      bytes: 350_000,
      limitBytes: 1_000_000,
      freeBytes: 650_000,
    })
  })

  test('a file for which there is no room is refused with how much there is, and leaves nothing behind', async () => {
    const shelf = await openShelf({ tenantMb: 1 })
    await shelf.upload('a.bin', kilobytes(976))
    const answer = await shelf.send('b.bin', kilobytes(25))
    expect([answer.status, await answer.json()]).toStrictEqual([
      507,
      {
        error: {
          code: 'quota-exceeded',
          message: 'Of 1 MB there are 24 kB left, and this file has 25 kB.',
          next: 'Delete files that are not needed, or have the operator raise files.tenant_mb.',
        },
      },
    ])
    expect(contentsIn(shelf.folder)).toBe(1)
    expect((await shelf.send('b.bin', kilobytes(24))).status).toBe(201)
    expect(await usage(shelf)).toMatchObject({ freeBytes: 0 })
  })

  test('of many uploads at once on two processes as many are kept as there is room for', async () => {
    const shelf = await openShelf({ tenantMb: 1 })
    const other = await shelf.open()
    const send = async (at: number) => {
      const body = new FormData()
      body.append('file', new File([kilobytes(300)], `${at}.bin`))
      const request = new Request('https://files.example/api/v1/files', { method: 'POST', body })
      const [route] = other.routes ?? []
      if (route?.open !== 'callers') throw new Error('there is no upload')
      return at % 2 === 0 ? shelf.ask(request) : route.handle(request, { principal: ada, missing: () => [] })
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => send(at)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toStrictEqual([
      201, 201, 201, 507, 507, 507, 507, 507,
    ])
    expect(contentsIn(shelf.folder)).toBe(3)
    expect(await shelf.db.selectFrom('files_loose').selectAll().execute()).toStrictEqual([])
  })

  test('a deleted file makes room, and comes back only where there is room for it', async () => {
    const shelf = await openShelf({ tenantMb: 1 })
    const { fileId } = await shelf.upload('a.bin', kilobytes(600))
    await shelf.apply('files.delete', { fileId })
    expect(await usage(shelf)).toMatchObject({ files: 0, bytes: 0 })
    const later = await shelf.upload('b.bin', kilobytes(600))
    const card = (await shelf.preview('files.restore', { fileId })) as Preview
    expect(card.blocked).toStrictEqual({
      code: 'no_room',
      title: 'There is no room for it.',
      text: 'Of 1\u{2007}MB there are 400\u{2007}kB left, and this file has 600\u{2007}kB.',
    })
    expect(await shelf.run('files.restore', { fileId })).toMatchObject({ kind: 'tool-failed', code: 'no_room' })
    await shelf.apply('files.delete', { fileId: later.fileId })
    expect(await shelf.apply('files.restore', { fileId })).toMatchObject({ file: { fileId } })
  })
})

test('without a quota there is no limit, and none is told', async () => {
  const shelf = await openShelf()
  await shelf.upload('a.bin', kilobytes(2000))
  expect(await usage(shelf)).toStrictEqual({ files: 1, bytes: 2_000_000 })
})

/** Uploads at this shelf, by a storage of the test's making. */
async function uploading(shelf: Shelf, change: (storage: Storage) => Partial<Storage>) {
  const storage = await openStorage(shelf.folder)
  const route = uploadRoute({
    db: shelf.db,
    storage: { ...storage, ...change(storage) },
    now: shelf.clock.now,
    report: (error) => `in_${shelf.reported.push(error)}`,
    maxBytes: 1024 * 1024,
    tenantBytes: undefined,
  })
  if (route.open !== 'callers') throw new Error('there is no upload')
  return (name: string) => {
    const body = new FormData()
    body.append('file', new File([kilobytes(100)], name))
    const request = new Request('https://files.example/api/v1/files', { method: 'POST', body })
    return route.handle(request, { principal: ada, missing: () => [] })
  }
}

describe('where the disk is full', () => {
  test.each([
    ['the file system', Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })],
    ['the file system’s quota', Object.assign(new Error('disk quota exceeded'), { code: 'EDQUOT' })],
    ['a server that speaks S3', Object.assign(new Error('storage full'), { $metadata: { httpStatusCode: 507 } })],
  ])('as %s says it, an upload is refused in a sentence, and nothing of it stays', async (_, error) => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('a.bin', 'the first version')
    let isFull = true
    const send = await uploading(shelf, (storage) => ({
      write: async (key, bytes) => {
        if (!isFull) return storage.write(key, bytes)
        // Half of it was written when the room was over.
        await storage.write(key, bytes.subarray(0, bytes.length / 2))
        throw error
      },
    }))
    for (const name of ['a.bin', 'b.bin']) {
      const answer = await send(name)
      expect([answer.status, await answer.json()]).toStrictEqual([
        507,
        {
          error: {
            code: 'storage-full',
            message: 'There is no room for the file; nothing of it was kept.',
            next: 'Tell the operator of this server, who has been told too.',
          },
        },
      ])
    }
    expect(shelf.reported).toStrictEqual([error, error])
    expect(contentsIn(shelf.folder)).toBe(1)
    expect(await shelf.db.selectFrom('files_loose').selectAll().execute()).toStrictEqual([])
    expect(await shelf.read('files.list', {})).toMatchObject({ files: [{ fileId, version: 1 }] })
    isFull = false
    expect((await send('a.bin')).status).toBe(201)
    expect(await shelf.read('files.get', { fileId })).toMatchObject({ file: { version: 2 } })
  })

  test('and what was written cannot be removed either, that is swept later', async () => {
    const shelf = await openShelf()
    const send = await uploading(shelf, (storage) => ({
      write: async (key, bytes) => {
        await storage.write(key, bytes)
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      },
      remove: () => Promise.reject(new Error('read-only file system')),
    }))
    expect((await send('a.bin')).status).toBe(507)
    expect(shelf.reported).toHaveLength(2)
    expect(contentsIn(shelf.folder)).toBe(1)
    shelf.clock.pass(2 * 3_600_000)
    await (await shelf.open()).close()
    expect(contentsIn(shelf.folder)).toBe(0)
  })
})

test('a fifth upload at a time is asked to come again in a moment', async () => {
  const shelf = await openShelf()
  const written = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let writing = 0
  const send = await uploading(shelf, (storage) => ({
    write: async (key, bytes) => {
      writing += 1
      if (writing === 4) reached.resolve()
      await written.promise
      return storage.write(key, bytes)
    },
  }))
  const four = ['a', 'b', 'c', 'd'].map((name) => send(name))
  await reached.promise
  const fifth = await send('e')
  expect([fifth.status, fifth.headers.get('retry-after')]).toStrictEqual([503, '2'])
  written.resolve()
  expect((await Promise.all(four)).map(({ status }) => status)).toStrictEqual([201, 201, 201, 201])
  expect((await send('e')).status).toBe(201)
})
