// What a person sees of a file that they are to judge; and that of hostile ones nothing is unpacked, and is said what they are.
import { describe, expect, test } from 'vitest'
import { parseCard } from '../../../../../server/cards/builders.ts'
import type { Preview } from '../../../../../server/tools/contract.ts'
import { createOrder } from '../../../../hosts/cards.ts'
import { pdfLocked, pdfOf, pngFile, zipBomb } from '../../../../kit/contents.ts'
import { ada, shown } from '../../../../kit/toolset.ts'
import { openDesk } from '../../mail/mail-fixture.ts'
import { openShelf, type Shelf } from '../files-fixture.ts'

/** Red at the top, blue below. */
const flag = (): Buffer<ArrayBuffer> => pngFile(90, 60, (_x, y) => (y < 30 ? [230, 0, 0] : [0, 0, 230]))

/** A black JPEG of eight by eight pixels whose Exif says 52°31′12″ N. */
const garden = [
  '/9j/4QD+RXhpZgAASUkqAAgAAAAHABIBAwABAAAAAQAAABoBBQABAAAAYgAAABsBBQABAAAAagAAACgBAwABAAAAAgAAABMCAwABAAAAAQAAAG',
  'mHBAABAAAAcgAAACWIBAABAAAAwAAAAAAAAAA4YwAA6AMAADhjAADoAwAABgAAkAcABAAAADAyMTABkQcABAAAAAECAwAAoAcABAAAADAxMDAB',
  'oAMAAQAAAP//AAACoAQAAQAAAAgAAAADoAQAAQAAAAgAAAAAAAAAAgABAAIAAgAAAE4AAAACAAUAAwAAAN4AAAAAAAAANAAAAAEAAAAfAAAAAQ',
  'AAAAwAAAABAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sA',
  'QwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj/8AAEQgACAAIAwEiAAIRAQ',
  'MRAf/EABUAAQEAAAAAAAAAAAAAAAAAAAAH/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABQBAQAAAAAAAAAAAAAAAAAAAAD/xAAUEQEAAAAAAAAA',
  'AAAAAAAAAAAA/9oADAMBAAIRAxEAPwCfgA//2Q==',
].join('')

const cardOf = (preview: Preview) => parseCard({ ...createOrder, blocks: [...(preview.blocks ?? [])] }).blocks
const fieldsOf = (preview: Preview) =>
  Object.fromEntries(
    cardOf(preview)
      .flatMap((block) => (block.kind === 'fields' ? block.fields : []))
      .map(({ label, value }) => [label, value]),
  )
const picturesOf = (preview: Preview) => cardOf(preview).filter((block) => block.kind === 'picture')

const linkCard = async (shelf: Shelf, fileId: string): Promise<Preview> =>
  shown(await shelf.preview('files.create_download_link', { fileId, expiresAt: shelf.inHours(2) }))

describe('the card of a link and that of a deletion', () => {
  test('show the first page of a PDF, and a picture', async () => {
    const shelf = await openShelf()
    const plan = await shelf.upload('plan.pdf', pdfOf(['Plan'], { pages: 3 }))
    const photo = await shelf.upload('photo.png', flag())
    for (const preview of [
      await linkCard(shelf, plan.fileId),
      shown(await shelf.preview('files.delete', { fileId: plan.fileId })),
    ])
      expect(picturesOf(preview)).toMatchObject([
        { label: 'plan.pdf · page 1 of 3', alt: 'The first page of plan.pdf', width: 566, height: 800 },
      ])
    const german = { fileId: plan.fileId, expiresAt: shelf.inHours(2) }
    expect(picturesOf(shown(await shelf.preview('files.create_download_link', german, ada, 'de')))).toMatchObject([
      { label: 'plan.pdf · Seite 1 von 3', alt: 'Die erste Seite von plan.pdf' },
    ])
    expect(picturesOf(await linkCard(shelf, photo.fileId))).toMatchObject([
      { label: 'photo.png · 90 × 60 pixels', alt: 'The picture in photo.png', width: 90, height: 60 },
    ])
  })

  test('say in one sentence why they show none', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('salaries.pdf', pdfLocked())
    const preview = await linkCard(shelf, fileId)
    expect(fieldsOf(preview)).toMatchObject({ Picture: { text: 'Not shown: it asks for a password' } })
    expect(picturesOf(preview)).toStrictEqual([])
  })

  test('show what the link gives, where the file is another one by now', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('plan.pdf', pdfOf(['Plan'], { pages: 3 }))
    const pair = { fileId, expiresAt: shelf.inHours(24) }
    await shelf.apply('files.create_download_link', pair)
    await shelf.upload('plan.pdf', pdfOf(['Another plan'], { pages: 5 }))
    const preview = shown(await shelf.preview('files.create_download_link', pair))
    expect(picturesOf(preview)).toMatchObject([{ label: 'plan.pdf · page 1 of 3' }])
  })

  test('warn where a photograph says where it was taken', async () => {
    const shelf = await openShelf()
    const { fileId } = await shelf.upload('garden.jpg', Buffer.from(garden, 'base64'))
    expect((await linkCard(shelf, fileId)).warnings).toMatchObject([
      { title: 'garden.jpg says where the picture was taken.' },
    ])
  })
})

