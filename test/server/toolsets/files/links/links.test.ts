// A download link: what it gives, for how long, and that it is one link however often and by whom it is asked for.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Preview } from '../../../../../server/tools/contract.ts'
import { HOUR } from '../../../../kit/clock.ts'
import { ada, openShelf, type Link, type Shelf } from '../files-fixture.ts'

const create = 'files.create_download_link'
const revoke = 'files.revoke_download_link'

async function linked(shelf: Shelf, content = 'Quarter three: all well.') {
  const file = await shelf.upload('report.txt', content)
  const pair = { fileId: file.fileId, expiresAt: shelf.inHours(24) }
  return { file, pair, link: await shelf.apply<Link>(create, pair) }
}

const contentFiles = (shelf: Shelf): string[] =>
  readdirSync(shelf.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

describe('the same file and moment', () => {
  test('give the same link while it works, also where the moment is written in another zone', async () => {
    const shelf = await openShelf()
    const { pair, link } = await linked(shelf)
    const again = await shelf.apply<Link>(create, pair)
    expect(again).toStrictEqual({ ...link, repeated: true })
    const elsewhere = new Date(Date.parse(pair.expiresAt) + 2 * HOUR).toISOString().replace('Z', '+02:00')
    expect(await shelf.apply(create, { ...pair, expiresAt: elsewhere })).toStrictEqual({ ...link, repeated: true })
  })

  test('give a new link once that is revoked, and another moment gives another one', async () => {
    const shelf = await openShelf()
    const { pair, link } = await linked(shelf)
    const other = await shelf.apply<Link>(create, { ...pair, expiresAt: shelf.inHours(25) })
    expect(other.linkId).not.toBe(link.linkId)
    await shelf.apply(revoke, { linkId: link.linkId })
    const fresh = await shelf.apply<Link>(create, pair)
    expect(fresh).toMatchObject({ repeated: false })
    expect(new Set([link.url, other.url, fresh.url]).size).toBe(3)
    expect((await shelf.get(link.url)).status).toBe(404)
    for (const { url } of [other, fresh]) expect((await shelf.get(url)).status).toBe(200)
  })

  test('give a link that cannot be had again after its end, because the moment is over', async () => {
    const shelf = await openShelf()
    const { pair } = await linked(shelf)
    shelf.clock.pass(24 * HOUR)
    expect(await shelf.run(create, pair)).toMatchObject({ kind: 'tool-failed', code: 'expires_in_past' })
  })

  test('a hundred calls at once make one link', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('report.txt', 'x')
    const input = { fileId, expiresAt: shelf.inHours(2) }
    const links = (await Promise.all(Array.from({ length: 100 }, () => shelf.run(create, input)))) as Link[]
    expect(new Set(links.map(({ linkId, url }) => `${linkId} ${url}`)).size).toBe(1)
    expect(links.filter(({ repeated }) => !repeated)).toHaveLength(1)
    expect(await shelf.db.selectFrom('files_links').selectAll().execute()).toHaveLength(1)
  })
})

test('the database holds neither the token nor the address, and reconcile answers them all the same', async () => {
  const shelf = await openShelf()
  const { fileId } = await shelf.upload('report.txt', 'x')
  const input = { fileId, expiresAt: shelf.inHours(2) }
  const link = (await shelf.run(create, input, { idempotencyKey: 'pl_known' })) as Link
  const token = link.url.split('/').at(-1) ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)
  const rows = [
    await shelf.db.selectFrom('files_links').selectAll().execute(),
    await shelf.db.selectFrom('files_runs').selectAll().execute(),
  ]
  expect(JSON.stringify(rows)).toContain(link.linkId)
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(await shelf.reconcile(create, input, 'pl_known')).toStrictEqual({ kind: 'applied', result: link })
})

describe('a link that is asked for', () => {
  test('must end in the future, and not later than the setting says', async () => {
    const shelf = await openShelf({ maxLinkDays: 2 })
    const { fileId } = await shelf.upload('report.txt', 'x')
    for (const [hours, code] of [
      [0, 'expires_in_past'],
      [-1, 'expires_in_past'],
      [48.01, 'expires_too_late'],
    ] as const)
      expect(await shelf.run(create, { fileId, expiresAt: shelf.inHours(hours) })).toMatchObject({ code })
    expect(await shelf.run(create, { fileId, expiresAt: shelf.inHours(48) })).toMatchObject({ repeated: false })
  })

  test('must name a moment with its zone', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('report.txt', 'x')
    for (const expiresAt of ['2026-01-02', '2026-01-02T10:00:00', 'tomorrow', '2026-02-30T10:00:00Z'])
      await expect(shelf.run(create, { fileId, expiresAt })).rejects.toThrow('expiresAt')
  })

  test('is refused where no web door is open', async () => {
    const shelf = await openShelf({ door: false })
    const { fileId } = await shelf.upload('report.txt', 'x')
    const input = { fileId, expiresAt: shelf.inHours(1) }
    expect(await shelf.preview(create, input)).toMatchObject({ blocked: { title: expect.stringMatching('web door') } })
    expect(await shelf.run(create, input)).toMatchObject({ code: 'no_web_door' })
  })

  test('is refused where the content on disk is gone or changed, and its card says so', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('report.txt', 'as it was')
    const [content = ''] = contentFiles(shelf)
    const input = { fileId, expiresAt: shelf.inHours(1) }
    writeFileSync(content, 'as it is!')
    expect(await shelf.preview(create, input)).toMatchObject({
      blocked: { title: expect.stringMatching('not what was') },
    })
    rmSync(content)
    expect(await shelf.run(create, input)).toMatchObject({ code: 'unreadable_content' })
  })

  test('goes stale where the file has become another one since the preview, or a link of it was revoked', async () => {
    const shelf = await openShelf()
    const { file, pair, link } = await linked(shelf)
    const other = { ...pair, expiresAt: shelf.inHours(3) }
    const before = await shelf.basis(create, other)
    await shelf.apply(revoke, { linkId: link.linkId })
    expect(await shelf.run(create, other, { basis: before })).toStrictEqual({ kind: 'tool-stale' })
    const seen = await shelf.basis(create, other)
    expect((await shelf.upload('report.txt', 'something else')).fileId).toBe(file.fileId)
    expect(await shelf.run(create, other, { basis: seen })).toStrictEqual({ kind: 'tool-stale' })
  })
})

