// What a card shows of a content: made of real files by the real libraries, and of hostile ones by none of their making.
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import startVips from 'wasm-vips'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardLimits } from '../../../../server/cards/limits.ts'
import { pictureFacts } from '../../../../server/cards/picture-facts.ts'
import { fail, ok } from '../../../../server/errors/result.ts'
import { drawApart, handedOver } from '../../../../server/toolsets/pictures/draw-apart.ts'
import type { Drawn, DrawRequest } from '../../../../server/toolsets/pictures/picture.ts'
import { pictureOf } from '../../../../server/toolsets/pictures/pictures.ts'
import { noPictureValue, pictureBlocks } from '../../../../server/toolsets/pictures/shown.ts'
import { casesOf } from '../../../full.ts'
import { place } from '../../store/store-fixture.ts'
import { pdfBlack, pdfBomb, pdfLocked, pdfOf, pngClaiming, pngFile, pngMoving, zipBomb } from '../../../kit/contents.ts'
import { ada } from '../../../kit/toolset.ts'

const contentOf = (type: string, bytes: Uint8Array) => {
  let reads = 0
  return {
    type,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    read: async () => {
      reads += 1
      return ok(bytes)
    },
    reads: () => reads,
  }
}
const draw = (type: string, bytes: Uint8Array): Promise<Drawn | undefined> => pictureOf(contentOf(type, bytes), ada)

/** Pixels that no compression makes small. */
const noise = (width: number, height: number): Buffer => {
  let state = 1
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) & 255
  return pngFile(width, height, () => [next(), next(), next()])
}

/** To make pictures with, of types for which Node has no writer. */
let vips: Awaited<ReturnType<typeof startVips>>
beforeAll(async () => (vips = await startVips({ dynamicLibraries: ['vips-heif.wasm'], print: () => undefined })))
afterAll(() => vips.shutdown())

const isBlack = (drawn: Drawn | undefined): boolean => {
  if (drawn?.ok !== true) throw new Error(JSON.stringify(drawn))
  return vips.Image.newFromBuffer(Buffer.from(drawn.value.data.split(',')[1] ?? '', 'base64')).avg() < 1
}

test('of a PDF the first page is shown, with the number of its pages, as large as a card can use', async () => {
  const drawn = await draw('application/pdf', pdfOf(['Quarter three', 'All is well.'], { pages: 12 }))
  if (drawn?.ok !== true) throw new Error(JSON.stringify(drawn))
  expect(drawn.value).toMatchObject({ width: 566, height: 800, of: { kind: 'page', pages: 12 } })
  expect(pictureFacts(drawn.value.data)).toStrictEqual({ type: 'webp', width: 566, height: 800 })
  expect(pictureBlocks(drawn, 'q3.pdf')).toMatchObject([
    { kind: 'picture', label: 'q3.pdf · page 1 of 12', alt: 'The first page of q3.pdf' },
  ])
})

test('a large picture is made small, a small one stays, and what no compression makes small loses pixels', async () => {
  const large = await draw(
    'image/png',
    pngFile(1500, 1000, (x, y) => [x & 255, y & 255, 90]),
  )
  expect(large).toMatchObject({
    value: { width: 640, height: 427, of: { kind: 'picture', width: 1500, height: 1000, frames: 1 } },
  })
  expect(pictureBlocks(large, 'a.png')).toMatchObject([
    { label: 'a.png · 1500 × 1000 pixels', alt: 'The picture in a.png' },
  ])
  expect(
    await draw(
      'image/png',
      pngFile(30, 20, () => [1, 2, 3]),
    ),
  ).toMatchObject({ value: { width: 30, height: 20 } })
  const noisy = await draw('image/png', noise(700, 700))
  expect(noisy).toMatchObject({ ok: true, value: { of: { width: 700, height: 700 } } })
  expect(noisy?.ok === true && noisy.value.data.length).toBeLessThanOrEqual(cardLimits.picture)
})

describe('of what moves', () => {
  test('the first picture is shown, with how many there are', async () => {
    const drawn = await draw('image/apng', pngMoving(7, { still: true }))
    expect(pictureBlocks(drawn, 'a.png')).toMatchObject([{ label: 'a.png · picture 1 of 7 · 2 × 2 pixels' }])
  })

  test('no picture is shown that is not the first of them', async () => {
    const avif = Buffer.from(vips.Image.black(8, 8, { bands: 3 }).heifsaveBuffer({ compression: 'av1' }))
    expect(await draw('image/avif', avif)).toMatchObject({ ok: true })
    const sequence = Buffer.from(avif)
    sequence.write('avis', sequence.indexOf('miaf'), 'latin1')
    for (const [type, bytes] of [
      ['image/apng', pngMoving(7, { still: false })],
      ['image/png', pngMoving(3, { still: false })],
      ['image/avif', sequence],
    ] as const) {
      const drawn = await draw(type, bytes)
      expect(noPictureValue(drawn)).toMatchObject({ text: 'Not shown: it moves, and its still picture is another one' })
    }
  })
})

