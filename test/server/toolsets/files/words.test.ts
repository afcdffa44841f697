// The card of a download link in six languages: that it speaks its own alone, whatever the file is.
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pictureWordsIn } from '../../../../server/toolsets/pictures/words.ts'
import { languages, wordsIn } from '../../../../server/toolsets/files/words.ts'
import { besideEnglish, shapeOf, textsIn } from '../../../kit/languages.ts'
import { ada, shown } from '../../../kit/toolset.ts'
import { openShelf, type Link, type Shelf } from './files-fixture.ts'

const create = 'files.create_download_link'

/** Names of files, types and systems; `undefined` where a word that takes an object got a text. */
const named =
  /undefined|[\w-]+\.(?:pdf|txt|svg)|Windows|Linux|macOS|Java|PDF|Word|Excel|PowerPoint|OpenDocument|Office|ZIP|gzip|7-Zip|RAR|JPEG|PNG|GIF|WebP|SVG|MP[34]|RTF|XML|HTTP|stdio|GPS|SHA|wasm-vips|@hyzyla|pdfium|kB|MB|GB|ada|said/g

/** Words that a language shares with English where it says the same thing. */
// oxfmt-ignore
const shared: Readonly<Record<string, readonly string[]>> = {
  de: ['download', 'id', 'in', 'link', 'links', 'name', 'server', 'so', 'text', 'version', 'web'],
  fr: ['agent', 'archive', 'document', 'moment', 'page', 'type', 'version', 'web'],
  es: ['bytes', 'id', 'no', 'web'],
  ja: ['id'],
  ar: [],
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

/** Cards of links to files of every sort, in all languages. */
async function cardsOf(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const shelf = await openShelf()
  const linkTo = async (name: string, content: Uint8Array<ArrayBuffer> | string) => {
    const { fileId } = await shelf.upload(name, content)
    return inAll(shelf, { fileId, expiresAt: shelf.inHours(24) })
  }
  const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))
  const closed = await openShelf({ door: false })
  const unserved = await closed.upload('plan.txt', 'said')
  const cards = [
    await linkTo('plan.txt', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    await linkTo('said', bytes(`\x7fELF\x02\x01\x01${'\0'.repeat(100)}`)),
    await linkTo('said.pdf', bytes('\0\x01\x02\x03')),
    await inAll(closed, { fileId: unserved.fileId, expiresAt: closed.inHours(24) }),
  ]
  const { fileId } = await shelf.upload('report.txt', 'said')
  await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(25) })
  await shelf.apply<Link>(create, { fileId, expiresAt: shelf.inHours(24) })
  await shelf.upload('report.txt', 'said again')
  cards.push(await inAll(shelf, { fileId, expiresAt: shelf.inHours(24) }))
  rmSync(shelf.folder, { recursive: true })
  cards.push(await inAll(shelf, { fileId, expiresAt: shelf.inHours(26) }))
  return cards
}

/** The card of one link in all languages: its preview, and what its success card says and offers. */
async function inAll(shelf: Shelf, input: { fileId: string; expiresAt: string }): Promise<Record<string, unknown>> {
  const contract = shelf.write(create)
  const output = {
    linkId: 'dl_1',
    url: 'https://files.example',
    fileId: input.fileId,
    fileName: 'plan.pdf',
    version: 1,
    expiresAt: input.expiresAt,
    repeated: false,
    servedBy: 'server',
  }
  const cards: Record<string, unknown> = {}
  for (const language of languages) {
    const { details: _, ...preview } = shown(await shelf.preview(create, input, ada, language))
    const success = contract.cards?.success?.(input, output, { language })
    cards[language] = { preview, success, undo: contract.undo?.(input, output, { language })?.label }
  }
  return cards
}

let made: ReturnType<typeof cardsOf> | undefined

test('the languages say the same things', () => {
  expect(languages).toStrictEqual(['en', 'de', 'fr', 'es', 'ja', 'ar'])
  for (const language of languages)
    expect(shapeOf([wordsIn(language), pictureWordsIn(language)])).toStrictEqual(
      shapeOf([wordsIn('en'), pictureWordsIn('en')]),
    )
})

test.each(languages.slice(1))(
  'no word of English is left in %s, neither in the words nor on a card',
  async (language) => {
    const cards = [...(await (made ??= cardsOf())), Object.fromEntries(languages.map((each) => [each, wholeOf(each)]))]
    const used = new Set<string>()
    for (const card of cards) {
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
  },
)