describe('the card of a link', () => {
  test('shows what is given, to whom, until when, and the first lines of a text', async () => {
    const shelf = await openShelf()
    const { pair } = await linked(shelf, 'Quarter three\nall well')
    const preview = await shelf.preview(create, { ...pair, expiresAt: shelf.inHours(2) })
    expect(preview).toMatchObject({
      title: 'Create a download link for report.txt',
      confirmLabel: 'Create link',
      effects: expect.arrayContaining(['Each download is put on record, with the address of whoever downloads']),
      blocks: [
        {
          kind: 'fields',
          fields: [
            { label: 'File', value: { text: 'report.txt' } },
            { label: 'Type', value: { text: 'text' } },
            { label: 'Size', value: { kind: 'number', value: '22', unit: 'bytes' } },
            { label: 'Who can open it', value: { text: 'Whoever has the address, without signing in' } },
            { label: 'Until', value: { kind: 'date', iso: shelf.inHours(2), precision: 'minute' } },
            { label: 'Other links that work', value: { value: '1' } },
          ],
        },
        { kind: 'code', label: 'Text', text: 'Quarter three\nall well' },
        { kind: 'details', fields: expect.arrayContaining([{ label: 'SHA-256', value: expect.anything() }]) },
      ],
    })
  })

  test('warns where the name says something else than the content', async () => {
    const shelf = await openShelf()
    const program = new Uint8Array(400)
    program.set([0x4d, 0x5a])
    const { fileId } = await shelf.upload('invoice.pdf', program)
    expect(await shelf.preview(create, { fileId, expiresAt: shelf.inHours(1) })).toMatchObject({
      warnings: [{ title: 'The name says PDF, the content is a Windows program.' }],
    })
  })

  test('says in words who uploaded a content and made a link, and that nobody knows a type', async () => {
    const shelf = await openShelf()
    const from = (subject: string) => ({ ...ada, subject })
    const { fileId } = await shelf.upload('noise.bin', new Uint8Array([0, 1, 2, 3, 255]), from('ann/http'))
    const pair = { fileId, expiresAt: shelf.inHours(1) }
    const shown = (await shelf.preview(create, pair)) as Preview
    expect(shown.subtitle).toBe('unknown type · 5\u{2007}bytes')
    expect(JSON.stringify(shown.blocks)).toContain('"ann (over HTTP)"')
    expect(JSON.stringify(shown.blocks)).not.toContain('octet-stream')
    for (const [subject, said] of [
      ['ann/stdio', '"ann (over stdio)"'],
      ['ann', '"ann"'],
    ] as const) {
      const { linkId } = await shelf.apply<Link>(create, pair, from(subject))
      expect(JSON.stringify(await shelf.preview(revoke, { linkId }))).toContain(said)
      await shelf.apply(revoke, { linkId })
    }
  })

  test('says that the link there is gives an older version, and so does the link', async () => {
    const shelf = await openShelf()
    const { pair, link } = await linked(shelf, 'first')
    await shelf.upload('report.txt', 'second')
    expect(await shelf.preview(create, pair)).toMatchObject({
      title: 'Give out the link for report.txt again',
      warnings: [{ title: 'The link gives version 1, and the file is version 2 by now.' }],
    })
    expect(await shelf.apply(create, pair)).toStrictEqual({ ...link, repeated: true })
    expect(await (await shelf.get(link.url)).text()).toBe('first')
  })
})

test('links are listed with their use and without their address, and those that ended only where asked for', async () => {
  const shelf = await openShelf()
  const { pair, link } = await linked(shelf)
  const brief = await shelf.apply<Link>(create, { ...pair, expiresAt: shelf.inHours(1) })
  await (await shelf.get(link.url)).text()
  shelf.clock.pass(HOUR)
  const at = new Date(shelf.clock.now() - HOUR).toISOString()
  const listed = await shelf.read<{ links: object[] }>('files.list_download_links', {})
  expect(listed.links).toMatchObject([{ linkId: link.linkId, downloads: 1, lastDownloadAt: at, state: 'works' }])
  expect(JSON.stringify(listed)).not.toContain('/d/')
  await shelf.apply(revoke, { linkId: link.linkId })
  const all = await shelf.read('files.list_download_links', { all: true, fileId: pair.fileId })
  expect(all).toMatchObject({
    links: [
      { linkId: brief.linkId, state: 'expired' },
      { linkId: link.linkId, state: 'revoked' },
    ],
    more: false,
  })
  expect(await shelf.run(revoke, { linkId: link.linkId })).toMatchObject({ code: 'unknown_link' })
})
