// The cards of files in seven languages: that each speaks its own alone, whatever the file is.
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Preview } from '../../../../server/tools/contract.ts'
import { pictureWordsIn } from '../../../../server/toolsets/pictures/words.ts'
import { languages, wordsIn } from '../../../../server/toolsets/files/words.ts'
import { besideEnglish, shapeOf, textsIn } from '../../../kit/languages.ts'
import { ada, shown } from '../../../kit/toolset.ts'
import { openShelf, type Link, type Shelf } from './files-fixture.ts'

const create = 'files.create_download_link'

/** Names of files, types and systems; `undefined` where a word that takes an object got a text. */
const named =
  /undefined|fl_\w+|[\w-]+\.(?:pdf|txt|svg)|Windows|Linux|macOS|Java|PDF|Word|Excel|PowerPoint|OpenDocument|Office|ZIP|gzip|7-Zip|RAR|JPEG|PNG|GIF|WebP|SVG|MP[34]|RTF|XML|HTTP|stdio|GPS|SHA|wasm-vips|@hyzyla|pdfium|kB|MB|GB|ada|said/g

/** Words that a language shares with English where it says the same thing. */
// oxfmt-ignore
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ['bucket', 'download', 'id', 'in', 'link', 'links', 'name', 'server', 'so', 'text', 'version', 'web'],
  fr: ['agent', 'archive', 'document', 'moment', 'page', 'type', 'version', 'versions', 'web'],
  es: ['bucket', 'bytes', 'id', 'no', 'web'],
  ja: ['id'],
  ar: [],
  pt: ['bucket', 'bytes', 'do', 'download', 'id', 'link', 'links', 'pixels'],
}

/** What every word says of the same values, the ones that take an object of nothing. */
const said = (words: unknown): unknown =>
  typeof words === 'function'
    ? (words as (...values: unknown[]) => string)('said', 'said', 'said')
    : typeof words === 'object' && words !== null
      ? Object.fromEntries(Object.entries(words).map(([key, value]) => [key, said(value)]))
      : words

const wholeOf = (language: string) => {
  const { falseType, typeName, ...files } = wordsIn(language)
  const kinds = [
    'pdf',
    'word',
    'windowsProgram',
    'windowsShortcut',
    'excel',
    'oldOffice',
    'webPage',
    'mp3',
    'text',
  ] as const
  return {
    files: said(files),
    types: [...kinds.map((kind) => typeName(kind, undefined)), typeName(undefined, undefined)],
    wrong: [falseType.unsaid('linuxProgram'), falseType.otherwise('zip', undefined, undefined), falseType.text],
    pictures: said(pictureWordsIn(language)),
  }
}

/** Which words a card has does not depend on the language, so cards are drawn in two. */
const drawn = ['en', 'de']

type Cards = Readonly<Record<string, unknown>>

/** The preview of a call. */
async function previews(shelf: Shelf, name: string, input: object): Promise<Cards> {
  const cards: Record<string, unknown> = {}
  for (const language of drawn) {
    const { details: _, ...preview } = shown(await shelf.preview(name, input, ada, language))
    cards[language] = preview
  }
  return cards
}

/** That, and then what its success card says and offers. */
async function confirmed(shelf: Shelf, name: string, input: object): Promise<readonly Cards[]> {
  const contract = shelf.write(name)
  const preview = await previews(shelf, name, input)
  const output = await shelf.apply(name, input)
  const after = (language: string) => [
    contract.cards?.success?.(input, output, { language }),
    contract.undo?.(input, output, { language })?.label,
  ]
  return [preview, Object.fromEntries(drawn.map((language) => [language, after(language)]))]
}