describe('the card of a mail', () => {
  test('shows what its attachments look like, and says of which it cannot', async () => {
    const desk = await openDesk({ url: 'smtp://127.0.0.1:9' })
    desk.files.put('f1', 'plan.pdf', 'application/pdf', pdfOf(['Plan'], { pages: 2 }))
    desk.files.put('f2', 'salaries.pdf', 'application/pdf', pdfLocked())
    desk.files.put('f3', 'notes.txt', 'text/plain', Buffer.from('Notes'))
    const letter = { to: ['bea@other.example'], subject: 'Plan', body: 'Here it is.', attachments: ['f1', 'f2', 'f3'] }
    const preview = await desk.preview('emails.send_external', letter)
    expect(picturesOf(preview)).toMatchObject([{ label: 'plan.pdf · page 1 of 2' }])
    expect(fieldsOf(preview)).toMatchObject({ 'salaries.pdf': { text: 'Not shown: it asks for a password' } })
    expect(fieldsOf(preview)).not.toHaveProperty('notes.txt')
  })
})

describe('an archive of some kilobytes that unpacks to four gigabytes', () => {
  // Documents of Office are archives, too: what tells them from others is in a file of this name.
  test.each([
    ['of archives', zipBomb(), 'bomb.zip', undefined],
    ['that looks like a document', zipBomb(() => '[Content_Types].xml'), 'letter.docx', undefined],
    [
      'that is called a picture',
      zipBomb((at) => `mimetype${at || ''}`),
      'photo.png',
      'The name says PNG picture, the content is a ZIP archive.',
    ],
  ])(
    '%s is kept as it was sent, is handed on as that, and its cards say that it is an archive',
    async (_, bomb, name, warning) => {
      const before = process.memoryUsage().arrayBuffers
      expect(bomb.length).toBeLessThan(50_000)
      const shelf = await openShelf()
      const uploaded = await shelf.upload(name, bomb)
      expect(uploaded).toMatchObject({ type: 'application/zip', bytes: bomb.length })
      expect(uploaded.warning).toBe(warning)
      const preview = await linkCard(shelf, uploaded.fileId)
      expect(fieldsOf(preview)).toMatchObject({ File: { text: name }, Type: { text: 'ZIP archive' } })
      expect(cardOf(preview).map(({ kind }) => kind)).toStrictEqual(['fields', 'details'])
      expect(preview.warnings?.map(({ title }) => title)).toStrictEqual(warning === undefined ? [] : [warning])

      const source = shelf.source
      if (source === undefined) throw new Error('there are no files')
      const desk = await openDesk({ url: 'smtp://127.0.0.1:9' }, { source })
      const mail = { to: ['bea@other.example'], subject: 'Files', body: 'Here.', attachments: [uploaded.fileId] }
      const card = cardOf(await desk.preview('emails.send_external', mail))
      expect(card.find((block) => block.kind === 'table')).toMatchObject({
        rows: [[{ text: name }, { text: 'ZIP archive' }, { kind: 'number' }]],
      })
      const file = await source.find(ada, uploaded.fileId)
      const read = file === undefined ? undefined : await source.read(ada, file)
      expect(read?.ok === true && Buffer.from(read.value).equals(bomb)).toBe(true)
      expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
    },
  )
})