test('where a photograph was taken is found where programs for photographs write it', async () => {
  const jpeg = Buffer.from(vips.Image.black(8, 8).jpegsaveBuffer())
  const place = Buffer.from('http://ns.adobe.com/xap/1.0/\0<x:xmpmeta exif:GPSLatitude="52,31.2N"/>')
  const segment = Buffer.from([0xff, 0xe1, 0, place.length + 2])
  const located = Buffer.concat([jpeg.subarray(0, 2), segment, place, jpeg.subarray(2)])
  expect(await draw('image/jpeg', jpeg)).toMatchObject({ value: { of: { located: false } } })
  expect(await draw('image/jpeg', located)).toMatchObject({ value: { of: { located: true } } })
})

test('the thread gets the bytes of its picture, and none that lie beside them in memory', () => {
  const around = Buffer.alloc(1000, 7)
  const { bytes } = handedOver({ way: 'Png', bytes: around.subarray(10, 20) })
  expect([bytes.byteLength, bytes.buffer.byteLength]).toStrictEqual([10, 10])
})

describe('what cannot be shown is said in one sentence:', () => {
  test.each([
    ['a PNG of 2.5 thousand megapixels', 'image/png', () => pngClaiming(50_000, 50_000), 'it unpacks to 50000 × 50000'],
    ['half a PNG', 'image/png', () => noise(90, 90).subarray(0, 9_000), 'it is damaged'],
    [
      'bytes after the mark of a PDF',
      'application/pdf',
      () => Buffer.from(`%PDF-1.7\n${'A'.repeat(500)}`),
      'it is damaged',
    ],
    ['a PDF that asks for a password', 'application/pdf', pdfLocked, 'it asks for a password'],
    [
      'a PNG that is an SVG',
      'image/png',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'it is damaged',
    ],
    ['a JPEG that is a PNG', 'image/jpeg', () => pngFile(9, 9, () => [1, 2, 3]), 'it is damaged'],
    ['an SVG', 'image/svg+xml', () => Buffer.from('<svg/>'), 'an SVG may do more than draw'],
    ['a picture of a type that nobody draws', 'image/heic', () => Buffer.from('x'), 'pictures of this type'],
  ])('%s', async (_, type, make, said) => {
    const drawn = await draw(type, make())
    expect(drawn?.ok).toBe(false)
    expect(noPictureValue(drawn)).toMatchObject({ text: expect.stringContaining(`Not shown: ${said}`) as string })
    expect(pictureBlocks(drawn, 'x')).toStrictEqual([])
  })

  // Where there is room, pdfium asks for a fifth more than it needs first, and is refused that.
  test.each(casesOf([{ bytes: 205_000_000 }, { bytes: 225_000_000 }], ({ bytes }) => String(bytes), ['225000000']))(
    'a page with a picture that has no room in memory beside $bytes bytes, which would be shown without it',
    async ({ bytes }) => {
      const drawn = await drawApart({ way: 'pdf', bytes: pdfBlack(10_000, { spare: bytes }) }, 30_000)
      if (bytes < 210_000_000) expect(isBlack(drawn)).toBe(true)
      else expect(drawn).toStrictEqual(fail({ why: 'too-costly' }))
    },
  )

  test.each(casesOf(['page', 'form', 'annotation'] as const, String, ['form']))(
    'a picture on a page that is too large for pdfium, which would leave it out, drawn by the %s',
    async (within) => {
      expect(isBlack(await draw('application/pdf', pdfBlack(2_001, { within })))).toBe(true)
      for (const side of [45_000, 140_000])
        expect(await draw('application/pdf', pdfBlack(side, { within }))).toStrictEqual(
          fail({ why: 'too-many-pixels', width: side, height: side }),
        )
    },
  )

  test('a picture whose reader says that it has no memory', async () => {
    const large = vips.Image.black(4000, 4000, { bands: 3 }).heifsaveBuffer({ compression: 'av1', effort: 0 })
    expect(await draw('image/avif', large)).toStrictEqual(fail({ why: 'too-costly' }))
  })

  test('a picture on a page that unpacks to 7 gigabytes', async () => {
    const drawn = await draw('application/pdf', pdfBomb(50_000))
    expect(drawn).toStrictEqual(fail({ why: 'too-many-pixels', width: 50_000, height: 50_000 }))
  })

  test('what takes longer than it may', async () => {
    const bytes = pdfOf(['x'])
    expect(await drawApart({ way: 'pdf', bytes }, 1)).toStrictEqual(fail({ why: 'too-costly' }))
  })

  test('a content that cannot be read, which may be read the next time', async () => {
    const content = contentOf('application/pdf', pdfOf(['read later']))
    const gone = await pictureOf({ ...content, read: async () => fail('gone') }, ada)
    expect(gone).toStrictEqual(fail({ why: 'unreadable' }))
    expect(await pictureOf(content, ada)).toMatchObject({ ok: true })
  })

  test('libraries that are not installed', async () => {
    const hook = `import { registerHooks } from 'node:module'
      registerHooks({ resolve(name, context, next) {
        if (name !== 'wasm-vips') return next(name, context)
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
      } })`
    const file = new URL('../../../../server/toolsets/pictures/picture-worker.ts', import.meta.url)
    const request: DrawRequest = { way: 'Png', bytes: pngFile(2, 2, () => [1, 2, 3]) }
    const worker = new Worker(file, {
      workerData: request,
      execArgv: ['--no-warnings', '--import', `data:text/javascript,${encodeURIComponent(hook)}`],
    })
    const drawn = await new Promise((resolve) => worker.once('message', resolve))
    expect(drawn).toStrictEqual(fail({ why: 'not-installed' }))
    await worker.terminate()
  })
})