/** Cards of every tool that writes, of files of every sort. */
async function cardsOf(): Promise<readonly Cards[]> {
  const shelf = await openShelf({ tenantMb: 1 })
  const link = async (name: string, content: Uint8Array<ArrayBuffer> | string) => {
    const { fileId } = await shelf.upload(name, content)
    return { fileId, expiresAt: shelf.inHours(24) }
  }
  const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))
  const closed = await openShelf({ door: false })
  const unserved = { fileId: (await closed.upload('plan.txt', 'said')).fileId, expiresAt: closed.inHours(24) }
  const svg = await link('plan.txt', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  const cards = [
    ...(await confirmed(shelf, create, svg)),
    await previews(shelf, create, await link('said', bytes(`\x7fELF\x02\x01\x01${'\0'.repeat(100)}`))),
    await previews(shelf, create, await link('said.pdf', bytes('\0\x01\x02\x03'))),
    await previews(closed, create, unserved),
  ]
  const report = await link('report.txt', 'said'.repeat(25_000))
  const { fileId } = report
  const { linkId } = await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(25) })
  await shelf.apply<Link>(create, report)
  await shelf.upload('report.txt', bytes('\0\x01\x02\x03'))
  cards.push(
    await previews(shelf, create, report),
    ...(await confirmed(shelf, 'files.revoke_download_link', { linkId })),
    await previews(shelf, 'files.restore_version', { fileId, version: 2 }),
    ...(await confirmed(shelf, 'files.restore_version', { fileId, version: 1 })),
    ...(await confirmed(shelf, 'files.delete', { fileId })),
  )
  const another = await link('report.txt', 'said')
  cards.push(await previews(shelf, 'files.restore', { fileId }))
  await shelf.apply('files.delete', { fileId: another.fileId })
  const { fileId: large } = await shelf.upload('large.txt', 'said'.repeat(240_000))
  cards.push(await previews(shelf, 'files.restore', { fileId }))
  await shelf.apply('files.delete', { fileId: large })
  shelf.clock.pass(60 * 86_400_000)
  const fresh = await link('fresh.txt', 'said')
  await shelf.apply('files.delete', { fileId: fresh.fileId })
  cards.push(...(await confirmed(shelf, 'files.restore', { fileId: fresh.fileId })))
  rmSync(shelf.folder, { recursive: true })
  cards.push(await previews(shelf, create, { ...fresh, expiresAt: shelf.inHours(26) }))
  const blocked = cards.flatMap((card) => (card['en'] as Partial<Preview>).blocked?.code ?? [])
  expect(blocked).toStrictEqual(['no_web_door', 'nothing_to_change', 'name_taken', 'no_room', 'unreadable_content'])
  return cards
}

test('the languages say the same things', () => {
  expect(languages).toStrictEqual(['en', 'de', 'fr', 'es', 'ja', 'ar', 'pt'])
  for (const language of languages)
    expect(shapeOf([wordsIn(language), pictureWordsIn(language)])).toStrictEqual(
      shapeOf([wordsIn('en'), pictureWordsIn('en')]),
    )
})

test('people read of every failure in each language what has happened', async () => {
  const shelf = await openShelf()
  const writes = ['create_download_link', 'revoke_download_link', 'delete', 'restore', 'restore_version']
  const said = writes.flatMap((name) => Object.entries(shelf.write(`files.${name}`).failures))
  for (const [code, { says = {} }] of said)
    expect([code, ...Object.keys(says)]).toStrictEqual([code, ...languages.slice(1)])
  expect(new Set(said.map(([code]) => code))).toStrictEqual(new Set(Object.keys(wordsIn('en').failures)))
})

test('of a file that is there and was not deleted, nobody reads that there is none', async () => {
  const shelf = await openShelf()
  const { fileId } = await shelf.upload('plan.txt', 'ours')
  expect(await shelf.run('files.restore', { fileId })).toMatchObject({ code: 'unknown_file' })
  const saysOf = (name: string) => shelf.write(name).failures['unknown_file']?.says
  expect(saysOf('files.restore')).toMatchObject({ de: 'Diese Datei ist nicht da oder nicht gelöscht.' })
  expect(saysOf('files.delete')).toMatchObject({ de: 'Diese Datei gibt es nicht.' })
})

test.each(languages.slice(1))('no word of English is left in %s', async (language) => {
  const words: Cards = Object.fromEntries(languages.map((each) => [each, wholeOf(each)]))
  const used = new Set<string>()
  for (const card of [words, ...(drawn.includes(language) ? await cardsOf() : [])]) {
    const english = textsIn(card['en'])
    const own = textsIn(card[language])
    expect([...own.keys()]).toStrictEqual([...english.keys()])
    for (const { at, text, left, figures, asked } of besideEnglish(english, own, named)) {
      left.forEach((word) => used.add(word))
      expect([at, text, left.filter((word) => !shared[language]?.includes(word))]).toStrictEqual([at, text, []])
      expect([at, text, figures]).toStrictEqual([at, text, asked])
    }
  }
  expect([...used].sort()).toStrictEqual(shared[language])
})