test('libvips reads and writes no file of this machine while it has a stranger’s bytes', async () => {
  const folder = place()
  const [from, to] = [join(folder, 'from.png'), join(folder, 'to.png')]
  writeFileSync(
    from,
    pngFile(3, 2, () => [1, 2, 3]),
  )
  const closing = new URL('../../../../server/toolsets/pictures/close-files.ts', import.meta.url)
  const program = `
    const { closeFiles } = await import(${JSON.stringify(closing.href)})
    const { default: start } = await import('wasm-vips')
    const vips = await start({ dynamicLibraries: [], print() {}, printErr() {} })
    const works = (use) => { try { use(); return true } catch { return false } }
    const uses = [() => vips.Image.newFromFile(${JSON.stringify(from)}), () => vips.Image.black(2, 2).writeToFile(${JSON.stringify(to)})]
    const before = uses.map(works)
    require('node:fs').rmSync(${JSON.stringify(to)})
    closeFiles()
    require('node:worker_threads').parentPort.postMessage([before, uses.map(works)])`
  const worker = new Worker(`(async () => {${program}})()`, { eval: true, execArgv: ['--no-warnings'], stderr: true })
  const answer = await new Promise((resolve) => worker.once('message', resolve))
  await worker.terminate()
  expect(answer).toStrictEqual([
    [true, true],
    [false, false],
  ])
  expect(existsSync(to)).toBe(false)
})

test('nobody expects to see an archive, and it is not read', async () => {
  const content = contentOf('application/zip', zipBomb())
  expect(await pictureOf(content, ada)).toBeUndefined()
  expect(content.reads()).toBe(0)
})

describe('a content is drawn once', () => {
  const eve = { tenant: 'default', subject: 'eve' }

  test('for everybody of a tenant, however many ask at a time', async () => {
    const content = contentOf('application/pdf', pdfOf(['once']))
    const drawn = await Promise.all([ada, eve, ada].map((principal) => pictureOf(content, principal)))
    expect(drawn.map((each) => each?.ok)).toStrictEqual([true, true, true])
    expect(await pictureOf({ ...content, read: async () => fail('asked again') }, eve)).toStrictEqual(drawn[0])
    expect(content.reads()).toBe(1)
  })

  test('for each tenant: nobody finds out what another one has', async () => {
    const content = contentOf('application/pdf', pdfOf(['for each tenant']))
    await pictureOf(content, ada)
    await pictureOf(content, { tenant: 'elsewhere', subject: 'ada' })
    expect(content.reads()).toBe(2)
  })

  test('and again for whoever asked while somebody else could not read it', async () => {
    const content = contentOf('application/pdf', pdfOf(['twice']))
    const [theirs, own] = await Promise.all([
      pictureOf({ ...content, read: async () => fail('gone') }, ada),
      pictureOf(content, eve),
    ])
    expect([theirs?.ok, own?.ok]).toStrictEqual([false, true])
  })

  test('once for all who waited while somebody else could not read it', async () => {
    const content = contentOf('application/pdf', pdfOf(['for all who waited']))
    const [theirs, ...own] = await Promise.all([
      pictureOf({ ...content, read: async () => fail('gone') }, ada),
      ...['eve', 'bob', 'eve', 'kim'].map((subject) => pictureOf(content, { ...eve, subject })),
    ])
    expect([theirs?.ok, ...own.map((each) => each?.ok)]).toStrictEqual([false, true, true, true, true])
    expect(content.reads()).toBe(1)
  })

  test('and whoever waits for two who cannot read it draws it', async () => {
    const content = contentOf('application/pdf', pdfOf(['for whoever can read it']))
    const unreadable = { ...content, read: async () => fail('gone') }
    const kim = { ...eve, subject: 'kim' }
    const drawn = await Promise.all([pictureOf(unreadable, ada), pictureOf(unreadable, eve), pictureOf(content, kim)])
    expect(drawn.map((each) => each?.ok)).toStrictEqual([false, false, true])
  })
})
